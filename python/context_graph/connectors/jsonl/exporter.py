"""A memory as JSON Lines: all that an import needs to make the same memory again."""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_graph.connectors.jsonl.format import KINDS, VERSION, line_of, vector_line
from context_graph.display import Plain
from context_graph.embed import OPTIONAL
from context_graph.errors import StoreError, UnusablePath
from context_graph.models import to_iso
from context_graph.reading.media import FILE
from context_graph.store import keys, naming

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Reader

__all__ = ["SIGNED", "UNTOLD", "Exported", "export", "write_file"]

SIGNED = b"context-graph export 1\n"
"""Stands before the digest that is signed."""

UNTOLD = (FILE, *(id for id, encoder in OPTIONAL.items() if not encoder.of_text))
"""What cannot be made anew from the text of a memory."""


@dataclass(frozen=True, slots=True)
class Exported(Plain):
    """A file that was written."""

    path: Path
    lines: int
    bytes: int


def write_file(memory: "Runtime", path: Path, *, vectors: bool = True) -> Exported:
    """Write an export whole or not at all, never over another file, readable by its owner alone."""
    if path.exists():
        raise UnusablePath(f"{path} exists already, and an export replaces no file; choose another name", field="path")
    if not path.absolute().parent.is_dir():
        raise UnusablePath(f"{path}: no such folder; make it first, or name another file", field="path")
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        opened = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with naming(path), open(opened, "w", encoding="utf-8", newline="\n") as file:
            count = 0
            for line in export(memory, vectors=vectors):
                file.write(line)
                count += 1
            file.flush()
            os.fsync(file.fileno())
        os.link(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    return Exported(path, count, path.stat().st_size)


def export(memory: "Runtime", *, vectors: bool = True) -> Iterator[str]:
    """The lines of an export, of one moment: a header, nodes each with its vectors, edges, goals, records, and an end.

    The end carries the number of lines and the SHA-256 over all lines before it, so that a cut file is noticed, and a
    signature over that with the key of the store: only there an import believes the vectors.

    Parameters
    ----------
    vectors : bool
        Without them the file is a tenth as large, and an import embeds every text anew. What no text tells is in it
        all the same: pictures, sounds and films, and how they look or sound.
    """
    memory.store.effects.flush()
    digest, count = hashlib.sha256(), 0
    with memory.store.snapshot() as seen:
        for line in _lines(seen, vectors, to_iso(memory.clock())):
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), sort_keys=False) + "\n"
            digest.update(text.encode())
            count += 1
            yield text
    yield json.dumps({"type": "end", "lines": count, "sha256": digest.hexdigest(), **_signed(memory, digest)}) + "\n"


def _signed(memory: "Runtime", digest: Any) -> dict[str, str]:
    """What shows this store that it wrote the file itself; nothing where its key can be neither read nor made."""
    try:
        return {"signature": keys.sign(memory.settings.home, SIGNED + digest.digest())}
    except (OSError, StoreError):
        return {}


def _lines(reader: "Reader", vectors: bool, at: str) -> Iterator[dict[str, Any]]:
    yield {
        "type": "context-graph export", "version": VERSION, "exported_at": at, "vectors": vectors,
        "next_ordinal": reader.ordinals_used(),
    }  # fmt: skip
    for kind, made in KINDS.items():
        for page in reader.scan(made):
            kept = reader.vectors_of([node.id for node in page], None if vectors else UNTOLD) if kind == "node" else {}
            for item in page:
                yield line_of(kind, item)
                for space, model, data in kept.get(item.id, ()) if kept else ():
                    yield vector_line(item.id, space, model, data)
