"""What each part of the retrieval is worth: the measure without it, and with it alone."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from context_graph.evaluation.measure import change, recalls
from context_graph.evaluation.stores import Asked
from context_graph.retrieval import fusion, links
from context_graph.retrieval.pipeline import SPACE_OF

__all__ = ["Row", "ablate", "parts"]

TRIED = {
    "semantic": 0.5, "spelling": 0.5, "window": 0.5, "words": 0.5, "cause": 1.0, "entity": 0.5, "words_like": 0.5,
    "completion": 0.5, "fused": 0.5, "graph": 0.5, "facts": 0.5,
}  # fmt: skip
"""Scores that are off in some place, with the weight at which they are tried there."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: the measure of a variant, and its change against the whole with a 95 % interval."""

    part: str
    variant: str
    value: float
    change: tuple[float, float, float]


def parts(tier: str) -> dict[str, list[tuple[dict[str, float], str]]]:
    """What can be taken away: its name -> the weights that it consists of, as (table, key)."""
    tables = list(fusion.WEIGHTS[tier].values())
    scores = dict.fromkeys(name for table in tables for name, weight in table.items() if weight)
    spaces: dict[str, list[str]] = {}
    for score in scores:
        spaces.setdefault(SPACE_OF[score], []).append(score)
    found = {f"space {space}": [(table, s) for s in named for table in tables] for space, named in spaces.items()}
    found |= {f"score {score}": [(table, score) for table in tables] for score in scores}
    found |= {f"rule {name}": [(fusion.RULES, name)] for name, weight in fusion.RULES.items() if weight}
    found["all rules"] = [(fusion.RULES, name) for name in fusion.RULES]
    found |= {f"links {name}": [(links.WEIGHTS, name)] for name, weight in links.WEIGHTS.items() if weight}
    found["all links"] = [(links.WEIGHTS, name) for name in links.WEIGHTS]
    return found


@contextmanager
def _with(changed: Sequence[tuple[dict[str, float], str]], values: Sequence[float]) -> Iterator[None]:
    before = [table.get(key) for table, key in changed]
    for (table, key), value in zip(changed, values, strict=True):
        table[key] = value
    try:
        yield
    finally:
        for (table, key), value in zip(changed, before, strict=True):
            if value is None:
                table.pop(key, None)
            else:
                table[key] = value


def ablate(asked: Sequence[Asked], tier: str, *, column: int = 1, only: Collection[str] = ()) -> Iterator[Row]:
    """The whole first, then every part taken away, alone, and, where it is off, added.

    Parameters
    ----------
    column : int
        Which of `MEASURES`.
    only : collection of str
        Parts to look at, such as "score graph"; all by default. A score that is off is then tried alone, too.
    """
    whole = recalls(asked)[:, column]

    def row(part: str, variant: str, found: np.ndarray) -> Row:
        return Row(part, variant, 100 * float(found.mean()), change(found, whole))

    yield row("all", "whole", whole)
    every = [entry for name, entries in parts(tier).items() if name.startswith(("score", "all")) for entry in entries]
    for name, entries in parts(tier).items():
        if only and name not in only:
            continue
        with _with(entries, [0.0] * len(entries)):
            yield row(name, "without", recalls(asked)[:, column])
        if name.startswith(("space", "score")):
            kept = {(id(table), key) for table, key in entries}
            others = [entry for entry in every if (id(entry[0]), entry[1]) not in kept]
            with _with(others, [0.0] * len(others)):
                yield row(name, "alone", recalls(asked)[:, column])
    for name, weight in TRIED.items():
        if only and f"score {name}" not in only:
            continue
        for kind in fusion.KINDS:
            entries = [(table, name) for table in fusion.tables_of(tier, kind) if not table.get(name)]
            if entries and _has(asked, kind):
                with _with(entries, [weight] * len(entries)):
                    yield row(f"score {name}", f"added to {kind}s at {weight}", recalls(asked)[:, column])
        if only and f"score {name}" not in parts(tier):
            mine = [(table, name) for table in fusion.WEIGHTS[tier].values()]
            others = [entry for entry in every if entry[1] != name]
            with _with(others + mine, [0.0] * len(others) + [1.0] * len(mine)):
                yield row(f"score {name}", "alone", recalls(asked)[:, column])
    if not only:
        yield row("reciprocal rank fusion", "instead", recalls(asked, method="rrf")[:, column])


def _has(asked: Sequence[Asked], kind: str) -> bool:
    """Whether the stores hold memories of a kind at all."""
    memories = {id(question.memory): question.memory for question in asked}.values()
    wanted = fusion.KINDS.index(kind)
    return any(bool(np.any(fusion.kinds_of(memory.corpus) == wanted)) for memory in memories)
