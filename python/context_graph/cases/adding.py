"""Adding a case: a memory whose metadata hold its features, and whose text a person can read."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from context_graph.cases.base import Case, Cases
from context_graph.cases.features import check_names, feature_of
from context_graph.cases.model import Model, models
from context_graph.errors import InvalidInput, NameTaken, NotFound
from context_graph.inference.networks import is_number, spelt
from context_graph.ingest.draft import deeper
from context_graph.ingest.remember import Draft, Remembered, remember
from context_graph.models import Caller, Node, NodeState
from context_graph.reading.fingerprints import occurrence
from context_graph.reading.metadata import CASE
from context_graph.runtime import Runtime
from context_graph.visibility import may_see

__all__ = ["Added", "Conflict", "add_case", "case_of_id", "checked_id", "drafted", "find_case", "free_id"]

Conflict = Literal["error", "update", "keep_both"]
MAX_CASE_ID = 200
CASE_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a case.

    Attributes
    ----------
    case_id : str
        The one given, or with a number behind it where both were kept.
    updated : str, optional
        The memory whose place it took.
    """

    case_id: str
    model: str | None
    stored: Remembered
    updated: str | None = None

    @property
    def quarantined(self) -> bool:
        return self.stored.node.state == NodeState.QUARANTINED


def add_case(
    memory: Runtime,
    case_id: str,
    features: Mapping[str, Any],
    caller: Caller,
    *,
    context: Mapping[str, Any] | None = None,
    outcome: Any = None,
    metadata: Mapping[str, Any] | None = None,
    model: str | None = None,
    on_conflict: Conflict = "error",
) -> Added:
    """Store a case as a memory.

    Parameters
    ----------
    model : str, optional
        The model that it belongs to, whose types its features must have; without one it belongs to all.
    on_conflict : str
        What to do where the id is taken: fail, take the place of the other, or take the next free id.
    """
    case_id = checked_id(case_id)
    check_names(features, "features")
    entry = models(memory, caller).get(model) if model is not None else None
    values = _checked(entry.value if entry else None, features)
    for name, value in (("context", context), ("metadata", metadata), ("outcome", outcome)):
        if deeper(value, CASE_DEPTH):
            raise InvalidInput(f"{name} may be nested {CASE_DEPTH} levels deep; say less of it", field=name)
        _check_json(name, value)
    with memory.writing:
        old = case_of_id(memory, case_id, model, caller)
        if old is not None and on_conflict == "error":
            raise NameTaken(
                f"Case ID already exists: {case_id!r}, node {old.node_id}; on_conflict update takes its place, "
                "keep_both adds the case under the next free id",
                field="case_id",
            )
        if old is not None and on_conflict == "keep_both":
            case_id, old = free_id(memory, case_id, model, caller), None
        draft = drafted(
            case_id, model, values, outcome, context=context, about=metadata, replaces=[old.node_id] if old else ()
        )
        return Added(case_id, model, remember(memory, draft, caller=caller), old.node_id if old else None)


def drafted(
    case_id: str,
    model: str | None,
    values: Mapping[str, Any],
    outcome: Any,
    *,
    context: Mapping[str, Any] | None = None,
    about: Mapping[str, Any] | None = None,
    replaces: Sequence[str] = (),
    source: Node | None = None,
) -> Draft:
    """The memory that a case is.

    Parameters
    ----------
    replaces : sequence of str
        Ids of the cases whose place it takes.
    source : Node, optional
        The memory that it was read from: the case is linked to it, shares its scope and date, and goes with it.
    """
    case = {
        "id": case_id,
        "model": model,
        "features": values,
        "outcome": outcome,
        "context": context,
        "about": about,
        "source": source.id if source else None,
    }
    attached: dict[str, Any] = {CASE: {key: value for key, value in case.items() if value is not None}}
    if replaces:
        attached["supersedes"] = replaces[0] if len(replaces) == 1 else list(replaces)
    draft = Draft(
        readable(case_id, model, values, outcome, context),
        rationale=f"a case of {model} to reason with" if model else "a case to reason with",
        name=f"Case {case_id}", metadata=attached, read_head=False,
    )  # fmt: skip
    if source is None:
        return draft
    return replace(
        draft, scope=source.scope, occurred_at=occurrence(source), link_to=(source.id,), derived_from=(source.id,)
    )


def checked_id(case_id: str) -> str:
    """The id of a case without blanks around it; raises `InvalidInput` where it is none."""
    case_id = case_id.strip()
    if not 0 < len(case_id) <= MAX_CASE_ID or not case_id.isprintable():
        raise InvalidInput(
            f"case_id must have 1 to {MAX_CASE_ID} printable characters, got {case_id[:40]!r}", field="case_id"
        )
    return case_id


def free_id(memory: Runtime, case_id: str, model: str | None, caller: Caller, also: Collection[str] = ()) -> str:
    """The first of id-2, id-3 and so on that no case of the model has, and none of these others."""
    number = 2
    while f"{case_id}-{number}" in also or case_of_id(memory, f"{case_id}-{number}", model, caller):
        number += 1
    return f"{case_id}-{number}"


def _checked(model: Model | None, features: Mapping[str, Any]) -> dict[str, Any]:
    """The features as they are kept; a value that is null is missing."""
    declared = model.cases.features if model else {}
    values = {}
    for name, value in features.items():
        if value is None:
            continue
        if declared and name not in declared:
            raise InvalidInput(
                f"the model has no feature {name!r:.80}; features: {', '.join(list(declared)[:30])}", field="features"
            )
        feature = declared[name] if declared else feature_of(value)
        if feature is None:
            raise InvalidInput(
                f"feature {name!r:.80} must be a finite number, a text, a list of these, a date, or true or false; got "
                f"{value!r:.60}",
                field="features",
            )
        values[name] = feature.checked(name, value)
    if not values:
        raise InvalidInput(
            f"expected a value for at least one of {', '.join(list(features)[:10])}, got null for all", field="features"
        )
    return values


def _check_json(name: str, value: Any) -> None:
    """Raise `InvalidInput` where a value is no JSON that every program reads: NaN and infinity are none."""
    if not _finite(value):
        raise InvalidInput(f"{name} must be JSON with finite numbers, got {value!r:.60}", field=name)


def _finite(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and _finite(entry) for key, entry in value.items())
    if isinstance(value, list | tuple):
        return all(map(_finite, value))
    return value is None or isinstance(value, str | bool) or is_number(value)


def readable(
    case_id: str, model: str | None, features: Mapping[str, Any], outcome: Any, context: Mapping[str, Any] | None
) -> str:
    """A case in one line."""
    parts = [f"Case {case_id}{f' of {model}' if model else ''}: {_listed(features)}."]
    if outcome is not None:
        parts.append(f"Outcome: {_said(outcome)}.")
    if context:
        parts.append(f"Context: {_listed(context)}.")
    return " ".join(parts)


def _listed(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_said(value)}" for name, value in values.items())


def _said(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " and ".join(map(_said, value)) or "nothing"
    return value if isinstance(value, str) else spelt(value)


def find_case(memory: Runtime, case_id: str, model: str | None, caller: Caller) -> Case:
    """The case of an id: that of the model comes before one that belongs to none."""
    case = case_of_id(memory, case_id, model, caller) or case_of_id(memory, case_id, None, caller)
    if case is None:
        of = f" of {model!r:.80} or of no model" if model else ""
        raise NotFound(f"there is no case {case_id!r:.80}{of}; search_graph finds cases by their words")
    return case


def case_of_id(memory: Runtime, case_id: str, model: str | None, caller: Caller) -> Case | None:
    """The case that has an id among those of a model, or among those that belong to none."""
    memory.catch_up()
    viewer, known = memory.viewer(caller), memory.view(Cases).of_id(case_id)
    return next((case for case in known if case.model == model and may_see(case, viewer)), None)
