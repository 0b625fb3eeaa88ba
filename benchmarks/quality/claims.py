"""Which of two results that a question finds took the place of the other: fitted and measured on labelled stories.

    python -m benchmarks.quality.claims --data PATH/truth [--tiers base,minilm] [--write]

Fitted are boosted trees (`recall/current/claim_model.py`) and, before them, how likely a statement changes something by
its wording alone (`reading/updates.py`), on lives.txt (benchmarks/quality/lives.py), but for the lives in `HELD`, on
the pairs with a question of supersession.tsv, among others, on the half of truth/updates that is looked at, and
on the stories of benchmarks/quality/stories (see `benchmarks.quality.stories`), but for those whose file is called
"-held", of which nobody who makes rules has read one.

Each story is judged by what was fitted without it: in thirds of whole stories, and those that are held by a fit on
all others. Printed is, of the first three results that a question finds, how many are outdated by another one and how
many are not, and how many of both are called so, from some bounds on and from that of the package on. `--write`
replaces the weights of the package. Needs scikit-learn.
"""

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.quality import truth
from benchmarks.quality.lives import lived, lives
from benchmarks.quality.stories import Story, asked, stories
from benchmarks.quality.supersession import own_asked
from context_graph import Memory, Question
from context_graph.embed.stems import stems
from context_graph.reading import act_model
from context_graph.reading.updates import UPDATE_WEIGHTS
from context_graph.recall.assembly import meaning_of
from context_graph.recall.current.claim_model import CLAIM_TREES, Trees
from context_graph.recall.current.claim_signs import SIGNS
from context_graph.recall.current.comparison import MIN_LEARNED_ODDS
from context_graph.recall.current.likelihood import Judged, rareness
from context_graph.recall.current.replacements import candidates

HELD_LIVES = ("dense-held", "other-held", "crowded-held", "worded-held", "everyday-held", "held")
HELD = (*HELD_LIVES, "long-held", "months-held", "pair-held", "short-held", "steady-held")
COUNTS = {"life": 0.4, "short": 4.0, "steady": 4.0, "pair": 1.0, "truth": 2.0}
"""What a claim of a life counts, of which there are many, and of what is short, of which there are few; else 1."""

BESIDE = (0, 2, 6)
"""Statements beside a pair of supersession.tsv, which is told once with each."""

FOLDS, FIRST, BOUNDS, SEED = 3, 3, (-2.5, -2.0, -1.5, -1.0, -0.5, 0.0), 0
KEPT = 0.25
"""How many of the pairs are fitted on that are no change, that no rule takes for one, and whose earlier one is none of
the first results."""

TREES: dict[str, Any] = {
    "max_iter": 150, "max_depth": 6, "learning_rate": 0.06, "max_leaf_nodes": 15, "min_samples_leaf": 30,
    "l2_regularization": 2.0, "max_features": 0.3, "random_state": SEED,
}  # fmt: skip
PENALTY = 0.1
"""The inverse of the penalty on the weights of a statement's wording."""

OF_WORDING = [[SIGNS.index(f"{which} {sign}") for sign in ("updates", "updated")] for which in ("earlier", "later")]


class Pair(NamedTuple):
    """Two results of a question, places of what was told, and whether the later one took the place of the earlier."""

    story: int
    question: str
    earlier: int
    later: int
    right: bool
    rank: int
    signs: np.ndarray


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of truth")
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--write", action="store_true", help="replace the weights of the package")
    options = parser.parse_args()
    some = [*_lives(), *stories(), *_items(options.data)]
    wording = _Wording(some)
    written = {}
    for tier in options.tiers.split(","):
        pairs = [*_of_lives(some, tier), *_of_stories(some, tier)]
        signs = np.array([one.signs for one in pairs])
        for places, column in zip(OF_WORDING, ("earlier", "later"), strict=True):
            signs[:, places] = [wording.odds[one.story][getattr(one, column)] for one in pairs]
        _report(tier, some, pairs, signs)
        fitted = _fitted(some, pairs, signs, [some[one.story].kind not in HELD for one in pairs])
        written |= {f"{tier}.{name}": np.asarray(value) for name, value in exported(fitted)._asdict().items()}
    if options.write:
        before = dict(np.load(CLAIM_TREES, allow_pickle=False)) if CLAIM_TREES.exists() else {}
        np.savez_compressed(CLAIM_TREES, **before | written)
        np.savez_compressed(UPDATE_WEIGHTS, weights=wording.weights.astype(np.float16))


def _lives() -> Iterator[Story]:
    for life in lives():
        labels = {pair: whole or None for pair, whole in life.ends.items()}
        yield Story(f"{life.part}: {life.name}", life.part if life.part in HELD else "life", (*life.texts,), labels)


def _items(data: Path) -> Iterator[Story]:
    items = [("pair", one) for beside in BESIDE for one in own_asked(["fitted", "notes"], beside)]
    items += [("pair-held", one) for beside in BESIDE for one in own_asked(["held"], beside)]
    items += [("truth", one) for one in truth.halves("updates", truth.read(data, "updates"))["seen"]]
    for number, (kind, item) in enumerate(items):
        told = [(line["at"], line["text"]) for line in item["memories"]] + [(item["asked_at"], f"? {item['question']}")]
        labels = {(earlier, later): True for earlier in item["stale"] for later in item["current"] if earlier < later}
        lines = (line for at, text in told for line in (f"= {at[:10]} {at[11:16]}", text))
        yield Story(f"{kind} {number}", kind, tuple(text for _, text in told[:-1]), dict(labels), tuple(lines))


def _of_lives(some: Sequence[Story], tier: str) -> Iterator[Pair]:
    for number, life in enumerate(lives()):
        with tempfile.TemporaryDirectory() as home:
            memory, ids = lived(life, Path(home), tier)
            with memory:
                for one in life.questions:
                    of_question = {pair: life.ended(*pair, one) or None for pair in life.ends}
                    yield from _pairs(memory, one.question, ids, number, some[number].texts, of_question, tier)


def _of_stories(some: Sequence[Story], tier: str) -> Iterator[Pair]:
    for number, story in enumerate(some):
        for memory, ids, question in asked(story, tier):
            yield from _pairs(memory, question, ids, number, story.texts, story.labels, tier)


def _pairs(
    memory: Memory,
    question: str,
    ids: Sequence[str],
    story: int,
    texts: Sequence[str],
    labels: dict[tuple[int, int], bool | None],
    tier: str,
) -> Iterator[Pair]:
    """Every two results of a question that may be a change, but for those of which either may be said."""
    answer = memory.recall(Question(question, top_k=30, newest_first=False))
    nodes, alone = [hit.node for hit in answer.hits], [hit.alone for hit in answer.hits]
    judged = Judged(
        alone, answer.answered, tier, searched=len(ids), rarest=_rarest(texts[: len(ids)]),
        meaning=lambda: meaning_of(memory.corpus, [node.id for node in nodes]),
    )  # fmt: skip
    for (i, j), signs in zip(*candidates(question, nodes, judged), strict=True):
        earlier, later = ids.index(nodes[i].id), ids.index(nodes[j].id)
        if (right := labels.get((earlier, later), False)) is not None:
            yield Pair(story, question, earlier, later, right, i, signs)


def _rarest(texts: Sequence[str]) -> Callable[[frozenset[str]], float]:
    """How rare the rarest of some stems is among some texts, as the index has it."""
    holding = Counter(stem for text in texts for stem in {*stems(text)})
    return lambda some: rareness(min(holding[stem] for stem in some), len(texts)) if some else 0.0


class _Wording:
    """How likely each statement changes something, and is changed, by its wording: each by a fit without its story.

    Attributes
    ----------
    odds : list of float32 (statements, 2)
        By story.
    weights : float32 (f + 1, 2)
        By a fit on all that are not held.
    """

    def __init__(self, some: Sequence[Story]) -> None:
        of_story = np.repeat(np.arange(len(some)), [len(story.texts) for story in some])
        features = np.array([act_model.features(text) for story in some for text in story.texts])
        changes = np.concatenate([_changes(story) for story in some])
        fold = _folds(some)[of_story]
        held = np.array([some[of].kind in HELD for of in of_story])
        judged = np.empty((len(features), 2), np.float32)
        for one in np.unique(fold):
            weights = _wording_weights(features, changes, ~held & (fold != one))
            judged[fold == one] = features[fold == one] @ weights[:-1] + weights[-1]
        self.odds = np.split(judged, np.cumsum([len(story.texts) for story in some])[:-1])
        self.weights = _wording_weights(features, changes, ~held)


def _changes(story: Story) -> np.ndarray:
    """Whether each statement changes another, and is changed: bool (statements, 2)."""
    changes = np.zeros((len(story.texts), 2), bool)
    for (earlier, later), right in story.labels.items():
        changes[later, 0] |= bool(right)
        changes[earlier, 1] |= bool(right)
    return changes


def _wording_weights(features: np.ndarray, changes: np.ndarray, fitted_on: np.ndarray) -> np.ndarray:
    from sklearn.linear_model import LogisticRegression

    fits = [
        LogisticRegression(C=PENALTY, max_iter=500).fit(features[fitted_on], changes[fitted_on, kind])
        for kind in range(2)
    ]
    return np.vstack([np.column_stack([fit.coef_[0] for fit in fits]), [fit.intercept_[0] for fit in fits]])


def _folds(some: Sequence[Story]) -> np.ndarray:
    """What part each story is of; all that are held are of one more."""
    folds = np.random.default_rng(SEED).integers(0, FOLDS, len(some))
    return np.where([story.kind in HELD for story in some], FOLDS, folds)


def _fitted(some: Sequence[Story], pairs: Sequence[Pair], signs: np.ndarray, fitted_on: Sequence[bool]) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    rng = np.random.default_rng(SEED)
    ruled = SIGNS.index("ruled")
    near = np.array([one.right or one.rank < FIRST or bool(one.signs[ruled]) for one in pairs])
    taken = np.asarray(fitted_on) & (near | (rng.random(len(pairs)) < KEPT))
    weights = np.array([COUNTS.get(some[one.story].kind, 1.0) for one in pairs])
    right = np.array([one.right for one in pairs])
    return HistGradientBoostingClassifier(**TREES).fit(signs[taken], right[taken], sample_weight=weights[taken])


def exported(fitted: Any) -> Trees:
    """The trees of a fit, their nodes one after the other, and each leaf its own next node."""
    parts: dict[str, list[np.ndarray]] = {name: [] for name in ("feature", "threshold", "left", "right", "value")}
    roots, first, depth = [], 0, 0
    for nodes in (predictor.nodes for (predictor,) in fitted._predictors):
        own, leaf = np.arange(len(nodes)), nodes["is_leaf"].astype(bool)
        roots.append(first)
        parts["feature"].append(np.where(leaf, 0, nodes["feature_idx"]))
        parts["threshold"].append(np.where(leaf, 0.0, nodes["num_threshold"]))
        parts["left"].append(first + np.where(leaf, own, nodes["left"]))
        parts["right"].append(first + np.where(leaf, own, nodes["right"]))
        parts["value"].append(np.where(leaf, nodes["value"], 0.0))
        first, depth = first + len(nodes), max(depth, int(nodes["depth"].max()))
    joined = {name: np.concatenate(some) for name, some in parts.items()}
    return Trees(
        np.array(roots, np.int32), joined["feature"].astype(np.int16), joined["threshold"].astype(np.float32),
        joined["left"].astype(np.int32), joined["right"].astype(np.int32), joined["value"].astype(np.float32),
        float(fitted._baseline_prediction.ravel()[0]), depth,
    )  # fmt: skip


def _report(tier: str, some: Sequence[Story], pairs: Sequence[Pair], signs: np.ndarray) -> None:
    fold = _folds(some)[[one.story for one in pairs]]
    odds = np.zeros(len(pairs))
    for one in range(FOLDS + 1):
        fitted = _fitted(some, pairs, signs, fold != one if one == FOLDS else (fold != one) & (fold != FOLDS))
        odds[fold == one] = fitted.decision_function(signs[fold == one])
    results: dict[tuple[str, int, str, int], list[float]] = defaultdict(lambda: [0.0, -np.inf])
    for one, likely in zip(pairs, odds, strict=True):
        if one.rank < FIRST:
            kind = some[one.story].kind
            result = results["held lives" if kind in HELD_LIVES else kind, one.story, one.question, one.earlier]
            result[:] = max(result[0], one.right), max(result[1], likely)
    for kind in dict.fromkeys(of for of, *_ in results):
        outdated, likely = np.array([value for (of, *_), value in results.items() if of == kind]).T
        print(f"{tier}, {kind}: {int(outdated.sum())} results are outdated, {int((1 - outdated).sum())} hold")
        for bound in sorted({*BOUNDS, MIN_LEARNED_ODDS}):
            called = likely >= bound
            print(f"    called so from {bound:4.1f} on: {called[outdated > 0].mean():6.1%} of the outdated, "
                  f"{called[outdated == 0].mean():6.1%} of those that hold")  # fmt: skip


if __name__ == "__main__":
    main()
