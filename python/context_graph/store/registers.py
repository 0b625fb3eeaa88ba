"""Registers: which columns of a row are compared together between homes, and which write each of them comes from.

A register is written last by the write with the highest stamp. Of two states of a row the joined one has, of each
register, the later; so states may be joined in any order, and any number of times, with the same result.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from context_graph.errors import StoreCorrupt
from context_graph.store.feed import Change

__all__ = ["BIRTH", "GROUPS", "KINDS", "OWN", "PURGED", "Position", "Registers", "Stamp", "written_registers"]

OWN = ""
"""The origin of a stamp that this home gave; to others it goes by the key of the home."""

KINDS = ("nodes", "edges", "goals", "records")
"""Tables that are shared, in the order in which their rows are sent: an edge comes after its ends."""

PURGED = len(KINDS)
"""Stands for what was deleted for good, in the place of a table."""

GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "nodes": {
        "made": (
            "kind", "created_at", "agent_id", "session_id", "context_id", "position", "scope", "domain",
            "observer_perspective", "modality", "derived_from",
        ),
        "text": ("name", "content"),
        "told": ("speaker", "occurred_at"),
        "rationale": ("rationale",),
        "metadata": ("metadata",),
        "validity": ("valid_from", "valid_to", "superseded_by"),
        "state": ("state", "state_at", "state_by", "state_reason"),
        "importance": ("importance", "importance_by_user"),
    },
    "edges": {
        "ends": ("source", "target", "edge_type"),
        "known": ("confidence", "domain", "origin", "created_at", "is_amortized_shortcut"),
    },
    "goals": {"all": ("text", "created_at")},
    "records": {
        "made": ("kind", "scope", "agent_id", "session_id", "context_id", "created_at"),
        "state": ("state",),
        "data": ("name", "data", "updated_at"),
    },
}  # fmt: skip
"""By table, the columns of each register."""

BIRTH: dict[str, tuple[str, ...]] = {
    "nodes": (
        "johari_quadrant", "delta_s", "delta_c", "w_e", "phi", "learning_score", "steering_reward", "taint",
    ),
    "edges": ("weight", "excitatory", "inhibitory", "modulatory", "steering_reward"),
    "goals": (),
    "records": (),
}  # fmt: skip
"""What a row begins with where it is new, and each home learns by itself from then on. All other columns stay here."""

_GROUP_OF = {
    table: {column: group for group, columns in groups.items() for column in columns}
    for table, groups in GROUPS.items()
}


class Stamp(NamedTuple):
    """Which write: its hybrid logical clock, and the home that made it."""

    hlc: int
    origin: str


class Position(NamedTuple):
    """A place in the order in which a home tells of its rows."""

    seq: int = 0
    kind: int = 0
    id: str = ""

    @property
    def name(self) -> str:
        """The same in a file name, in the same order."""
        id = {"": "0", "~": "z"}.get(self.id, self.id)
        return f"{self.seq:012d}.{self.kind}.{id}"


@dataclass(slots=True)
class Registers:
    """Of one row: whether it is there, by which write, and the later writes of single registers."""

    alive: bool
    at: Stamp
    later: dict[str, Stamp] = field(default_factory=dict)
    """Registers that were written after the row came into being."""

    def of(self, group: str) -> Stamp:
        """The write that a register comes from."""
        return self.later.get(group, self.at)

    @property
    def there(self) -> tuple[Stamp, bool]:
        """What decides whether the row is there; of one write, being there comes later."""
        return self.at, self.alive

    def to_json(self) -> list[Any]:
        return [*self.at, int(self.alive), {group: list(stamp) for group, stamp in self.later.items()}]

    @classmethod
    def from_json(cls, values: Sequence[Any]) -> "Registers":
        hlc, origin, alive, later = values
        return cls(bool(alive), Stamp(hlc, origin), {group: Stamp(*stamp) for group, stamp in later.items()})


def written_registers(
    changes: Iterable[Change], stamp: Stamp, earlier: Mapping[tuple[str, str], Registers]
) -> dict[tuple[str, str], Registers]:
    """The registers of rows after some changes of one write, by table and id, of rows of which any was written.

    Parameters
    ----------
    earlier : mapping
        Registers before it.

    Raises
    ------
    StoreCorrupt
        A row was changed that was never written.
    """
    written: dict[tuple[str, str], Registers] = {}
    for change in changes:
        groups = _GROUP_OF.get(change.table)
        if groups is None:
            continue
        row = change.table, change.id
        if change.inserted or change.deleted:
            written[row] = Registers(change.inserted, stamp)
            continue
        names = {groups[column] for column in change.columns if column in groups}
        if not names:
            continue
        before = written.get(row) or earlier.get(row)
        if before is None:
            raise StoreCorrupt(f"{change.table} {change.id} was changed before it was written; context-graph verify")
        written[row] = Registers(before.alive, before.at, before.later | dict.fromkeys(names, stamp))
    return written
