"""The readers of files by their suffixes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from context_graph.models import Microseconds

__all__ = ["READERS", "MissingExtra", "Reader", "Section", "Unreadable", "reader"]

MAX_TEXT_FILE_BYTES = 1_000_000
"""Of a file that is read as text."""


class Section(NamedTuple):
    """A stretch of a file, before it is cut into parts.

    Attributes
    ----------
    line : int
        Where its text begins in the file, from 1; 0 where the text is not that of the file.
    whole : bool
        Its text is short enough already, and is not to be cut.
    occurred_at : int, optional
        Microseconds; where the file says of when it is.
    tags : tuple of str
        Those that the file names.
    ended : str
        How the file says that it does not hold any more, such as "superseded"; empty where it holds.
    """

    heading: str
    text: str
    line: int = 1
    place: str = ""
    definition: str = ""
    signature: str = ""
    whole: bool = False
    occurred_at: Microseconds | None = None
    tags: tuple[str, ...] = ()
    ended: str = ""


class MissingExtra(Exception):
    """What reads a kind of file is not installed; its text names the extra."""


class Unreadable(Exception):
    """A file is not what its name says, or too much; its text is the reason."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How files of some suffixes are read.

    Attributes
    ----------
    read : callable
        Takes the text of a file, or its path where `binary`, and gives its sections in order.
    kind : str
        See `Part`.
    max_bytes : int
        Of a file; a larger one is left out.
    max_parts : int
        Of a file; the rest of it is left out, with a word.
    plain : bool
        Where an extra is missing, the file is read as plain text instead.
    """

    read: Callable[..., Iterable[Section]]
    kind: str
    binary: bool = False
    max_bytes: int = MAX_TEXT_FILE_BYTES
    max_parts: int = 2_000
    plain: bool = False


READERS: dict[str, Reader] = {}
"""By suffix in lower case."""


def reader(
    *suffixes: str,
    kind: str,
    binary: bool = False,
    max_bytes: int = MAX_TEXT_FILE_BYTES,
    max_parts: int = 2_000,
    plain: bool = False,
) -> Callable[[Callable[..., Iterable[Section]]], Callable[..., Iterable[Section]]]:
    """Make a function the reader of files with these suffixes; see `Reader`.

    The function may raise `Unreadable`, and `MissingExtra` where a package is not there. It takes the text of a file
    and its path; a binary one takes the path alone.
    """

    def register(read: Callable[..., Iterable[Section]]) -> Callable[..., Iterable[Section]]:
        for suffix in suffixes:
            READERS[suffix] = Reader(read, kind, binary, max_bytes, max_parts, plain)
        return read

    return register


def suffix_of(path: str | Path) -> str:
    """The suffix by which a file is read, in lower case."""
    name = path.rpartition("/")[2] if isinstance(path, str) else path.name  # pathlib takes ten times as long
    dot = name.rfind(".")
    return name[dot:].lower() if 0 < dot < len(name) - 1 else ""
