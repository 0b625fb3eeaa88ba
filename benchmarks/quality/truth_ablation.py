"""What each mechanism that keeps the truth is worth: the figures of `truth` and `lives` with it turned off.

::

    python -m benchmarks.quality.truth_ablation --data PATH/truth [--tier base] [--only guards ...]
    python -m benchmarks.quality.truth_ablation --data PATH/beam --beam --only standing

Each mechanism of docs/research/supersession.md is replaced in this process by what does nothing, one at a time, and
everything is stored and asked anew. A line is the change of a figure by turning it off, in points, with the 95 %
interval of a paired bootstrap over items (a life, a profile, an item of the other sets); so below 0 the mechanism
helps, but for `lied`, `noise`, `empty`, `false ends` and `lines`, which should be low. `held` is the half whose texts
no rule was made on. With `--beam` the figure is the evidence found among the first ten in long conversations (100K,
each an item).
"""

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from benchmarks.quality import beam, lives, truth
from benchmarks.quality.report import save
from context_graph.evaluation.measure import of_ranks
from context_graph.recall.profile import Profile
from context_graph.retrieval.relevance import ALWAYS

FIGURES = {
    "updates": ("truth", "told", "lied"), "times": ("hit@1", "told"), "profile": ("recall", "noise", "empty"),
    "languages": ("hit@1", "told"), "lives": ("right", "false ends", "lines"), "beam": ("R@10",),
}  # fmt: skip
"""By set; shares in per cent, and the lines of a context as such."""

CONTROL = "updates, both hold"
RECALL, RETRIEVAL = "context_graph.recall", "context_graph.retrieval"
CURRENT = f"{RECALL}.current"
DRAWS = 2_000


class Mechanism(NamedTuple):
    """A mechanism, and what does nothing in its place.

    Attributes
    ----------
    off : dict
        Where a function or a number is looked up -> what stands there without the mechanism.
    """

    name: str
    off: dict[str, Any]


def _always(answer: Any) -> Callable[..., Any]:
    return lambda *args, **kwargs: answer


MECHANISMS = (
    Mechanism("the newest holds (all of it)", {f"{RECALL}.assembly.replacements": _always({})}),
    Mechanism(
        "guards (recall/apart/)",
        {f"{CURRENT}.comparison.{guard}": _always(False) for guard in ("apart", "value_gone")},
    ),
    Mechanism("parts of statements (recall/parts.py)", {f"{CURRENT}.comparison.changed_part": _always("")}),
    Mechanism("clauses", {f"{CURRENT}.comparison.asked_clauses": _always([])}),
    Mechanism(
        "regression over the question",
        {f"{CURRENT}.likelihood._asked_logit": lambda features: float(features[0])},
    ),
    Mechanism("joined by the question (recall/notes.py)", {f"{RECALL}.notes.of_one_person": _always(False)}),
    Mechanism("alternatives settle a choice", {f"{CURRENT}.choices.Choices.settled": _always(False)}),
    Mechanism("one change explains one thing", {f"{CURRENT}.replacements._explained": _always(False)}),
    Mechanism("attribute score", {f"{RETRIEVAL}.rules._attribute": _always({})}),
    Mechanism("time fit", {f"{RECALL}.query.time_fit": _always(None)}),
    Mechanism(
        "nothing but what lies in the time", {f"{RECALL}.telling._of_the_time": lambda question, hits, now: hits}
    ),
    Mechanism("all of a kind (recall/profile.py)", {f"{RECALL}.inject.profile": _always(Profile())}),
    Mechanism("standing wishes", {f"{RETRIEVAL}.rules._wishes": _always({})}),
    Mechanism("cut beside a sure answer", {f"{RETRIEVAL}.relevance.BESIDE_SURE": ALWAYS}),
    Mechanism("the nearest, where nothing surely answers", {f"{RECALL}.telling._of_this_memory": _always(False)}),
)
"""What docs/research/supersession.md tells of."""


def measured(folder: Path, tier: str) -> list[truth.Item]:
    """The figures of every item, and of every question about a life."""
    opened = truth.ours({"tier": tier})
    sets = [name for name in FIGURES if name in truth.SETS]
    rows = [row for name in sets for row in truth.records(opened, name, truth.read(folder, name))]
    return [*rows, *_lives(tier)]


def _of_conversations(folder: Path, tier: str, stores: Path) -> list[truth.Item]:
    """The evidence found for every question about long conversations, whose stores stay for the next mechanism."""
    records = beam.ours(tier, list(beam.read(folder, "100K")), stores)
    return [
        {
            "set": "beam", "held": record["held"], "id": record["id"], "kind": record["category"],
            "R@10": of_ranks(record["ranks"], record["gold"])[1],
        }
        for record in records if record["gold"]
    ]  # fmt: skip


def _lives(tier: str) -> Iterator[truth.Item]:
    for life in lives.lives():
        for number, (counts, _) in enumerate(lives.answers(life, tier)):
            figures = {name: counts[name] for name in FIGURES["lives"]}
            id = f"{life.name}/{number}"
            yield {"set": "lives", "held": life.part == "held", "id": id, "kind": "lives", **figures}


def figures(rows: Sequence[truth.Item]) -> dict[tuple[str, str], dict[str, list[float]]]:
    """(set, figure) -> item -> its values; the items where both statements hold are a set of their own."""
    values: defaultdict[tuple[str, str], defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        control = row["kind"] in truth.CONTROLS.get(row["set"], ())
        for name in ("truth",) if control else FIGURES[row["set"]]:
            scale = 1.0 if name == "lines" else 100.0
            sets = [CONTROL if control else row["set"]]
            if row["set"] == "beam":
                sets.append(f"beam, {row['kind']}")
            for one in sets:
                values[one, name][row["id"].partition("/")[0]].append(scale * row[name])
    return {key: dict(items) for key, items in values.items()}


def changes(whole: Sequence[truth.Item], without: Sequence[truth.Item]) -> dict[str, list[float]]:
    """ "set, figure" -> value without, change, and the 95 % interval of the change."""
    before, after = figures(whole), figures(without)
    table = {}
    for (name, figure), items in before.items():
        ids = sorted(items)
        counts = np.array([len(items[id]) for id in ids])
        now = np.array([sum(after[name, figure][id]) for id in ids])
        difference = now - np.array([sum(items[id]) for id in ids])
        picks = np.random.default_rng(0).integers(0, len(ids), (DRAWS, len(ids)))
        low, high = np.percentile(difference[picks].sum(axis=1) / counts[picks].sum(axis=1), [2.5, 97.5])
        row = (now.sum() / counts.sum(), difference.sum() / counts.sum(), low, high)
        table[f"{name}, {figure}"] = [round(float(one), 2) for one in row]
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--tier", default="base")
    parser.add_argument("--only", nargs="+", default=[""], help="beginnings of mechanisms; all by default")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/truth"))
    parser.add_argument("--beam", action="store_true", help="long conversations in place of the sets of truth")
    options = parser.parse_args()
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="ablation-") as stores:

        def every() -> list[truth.Item]:
            if options.beam:
                return _of_conversations(options.data, options.tier, Path(stores))
            return measured(options.data, options.tier)

        table, kept = _ablated(every, tuple(options.only))
    name = f"ablation-{options.tier}" + ("-beam" if options.beam else "")
    save(options.out, name, table, kept, seconds=time.perf_counter() - started)


def _ablated(every: Callable[[], list[truth.Item]], only: tuple[str, ...]) -> tuple[dict[str, Any], list[truth.Item]]:
    """The table, and the figures of every item with all mechanisms and without each."""
    whole = every()
    table: dict[str, Any] = {"row": "value, change, 95 % interval of the change", "whole": _halves(whole, whole)}
    kept = [{"without": "", **row} for row in whole]
    for mechanism in MECHANISMS:
        if not mechanism.name.startswith(only):
            continue
        with ExitStack() as patches:
            for place, nothing in mechanism.off.items():
                patches.enter_context(patch(place, nothing))
            rows = every()
        table[mechanism.name] = _halves(whole, rows)
        kept += [{"without": mechanism.name, **row} for row in rows]
        print(mechanism.name, _differing(table[mechanism.name]["all"]), flush=True)
    return table, kept


def _halves(whole: Sequence[truth.Item], rows: Sequence[truth.Item]) -> dict[str, dict[str, list[float]]]:
    halves = {"all": (True, False), "held": (True,), "seen": (False,)}
    return {
        half: changes([row for row in whole if row["held"] in of], [row for row in rows if row["held"] in of])
        for half, of in halves.items()
    }


def _differing(changed: dict[str, list[float]]) -> dict[str, list[float]]:
    return {name: row for name, row in changed.items() if any(row[1:])}


if __name__ == "__main__":
    main()
