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
    "completion": 0.5, "fused": 0.5, "graph": 0.5, "facts": 0.5, "feedback": 0.5,
}  # fmt: skip
"""Scores that are off in some place, with the weight at which they are tried there."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: the measure of a variant, and its change against the whole with a 95 % interval."""

    part: str
    variant: str
    value: float
    change: tuple[float, float, float]


Change = tuple[dict[str, float], str, float]
"""A table, a key and the weight that it gets."""


def parts(tier: str) -> dict[str, list[Change]]:
    """What can be taken away: its name -> the weights that change."""
    tables = list(fusion.WEIGHTS[tier].values())
    scores = dict.fromkeys(name for table in tables for name, weight in table.items() if weight)
    spaces: dict[str, list[str]] = {}
    for score in scores:
        spaces.setdefault(SPACE_OF[score], []).append(score)
    found = {f"space {space}": [(table, s, 0.0) for s in named for table in tables] for space, named in spaces.items()}
    found |= {f"score {score}": [(table, score, 0.0) for table in tables] for score in scores}
    found |= {f"rule {name}": [(fusion.RULES, name, 0.0)] for name, weight in fusion.RULES.items() if weight}
    found["all rules"] = [(fusion.RULES, name, 0.0) for name in fusion.RULES]
    found |= {f"links {name}": [(links.WEIGHTS, name, 0.0)] for name, weight in links.WEIGHTS.items() if weight}
    found["all links"] = [(links.WEIGHTS, name, 0.0) for name in links.WEIGHTS]
    for usual, special in fusion.TABLES.values():
        if special != usual:
            told, plain = fusion.WEIGHTS[tier][special], fusion.WEIGHTS[tier][usual]
            found[f"kind {special}"] = [(told, name, plain.get(name, 0.0)) for name in dict.fromkeys([*told, *plain])]
    if fusion.VOICE[tier]:
        found["voice"] = [(fusion.VOICE, tier, 0.0)]
    return found


@contextmanager
def _with(changes: Sequence[Change]) -> Iterator[None]:
    before = [table.get(key) for table, key, _ in changes]
    for table, key, value in changes:
        table[key] = value
    try:
        yield
    finally:
        for (table, key, _), value in zip(changes, before, strict=True):
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
        with _with(entries):
            yield row(name, "without", recalls(asked)[:, column])
        if name.startswith(("space", "score")):
            kept = {(id(table), key) for table, key, _ in entries}
            others = [entry for entry in every if (id(entry[0]), entry[1]) not in kept]
            with _with(others):
                yield row(name, "alone", recalls(asked)[:, column])
    for name, weight in TRIED.items():
        if only and f"score {name}" not in only:
            continue
        for kind in fusion.KINDS:
            entries = [(table, name, weight) for table in fusion.tables_of(tier, kind) if not table.get(name)]
            if entries and _has(asked, kind):
                with _with(entries):
                    yield row(f"score {name}", f"added to {kind}s at {weight}", recalls(asked)[:, column])
        if only and f"score {name}" not in parts(tier):
            mine = [(table, name, 1.0) for table in fusion.WEIGHTS[tier].values()]
            others = [entry for entry in every if entry[1] != name]
            with _with(others + mine):
                yield row(f"score {name}", "alone", recalls(asked)[:, column])
    if not only:
        yield row("reciprocal rank fusion", "instead", recalls(asked, method="rrf")[:, column])


def _has(asked: Sequence[Asked], kind: str) -> bool:
    """Whether the stores hold memories of a kind at all."""
    memories = {id(question.memory): question.memory for question in asked}.values()
    wanted = fusion.KINDS.index(kind)
    return any(bool(np.any(fusion.kinds_of(memory.corpus) == wanted)) for memory in memories)
