"""How likely a result answers a question: the trees of `recall/answer_model.py`, fitted and measured.

    python -m benchmarks.quality.answers --data PATH/hotpotqa [--tiers base,minilm] [--write]

Questions about the memories of `benchmarks.quality.answerability` and of lives.txt that are not held are asked twice:
of the whole memory, and when what answers them, or did so before, was forgotten; those about the conversations once. In
each life questions about others and about the world are asked as well. What is outdated answers nothing; what is said
to be about an answer is left out of the fit.

Printed is, in fifths of whole memories judged by a fit on the others, the average precision of results that answer,
by the trees and by `probability` of `retrieval/relevance.py`, and the area under the curve (ROC) of the best result
between questions that are answered and those that are not. `--write` replaces the weights of the package. Needs
scikit-learn.
"""

import argparse
import random
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.quality import answerability, conversations
from benchmarks.quality.claims import exported
from benchmarks.quality.lives import PARTS, Life, lived, lives
from context_graph import Memory
from context_graph.evaluation.sets import read
from context_graph.recall.answer_model import ANSWER_TREES
from context_graph.recall.answer_signs import SIGNS, signs
from context_graph.recall.current.claim_model import Trees
from context_graph.settings import Settings

COUNTS = {"answerability": 4.0, "forgotten": 1.5, "never told": 3.0, "conversations": 3.0, "others": 0.7}
"""What a result counts by what its question is of; else 1."""

OTHERS, WORLD, FOLDS, SEED = 10, 6, 5, 0
"""Questions about other lives and about the world that are asked of each life."""

TREES: dict[str, Any] = {
    "max_iter": 200, "max_depth": 6, "learning_rate": 0.06, "max_leaf_nodes": 15, "min_samples_leaf": 30,
    "l2_regularization": 2.0, "max_features": 0.3, "random_state": SEED,
}  # fmt: skip

Judge = Callable[[str], bool | None]
"""Of the id of a result: whether it answers, None where it is about what answers."""


class Asked(NamedTuple):
    """A question that was asked: of which memory, and of each result its signs and whether it answers."""

    memory: str
    source: str
    signs: np.ndarray
    answers: np.ndarray
    related: np.ndarray


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of HotpotQA, for questions about the world")
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--write", action="store_true", help="replace the weights of the package")
    options = parser.parse_args()
    world = [q.text for part in read(options.data) for q in part.questions if not q.held]
    fields: dict[str, np.ndarray] = {}
    for tier in options.tiers.split(","):
        every = [*_of_memories(tier), *_of_lives(tier, world), *_of_conversations(tier)]
        every = [one for one in every if len(one.signs)]
        _report(tier, every)
        trees = exported(_fitted(every))
        fields |= {f"{tier}.{name}": np.asarray(getattr(trees, name)) for name in Trees._fields}
    if options.write:
        before = dict(np.load(ANSWER_TREES, allow_pickle=False)) if ANSWER_TREES.exists() else {}
        np.savez_compressed(ANSWER_TREES, **before | fields)


def _asked(memory: Memory, name: str, source: str, question: str, judge: Judge) -> Asked:
    answer = memory.inject(question).answer
    x = signs(question, answer)
    verdicts = [judge(hit.id) for hit in answer.hits[: len(x)]]
    return Asked(
        name, source, x, np.array([one is True for one in verdicts]), np.array([one is None for one in verdicts])
    )


def _nothing(id: str) -> bool:
    return False


def _of_memories(tier: str) -> Iterator[Asked]:
    for path in sorted(answerability.FOLDER.glob("*.txt")):
        if path.stem.startswith("held"):
            continue
        statements, questions = answerability.read(path)
        with tempfile.TemporaryDirectory() as home, answerability.told(statements, Path(home), tier) as (memory, ids):
            for asked in questions:
                answers = {ids[number] for number in asked.answers}
                related = {ids[number] for number in asked.related}
                judge = _judge(answers, related)
                yield _asked(memory, path.stem, "answerability", asked.question, judge)
                if answers:
                    yield _when_forgotten(memory, path.stem, asked.question, answers | related)


def _of_lives(tier: str, world: list[str]) -> Iterator[Asked]:
    some = [life for life in lives([part for part in PARTS if "held" not in part]) if life.questions]
    rng = random.Random(SEED)
    for life in some:
        with tempfile.TemporaryDirectory() as home:
            memory, ids = lived(life, Path(home), tier)
            with memory:
                for asked in life.questions:
                    answers, before = ({ids[i] for i in places} for places in (asked.current, asked.past))
                    yield _asked(memory, life.name, "lives", asked.question, _judge(answers, set()))
                    yield _when_forgotten(memory, life.name, asked.question, answers | before)
                for question in life.never_told:
                    yield _asked(memory, life.name, "never told", question, _nothing)
                for question in [*_about_others(life, some, rng), *rng.sample(world, WORLD)]:
                    yield _asked(memory, life.name, "others", question, _nothing)


def _about_others(life: Life, some: list[Life], rng: random.Random) -> Iterator[str]:
    for other in rng.sample([one for one in some if one is not life], OTHERS):
        yield rng.choice(other.questions).question


def _of_conversations(tier: str) -> Iterator[Asked]:
    for path in sorted(conversations.FOLDER.glob("*.txt")):
        if path.stem.startswith("held"):
            continue
        turns, questions = conversations.read(path)
        clock = [turns[0].at]
        with (
            tempfile.TemporaryDirectory() as home,
            Memory(Settings(home=Path(home), tier=tier), clock=lambda clock=clock: clock[0]) as memory,
        ):
            text_of: dict[str, str] = {}
            for asked in questions:
                for turn in turns[len(text_of) : asked.after]:
                    clock[0] = turn.at
                    speaker = None if turn.speaker == "-" else turn.speaker
                    node = memory.remember(turn.text, speaker=speaker, session_id=turn.day).node
                    text_of[node.id] = turn.text
                answers = {id for id, text in text_of.items() if asked.answer and re.search(asked.answer, text)}
                yield _asked(memory, path.stem, "conversations", asked.question, _judge(answers, set()))


def _judge(answers: set[str], related: set[str]) -> Judge:
    return lambda id: True if id in answers else None if id in related else False


def _when_forgotten(memory: Memory, name: str, question: str, ids: set[str]) -> Asked:
    forgotten = [memory.forget(id) for id in ids]
    asked = _asked(memory, name, "forgotten", question, _nothing)
    for one in reversed(forgotten):
        memory.undo(one)
    return asked


def _fitted(some: list[Asked]) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    x, y = np.concatenate([one.signs for one in some]), np.concatenate([one.answers for one in some])
    weights = np.concatenate([np.full(len(one.answers), COUNTS.get(one.source, 1.0)) for one in some])
    taken = ~np.concatenate([one.related for one in some])
    return HistGradientBoostingClassifier(**TREES).fit(x[taken], y[taken], sample_weight=weights[taken])


def _report(tier: str, every: list[Asked]) -> None:
    from sklearn.metrics import average_precision_score, roc_auc_score

    names = sorted({one.memory for one in every})
    random.Random(SEED).shuffle(names)
    fold_of = {name: place % FOLDS for place, name in enumerate(names)}
    judged: list[tuple[Asked, np.ndarray]] = []
    for fold in range(FOLDS):
        trees = exported(_fitted([one for one in every if fold_of[one.memory] != fold]))
        judged += [(one, trees.log_odds(one.signs)) for one in every if fold_of[one.memory] == fold]
    for source in ("answerability", "lives", "conversations"):
        some = [(one, odds) for one, odds in judged if one.source == source]
        answers, odds = (np.concatenate(parts) for parts in zip(*((one.answers, p) for one, p in some), strict=True))
        alone = np.concatenate([one.signs[:, SIGNS.index("odds alone")] for one, _ in some])
        never = [(one, p) for one, p in judged if one.source in ("forgotten", source) and not one.answers.any()]
        both = [*((True, p.max()) for one, p in some if one.answers.any()), *((False, p.max()) for _, p in never)]
        precision = average_precision_score(answers, odds), average_precision_score(answers, alone)
        area = roc_auc_score(*zip(*both, strict=True))
        print(f"{tier}, {source}: average precision {precision[0]:.3f} (alone {precision[1]:.3f}), area {area:.3f}")


if __name__ == "__main__":
    main()
