"""What documents of folders were when they were read: where nothing changed, they are neither parsed nor cleaned."""

import os
import sys
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from context_graph.settings import Settings
from context_graph.store import STATE_PART, Segments

__all__ = ["Reading", "Readings", "digest"]

DIGEST_BYTES = 16
PACKAGE = Path(__file__).parents[2]
MODULES = ("dates.py", "ingest/splitter.py", "regex.py", "settings.py", "texts.py")
PACKAGES = ("connectors/folder", "knowledge", "safety")
"""Programs by which a document is read, cleaned and compared."""

NOTED_DOCUMENTS = 200_000
"""Of which a reading stays noted; those that changed longest ago leave first."""


class Reading(NamedTuple):
    """One document that was read, and compared with its memories: all that it says was known, and nothing left over.

    Attributes
    ----------
    content : bytes
        Digest of the file, of the rules by which it was cleaned and of the programs by which it was read.
    memories : bytes
        Digest of the memories that it was compared with; in the graph of documents, of how it was read.
    order : tuple of int
        By part, the place of its memory among these.
    """

    content: bytes
    memories: bytes
    order: tuple[int, ...]


def digest(*texts: bytes) -> bytes:
    """16 bytes that stand for some texts, each by itself.

    Examples
    --------
    >>> digest(b"a", b"b") == digest(b"ab"), len(digest())
    (False, 16)
    """
    lengths = b",".join(b"%d" % len(text) for text in texts)
    return blake2b(b"".join((lengths, b":", *texts)), digest_size=DIGEST_BYTES).digest()


class Readings:
    """The readings of a home, in its cache: whatever of them is lost is read anew.

    They hold digests alone, and go with the cached arrays of any memory that is deleted for good.

    Parameters
    ----------
    rules : bytes
        Digest of all but the file and its memories that a comparison follows from; empty where it is not known, and
        nothing is noted.
    of : str
        What the documents are read for: each has a file of its own.
    """

    def __init__(self, home: Path, rules: bytes, of: str = "passages") -> None:
        self._segments, self._rules = Segments(home, f"readings of documents for {of}"), rules
        self._changed = False
        try:
            self._readings = _unpacked(self._segments.load(0, STATE_PART) or {}) if rules else {}
        except (KeyError, ValueError, IndexError):
            self._readings = {}

    @classmethod
    def of(cls, chosen: Settings, of: str = "passages") -> "Readings":
        """Those of a home, as far as the rules and programs of now made them."""
        programs = _programs()
        return cls(chosen.home, programs and digest(programs, *map(str.encode, sorted(chosen.redacted))), of)

    @property
    def are_possible(self) -> bool:
        """Whether it is known by which programs documents are read."""
        return bool(self._rules)

    def content(self, data: bytes) -> bytes:
        """The digest of the content of a file."""
        return digest(self._rules, data)

    def get(self, place: str, content: bytes) -> Reading | None:
        """The reading of the file at a place, if that had this content."""
        reading = self._readings.get(_key(place))
        return reading if reading is not None and reading.content == content else None

    def note(self, place: str, reading: Reading) -> None:
        """Keep a reading of the file at a place."""
        if self._rules and self._readings.get(key := _key(place)) != reading:
            self._readings.pop(key, None)
            self._readings[key] = reading
            self._changed = True

    def save(self) -> None:
        """Write them, where any is new."""
        if self._changed:
            for key in list(self._readings)[: max(0, len(self._readings) - NOTED_DOCUMENTS)]:
                del self._readings[key]
            self._segments.save(0, _packed(self._readings), STATE_PART)
            self._changed = False


def _key(place: str) -> bytes:
    return digest(os.fsencode(place))


def _packed(readings: dict[bytes, Reading]) -> dict[str, np.ndarray]:
    digests = [one for key, reading in readings.items() for one in (key, reading.content, reading.memories)]
    return {
        "digests": np.frombuffer(b"".join(digests), np.uint8),
        "parts": np.array([len(reading.order) for reading in readings.values()], np.uint32),
        "order": np.array([place for reading in readings.values() for place in reading.order], np.uint32),
    }


def _unpacked(arrays: dict[str, np.ndarray]) -> dict[bytes, Reading]:
    if not arrays:
        return {}
    digests, order = arrays["digests"].view(f"V{DIGEST_BYTES}").tolist(), arrays["order"].tolist()
    readings, start = {}, 0
    for key, content, memories, count in zip(
        digests[::3], digests[1::3], digests[2::3], arrays["parts"].tolist(), strict=True
    ):
        readings[key] = Reading(content, memories, tuple(order[start : start + count]))
        start += count
    return readings


@cache
def _programs() -> bytes:
    """Digest of the programs that read, clean and compare a document, so that none is forgotten when it changes; empty
    where they cannot be read.
    """
    try:
        files = [PACKAGE / name for name in MODULES]
        for name in PACKAGES:
            files += sorted((PACKAGE / name).rglob("*.py"))
        versions: Sequence[str] = (sys.version, version("markdown-it-py"), version("PyYAML"))
        return digest(*map(str.encode, versions), *(file.read_bytes() for file in files))
    except (OSError, PackageNotFoundError):
        return b""
