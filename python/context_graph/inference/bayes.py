"""Exact inference in networks of causes: the questions, put to a child process."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass
from importlib.util import find_spec
from typing import Any

from context_graph.children import ChildFailed, ask
from context_graph.errors import NotApplicable

__all__ = ["LEAK", "Asked", "Cause", "acyclic", "answers", "best_explanation", "necessity", "posteriors"]

LEAK = 0.01
"""How likely a thing is where none of its known causes is there."""

BY_STATEMENTS = "find_causal_path tells which statements lead from a cause to an effect"
"""What is said of the causal graph without the library."""

LIMIT_S = 20.0
"""Of one call; the largest network that is asked about takes a second."""

Asked = dict[str, Any]
"""A question as the child process takes it."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing brings about another by itself with this probability."""

    source: str
    target: str
    strength: float


def acyclic(causes: Sequence[Cause]) -> tuple[list[Cause], list[Cause]]:
    """The causes without circles, each cut at its weakest edge; and what was cut, in that order."""
    rest = sorted(causes, key=lambda one: (one.source, one.target))
    cut = []
    while circle := _circle(rest):
        weakest = min(circle, key=lambda one: (one.strength, one.source, one.target))
        cut.append(weakest)
        rest.remove(weakest)
    return rest, cut


def _circle(causes: Sequence[Cause]) -> list[Cause]:
    """Some circle; none where there is none."""
    leading: dict[str, list[Cause]] = {}
    for cause in causes:
        leading.setdefault(cause.source, []).append(cause)
    done: set[str] = set()
    for start in leading:
        way: list[Cause] = []
        open_ones = [(start, iter(leading[start]))] if start not in done else []
        on_way = {start}
        while open_ones:
            thing, following = open_ones[-1]
            if (edge := next(following, None)) is None:
                open_ones.pop()
                done.add(thing)
                on_way.discard(thing)
                if way:
                    way.pop()
            elif edge.target in on_way:
                way.append(edge)
                first = next(i for i, one in enumerate(way) if one.source == edge.target)
                return way[first:]
            elif edge.target not in done:
                way.append(edge)
                on_way.add(edge.target)
                open_ones.append((edge.target, iter(leading.get(edge.target, ()))))
    return []


def posteriors(
    causes: Sequence[Cause],
    targets: Collection[str],
    *,
    observed: Mapping[str, float] | None = None,
    forced: Mapping[str, bool] | None = None,
) -> Asked:
    """How likely things are, given what was seen and what was made so; the answer is a probability for each.

    Parameters
    ----------
    causes : sequence of Cause
        Without circles.
    observed : mapping
        Evidence by thing: 1 it is, 0 it is not; in between how much likelier it makes that it is than that it is not,
        as a share of both.
    forced : mapping
        What is made so, whatever its causes: do().
    """
    question = _asked("posteriors", causes)
    return question | {"targets": list(targets), "observed": dict(observed or {}), "forced": dict(forced or {})}


def necessity(causes: Sequence[Cause], action: str, outcome: str) -> Asked:
    """How likely the outcome would not be had the action not been, where both are: Pearl's probability of necessity."""
    return _asked("necessity", causes) | {"action": action, "outcome": outcome}


def best_explanation(causes: Sequence[Cause], candidates: Sequence[str], observed: Mapping[str, float]) -> Asked:
    """Which of some things, one at least, are most likely there together, given what was seen.

    The answer is the things, how likely just these are there, how likely none is: what was seen came of itself; and the
    other sets of things that are as likely.
    """
    return _asked("best_explanation", causes) | {"candidates": list(candidates), "observed": dict(observed)}


def answers(*questions: Asked, until_then: str = BY_STATEMENTS) -> list[Any]:
    """The answers of a child process, so that a fault of the library ends that and not the memory.

    Parameters
    ----------
    until_then : str
        What to use where the library is not installed.
    """
    if find_spec("pyagrum") is None:
        raise NotApplicable(
            "exact inference needs the package pyAgrum, which is not installed: "
            f"pip install 'ultimate-context-graph[causal]', then start the server anew; until then {until_then}"
        )
    try:
        found: list[Any] = ask("context_graph.inference.exact", list(questions), timeout_s=LIMIT_S)
    except ChildFailed as error:
        raise NotApplicable(
            f"exact causal inference gave no answer: {error}; ask about fewer things, with max_hops or another action"
        ) from error
    return found


def _asked(kind: str, causes: Sequence[Cause]) -> Asked:
    return {"kind": kind, "causes": [astuple(cause) for cause in causes]}
