"""What memories would become as cases of a model: the values, where each was read, what is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from context_graph.cases.adding import case_of_id, checked_id, free_id
from context_graph.cases.base import Case, Cases
from context_graph.cases.mapping import CaseMapping, Reading, Source, Unread, checked_reading
from context_graph.cases.model import Model, models
from context_graph.cases.selection import Selection, selected
from context_graph.citations import tag_of
from context_graph.derived.facts import Facts
from context_graph.display import Plain
from context_graph.errors import InvalidInput
from context_graph.extraction import Fact
from context_graph.inference.networks import is_number, spelt
from context_graph.models import Caller, Node
from context_graph.runtime import Runtime
from context_graph.visibility import may_see

__all__ = ["Plan", "Planned", "TakeConflict", "planned_cases", "preview_cases"]

LISTED = 5

TakeConflict = Literal["error", "update", "keep_both", "skip"]


@dataclass(frozen=True, slots=True)
class Planned(Plain):
    """One memory, and the case that it would become.

    Attributes
    ----------
    case_id : str
        Empty where none could be read.
    readings : mapping of str to Reading
        By feature, the value and where it was read.
    missing : mapping of str to str
        By feature, why there is no value.
    outcome : Reading, optional
    replaces : tuple of str
        Ids of the cases whose place it takes.
    left_out : str
        Why it becomes none; empty where it does.
    taken_as : str, optional
        The id of the case that was read from it before, or that has its id.
    """

    node_id: str
    content: str
    case_id: str
    readings: Mapping[str, Reading]
    missing: Mapping[str, str]
    outcome: Reading | None
    replaces: tuple[str, ...] = ()
    left_out: str = ""
    taken_as: str | None = None


@dataclass(frozen=True, slots=True)
class Plan(Plain):
    """What would be stored, and of what it was made; `take_cases` does it.

    Attributes
    ----------
    planned : tuple of Planned
        One for each memory, the oldest first.
    """

    model: str
    selection: Selection
    mapping: CaseMapping
    on_conflict: TakeConflict
    planned: tuple[Planned, ...]

    @property
    def becoming(self) -> list[Planned]:
        """Those that become cases."""
        return [one for one in self.planned if not one.left_out]

    @property
    def conflicts(self) -> list[Planned]:
        """Those that are taken already, where that is an error."""
        return [one for one in self.becoming if one.taken_as is not None and self.on_conflict == "error"]


def preview_cases(
    memory: Runtime,
    model: str,
    selection: Selection,
    features: Mapping[str, str],
    caller: Caller,
    *,
    outcome: str | None = None,
    case_id: str | None = None,
    on_conflict: TakeConflict = "error",
) -> Plan:
    """What memories would become as cases of a model; writes nothing.

    Parameters
    ----------
    features : mapping of str to str
        By feature, its source: see `context_graph.cases.mapping.SOURCES`.
    outcome, case_id : str, optional
        Their sources. Without the second the id is the citation tag of the memory. Where the first is given, memories
        without an outcome are left out.
    on_conflict : str
        For a memory that is a case of the model already, or a case id that is taken: fail when it comes to storing,
        take the place of the other, keep both, or leave it out.

    Raises
    ------
    InvalidInput
        Nothing or too much is selected, a source or a feature is unknown, or no memory has any value.
    NotFound
        There is no such model or memory.
    """
    entry = models(memory, caller).get(model)
    if entry.value.type == "bayesian":
        raise InvalidInput(
            f"expected a case_based or hybrid model, {entry.name!r:.80} is bayesian; create_cerebrum_model makes one",
            field="model",
        )
    mapping = CaseMapping.of(entry.value, features, outcome, case_id)
    return planned_cases(memory, entry.value, entry.name, selection, mapping, on_conflict, caller)


def planned_cases(
    memory: Runtime,
    model: Model,
    name: str,
    selection: Selection,
    mapping: CaseMapping,
    on_conflict: TakeConflict,
    caller: Caller,
) -> Plan:
    """The plan of a mapping whose sources are known; see `preview_cases`."""
    nodes = selected(memory, selection, caller)
    facts = _facts(memory, nodes, caller) if mapping.reads_facts else {}
    planned: list[Planned] = []
    ids: set[str] = set()
    for node in nodes:
        one = _read(node, facts.get(node.id, ()), model, mapping)
        if not one.left_out:
            one = _settled(memory, one, name, on_conflict, ids, caller)
        ids |= {one.case_id} if not one.left_out else set()
        planned.append(one)
    _check_reads(planned, mapping)
    return Plan(name, selection, mapping, on_conflict, tuple(planned))


def _facts(memory: Runtime, nodes: Sequence[Node], caller: Caller) -> dict[str, list[Fact]]:
    """What memories state, by id."""
    corpus = memory.corpus
    of: dict[str, list[Fact]] = {}
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        rows = {corpus.row_of[node.id]: node.id for node in nodes if node.id in corpus.row_of}
        for row, fact in memory.view(Facts).stated(corpus, np.array(sorted(rows), np.int64), visible):
            of.setdefault(rows[row], []).append(fact)
    return of


def _read(node: Node, facts: Sequence[Fact], model: Model, mapping: CaseMapping) -> Planned:
    """A memory beside a mapping, without a look at other cases."""
    readings, missing = {}, {}
    for name, source in mapping.features.items():
        try:
            reading = source.read(node, facts, model.cases.features.get(name))
            value = checked_reading(name, model.cases.features.get(name), reading)
            readings[name] = replace(reading, value=value)
        except Unread as reason:
            missing[name] = str(reason)
    left_out, outcome, case_id = "", None, tag_of(node.id)[1:-1]
    if not any(reading.quote for reading in readings.values()):
        left_out = "no feature is in it"
    if mapping.outcome is not None:
        try:
            outcome = _outcome(mapping.outcome, node, facts, model)
        except Unread as reason:
            left_out = left_out or f"no outcome: {reason}"
    if mapping.case_id is not None:
        try:
            case_id = checked_id(str(mapping.case_id.read(node, facts).value))
        except (Unread, InvalidInput) as reason:
            case_id, left_out = "", left_out or f"no case id: {reason}"
    return Planned(node.id, node.content, case_id, readings, missing, outcome, left_out=left_out)


def _outcome(source: Source, node: Node, facts: Sequence[Fact], model: Model) -> Reading:
    reading = source.read(node, facts)
    if model.cases.outcome != "number" or is_number(reading.value):
        return reading
    raise Unread(f"{source} is {spelt(reading.value)[:60]}, and the outcome of the model is a number")


def _settled(
    memory: Runtime, one: Planned, model: str, on_conflict: TakeConflict, ids: set[str], caller: Caller
) -> Planned:
    """With the id it gets beside other cases; `ids` are those of the memories before it."""
    if one.case_id in ids:
        if on_conflict != "keep_both":
            return replace(one, left_out=f"another of these memories has the case id {one.case_id!r:.80}")
        return replace(one, case_id=free_id(memory, one.case_id, model, caller, also=ids))
    cases = _known(memory, one, model, caller)
    if not cases:
        return one
    one = replace(one, taken_as=cases[0].case_id)
    if on_conflict == "skip":
        return replace(one, left_out=f"taken already as case {cases[0].case_id!r:.80}")
    if on_conflict == "update":
        return replace(one, replaces=tuple(case.node_id for case in cases))
    if on_conflict == "keep_both" and (case_of_id(memory, one.case_id, model, caller) is not None):
        return replace(one, case_id=free_id(memory, one.case_id, model, caller, also=ids))
    return one


def _known(memory: Runtime, one: Planned, model: str, caller: Caller) -> list[Case]:
    """The cases that were read from a memory, or from one whose place it took, and the one that has its id."""
    viewer, view = memory.viewer(caller), memory.view(Cases)
    memories = [one.node_id, *(node.id for node in memory.store.superseded(one.node_id))]
    cases = [case for id in memories for case in view.of_source(id) if case.model == model and may_see(case, viewer)]
    namesake = case_of_id(memory, one.case_id, model, caller)
    return list({case.node_id: case for case in (*cases, *([namesake] if namesake else ()))}.values())


def _check_reads(planned: Sequence[Planned], mapping: CaseMapping) -> None:
    """Raise `InvalidInput` where no feature is read in any memory, or no outcome where one is wanted."""
    if not any(reading.quote for one in planned for reading in one.readings.values()):
        sources = ", ".join(f"{name}={source}" for name, source in list(mapping.features.items())[:LISTED])
        reasons = "; ".join(dict.fromkeys(reason for one in planned for reason in one.missing.values()))
        raise InvalidInput(
            f"expected a value of at least one feature, {sources[:300]} reads nothing in {len(planned)} memories"
            f"{f' ({reasons[:200]})' if reasons else ''}; search_graph shows what stands in them",
            field="features",
        )
    if mapping.outcome is not None and not any(one.outcome for one in planned):
        raise InvalidInput(
            f"expected an outcome, {str(mapping.outcome)[:100]} reads none in {len(planned)} memories; "
            "search_graph shows what stands in them",
            field="outcome",
        )
