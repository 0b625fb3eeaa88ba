"""The cases of a memory in RAM: a view over the metadata of memories, and for each way to compare them arrays."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from context_graph.cases.columns import Column, column_of
from context_graph.cases.dynamic_array import DynamicArray
from context_graph.cases.features import MAX_FEATURES, Categorical, Feature, Text, feature_of
from context_graph.derived.view import MaterializedView, view
from context_graph.embed import Embedder
from context_graph.inference.networks import is_number, spelt
from context_graph.models import Node, NodeState, Scope
from context_graph.reading.metadata import CASE
from context_graph.store import Change, Reader
from context_graph.visibility import Viewer, may_see

__all__ = ["Case", "CaseArrays", "Cases"]

MARK = f'"{CASE}":{{'
"""What stands in the metadata of every case, as JSON."""

KEPT_ARRAYS = 16
"""Ways to compare cases whose arrays stay; the one asked for longest ago goes first."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case, as the metadata of its memory tell it.

    Attributes
    ----------
    model : str, optional
        The name of the model that it belongs to; without one it belongs to all.
    outcome : any JSON
        None where it has none.
    source : str, optional
        The memory that it was read from; it counts while that one is live.
    """

    node_id: str
    case_id: str
    model: str | None
    features: Mapping[str, Any]
    outcome: Any
    context: Mapping[str, Any]
    scope: Scope
    session_id: str
    context_id: str | None
    source: str | None = None

    @classmethod
    def of(cls, node: Node) -> "Case | None":
        """The case that a memory is; None where it is none."""
        data = node.metadata.get(CASE)
        if not isinstance(data, dict) or not isinstance(data.get("id"), str):
            return None
        features, context, model = data.get("features"), data.get("context"), data.get("model")
        source = data.get("source")
        return cls(
            node.id, data["id"], model if isinstance(model, str) else None,
            features if isinstance(features, dict) else {}, data.get("outcome"),
            context if isinstance(context, dict) else {}, node.scope, node.session_id, node.context_id,
            source if isinstance(source, str) else None,
        )  # fmt: skip


class CaseArrays:
    """The cases of one model as arrays, a row for each in the order they were stored.

    Parameters
    ----------
    features : mapping
        Declared types; without any, each feature has the type of the first value seen, and words become a text with
        the first value that is one.
    """

    def __init__(self, model: str | None, features: Mapping[str, Feature], embed: Callable[[str], np.ndarray]) -> None:
        self.model = model
        self.columns: dict[str, Column] = {name: column_of(one, embed) for name, one in features.items()}
        self.cases: list[Case] = []
        self.outcomes: list[str] = []
        """The different outcomes as JSON; a row has the place of its own in `codes`."""

        self._declared, self._embed = bool(features), embed
        self._appended = 0
        self._places = DynamicArray("i4")
        self._codes, self._numbers, self._shared = DynamicArray("i4"), DynamicArray("f8"), DynamicArray("?")
        self._code_of: dict[str, int] = {}
        self.live = np.zeros(0, bool)
        self.version = -1
        self.findings: dict[Any, tuple[int, int, Any]] = {}
        """What was found out by leaving cases out, by settings: of which version and how many cases, and what."""

        self.memo: dict[str, float] = {}
        """What was computed of all cases, for as long as they stay these."""

    def update(self, cases: list[Case], live: np.ndarray, version: int) -> None:
        """Bring up to date with all cases and which of them are live."""
        if version == self.version:
            return
        for place in range(self._appended, len(cases)):
            if cases[place].model in (None, self.model):
                self._append(place, cases[place])
        self._appended, self.version = len(cases), version
        self.live = live[self._places.array]
        for column in self.columns.values():
            column.settle(self.live)
        self.memo.clear()

    def _append(self, place: int, case: Case) -> None:
        if not self._declared:
            for name, value in case.features.items():
                inferred, column = feature_of(value), self.columns.get(name)
                new = column is None and inferred is not None and len(self.columns) < MAX_FEATURES
                words = column is not None and isinstance(column.feature, Categorical)
                if inferred is not None and (new or (words and isinstance(inferred, Text))):
                    self._infer(name, inferred)
        for name, column in self.columns.items():
            column.append(name, case.features.get(name))
        self._places.append(place)
        self.cases.append(case)
        self._numbers.append(float(case.outcome) if is_number(case.outcome) else np.nan)
        code = -1
        if case.outcome is not None:
            text = spelt(case.outcome)
            if text not in self._code_of:
                self._code_of[text] = len(self.outcomes)
                self.outcomes.append(text)
            code = self._code_of[text]
        self._codes.append(code)
        self._shared.append(case.scope == Scope.USER)

    def _infer(self, name: str, feature: Feature) -> None:
        """Give a feature a type, with the values of all cases so far."""
        self.columns[name] = column = column_of(feature, self._embed)
        for case in self.cases:
            column.append(name, case.features.get(name))

    def __len__(self) -> int:
        return len(self.cases)

    @property
    def has_private(self) -> bool:
        """Whether some live case is not shared with everyone."""
        return bool((self.live & ~self._shared.array).any())

    @property
    def codes(self) -> np.ndarray:
        """The place of each outcome in `outcomes`, -1 without one."""
        return self._codes.array

    @property
    def numbers(self) -> np.ndarray:
        """Each outcome as a number, NaN where it is none."""
        return self._numbers.array

    def visible(self, viewer: Viewer) -> np.ndarray:
        """The rows of cases that are live and that a viewer shares: bool (n,)."""
        shared = self._shared.array
        mask: np.ndarray = self.live & shared
        for row in np.flatnonzero(self.live & ~shared):
            mask[row] = may_see(self.cases[row], viewer)
        return mask


@view("cases", "store", "embedder")
class Cases(MaterializedView):
    """Every memory that is a case; read at the first question, and fed from then on."""

    def __init__(self, store: Reader, embedder: Callable[[], Embedder]) -> None:
        self._store, self._embedder = store, embedder
        super().__init__()

    def rebuild(self) -> None:
        self._cases: list[Case] | None = None
        self._row_of: dict[str, int] = {}
        self._rows_of_id: dict[str, list[int]] = {}
        self._read_from: dict[str, set[str]] = {}
        """By memory, the ids of the cases that were read from it."""

        self._news: dict[str, None] = {}
        self._arrays: dict[tuple[str | None, str], CaseArrays] = {}
        self.version = 0

    def apply(self, change: Change) -> None:
        if self._cases is None or change.table != "nodes":
            return
        text = str((change.after or {}).get("metadata", ""))
        if MARK in text or (change.id in self._row_of and _matters(change)):
            self._news[change.id] = None
        if change.id in self._read_from and _matters(change):
            self._news |= dict.fromkeys(self._read_from[change.id])

    def all(self) -> list[Case]:
        """The live cases, in the order they were stored."""
        with self._lock:
            cases = self._appended()
            return [case for case, live in zip(cases, self._live.array, strict=True) if live]

    def of_id(self, case_id: str) -> list[Case]:
        """The live cases of an id, of any model."""
        with self._lock:
            cases = self._appended()
            return [cases[row] for row in self._rows_of_id.get(case_id, ()) if self._live.array[row]]

    def of_source(self, node_id: str) -> list[Case]:
        """The live cases that were read from a memory, of any model, in the order of their ids."""
        with self._lock:
            cases = self._appended()
            rows = [self._row_of[id] for id in sorted(self._read_from.get(node_id, ()))]
            return [cases[row] for row in rows if self._live.array[row] and cases[row].source == node_id]

    @contextmanager
    def arrays(self, model: str | None, features: Mapping[str, Feature]) -> Iterator[CaseArrays]:
        """The cases of a model, and those that belong to none, as arrays; they stay as they are for the block."""
        with self._lock:
            cases = self._appended()
            # Weights are no part of the arrays: a model that has learned keeps those that it has.
            types = {name: one.model_dump(mode="json", exclude={"weight"}) for name, one in features.items()}
            key = model, json.dumps(types, sort_keys=True)
            arrays = self._arrays.pop(key, None) or CaseArrays(model, features, self._embed)
            arrays.update(cases, self._live.array, self.version)
            self._arrays[key] = arrays
            while len(self._arrays) > KEPT_ARRAYS:
                del self._arrays[next(iter(self._arrays))]
            yield arrays

    def _embed(self, text: str) -> np.ndarray:
        vector: np.ndarray = self._embedder().query(text).semantic
        return vector

    def _appended(self) -> list[Case]:
        if self._cases is None:
            self._cases, self._live = [], DynamicArray("?")
            for node in self._store.with_metadata(MARK):
                self._take(node)
            self._follow_sources(self._row_of)
        elif self._news:
            news, self._news = list(self._news), {}
            for id in news:
                if id in self._row_of:
                    self._live.array[self._row_of[id]] = False  # an undo may have taken its memory away
            for node in self._store.nodes(news):
                self._take(node)
            self._follow_sources(news)
            self.version += 1
        return self._cases

    def _take(self, node: Node) -> None:
        assert self._cases is not None
        case, live = Case.of(node), node.state == NodeState.LIVE and node.valid_to is None
        row = self._row_of.get(node.id)
        if row is not None and self._cases[row] == case:
            self._live.array[row] = live
            return
        if row is not None:
            self._live.array[row] = False
        if case is not None:
            self._row_of[node.id] = len(self._cases)
            self._rows_of_id.setdefault(case.case_id, []).append(len(self._cases))
            self._cases.append(case)
            self._live.append(live)
            if case.source is not None:
                self._read_from.setdefault(case.source, set()).add(node.id)

    def _follow_sources(self, ids: Iterable[str]) -> None:
        """Take cases out of those that are live whose memory is forgotten, in quarantine or not there."""
        assert self._cases is not None
        rows = [self._row_of[id] for id in ids if id in self._row_of]
        sources = {self._cases[row].source for row in rows} - {None}
        if not sources:
            return
        live = {node.id for node in self._store.nodes(sorted(filter(None, sources))) if node.state == NodeState.LIVE}
        for row in rows:
            if self._cases[row].source is not None and self._cases[row].source not in live:
                self._live.array[row] = False


def _matters(change: Change) -> bool:
    return any(change.concerns(column) for column in ("state", "valid_to", "metadata", "scope"))
