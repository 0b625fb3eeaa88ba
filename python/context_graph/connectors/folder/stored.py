"""What is remembered of a file, as far as it is compared with what the file says now."""

import json
from dataclasses import dataclass, field
from typing import Any

from context_graph.instants import to_iso
from context_graph.models import Microseconds, NodeState

__all__ = ["DATE", "FOLDER", "LOCATION", "Known", "StoredPart"]

DATE = "date"
"""Metadata key of the date that a file gives to its parts."""

FOLDER = "folder"
"""Metadata key of the folder that a part was read from; with `source` it names the file, wherever a run began."""

LOCATION = ("line", "end_line", "place", "definition", "signature", "project", "repository", "status")
"""Metadata keys of where a part stands, and whether its file says that it is past: they are brought up to date where
its text stays as it was."""


@dataclass(slots=True)
class StoredPart:
    """A memory of a part, as far as it is read to see whether the part is still the same.

    Attributes
    ----------
    state : str
        A `NodeState`.
    is_corrected : bool
        Whether another memory took its place that is no part of a file: the correction of an agent or a person.
    metadata_json : str
        As the store has them; parsed when they are asked for.
    corrections : tuple of str
        The memories that say how it reads since somebody corrected it, and are still of this part.
    """

    id: str
    state: str
    content: str
    metadata_json: str
    corrections: tuple[str, ...] = ()
    is_corrected: bool = False
    _metadata: dict[str, Any] | None = None

    @property
    def metadata(self) -> dict[str, Any]:
        if self._metadata is None:
            self._metadata = json.loads(self.metadata_json)
        return self._metadata

    @property
    def heading(self) -> str:
        return str(self.metadata.get("heading", ""))

    @property
    def kind(self) -> str:
        return str(self.metadata.get("kind", ""))

    def is_of_another_date(self, moment: Microseconds | None) -> bool:
        """Whether its file gives it a date now that it does not have; one that the file no longer gives stays."""
        if moment is None or self.is_corrected or self.state != NodeState.LIVE:
            return False
        return bool(self.metadata.get(DATE) != to_iso(moment))


@dataclass(slots=True)
class Known:
    """What is remembered of one file.

    Attributes
    ----------
    parts : list of StoredPart
        The memories of its parts as they were read last, in the order they were stored.
    let_go : dict
        Text -> the memory, of parts that somebody forgot: they stay forgotten while the file says the same.
    """

    parts: list[StoredPart] = field(default_factory=list)
    let_go: dict[str, str] = field(default_factory=dict)
