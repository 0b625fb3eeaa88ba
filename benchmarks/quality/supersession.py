"""Fit and measure how likely a later statement takes the place of an earlier one.

    python -m benchmarks.quality.supersession --data PATH [--tiers base,minilm] [--write news statements asked notes]

PATH holds the folders truth and locomo. Fitted on the pairs in supersession.tsv (those marked "notes" only where the
question alone joins them), each that has a question among others in a memory, on every second item of truth/updates and
truth/pairs, on the lives in lives.txt that `LIVES` names, and on what stands together among the best results of
questions about two conversations of LoCoMo, where hardly anything takes the place of anything. The other items, the
last two conversations, and the pairs and lives marked "held" are held: no weight was chosen on them. `--write` replaces
weights of the package, those of one model or of several.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.quality.lives import Life, lived, lives
from benchmarks.quality.logistic import Fit, fit, logit, named, probability
from context_graph import Draft, Memory, Question
from context_graph.embed.stems import stems
from context_graph.evaluation.sets import QuestionSet, read
from context_graph.evaluation.stores import stored
from context_graph.models import from_iso, to_iso
from context_graph.reading import attributes, cues, supersession
from context_graph.reading.news import NEWS_WEIGHTS
from context_graph.recall import notes
from context_graph.recall.apart import CERTAIN, SURE
from context_graph.recall.current.comparable import MAX_COMPARED, answering, comparable
from context_graph.recall.current.likelihood import (
    ASKED,
    ATTRIBUTE,
    LIKELY,
    MIN_LOG_ODDS,
    PLAIN,
    SURELY,
    asked_features,
)
from context_graph.settings import Settings

OWN = Path(__file__).with_suffix(".tsv")
OWN_REPLACES, OWN_HOLD = "own, replaces", "own, both hold"
LIFE_REPLACES, LIFE_PART, LIFE_OTHER = "life, replaces", "life, another part", "life, other"
WEIGHT = {
    "both-hold": 5.0, "elaborates": 5.0, OWN_HOLD: 3.0, OWN_REPLACES: 3.0, "update": 2.0, "same": 0.5,
    "other": 0.5, "chat": 0.4,
    LIFE_REPLACES: 2.0, LIFE_PART: 2.0, LIFE_OTHER: 0.2,
}  # fmt: skip
"""What a pair counts in the fit: few controls, and many pairs that have nothing to do with each other."""

OTHERS, OTHERS_OF_NOTES = 4, 6
"""Memories beside the two of a pair with a question, from other pairs: for related pairs, and for all of one person."""

DAYS, FIRST_DAY = 9, 20_600
"""Days between these, and when the first is told, in days of 1970."""

MODELS = ("news", "statements", "asked", "notes")
"""What is fitted, one after the other."""

PARTS = ("fitted", "notes", "held")
LIVES, NEWS_LIVES, HELD_LIVES = (
    ("fitted", "later", "notes", "dense", "other"), ("later", "notes", "dense"), ("held", "dense-held", "other-held"),
)  # fmt: skip
"""Of benchmarks.quality.lives: those that the weights are fitted on; those whose statements tell what news is like, as
what is fitted on the others too would be too sure of it; and those that are only measured. Most of the first say much
in a statement, so the weights of two statements are fitted with `FIRST_LIVES` alone, whose statements are short, and
then with all, not far from these."""

FIRST_LIVES = ("fitted",)

TOGETHER = 40
"""Questions whose pairs stand in one memory."""

CHAT_EVERY = 5
"""Of the questions about a conversation, one in so many is asked."""

RIDGE, RIDGE_MORE, RIDGE_ASKED, RIDGE_NOTES, RIDGE_NEWS = 3.0, 300.0, 2.0, 5.0, 90.0
DAY = 86_400_000_000
RELATIONS = {"update": True, "contradicts": True, "elaborates": False, "same": False}


class Pair(NamedTuple):
    earlier: str
    later: str
    replaces: bool
    kind: str


class Beside(NamedTuple):
    """Two results of one question."""

    question: str
    ranks: tuple[int, int]
    alone: tuple[float, float]
    found: notes.Answerability
    pair: Pair


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with truth/ and locomo/")
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--write", nargs="*", default=(), choices=MODELS, help="weights of the package to replace")
    options = parser.parse_args()
    updates, pairs = (_rows(options.data / "truth" / f"{name}.jsonl") for name in ("updates", "pairs"))
    halves = [[*_updates(updates[half::2]), *_pairs(pairs[half::2])] for half in (0, 1)]
    own, own_held, chats = [*_own("fitted")], [*_own("held")], read(options.data / "locomo")
    lived_by = [lives(LIVES), lives(HELD_LIVES)]
    _of_news(lives(NEWS_LIVES), lived_by[1], write="news" in options.write)
    lifelong = [[*_of_lives(some)] for some in lived_by]
    own_alone = [*own_asked(("fitted",), OTHERS)]
    own_notes = [
        [*own_asked(parts, OTHERS_OF_NOTES), *_staying(parts, OTHERS_OF_NOTES + 1)] for parts in (PARTS[:2], PARTS[2:])
    ]
    tiers = options.tiers.split(",")
    noted = {
        tier: [
            [
                *_asked([*updates[half::2], *own_notes[half]], tier),
                *_together(PARTS[parts], tier),
                *_asked_of_lives(lived_by[half], tier),
            ]
            for half, parts in enumerate((slice(2), slice(2, 3)))
        ]
        for tier in tiers
    }  # fmt: skip
    beside = {
        tier: [
            [
                *_asked([*updates[half::2], *(own_alone if half == 0 else ())], tier),
                *_chat(chats[:2] if half == 0 else chats[-2:], tier),
                *_asked_of_lives(lived_by[half], tier),
            ]
            for half in (0, 1)
        ]
        for tier in tiers
    }
    chat = [[each.pair for each in both if each.pair.kind == "chat"] for both in next(iter(beside.values()))]
    first = fit(*_table([*halves[0], *own, *chat[0], *_of_lives(lives(FIRST_LIVES))]), RIDGE)
    fitted = fit(*_table([*halves[0], *own, *chat[0], *lifelong[0]]), RIDGE_MORE, first)
    for name, some in (
        ("fitted on", halves[0] + chat[0]), ("own", own), ("own, held", own_held), ("held", halves[1] + chat[1]),
        ("lives, fitted on", lifelong[0]), ("lives, held", lifelong[1]),
    ):  # fmt: skip
        _report(f"two statements, {name}", probability(_table(some)[0], fitted), some)
    seen = [each for both in beside.values() for each in both[0]]
    of_question = fit(_of_question(seen, fitted), *_judged([each.pair for each in seen]), RIDGE_ASKED)
    for tier, both in beside.items():
        for name, some in zip(("fitted on", "held"), both, strict=True):
            x = _of_question(some, fitted)
            asked = np.array([bool({*stems(each.question)} & {*stems(each.pair.later)}) for each in some])
            meant = asked | (x[:, ASKED.index("attribute")] >= ATTRIBUTE)
            likely = np.where(x[:, 0] < np.where(meant, MIN_LOG_ODDS, PLAIN), 0.0, probability(x, of_question))
            likely[x[:, 0] >= CERTAIN] = 1.0
            _report(f"with the question, {tier}, {name}", likely, [each.pair for each in some])
            likely[(x[:, 0] < SURE) | (likely < SURELY)] = 0.0
            _report(f"with the question, {tier}, {name}, told with its end", likely, [each.pair for each in some])
    of_notes = {}
    for tier, both in noted.items():
        parts = [_unsettled(some, fitted) for some in both]
        labels, _ = _judged([each.pair for each in parts[0]])
        of_notes[tier] = fit(_of_notes(parts[0], fitted), labels, np.ones_like(labels), RIDGE_NOTES)
        for name, some in zip(("fitted on", "held"), parts, strict=True):
            likely = probability(_of_notes(some, fitted), of_notes[tier])
            title = f"joined by the question alone, {tier}, {name}"
            _report(title, likely, [each.pair for each in some])
            first = [at for at, each in enumerate(some) if each.ranks[0] == 0]
            _report(f"{title}, of the first", likely[first], [some[at].pair for at in first])
    if options.write:
        models = {
            "statements": named(fitted, supersession.FEATURES),
            "asked": named(of_question, ASKED),
            "notes": {tier: named(one, notes.FEATURES) for tier, one in of_notes.items()},
        }
        before = json.loads(supersession.SUPERSESSION_WEIGHTS.read_text("utf-8"))
        weights = before | {name: models[name] for name in options.write if name in models}
        supersession.SUPERSESSION_WEIGHTS.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")


def _of_news(some: Sequence[Life], held: Sequence[Life], *, write: bool) -> None:
    """Fit what tells news from what holds, which the other weights rest on: each statement that changes another."""
    texts, news = ([*column] for column in zip(*_told(some), strict=True))
    fitted = fit(
        np.array([attributes.vector(text) for text in texts]), np.array(news, float), np.ones(len(news)), RIDGE_NEWS
    )
    for name, part in (("fitted on", some), ("held", held)):
        texts, news = ([*column] for column in zip(*_told(part), strict=True))
        likely, tells = probability(np.array([attributes.vector(text) for text in texts]), fitted), np.array(news)
        print(f"news, {name}: {len(news)} statements; of those that change another {(likely > 0.5)[tells].mean():.1%} "
              f"found, of the others {(likely > 0.5)[~tells].mean():.1%} taken for it")  # fmt: skip
    if write:
        weights = {"intercept": round(fitted.intercept, 4), "weights": np.round(fitted.weights, 3).tolist()}
        NEWS_WEIGHTS.write_text(json.dumps(weights) + "\n", "utf-8")


def _told(some: Sequence[Life]) -> Iterator[tuple[str, bool]]:
    for life in some:
        changing = {later for _, later in life.ends}
        yield from ((cues.readable(text), place in changing) for place, text in enumerate(life.texts))


def _rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _own_rows(part: str) -> list[list[str]]:
    rows = [line.split("\t") for line in OWN.read_text("utf-8").splitlines()[1:]]
    return [row[1:] for row in rows if row[0] == part]


def _own(part: str) -> Iterator[Pair]:
    for replaces, _, earlier, later in _own_rows(part):
        yield Pair(earlier, later, replaces == "1", OWN_REPLACES if replaces == "1" else OWN_HOLD)


def own_asked(parts: Sequence[str], beside: int) -> Iterator[dict]:
    """The pairs that have a question, as items like those of truth/updates: the two stand among others."""
    rows = [row for part in parts for row in _own_rows(part) if row[1]]
    first = max(beside // 2 - 2, 0)
    second = max(beside - 1, first + 1)
    for i, (replaces, question, earlier, later) in enumerate(rows):
        others = [rows[(i + 7 * step) % len(rows)][2 + step % 2] for step in range(1, beside + 1)]
        texts = [*others[:first], earlier, *others[first : second - 1], later, *others[second - 1 :]]
        days = [to_iso((FIRST_DAY + DAYS * place) * DAY) for place in range(len(texts) + 1)]
        yield {
            "kind": OWN_REPLACES if replaces == "1" else OWN_HOLD, "question": question, "asked_at": days[-1],
            "memories": [{"text": text, "at": day} for text, day in zip(texts, days, strict=False)],
            "current": [second] if replaces == "1" else [first, second], "stale": [first] if replaces == "1" else [],
            "others": [place for place in range(beside + 2) if place not in (first, second)],
        }  # fmt: skip


def _staying(parts: Sequence[str], beside: int) -> Iterator[dict]:
    """What holds, with statements about other matters told after it, as items like those of truth/updates."""
    rows = [row for part in parts for row in _own_rows(part) if row[1]]
    texts = [text for row in rows for text in row[2:4]]
    words = [frozenset(stems(text)) for text in texts]
    dice = np.random.default_rng(1)
    for replaces, question, earlier, later in rows:
        if replaces != "1":
            continue
        asked = frozenset(stems(question))
        places = dice.permutation(len(texts)).tolist()
        others = [texts[i] for i in places if not words[i] & asked and texts[i] not in (earlier, later)][:beside]
        told = [*others[:2], earlier, *others[2:]]
        days = [to_iso((FIRST_DAY + DAYS * place) * DAY) for place in range(len(told) + 1)]
        yield {
            "kind": "stays", "question": question, "asked_at": days[-1], "current": [2], "stale": [],
            "memories": [{"text": text, "at": day} for text, day in zip(told, days, strict=False)],
            "others": [place for place in range(len(told)) if place != 2],
        }  # fmt: skip


def _of_lives(some: Sequence[Life]) -> Iterator[Pair]:
    """Every two statements of a life, but for those of which the later one changes a part of the earlier one."""
    for life in some:
        for j, later in enumerate(life.texts):
            for i, earlier in enumerate(life.texts[:j]):
                if (ended := life.ended(i, j)) is not None:
                    yield Pair(earlier, later, ended, LIFE_REPLACES if ended else LIFE_OTHER)


def _asked_of_lives(some: Sequence[Life], tier: str) -> Iterator[Beside]:
    """Every pair among the best results of each question of a life."""
    for life in some:
        with tempfile.TemporaryDirectory() as home:
            memory, ids = lived(life, Path(home), tier)
            with memory:
                for asked in life.questions:
                    answer = memory.recall(Question(asked.question, top_k=30, newest_first=False))
                    hits = answer.hits[:MAX_COMPARED]
                    order, found = (
                        [ids.index(hit.node.id) for hit in hits],
                        notes.Answerability(answer.answered, len(ids)),
                    )
                    for i, earlier in enumerate(order):
                        for j, later in enumerate(order):
                            if earlier >= later:
                                continue
                            ended = bool(life.ended(earlier, later, asked))
                            part = LIFE_PART if (earlier, later) in life.ends else LIFE_OTHER
                            pair = Pair(life.texts[earlier], life.texts[later], ended, LIFE_REPLACES if ended else part)
                            alone = (hits[i].alone, hits[j].alone)
                            yield Beside(asked.question, (i, j), alone, found, pair)


def _pairs(rows: Sequence[dict]) -> Iterator[Pair]:
    """Pairs that differ in one word are left out: whether both hold cannot be read from them."""
    for row in rows:
        if row["relation"] in RELATIONS:
            yield Pair(row["a"], row["b"], RELATIONS[row["relation"]], row["relation"])


def _updates(rows: Sequence[dict]) -> Iterator[Pair]:
    for row in rows:
        texts = [memory["text"] for memory in row["memories"]]
        for j in range(len(texts)):
            for i in range(j):
                if (label := _label(row, i, j)) is not None:
                    yield Pair(texts[i], texts[j], *label)


def _label(row: dict, i: int, j: int) -> tuple[bool, str] | None:
    """Whether the memory j takes the place of i, and the kind of the pair; None where the item does not say."""
    beside = i not in row["others"] and j not in row["others"]
    if i in row["stale"] and (j in row["current"] or j in row["stale"]):
        return True, row["kind"]
    if beside and row["kind"] == "reversal":
        return True, row["kind"]
    if beside and row["kind"] == "partial":
        return None
    return False, row["kind"] if beside and row["kind"] in ("both-hold", OWN_HOLD) else "other"


def _asked(rows: Sequence[dict], tier: str) -> Iterator[Beside]:
    """Every pair among the best results of each item's question."""
    for row in rows:
        moment = [0]
        with (
            tempfile.TemporaryDirectory() as home,
            Memory(Settings(home=Path(home), tier=tier), clock=lambda at=moment: at[0]) as memory,
        ):
            ids = []
            for told in row["memories"]:
                moment[0] = from_iso(told["at"])
                metadata = {"date": told["at"]} | ({"speaker": told["speaker"]} if told.get("speaker") else {})
                ids.append(memory.remember(Draft(told["text"], rationale="it was said", metadata=metadata)).node.id)
            moment[0] = from_iso(row["asked_at"])
            answer = memory.recall(Question(row["question"], top_k=30, newest_first=False))
            hits = answer.hits[:MAX_COMPARED]
        order = [ids.index(hit.node.id) for hit in hits]
        for i, earlier in enumerate(order):
            for j, later in enumerate(order):
                if earlier < later and (label := _label(row, earlier, later)) is not None:
                    pair = Pair(hits[i].node.content, hits[j].node.content, *label)
                    alone = (hits[i].alone, hits[j].alone)
                    found = notes.Answerability(answer.answered, len(row["memories"]))
                    yield Beside(row["question"], (i, j), alone, found, pair)


def _together(parts: Sequence[str], tier: str) -> Iterator[Beside]:
    """Every pair among the best results of each question, where the pairs of forty questions are in one memory."""
    for group in _groups(parts):
        moment = [FIRST_DAY * DAY]
        with (
            tempfile.TemporaryDirectory() as home,
            Memory(Settings(home=Path(home), tier=tier), clock=lambda at=moment: at[0]) as memory,
        ):
            of: dict[str, tuple[int, int]] = {}
            for which in (2, 3):
                for place in np.random.default_rng(which).permutation(len(group)).tolist():
                    moment[0] += DAY
                    draft = Draft(group[place][which], rationale="it was said", metadata={"date": to_iso(moment[0])})
                    of[memory.remember(draft).node.id] = (place, which)
            for place, row in enumerate(group):
                answer = memory.recall(Question(row[1], top_k=30, newest_first=False))
                hits, found = answer.hits[:MAX_COMPARED], notes.Answerability(answer.answered, 2 * len(group))
                for i, earlier in enumerate(hits):
                    for j, later in enumerate(hits):
                        if earlier.node.occurred_at < later.node.occurred_at:
                            own = of.get(earlier.node.id) == (place, 2) and of.get(later.node.id) == (place, 3)
                            replaces = own and row[0] == "1"
                            kind = "other" if not own else OWN_REPLACES if replaces else OWN_HOLD
                            pair = Pair(earlier.node.content, later.node.content, replaces, kind)
                            yield Beside(row[1], (i, j), (earlier.alone, later.alone), found, pair)


def _groups(parts: Sequence[str]) -> list[list[list[str]]]:
    """The pairs that have a question, forty at a time, of which no two questions share more than a word."""
    rows = [row for part in parts for row in _own_rows(part) if row[1]]
    groups: list[list[tuple[list[str], frozenset[str]]]] = []
    for place in np.random.default_rng(0).permutation(len(rows)).tolist():
        words = frozenset(stems(" ".join(rows[place][1:3])))
        fitting = (
            group for group in groups if len(group) < TOGETHER and all(len(words & other) < 2 for _, other in group)
        )
        group = next(fitting, None)
        if group is None:
            groups.append(group := [])
        group.append((rows[place], words))
    return [[row for row, _ in group] for group in groups]


def _chat(sets: Sequence[QuestionSet], tier: str) -> Iterator[Beside]:
    """Pairs among the best results of questions about a conversation: none is taken to replace another."""
    with stored([*sets], tier) as questions:
        for asked in questions[::CHAT_EVERY]:
            question = asked.question.text
            hits = asked.memory.recall(Question(question, top_k=MAX_COMPARED, record=False, newest_first=False)).hits
            found = notes.Answerability(0.0, asked.memory.store.counts()["memories"])
            words = frozenset(stems(question))
            for i, earlier in enumerate(hits):
                for j, later in enumerate(hits):
                    if comparable(earlier.node, later.node):
                        said = (answering(hit.node.content, words) for hit in (earlier, later))
                        yield Beside(question, (i, j), (earlier.alone, later.alone), found, Pair(*said, False, "chat"))


def _unsettled(some: Sequence[Beside], fitted: Fit) -> list[Beside]:
    """Those that the two statements alone do not join."""
    odds = [_odds(each.pair, fitted) for each in some]
    return [each for each, of_pair in zip(some, odds, strict=True) if of_pair is None or of_pair < PLAIN]


def _odds(pair: Pair, fitted: Fit) -> float | None:
    """Log odds of two statements; None where they are not related."""
    if not supersession.related(*pair[:2]):
        return None
    return float(logit(supersession.features(*pair[:2]), fitted))


def _of_notes(some: Sequence[Beside], fitted: Fit) -> np.ndarray:
    table = []
    for question, ranks, alone, found, pair in some:
        both = (notes.note(text, rank, one) for text, rank, one in zip(pair[:2], ranks, alone, strict=True))
        odds = _odds(pair, fitted)
        table.append(notes.features(notes.question_features(question), *both, found, odds))
    return np.array(table)


def _of_question(some: Sequence[Beside], fitted: Fit) -> np.ndarray:
    likely = logit(_table([each.pair for each in some])[0], fitted)
    return np.array([
        asked_features(each.question, each.pair[:2], float(statements), each.ranks, each.alone)
        for each, statements in zip(some, likely, strict=True)
    ])  # fmt: skip


def _table(pairs: Sequence[Pair]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.array([supersession.features(pair.earlier, pair.later) for pair in pairs]), *_judged(pairs)


def _judged(pairs: Sequence[Pair]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([pair.replaces for pair in pairs], float), np.array([WEIGHT.get(pair.kind, 1.0) for pair in pairs])


def _report(title: str, likely: np.ndarray, pairs: Sequence[Pair]) -> None:
    judged, replaces = likely > LIKELY, np.array([pair.replaces for pair in pairs])
    kinds = np.array([pair.kind for pair in pairs])
    print(f"\n{title}: {len(pairs)} pairs; of those that replace {judged[replaces].mean():.1%} found, "
          f"of the others {judged[~replaces].mean():.2%} taken for it")  # fmt: skip
    print("  " + ", ".join(f"{kind} {judged[kinds == kind].mean():.0%}" for kind in sorted(set(kinds))))


if __name__ == "__main__":
    main()
