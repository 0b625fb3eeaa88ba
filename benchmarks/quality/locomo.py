"""Evidence recall on LoCoMo: which turns of a long conversation are found for a question.

The five conversations are read from a path (CC BY-NC 4.0: for evaluation only, never packaged), fed turn by
turn into a store of their own, and asked through `search_graph`. Every row of the table comes from this file::

    python -m benchmarks.quality.locomo --data PATH/locomo [--systems ours-minilm ...]
"""

import argparse
import json
import re
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.quality import baselines
from benchmarks.quality.report import save

if TYPE_CHECKING:
    from context_graph.memory import Memory

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
DEPTHS = (5, 10, 20)
_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")


@dataclass(frozen=True, slots=True)
class Turn:
    id: str
    session: int
    date: datetime
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: str
    gold: frozenset[str]
    category: int
    gold_corrected: frozenset[str] | None
    """The evidence after the published corrections; None where the question itself is at fault."""


@dataclass(frozen=True, slots=True)
class Conversation:
    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


Search = Callable[[str], Sequence[str]]
"""A question -> ids of the best 20 turns, best first."""


def read(folder: Path) -> list[Conversation]:
    """All conversations of a folder; evidence ids are parsed leniently, unknown ones dropped."""
    errors = {
        entry["question_id"]: entry for entry in json.loads((folder / "answer_key_errors.json").read_text("utf-8"))
    }
    order = [26, 30, 41, 42, 43, 44, 47, 48, 49, 50]  # the index in question ids counts all ten conversations
    return [_conversation(file, errors, order) for file in sorted(folder.glob("conv-*.json"))]


def _conversation(file: Path, errors: dict[str, dict], order: list[int]) -> Conversation:
    data = json.loads(file.read_text("utf-8"))
    turns = []
    for number in range(1, 1 + sum(key.endswith("date_time") for key in data["conversation"])):
        date = datetime.strptime(data["conversation"][f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        for turn in data["conversation"].get(f"session_{number}", ()):
            caption = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            turns.append(
                Turn(turn["dia_id"], number, date.replace(tzinfo=UTC), turn["speaker"], turn["text"] + caption)
            )
    known = {turn.id for turn in turns}
    index = order.index(int(re.findall(r"\d+", file.stem)[0]))
    questions = []
    for i, entry in enumerate(data["qa"]):
        gold = _evidence(entry.get("evidence", ()), known)
        error = errors.get(f"locomo_{index}_qa{i}")
        corrected = gold if error is None else _evidence(error.get("correct_evidence") or (), known) or None
        if gold:
            questions.append(Question(f"{file.stem}/{i}", entry["question"], gold, entry["category"], corrected))
    return Conversation(file.stem, tuple(turns), tuple(questions))


def _evidence(entries: Sequence[str], known: set[str]) -> frozenset[str]:
    found = (f"D{a}:{int(b)}" for entry in entries for a, b in _EVIDENCE.findall(str(entry)))
    return frozenset(id for id in found if id in known)


def feed(memory: "Memory", conversation: Conversation) -> dict[str, list[str]]:
    """Store a conversation turn by turn through `store_memory`; returns the turns that each node stands for."""
    from context_graph.server.dispatch import call

    turn_of: dict[str, list[str]] = {}
    for turn in conversation.turns:
        arguments = {
            "content": turn.text,
            "rationale": "said in a conversation between friends",
            "session_id": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{conversation.name}/{turn.session}")),
            "occurred_at": turn.date.isoformat(),
            "metadata": {"speaker": turn.speaker},
        }
        stored = call(memory, "store_memory", arguments)
        if stored.is_error:
            raise RuntimeError(stored.structured["error"]["message"])
        turn_of.setdefault(stored.structured["node_id"], []).append(turn.id)
    return turn_of


def ours(tier: str) -> Callable[[Conversation], tuple[Search, Callable[[], None]]]:
    """Our memory, through its public interface, in a store of its own for each conversation."""

    def open_store(conversation: Conversation) -> tuple[Search, Callable[[], None]]:
        from context_graph.memory import Memory
        from context_graph.server.dispatch import call
        from context_graph.settings import Settings

        home = Path(tempfile.mkdtemp(prefix="locomo-"))
        memory = Memory(Settings(home=home, tier=tier))
        turn_of = feed(memory, conversation)

        def find(question: str) -> list[str]:
            found = call(memory, "search_graph", {"query": question, "top_k": 20})
            return [id for hit in found.structured["results"] for id in turn_of[hit["node_id"]]][:20]

        def close() -> None:
            memory.close()
            shutil.rmtree(home)

        return find, close

    return open_store


SYSTEMS = {
    "random": baselines.random_order,
    "grep": baselines.grep,
    "bm25": baselines.bm25,
    "minilm-pooled": baselines.pooled_minilm,
    "ours-base": ours("base"),
    "ours-minilm": ours("minilm"),
}


def evaluate(system: str, conversations: Sequence[Conversation], *, shuffled: bool = False) -> list[dict]:
    """One record for each question: the rank of every gold turn.

    Parameters
    ----------
    shuffled : bool
        Give each question the evidence of another: a sound harness then shows chance.
    """
    records = []
    for conversation in conversations:
        find, close = SYSTEMS[system](conversation)
        golds = [question.gold for question in conversation.questions]
        if shuffled:
            golds = [golds[i] for i in np.random.default_rng(0).permutation(len(golds))]
        for question, gold in zip(conversation.questions, golds, strict=True):
            started = time.perf_counter()
            found = list(find(question.text))
            ms = (time.perf_counter() - started) * 1000
            records.append(
                {
                    "id": question.id, "category": CATEGORIES[question.category], "ms": round(ms, 2),
                    "ranks": sorted(found.index(id) + 1 for id in gold if id in found), "gold": len(gold),
                    "corrected": None if shuffled or question.gold_corrected is None else {
                        "ranks": sorted(found.index(id) + 1 for id in question.gold_corrected if id in found),
                        "gold": len(question.gold_corrected),
                    },
                }
            )  # fmt: skip
        close()
    return records


def summary(records: Sequence[dict]) -> dict[str, float]:
    """Recall at each depth, MRR, and recall at 10 by category, in percent."""

    def recall(entries: Sequence[dict], depth: int) -> float:
        shares = [sum(rank <= depth for rank in entry["ranks"]) / entry["gold"] for entry in entries]
        return round(100 * float(np.mean(shares)), 2)

    numbers = {f"R@{depth}": recall(records, depth) for depth in DEPTHS}
    numbers["MRR"] = round(100 * float(np.mean([1 / e["ranks"][0] if e["ranks"] else 0 for e in records])), 2)
    if corrected := [entry["corrected"] for entry in records if entry["corrected"]]:
        numbers["R@10 corrected"] = recall(corrected, 10)
    for name in CATEGORIES.values():
        if entries := [entry for entry in records if entry["category"] == name]:
            numbers[f"R@10 {name}"] = recall(entries, 10)
    numbers["p50 ms"] = round(float(np.median([entry["ms"] for entry in records])), 2)
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with conv-*.json and answer_key_errors.json")
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/locomo"))
    parser.add_argument("--shuffled", action="store_true", help="control: evidence of other questions")
    options = parser.parse_args()
    conversations = read(options.data)
    for system in options.systems:
        started = time.perf_counter()
        records = evaluate(system, conversations, shuffled=options.shuffled)
        name = system + ("-shuffled" if options.shuffled else "")
        save(options.out, name, summary(records), records, seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
