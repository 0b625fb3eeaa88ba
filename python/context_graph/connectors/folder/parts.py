"""What a folder holds: the parts of its files, and what of it was not read."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, overload

from context_graph.models import Microseconds

if TYPE_CHECKING:
    from context_graph.connectors.folder.readings import Reading, Readings

__all__ = ["TOO_SHORT", "LaterParts", "Part", "Skipped", "Survey"]

TOO_SHORT = "too short"
"""The one reason for which a file that was read gives nothing; all others leave its contents unknown."""


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a file that can stand alone.

    Attributes
    ----------
    path : str
        Of the file, below the folder.
    heading : str
        Where it stands: headings or the definition's name, outermost first.
    kind : str
        "documentation", "code", "data" or "text".
    line, end_line : int
        Where it begins and ends in the file, from 1.
    place : str
        Where a file has no lines: "page=3" of a PDF, "cell=2" of a notebook.
    definition, signature : str
        Of code: "function", "class", "method", ..., and how it is declared, on one line.
    occurred_at : int, optional
        Microseconds; where the file says of when it is.
    tags : tuple of str
        Those that the file names.
    ended : str
        How the file says that it does not hold any more; empty where it holds.
    """

    path: str
    heading: str
    text: str
    kind: str
    line: int = 1
    end_line: int = 1
    place: str = ""
    definition: str = ""
    signature: str = ""
    occurred_at: Microseconds | None = None
    tags: tuple[str, ...] = ()
    ended: str = ""


class Skipped(NamedTuple):
    """A file or folder that gives no part, or not all of them, and why."""

    path: str
    reason: str


class LaterParts(Sequence[Part]):
    """The parts of a file of which it is known how many there are, read when one is asked for."""

    def __init__(self, count: int, read: Callable[[], Iterator[Part]]) -> None:
        self._count, self._read = count, read

    @cached_property
    def _parts(self) -> list[Part]:
        return list(self._read())

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Part: ...

    @overload
    def __getitem__(self, place: slice) -> list[Part]: ...

    def __getitem__(self, place: int | slice) -> Part | list[Part]:
        return self._parts[place]


@dataclass(frozen=True, slots=True)
class Survey:
    """What a file or folder holds now.

    Attributes
    ----------
    source : Path
        The file or folder itself, without links.
    folder : Path
        What the paths begin at: the source, or the folder of a single file.
    parts : dict
        Path -> its parts in order, of each file that was read.
    contents : dict
        Path -> the digest of its content, of documents whose readings may be noted.
    noted : dict
        Path -> its reading, of documents that are as they were then: their parts are parsed when they are asked for.
    readings : Readings, optional
        Where readings are noted.
    skipped : list of Skipped
        What was not read, and what was read and gave nothing.
    notes : dict
        Path -> what would have read a file better, of files that were read as plain text.
    """

    source: Path
    folder: Path
    parts: dict[str, Sequence[Part]] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    noted: "dict[str, Reading]" = field(default_factory=dict)
    readings: "Readings | None" = None
    skipped: list[Skipped] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many parts there are."""
        return sum(map(len, self.parts.values()))
