"""What each part of the retrieval is worth: the measure without it, and with it alone."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from context_graph.evaluation.measure import change, recalls
from context_graph.evaluation.stores import Asked
from context_graph.retrieval.config import KINDS, RANKING, SPECIAL, Change
from context_graph.retrieval.fusion import kinds_of
from context_graph.retrieval.score_table import SPACE_OF

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


def parts(tier: str) -> dict[str, list[Change]]:
    """What can be taken away: its name -> the weights that change."""
    whole = RANKING[tier]
    scores = dict.fromkeys(name for table in whole.tables.values() for name, weight in table.items() if weight)
    spaces: dict[str, list[str]] = {}
    for score in scores:
        spaces.setdefault(SPACE_OF[score], []).append(score)
    changes = {f"space {space}": [(t, s, 0.0) for s in named for t in whole.tables] for space, named in spaces.items()}
    changes |= {f"score {score}": [(table, score, 0.0) for table in whole.tables] for score in scores}
    changes |= {f"rule {name}": [("rules", name, 0.0)] for name, weight in whole.rules.items() if weight}
    changes["all rules"] = [("rules", name, 0.0) for name in whole.rules]
    changes |= {f"links {name}": [("links", name, 0.0)] for name, weight in whole.links.items() if weight}
    changes["all links"] = [("links", name, 0.0) for name in whole.links]
    for usual, special in SPECIAL.values():
        if special != usual:
            told, plain = whole.tables[special], whole.tables[usual]
            changes[f"kind {special}"] = [(special, s, plain.get(s, 0.0)) for s in dict.fromkeys([*told, *plain])]
    if whole.first_person:
        changes["voice"] = [("strengths", "first_person", 0.0)]
    return changes


def ablate(queries: Sequence[Asked], tier: str, *, column: int = 1, only: Collection[str] = ()) -> Iterator[Row]:
    """The whole first, then every part taken away, alone, and, where it is off, added.

    Parameters
    ----------
    column : int
        Which of `MEASURES`.
    only : collection of str
        Parts to look at, such as "score graph"; all by default. A score that is off is then tried alone, too.
    """
    config = RANKING[tier]
    whole = recalls(queries, config=config)[:, column]

    def row(
        part: str, variant: str, changes: Iterable[Change] = (), method: Literal["zscore", "rrf"] = "zscore"
    ) -> Row:
        found = recalls(queries, method=method, config=config.changed(changes))[:, column]
        return Row(part, variant, 100 * float(found.mean()), change(found, whole))

    yield Row("all", "whole", 100 * float(whole.mean()), change(whole, whole))
    every = [entry for name, entries in parts(tier).items() if name.startswith(("score", "all")) for entry in entries]
    for name, entries in parts(tier).items():
        if only and name not in only:
            continue
        yield row(name, "without", entries)
        if name.startswith(("space", "score")):
            kept = {entry[:2] for entry in entries}
            yield row(name, "alone", [entry for entry in every if entry[:2] not in kept])
    for name, weight in TRIED.items():
        if only and f"score {name}" not in only:
            continue
        for kind in KINDS:
            entries = [(t, name, weight) for t in config.tables_of(kind) if not config.tables[t].get(name)]
            if entries and _has(queries, kind):
                yield row(f"score {name}", f"added to {kind}s at {weight}", entries)
        if only and f"score {name}" not in parts(tier):
            others = [entry for entry in every if entry[1] != name]
            yield row(f"score {name}", "alone", [*others, *((table, name, 1.0) for table in config.tables)])
    if not only:
        yield row("reciprocal rank fusion", "instead", method="rrf")


def _has(queries: Sequence[Asked], kind: str) -> bool:
    """Whether the stores hold memories of a kind at all."""
    memories = {id(question.memory): question.memory for question in queries}.values()
    wanted = KINDS.index(kind)
    return any(bool(np.any(kinds_of(memory.corpus) == wanted)) for memory in memories)
