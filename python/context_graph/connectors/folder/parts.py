"""What a folder holds: the parts of its files, and what of it was not read."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

__all__ = ["TOO_SHORT", "Part", "Skipped", "Survey"]

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


class Skipped(NamedTuple):
    """A file or folder that gives no part, or not all of them, and why."""

    path: str
    reason: str


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
    skipped : list of Skipped
        What was not read, and what was read and gave nothing.
    notes : dict
        Path -> what would have read a file better, of files that were read as plain text.
    """

    source: Path
    folder: Path
    parts: dict[str, list[Part]] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many parts there are."""
        return sum(map(len, self.parts.values()))
