"""Which claims that a later result took the place of an earlier one are worth telling.

    python -m benchmarks.quality.claims [--tiers base,minilm] [--write]

Boosted trees (`recall/current/claim_model.py`), fitted on what is claimed about the results of the questions of
lives.txt (benchmarks/quality/lives.py), but for the lives in `HELD`, and of the stories of claims.txt. Lives are full
of changes; the stories were written by two testers who had seen no rule, of months in which little changes. In
claims.txt stand the moments, what was told, and the questions; `< 2 5` says that statement 5 took the place of 2, or of
a part of it, `~ 2 5` that either may stand first; every other two of a story both hold.

Each part is held once: the fitted lives and stories in quarters of whole lives, and the lives in `HELD` by a fit on
all others. Printed is, for bounds of the log odds, how much of the right and of the wrong claims is below, by what was
held and by the bound of the package. `--write` replaces the trees of the package. Needs scikit-learn.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.quality.lives import lived, lives
from context_graph import Draft, Memory, Question
from context_graph.embed.stems import stems
from context_graph.models import from_iso
from context_graph.recall.current.claim_model import CLAIM_TREES, Trees
from context_graph.recall.current.comparison import MIN_CLAIM_ODDS
from context_graph.recall.current.likelihood import Judged, rareness
from context_graph.recall.current.replacements import claims
from context_graph.settings import Settings

STORIES = Path(__file__).with_suffix(".txt")
HELD = ("dense-held", "other-held", "crowded-held", "held")
OF_LIVES = 0.5
"""What a claim of a life counts: they are many."""

PARTS, BOUNDS = 4, (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5)
TREES: dict[str, Any] = {
    "n_estimators": 200, "learning_rate": 0.06, "max_leaf_nodes": 12, "min_samples_leaf": 20, "subsample": 0.6,
    "max_features": 0.3, "random_state": 0,
}  # fmt: skip
MINUTE_US = 60_000_000


class Made(NamedTuple):
    """A claim, of which life or story, and whether it is right; None where either may stand first."""

    source: str
    held: bool
    right: bool | None
    values: tuple[float, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--write", action="store_true", help="replace the trees of the package")
    options = parser.parse_args()
    written = {}
    for tier in options.tiers.split(","):
        claims_made = [one for one in (*_of_lives(tier), *_of_stories(tier)) if one.right is not None]
        fitted_on = [one for one in claims_made if not one.held]
        _report(tier, claims_made, fitted_on)
        fitted = _fitted(fitted_on)
        written |= {f"{tier}.{name}": np.asarray(value) for name, value in _exported(fitted)._asdict().items()}
    if options.write:
        before = dict(np.load(CLAIM_TREES, allow_pickle=False)) if CLAIM_TREES.exists() else {}
        np.savez_compressed(CLAIM_TREES, **before | written)


def _of_lives(tier: str) -> Iterator[Made]:
    for life in lives():
        rarest = _rarest(life.texts)
        with tempfile.TemporaryDirectory() as home:
            memory, ids = lived(life, Path(home), tier)
            with memory:
                for asked in life.questions:
                    for earlier, later, values in _claims(memory, asked.question, ids, rarest, tier):
                        right = bool(life.ended(earlier, later, asked))
                        known = right or (earlier, later) not in life.ends
                        yield Made(f"{life.part}: {life.name}", life.part in HELD, right if known else None, values)


def _of_stories(tier: str) -> Iterator[Made]:
    for name, lines in _stories():
        marks = {tuple(map(int, line.split()[1:])): line[0] for line in lines if line[:2] in ("< ", "~ ")}
        texts = [line.split(" ", 1)[1] for line in lines if line[0].isdigit()]
        rarest, clock = _rarest(texts), [0]
        with tempfile.TemporaryDirectory() as home:
            settings = Settings(home=Path(home), tier=tier)
            with Memory(settings, clock=lambda clock=clock: clock[0]) as memory:
                ids: list[str] = []
                for line in lines:
                    clock[0] += MINUTE_US
                    if line.startswith("= "):
                        clock[0] = from_iso(f"{line[2:].replace(' ', 'T')}:00Z")
                    elif line[0].isdigit():
                        ids.append(memory.remember(Draft(line.split(" ", 1)[1], "said in a conversation")).node.id)
                    elif line.startswith("? "):
                        for earlier, later, values in _claims(memory, line[2:], ids, rarest, tier):
                            mark = marks.get((earlier + 1, later + 1))
                            yield Made(name, False, None if mark == "~" else mark == "<", values)


def _stories() -> Iterator[tuple[str, list[str]]]:
    for story in STORIES.read_text("utf-8").split("# ")[1:]:
        name, *lines = story.strip().split("\n")
        yield name, lines


def _claims(
    memory: Memory, question: str, ids: Sequence[str], rarest: Callable[[frozenset[str]], float], tier: str
) -> Iterator[tuple[int, int, tuple[float, ...]]]:
    """What is claimed of the results of a question, but for what no weight decides, by the places of what was told."""
    answer = memory.recall(Question(question, top_k=30, newest_first=False))
    nodes, alone = [hit.node for hit in answer.hits], [hit.alone for hit in answer.hits]
    judged = Judged(alone, answer.answered, tier, searched=len(ids), rarest=rarest)
    for claim in claims(question, nodes, judged):
        if claim.values:
            yield ids.index(nodes[claim.earlier].id), ids.index(nodes[claim.later].id), claim.values


def _rarest(texts: Sequence[str]) -> Callable[[frozenset[str]], float]:
    """How rare the rarest of some stems is among some texts, as the index has it."""
    holding = Counter(stem for text in texts for stem in {*stems(text)})
    return lambda some: rareness(min(holding[stem] for stem in some), len(texts)) if some else 0.0


def _fitted(made: Sequence[Made]) -> Any:
    from sklearn.ensemble import GradientBoostingClassifier

    weights = [OF_LIVES if ": " in one.source else 1.0 for one in made]
    values, right = np.array([one.values for one in made]), [one.right for one in made]
    return GradientBoostingClassifier(**TREES).fit(values, right, sample_weight=weights)


def _exported(fitted: Any) -> Trees:
    """The trees of a fit, their nodes one after the other, and each leaf its own next node."""
    parts: dict[str, list[np.ndarray]] = {name: [] for name in ("feature", "threshold", "left", "right", "value")}
    roots, first = [], 0
    for tree in (one.tree_ for one in fitted.estimators_[:, 0]):
        own, leaf = np.arange(tree.node_count), tree.children_left < 0
        roots.append(first)
        parts["feature"].append(np.where(leaf, 0, tree.feature))
        parts["threshold"].append(np.where(leaf, 0.0, tree.threshold))
        parts["left"].append(first + np.where(leaf, own, tree.children_left))
        parts["right"].append(first + np.where(leaf, own, tree.children_right))
        parts["value"].append(np.where(leaf, fitted.learning_rate * tree.value[:, 0, 0], 0.0))
        first += tree.node_count
    joined = {name: np.concatenate(some) for name, some in parts.items()}
    chance = fitted.init_.class_prior_[1]
    depth = max(one.tree_.max_depth for one in fitted.estimators_[:, 0])
    return Trees(
        np.array(roots, np.int32), joined["feature"].astype(np.int16), joined["threshold"].astype(np.float32),
        joined["left"].astype(np.int32), joined["right"].astype(np.int32), joined["value"].astype(np.float32),
        float(np.log(chance / (1 - chance))), int(depth),
    )  # fmt: skip


def _report(tier: str, made: Sequence[Made], seen: Sequence[Made]) -> None:
    sources = sorted({one.source for one in seen})
    part_of = dict(zip(sources, np.random.default_rng(0).integers(0, PARTS, len(sources)), strict=True))
    part = np.array([PARTS if one.held else part_of[one.source] for one in made])
    odds = np.zeros(len(made))
    for held in range(PARTS + 1):
        others = [one for one, of in zip(made, part, strict=True) if not one.held and of != held]
        odds[part == held] = _fitted(others).decision_function(
            np.array([one.values for one, of in zip(made, part, strict=True) if of == held])
        )
    right = np.array([bool(one.right) for one in made])
    story = np.array([": " not in one.source for one in made])
    for name, of in (("stories", story), ("lives", (part < PARTS) & ~story), ("held lives", part == PARTS)):
        print(f"{tier}, {name}: {(of & right).sum()} right, {(of & ~right).sum()} wrong")
        for bound in sorted({*BOUNDS, MIN_CLAIM_ODDS}):
            below = odds < bound
            print(f"    below {bound:4.1f}: {(below & of & right).sum() / (of & right).sum():6.1%} of the right, "
                  f"{(below & of & ~right).sum() / (of & ~right).sum():6.1%} of the wrong")  # fmt: skip


if __name__ == "__main__":
    main()
