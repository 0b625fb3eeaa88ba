"""Storing, beside what it cannot be faster than: embedding the same texts, and writing the same bytes."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from benchmarks.system.fill import fill
from benchmarks.system.texts import long_texts, texts

__all__ = ["opened", "storing", "storing_many", "times"]

WHY = "a paragraph of an encyclopedia"
WORDS = 15


def times(action: Callable[[object], object], items: Sequence) -> dict[str, float]:
    """p50 and p95 of the wall time, and the mean CPU time, of an action on each item, in ms."""
    walls, started = [], time.process_time()
    for item in items:
        begin = time.perf_counter()
        action(item)
        walls.append((time.perf_counter() - begin) * 1000)
    cpu = (time.process_time() - started) * 1000 / max(len(items), 1)
    p50, p95 = np.percentile(walls, [50, 95])
    return {"p50_ms": round(float(p50), 2), "p95_ms": round(float(p95), 2), "cpu_ms": round(cpu, 2), "n": len(items)}


def opened(home: Path, tier: str):
    from context_graph.memory import Memory
    from context_graph.settings import Settings

    return Memory(Settings(home=home, tier=tier))


def storing(data: Path, tier: str) -> dict[str, object]:
    """remember, one event each, 256 tokens, into a store that already holds 1,000; and the least it could take."""
    from context_graph.ingest.draft import Draft

    home = Path(tempfile.mkdtemp())
    with opened(home, tier) as memory:
        fill(memory, texts(data, 1_000))
        parts = long_texts(data, 230)
        for part in parts[:30]:
            memory.remember(Draft(part, WHY))
        before = memory.store.head()[0]
        found = times(lambda part: memory.remember(Draft(part, WHY)), parts[30:])
        embedded = times(memory.embedder.fingerprint, parts[30:])
        written = times(_writer(home), _sizes(memory, before))
    shutil.rmtree(home)
    return found | _beside(found["p50_ms"], embedded["p50_ms"], written["p50_ms"])


def storing_many(data: Path, tier: str, count: int = 1_024) -> dict[str, object]:
    """remember_many of texts of 15 words, 64 to an event, into a store that already holds 1,000; ms are of one text."""
    from context_graph.ingest.batch import BATCH
    from context_graph.ingest.draft import Draft

    short = dict.fromkeys(" ".join(text.split()[:WORDS]) for text in texts(data, 8 * count))
    lines = [text for text in short if len(text.split()) == WORDS][: count + BATCH]
    home = Path(tempfile.mkdtemp())
    with opened(home, tier) as memory:
        fill(memory, texts(data, 1_000))
        memory.remember_many([Draft(line, WHY) for line in lines[:BATCH]])
        before = memory.store.head()[0]
        batches = [lines[start : start + BATCH] for start in range(BATCH, len(lines), BATCH)]
        found = times(lambda batch: memory.remember_many([Draft(line, WHY) for line in batch]), batches)

        def embed(batch: Sequence[str]) -> None:
            """As remember_many does: texts and windows in shared passes."""
            windows = zip(batch, ["", *batch], strict=False)
            ahead = memory.embedder.ahead((text, None, None, previous) for text, previous in windows)
            for text, previous in zip(batch, ["", *batch], strict=False):
                memory.embedder.fingerprint(text, previous=previous, ahead=ahead)

        embedded = times(embed, batches)
        written = times(_writer(home), _sizes(memory, before))
    shutil.rmtree(home)
    p50 = {name: each["p50_ms"] / BATCH for name, each in (("all", found), ("embed", embedded), ("write", written))}
    return {
        "p50_ms": round(p50["all"], 2), "cpu_ms": round(found["cpu_ms"] / BATCH, 2), "n": len(lines) - BATCH,
        "per_second": round(1000 / p50["all"]), **_beside(p50["all"], p50["embed"], p50["write"]),
    }  # fmt: skip


def _beside(all_ms: float, embedded_ms: float, written_ms: float) -> dict[str, float]:
    least = embedded_ms + written_ms
    return {
        "embedding_ms": round(embedded_ms, 2), "writing_ms": round(written_ms, 2),
        "times_the_least": round(all_ms / least, 2),
    }  # fmt: skip


def _sizes(memory, after: int) -> list[int]:
    """Bytes that each event since one has written: its payload, twice, as the tables hold it again; and its vectors."""
    held = "SELECT coalesce(sum(length(data)), 0) FROM blobs WHERE sha256 IN (SELECT value FROM json_each(?))"
    rows = memory.store._rows(
        "SELECT length(payload), json_extract(payload, '$.blobs') FROM events"
        " WHERE seq > ? AND type = 'created' ORDER BY seq",
        (after,),
    )
    return [2 * size + memory.store._rows(held, (blobs,))[0][0] for size, blobs in rows]


def _writer(home: Path) -> Callable[[int], None]:
    """Writes so many bytes by one transaction on the same disk with the same settings."""
    from context_graph.store.sqlite.connection import connect

    file = home / "raw.sqlite3"
    file.touch()
    with closing(connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("CREATE TABLE raw (data BLOB)")

    def write(size: int) -> None:
        with closing(connect(file)) as connection, connection:
            connection.execute("INSERT INTO raw VALUES (?)", (os.urandom(size),))

    return write
