"""A memory opened from its cache is the memory opened without one, whatever was written after the cache was made."""

import os
import shutil
from contextlib import suppress
from random import Random

import numpy as np
import pytest

from context_graph.errors import ContextGraphError
from context_graph.index import segment_cache, snapshot
from context_graph.index.segment_cache import segments_of
from context_graph.index.snapshot import Snapshot
from context_graph.ingest.draft import Draft
from context_graph.ingest.forget import forget
from context_graph.memory import Memory
from context_graph.recall.question import Question
from context_graph.settings import Settings
from context_graph.store import segments as stored
from context_graph.store.segments import STATE_PART

WHY = "worth keeping for later"
QUESTIONS = ("What does Anna do in Bergen?", "the old harbour", "Who repairs clocks 12?")
CODES = {"session": "sessions", "context": "contexts", "speaker": "speakers", "agent": "agents", "domain": "domains",
         "modality": "modalities", "johari": "joharis"}  # fmt: skip


@pytest.fixture(autouse=True)
def small_segments(monkeypatch):
    """Segments of four memories, so that a few make some."""
    for module in (stored, segment_cache, snapshot):
        monkeypatch.setattr(module, "SEGMENT_ROWS", 4)


def opened(home, tier="base") -> Memory:
    return Memory(Settings(home=home, tier=tier), session_id="the reader")


def text(random: Random, number: int) -> str:
    who, what = random.choice("Anna Ben Clara David".split()), random.choice("clocks bridges maps harbours".split())
    place = random.choice("Bergen Porto Riga Turku".split())
    return f"{who} repairs {what} in {place} because entry {number} of the old harbour said so in {1900 + number}."


def told(memory: Memory, random: Random, count: int, first: int = 0) -> list[str]:
    drafts = (
        Draft(
            text(random, number), WHY, session_id=f"s{number % 3}",
            speaker=random.choice([None, "Ben", "Clara"]), importance=random.random(),
        )
        for number in range(first, first + count)
    )  # fmt: skip
    return [memory.remember(draft).node.id for draft in drafts]


def knowledge(memory: Memory) -> dict[str, object]:
    """All that a search reads, and what it answers."""
    corpus, found = memory.corpus, {}
    live = np.flatnonzero(corpus.columns.live)
    terms = np.unique(np.concatenate([words for words, _ in corpus.words(live)] or [np.zeros(0, np.int64)]))
    for name in corpus.columns.names:
        column = getattr(corpus.columns, name)[live]
        if name in CODES:  # numbered as they came
            texts = getattr(corpus, CODES[name]).texts
            found[name] = [texts[code] if code >= 0 else None for code in column.tolist()]
        else:
            found[name] = column.tolist()
    for part in (corpus.idf_features, corpus.forms):
        found |= {name: getattr(part, name)[live].tolist() for name in part.names}
    found["ids"] = [corpus.ids[row] for row in live]
    found["df"] = [corpus.terms.df(terms).tolist(), corpus.named.df(terms).tolist(), corpus.terms.average_length]
    found["documents"] = corpus.documents
    found["E1"], found["E9"] = corpus.semantic.rows(live).tolist(), corpus.bits.rows(live).tolist()
    found["E12"] = [
        [corpus.tokens.codes(document).tolist() for document in np.flatnonzero(corpus.owners.row == row)]
        for row in live.tolist()
    ]
    for id, space in corpus.optional.items():
        found[id] = [space.owners.row.tolist(), space.vectors.rows(np.arange(len(space))).tolist()]
    found["answers"] = [
        [(hit.node.id, hit.relevance) for hit in memory.recall(Question(question, record=False)).hits]
        for question in QUESTIONS
    ]
    return found


def state_of(home, tier="base") -> int:
    """How many memories the next opening takes from the state."""
    with opened(home, tier) as memory, memory.store.snapshot() as seen:
        return Snapshot.of(seen, segments_of(memory.store, memory.embedder), memory.embedder.makers).rows


@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.long)])
def test_with_and_without_a_cache_all_is_the_same_after_any_writes(tmp_path, seed):
    random, home, number, used = Random(seed), tmp_path / "home", 0, 0
    with opened(home) as memory:
        ids = told(memory, random, 40)
        number = 40
    undone = []
    for _ in range(14):
        with opened(home) as memory:
            assert len(memory.corpus) >= 40
            for _ in range(random.randrange(5)):
                living = [node.id for node in memory.store.memories() if node.state == "live"]
                match random.choice(["tell", "tell", "forget", "undo", "redo", "recall", "supersede", "purge"]):
                    case "tell":
                        ids += told(memory, random, random.randrange(1, 6), number)
                        number += 10
                    case "forget":
                        undone.append(forget(memory, random.choice(living), "obsolete").reversal_hash)
                    case "undo":
                        event = memory.store.lineage(random.choice(living[-3:]))[0]
                        with suppress(ContextGraphError):  # what others refer to stays
                            undone.append(memory.store.undo(event.hash, memory.author(memory.caller)).event.hash)
                    case "redo" if undone:
                        with suppress(ContextGraphError):
                            memory.store.undo(undone.pop(), memory.author(memory.caller))
                    case "recall":
                        memory.recall(Question(random.choice(QUESTIONS)))
                        memory.store.effects.flush()
                    case "supersede":
                        new = text(random, number)
                        number += 1
                        memory.remember(Draft(new, WHY, metadata={"supersedes": random.choice(living)}))
                    case "purge" if random.random() < 0.3:
                        forget(memory, random.choice(living), "user_requested", soft=False)
        used += state_of(home) > 0
        bare = tmp_path / "bare"
        shutil.copytree(home, bare)
        shutil.rmtree(bare / "cache", ignore_errors=True)
        with opened(home) as cached, opened(bare) as fresh:
            ours, theirs = knowledge(cached), knowledge(fresh)
            for name in theirs:
                assert ours[name] == theirs[name], name
        shutil.rmtree(bare)
    assert used >= 5, "the state must have served, or this proves nothing"


def test_a_state_serves_until_so_much_was_written_after_it(tmp_path, monkeypatch):
    with opened(tmp_path) as memory:
        told(memory, Random(1), 33)
    with opened(tmp_path) as memory:
        assert len(memory.corpus) == 33
    path = next(tmp_path.rglob(f"*.{STATE_PART}.segment"))
    before = path.read_bytes()
    assert state_of(tmp_path) == 32
    with opened(tmp_path) as memory:
        told(memory, Random(2), 2, 50)
        assert len(memory.corpus) == 35
    with opened(tmp_path) as memory:
        assert len(memory.corpus) == 35
    assert path.read_bytes() == before, "two events more are not worth the writing"
    monkeypatch.setattr(snapshot, "STALE_EVENTS", 1)
    with opened(tmp_path) as memory:
        assert len(memory.corpus) == 35
    assert path.read_bytes() != before
    monkeypatch.setattr(snapshot, "MAX_EVENTS_SINCE", 0)
    with opened(tmp_path) as memory:
        forget(memory, memory.corpus.ids[0], "obsolete")
    assert state_of(tmp_path) == 0


def test_a_state_is_void_where_the_log_is_another(tmp_path):
    with opened(tmp_path / "one") as memory:
        told(memory, Random(1), 9)
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    with opened(tmp_path / "one") as memory:
        told(memory, Random(2), 4, 50)
        assert len(memory.corpus) == 13
    with opened(tmp_path / "one") as memory:
        assert len(memory.corpus) == 13
    with opened(tmp_path / "other") as memory:
        told(memory, Random(3), 4, 70)
        assert len(memory.corpus) == 13
    shutil.copytree(tmp_path / "one" / "cache", tmp_path / "other" / "cache", dirs_exist_ok=True)
    assert state_of(tmp_path / "one") == 12 and state_of(tmp_path / "other") == 0
    with opened(tmp_path / "other") as memory:
        now = knowledge(memory)
    shutil.rmtree(tmp_path / "other" / "cache")
    with opened(tmp_path / "other") as memory:
        assert knowledge(memory) == now


def test_new_vectors_of_a_memory_are_those_that_the_next_opening_has(tmp_path):
    with opened(tmp_path) as memory:
        told(memory, Random(1), 9)
    with opened(tmp_path) as memory:
        assert len(memory.corpus) == 9
    assert state_of(tmp_path) == 8
    with opened(tmp_path) as memory:  # writes, and ends before it has looked at its own write
        node = next(memory.store.memories())
        turned = -np.frombuffer(memory.store.vectors([node.id], "E1")[node.id], np.float16)
        with memory.store.write("embedded", memory.author(memory.caller)) as tx:
            tx.put_vector(node.id, "E1", memory.embedder.makers["E1"], turned.tobytes())
    for _ in range(2):
        with opened(tmp_path) as memory:
            assert memory.corpus.semantic.rows([0]).tolist() == [turned.astype(np.float32).tolist()]
    assert state_of(tmp_path) == 8


def test_what_is_embedded_in_the_background_leaves_its_segment(tmp_path, monkeypatch):
    with opened(tmp_path) as memory:
        told(memory, Random(1), 13)
    with opened(tmp_path) as memory:
        corpus = memory.corpus
        assert len(corpus) == 13
        assert all(list(tmp_path.rglob(f"{number:08d}.*features*")) for number in range(3))
        monkeypatch.setattr(memory, "catch_up", lambda: corpus)  # and ends before it looks at its own write
        memory.background.plan("embed", [corpus.ids[9]])
        memory.background.wait()
        kept = [bool(list(tmp_path.rglob(f"{number:08d}.*features*"))) for number in range(3)]
    assert kept == [True, True, False]


def test_two_processes_follow_each_other_on_one_cache(tmp_path):
    with opened(tmp_path) as memory:
        told(memory, Random(1), 17)
    with opened(tmp_path) as first, opened(tmp_path) as second:
        assert len(first.corpus) == len(second.corpus) == 17
        told(first, Random(2), 5, 50)
        gone = forget(second, second.corpus.ids[3], "obsolete")
        assert knowledge(first) == knowledge(second)
        for path in tmp_path.rglob("*.segment"):  # what is open stays readable
            path.unlink()
        assert knowledge(first) == knowledge(second)
        second.store.undo(gone.reversal_hash, second.author(second.caller))
        with opened(tmp_path) as third:
            assert knowledge(third) == knowledge(first) == knowledge(second)


def test_no_file_stays_open_and_nothing_is_written_where_all_is_fresh(tmp_path):
    with opened(tmp_path) as memory:
        told(memory, Random(1), 33)
    with opened(tmp_path) as memory:
        assert len(memory.corpus) == 33
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.segment")}
    with opened(tmp_path) as memory:
        assert len(memory.corpus) == 33
        links = [os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
        assert not [link for link in links if ".segment" in link]
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.segment")} == before
