"""The fields of all memories in columns: who told what, in which session and scope, when, and whether it holds."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from context_graph.index.columns import Codes, Columns, NameCodes
from context_graph.models import NodeState, Scope
from context_graph.visibility import SCOPES, Viewer, answers_mask, may_see_mask

__all__ = ["DEAD", "FIELDS", "FOREVER", "SEEDED", "Fields"]

FOREVER = np.iinfo(np.int64).max

FIELDS = (
    "ordinal", "id", "session_id", "context_id", "position", "speaker", "agent_id", "domain", "modality", "scope",
    "state", "importance", "johari_quadrant", "occurred_at", "created_at", "valid_from", "valid_to", "access_count",
)  # fmt: skip
"""The fields of a node that its row needs, in the order in which `Corpus.extend` takes them."""

DEAD = ("", "", None, 0, None, None, "", "", Scope.USER, "", 0.0, "", 0, 0, 0, 0, 0)
"""`FIELDS` after the ordinal, of an ordinal whose memory was undone or purged."""

SEEDED = "seed"
"""Agent of what is kept as it stands in the files of a folder."""

VALIDITY = frozenset(["state", "valid_from", "valid_to"])
"""The fields that say whether a memory may be answered, and change."""

CODES = ("sessions", "contexts", "speakers", "agents", "domains", "modalities", "joharis")


class _RowsFrom:
    """Columns without their first rows."""

    def __init__(self, columns: Columns, first: int) -> None:
        self._columns, self._first = columns, first

    def __getattr__(self, name: str) -> np.ndarray:
        column: np.ndarray = getattr(self._columns, name)[self._first :]
        return column


class Fields:
    """One row of columns for each memory; repeated texts are dictionary-encoded."""

    def __init__(self) -> None:
        self.columns = Columns(
            session="i4", context="i4", position="i4", speaker="i4", agent="i4", domain="i2", modality="i2",
            scope="i1", live="?", dialogue="?", length="f4", importance="f4", johari="i1",
            occurred_at="i8", created_at="i8", valid_from="i8", valid_to="i8", accesses="i4",
        )  # fmt: skip
        self.ids: list[str] = []
        self.row_of: dict[str, int] = {}
        self.sessions, self.contexts, self.speakers, self.agents = Codes(), Codes(), NameCodes(), Codes()
        self.domains, self.modalities, self.joharis = Codes(), Codes(), Codes()
        self.changes = 0
        """How often it has changed whether a row that was there may be answered."""

        self._session_order: np.ndarray | None = None
        self._speakers_beside: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def assign_ids(self, ids: Sequence[str]) -> list[int]:
        """Give the next rows these ids; returns the rows whose id is empty, which hold no memory."""
        first = len(self)
        self.row_of |= dict(zip(ids, range(first, first + len(ids)), strict=True))
        self.ids += ids
        if self.row_of.pop("", None) is None:
            return []
        return [first + i for i, id in enumerate(ids) if not id]

    def append(self, field: Mapping[str, Sequence[Any]], lengths: np.ndarray) -> None:
        """Append the columns of rows that have an id already.

        Parameters
        ----------
        field : mapping
            By the names of `FIELDS`, the values of these rows.
        lengths : float64 (m,)
            Words of each memory.
        """
        self.columns.append(
            session=[self.sessions.of(text) for text in field["session_id"]],
            context=[self.contexts.of(text) for text in field["context_id"]],
            position=field["position"],
            speaker=[self.speakers.of(text.lower() if text else None) for text in field["speaker"]],
            agent=[self.agents.of(text) for text in field["agent_id"]],
            domain=[self.domains.of(text) for text in field["domain"]],
            modality=[self.modalities.of(text) for text in field["modality"]],
            scope=[SCOPES[text] for text in field["scope"]],
            live=[state == NodeState.LIVE for state in field["state"]],
            dialogue=[bool(text) for text in field["speaker"]],
            length=lengths,
            importance=field["importance"],
            johari=[self.joharis.of(text) for text in field["johari_quadrant"]],
            occurred_at=field["occurred_at"],
            created_at=field["created_at"],
            valid_from=field["valid_from"],
            valid_to=[FOREVER if moment is None else moment for moment in field["valid_to"]],
            accesses=field["access_count"],
        )

    def append_one(self, row: tuple[Any, ...], length: float) -> None:
        """As `append`, of one row: its `FIELDS`, and the number of its words."""
        _, _, session, context, position, speaker, agent, domain, modality, scope, state, *rest = row
        importance, johari, occurred_at, created_at, valid_from, valid_to, accesses = rest
        self.columns.append_row(
            self.sessions.of(session), self.contexts.of(context), position,
            self.speakers.of(speaker.lower() if speaker else None), self.agents.of(agent), self.domains.of(domain),
            self.modalities.of(modality), SCOPES[scope], state == NodeState.LIVE, bool(speaker), length, importance,
            self.joharis.of(johari), occurred_at, created_at, valid_from, FOREVER if valid_to is None else valid_to,
            accesses,
        )  # fmt: skip

    def update(self, row: int, changed: Mapping[str, object]) -> None:
        """Write changed fields of one row; fields without a column are ignored."""
        columns = self.columns
        self.changes += not VALIDITY.isdisjoint(changed)
        for field, value in changed.items():
            if field == "access_count":
                columns.accesses[row] = value
            elif field == "state":
                columns.live[row] = value == NodeState.LIVE
            elif field == "johari_quadrant":
                columns.johari[row] = self.joharis.of(str(value))
            elif field == "valid_to":
                columns.valid_to[row] = FOREVER if value is None else value
            elif field in ("importance", "valid_from"):
                getattr(columns, field)[row] = value

    def erase(self, row: int) -> None:
        """Overwrite a row as if it had never held a memory, and drop the names that no other row has."""
        self.changes += 1
        del self.row_of[self.ids[row]]
        self.ids[row] = ""
        codes = self.columns.speaker[row], self.columns.agent[row]
        dead = dict(zip(FIELDS, (row, *DEAD), strict=True))
        for name, value in {
            "session": self.sessions.of(""), "context": self.contexts.of(""), "speaker": -1, "agent": -1,
            "domain": self.domains.of(""), "modality": self.modalities.of(""), "johari": self.joharis.of(""),
            "dialogue": False, "length": 0.0, "accesses": 0, "scope": SCOPES[Scope.USER],
            **{name: dead[name] for name in ("position", "importance", "occurred_at", "created_at", "valid_from")},
            "valid_to": dead["valid_to"],
        }.items():  # fmt: skip
            getattr(self.columns, name)[row] = value
        for code, names, column in zip(codes, (self.speakers, self.agents), ("speaker", "agent"), strict=True):
            if code >= 0 and not (getattr(self.columns, column) == code).any():
                names.forget(int(code))
        self._session_order = self._speakers_beside = None

    def visible(self, viewer: Viewer, *, now: int, as_of: int | None = None, first: int = 0) -> np.ndarray:
        """Which rows, from the first on, may be answered: live, valid at the time, and in a scope the viewer shares.
        bool (n - first,)."""
        session = None if viewer.session_id is None else self.sessions.known(viewer.session_id)
        context = None if viewer.context_id is None else self.contexts.known(viewer.context_id)
        columns = _RowsFrom(self.columns, first) if first else self.columns
        return answers_mask(columns, now if as_of is None else as_of, session, context)

    def shared(self, viewer: Viewer) -> np.ndarray:
        """Which rows are in a scope the viewer shares, whatever their state. bool (n,)."""
        session = None if viewer.session_id is None else self.sessions.known(viewer.session_id)
        context = None if viewer.context_id is None else self.contexts.known(viewer.context_id)
        return may_see_mask(self.columns, session, context)

    def unchanged_until(self, now: int) -> int:
        """The next moment, in microseconds, at which a memory begins or ends to be valid."""
        columns = self.columns
        bounds = np.concatenate([columns.valid_from, columns.valid_to])
        return int(np.min(bounds, where=bounds > now, initial=np.iinfo(np.int64).max))

    @property
    def session_order(self) -> np.ndarray:
        """Rows by session, in each by position: int64 (n,)."""
        if self._session_order is None or len(self._session_order) != len(self):
            self._session_order = np.lexsort((self.columns.position, self.columns.session))
        order: np.ndarray = self._session_order
        return order

    @property
    def speakers_beside(self) -> np.ndarray:
        """How many speak in the session of each row, 3 for more: int8 (n,)."""
        if self._speakers_beside is None or len(self._speakers_beside) != len(self):
            order = self.session_order
            session, speaker = self.columns.session[order], self.columns.speaker[order]
            first = np.flatnonzero(np.r_[True, session[1:] != session[:-1]])[: len(self)]
            lengths = np.diff(np.r_[first, len(self)])
            most = np.maximum.reduceat(speaker, first)
            least = np.minimum.reduceat(np.where(speaker < 0, most.repeat(lengths), speaker), first)
            others = (speaker >= 0) & (speaker != least.repeat(lengths)) & (speaker != most.repeat(lengths))
            counts = (most >= 0).astype(np.int8) + (most != least) + np.logical_or.reduceat(others, first)
            self._speakers_beside = np.zeros(len(self), np.int8)
            self._speakers_beside[order] = counts.repeat(lengths)
        counted: np.ndarray = self._speakers_beside
        return counted

    def to_arrays(self) -> dict[str, np.ndarray]:
        """All fields as arrays, for `load_arrays`."""
        texts = {name: getattr(self, name).texts for name in CODES}
        named = np.frombuffer(json.dumps({"ids": self.ids} | texts).encode(), np.uint8)
        return {"named": named} | {f"column {name}": getattr(self.columns, name) for name in self.columns.names}

    def load_arrays(self, arrays: Mapping[str, np.ndarray], *, capacity: int) -> list[int]:
        """Fill empty fields from `to_arrays`; returns the rows that hold no memory.

        Parameters
        ----------
        capacity : int
            How many rows there will be.
        """
        texts = json.loads(bytes(arrays["named"]))
        for name in CODES:
            getattr(self, name).load_texts(texts[name])
        dead = self.assign_ids(texts["ids"])
        self.columns.reserve(capacity)
        self.columns.append(**{name: arrays[f"column {name}"] for name in self.columns.names})
        return dead
