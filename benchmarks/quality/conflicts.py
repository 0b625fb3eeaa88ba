"""How often results that disagree are told as such, and how often results that do not.

    python -m benchmarks.quality.conflicts --data PATH [--tiers base,minilm] [--every 5]

The pairs of conflicts.tsv, each as of one day, by one speaker or by two, among memories of other pairs: half A is
every second pair, in whose view the rules were written. PATH holds the folder locomo, whose questions stand for
ordinary ones: of these one in `--every` is asked, and an alert is taken to be false. Of the questions to the user
(`recall/proposals.py`) it counts those about updates in truth/updates, and all about LoCoMo, where there is nothing to
ask.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from context_graph import Draft, Memory, Question
from context_graph.evaluation.sets import read
from context_graph.evaluation.stores import stored
from context_graph.models import from_iso
from context_graph.recall.proposals import proposals
from context_graph.settings import Settings

OWN = Path(__file__).with_suffix(".tsv")
OTHERS = 3
"""Pairs of the same half that a pair stands among."""

DAY = "2026-03-03"
SPEAKERS = {"one": ("Nadia", "Nadia"), "two": ("Anna", "Tom")}


class Pair(NamedTuple):
    disagrees: bool
    speakers: tuple[str, str]
    question: str
    first: str
    second: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with locomo/ and truth/")
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--every", type=int, default=5, help="of the questions of LoCoMo, one in so many is asked")
    options = parser.parse_args()
    pairs = list(_pairs())
    updates = [json.loads(line) for line in (options.data / "truth" / "updates.jsonl").read_text("utf-8").splitlines()]
    for tier in options.tiers.split(","):
        for half, name in enumerate("AB"):
            told = _told(pairs[half::2], tier)
            for disagrees, what in ((True, "disagree"), (False, "both hold")):
                of_kind = [
                    alert for pair, alert in zip(pairs[half::2], told, strict=True) if pair.disagrees == disagrees
                ]
                print(f"{tier}, half {name}, {what}: an alert for {sum(of_kind)} of {len(of_kind)}")
        with stored(read(options.data / "locomo"), tier) as questions:
            asked = questions[:: options.every]
            false = [one for one in asked if _alerted(one.memory, one.question.text)]
            stores = {id(one.memory): one.memory for one in questions}.values()
            proposed = [len(proposals(memory, memory.caller)) for memory in stores]
        print(f"{tier}, LoCoMo: an alert for {len(false)} of {len(asked)} questions")
        print(f"{tier}, LoCoMo: {sum(proposed)} questions to the user in {len(proposed)} conversations")
        for half, name in enumerate("AB"):
            right, others, of = _proposed(updates[half::2], tier)
            print(f"{tier}, updates, half {name}: asked about {right} of {of} updates, and {others} other pairs")


def _pairs() -> Iterator[Pair]:
    for line in OWN.read_text("utf-8").splitlines()[1:]:
        disagrees, speakers, question, first, second = line.split("\t")
        yield Pair(disagrees == "1", SPEAKERS[speakers], question, first, second)


def _told(pairs: Sequence[Pair], tier: str) -> list[bool]:
    """Whether a question of each pair finds any two results that disagree."""
    told = []
    for i, pair in enumerate(pairs):
        among = [pairs[(i + 5 * step) % len(pairs)] for step in range(1, OTHERS + 1)]
        with tempfile.TemporaryDirectory() as home, Memory(Settings(home=Path(home), tier=tier)) as memory:
            memory.remember_many(
                Draft(text, "it was said", metadata={"date": DAY, "speaker": speaker})
                for text, speaker in [
                    (pair.first, pair.speakers[0]),
                    *((other.first, other.speakers[0]) for other in among),
                    (pair.second, pair.speakers[1]),
                ]
            )
            told.append(_alerted(memory, pair.question))
    return told


def _proposed(items: Sequence[dict], tier: str) -> tuple[int, int, int]:
    """Of the memories of each item, told at their times: pairs asked about that are updates, that are none, and all
    updates.
    """
    right = others = updates = 0
    for item in items:
        moment = [0]
        with (
            tempfile.TemporaryDirectory() as home,
            Memory(Settings(home=Path(home), tier=tier), clock=lambda at=moment: at[0]) as memory,
        ):
            ids = []
            for told in item["memories"]:
                moment[0] = max(from_iso(told["at"]), moment[0] + 1)
                ids.append(memory.remember(Draft(told["text"], "it was said", speaker=told.get("speaker"))).node.id)
            asked = {(ids.index(one.earlier.id), ids.index(one.later.id)) for one in proposals(memory, memory.caller)}
        now = {*item["current"], *item["stale"]}
        stale = {(i, j) for i in item["stale"] for j in now if i < j}
        right, others, updates = right + len(asked & stale), others + len(asked - stale), updates + len(stale)
    return right, others, updates


def _alerted(memory: Memory, question: str) -> bool:
    return any(hit.disputes for hit in memory.recall(Question(question, top_k=10, record=False)).hits)


if __name__ == "__main__":
    main()
