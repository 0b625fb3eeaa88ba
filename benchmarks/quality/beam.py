"""Long conversations of a user and an assistant (BEAM): is the evidence found, does a context state the answer?

::

    python -m benchmarks.quality.beam --data PATH/beam [--size 100K] [--systems ours-minilm bm25 ...]

Each message is a memory with its speaker, session and date; each conversation a store. The conversations numbered 2, 6,
10 ... of 100K are those that weights were chosen on, the contexts of 500K-02 and 500K-04 were read, all others are held
back. Of what a rival finds, memory servers of others among them (`peers`), as much is its context as fits into the same
number of tokens, the best first. "told" is the share of the evidence of which the context has something, "stated" the
share of the answers whose words all stand in it.
"""

import argparse
import gzip
import json
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.quality import baselines
from benchmarks.quality.peers import PEERS, Unavailable
from benchmarks.quality.report import save
from context_graph.embed.wordpiece import token_count
from context_graph.evaluation.measure import of_ranks, ranks
from context_graph.evaluation.sets import Question, QuestionSet
from context_graph.evaluation.stores import Asked, stored
from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.recall import recall
from context_graph.recall.inject import Injected, considered, inject

OURS = {"ours-base": "base", "ours-minilm": "minilm"}
RIVALS = ("bm25", "bm25-passages", "bm25-user", "vector", "chromadb")
PASSAGE, STEP = 100, 50  # words
DEEP = 200  # passages to look at, for twenty messages
STATED = ("information_extraction", "knowledge_update", "multi_session_reasoning", "temporal_reasoning")
"""Abilities whose rubric states an answer."""

TOKENS = 2_048
LONGEST = 64_000
"""Characters of a message that are stored: a memory holds no more than 65,536."""

LOOKED_AT = frozenset({"100K-02", "100K-06", "100K-10", "100K-14", "100K-18", "500K-02", "500K-04"})
"""Conversations that were looked at."""

UNANSWERABLE = "abstention"

Search = Callable[[str], Sequence[tuple[int, str]]]
"""The best first of what answers a question: the number of its message, and what is told of it."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A store, what is asked of it, and what a context should state: for each question its answers' words."""

    part: QuestionSet
    roles: tuple[str, ...]
    wanted: dict[str, list[list[str]]]
    unanswerable: tuple[str, ...]


def read(folder: Path, size: str) -> Iterator[Conversation]:
    """The conversations of a size, in the order of their names."""
    for file in sorted(folder.glob(f"{size}-*.json.gz")):
        name = file.name.removesuffix(".json.gz")
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            data = json.load(stream)
        held = name not in LOOKED_AT
        place = {message["id"]: i for i, message in enumerate(data["messages"])}
        questions, wanted, unanswerable = [], {}, []
        for number, entry in enumerate(data["questions"]):
            id = f"{name}/{number}"
            gold = frozenset(place[g] for g in _ids(entry.get("source_chat_ids")) if g in place)
            if entry["ability"] == UNANSWERABLE:
                unanswerable.append(entry["question"])
            elif gold:
                questions.append(Question(id, entry["question"], gold, held, entry["ability"]))
                if entry["ability"] in STATED:
                    wanted[id] = _answers(entry.get("rubric", ()))
        roles = tuple(message["role"] for message in data["messages"])
        part = QuestionSet(name, tuple(_drafts(data["messages"])), tuple(questions))
        yield Conversation(part, roles, wanted, tuple(unanswerable))


def _ids(sources: Any) -> list[int]:
    """Every number in nested lists and dicts."""
    if isinstance(sources, int):
        return [sources]
    each = sources.values() if isinstance(sources, dict) else sources or ()
    return [id for source in each for id in _ids(source)]


def _answers(rubric: Sequence[str]) -> list[list[str]]:
    told = [row.partition(":")[2] for row in rubric if re.match(r"LLM response should (?:state|mention)[^:]*:", row)]
    return [re.findall(r"[a-z0-9]+(?:[.,:/][a-z0-9]+)*", row.lower()) for row in told]


def _drafts(messages: Sequence[dict]) -> Iterator[Draft]:
    """A message a memory; a date holds until the next, and one minute passes from message to message."""
    at = datetime(2024, 1, 1, tzinfo=UTC)
    for i, message in enumerate(messages):
        at = _date(message["time_anchor"]) or at
        metadata = {
            "speaker": message["role"], "session": f"batch {message['batch']}",
            "date": (at + timedelta(minutes=i)).isoformat(),
        }  # fmt: skip
        yield Draft(
            message["content"][:LONGEST],
            f"a message of the {message['role']} in a long conversation",
            metadata=metadata,
        )


def _date(text: str | None) -> datetime | None:
    for form in ("%B-%d-%Y", "%b-%d-%Y"):
        try:
            return datetime.strptime(text or "", form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def ours(tier: str, conversations: Sequence[Conversation], keep: Path | None) -> list[dict]:
    """One record for each question, answered by our memory."""
    records = []
    for conversation in conversations:
        with stored([conversation.part], tier, keep=keep) as asked:
            for one in asked:
                started = time.perf_counter()
                found = ranks(one)
                seconds = time.perf_counter() - started
                records.append(_record(one.question, found, len(one.gold), seconds) | _told(one, conversation))
            memory = asked[0].memory
            for number, text in enumerate(conversation.unanswerable):
                question = replace(asked[0].question, id=f"{conversation.part.name}/x{number}", category=UNANSWERABLE)
                silent = not _injected(memory, text).text
                records.append(_record(question, [], 0, 0.0) | {"silent": silent})
    return records


def _injected(memory: Memory, text: str) -> Injected:
    question = recall.Question(text, top_k=considered(TOKENS), record=False)
    return inject(memory, question, max_tokens=TOKENS)


def _told(one: Asked, conversation: Conversation) -> dict[str, float | None]:
    injected = _injected(one.memory, one.question.text)
    rows = {one.memory.corpus.row_of[hit.node.id] for hit in injected.hits}
    wanted = conversation.wanted.get(one.question.id)
    stated = _share(injected.text, wanted) if wanted else None
    return {"told": len(rows & one.gold) / len(one.gold), "stated": stated}


def _share(text: str, wanted: Sequence[Sequence[str]]) -> float:
    """The share of the answers whose words all stand in a context."""
    text = text.lower()
    return sum(all(word in text for word in answer) for answer in wanted) / len(wanted)


def rival(name: str, conversations: Sequence[Conversation]) -> list[dict]:
    """One record for each question, answered by BM25 over messages, passages of them, or what the user said; by one
    vector a message; or by a memory server of somebody else.
    """
    with _indexer(name) as index:
        return [record for one in conversations for record in _searched(one, index(one))]


@contextmanager
def _indexer(name: str) -> Iterator[Callable[[Conversation], Search]]:
    if name not in PEERS:
        yield lambda conversation: _baseline(name, conversation)
        return
    with tempfile.TemporaryDirectory(prefix="beam-", ignore_cleanup_errors=True) as home:
        peer = PEERS[name](Path(home))

        def stored_in_peer(conversation: Conversation) -> Search:
            peer.clear()
            owners: dict[str, int] = {}
            for i, text in enumerate(baselines.texts_of(conversation.part)):
                owners.setdefault(peer.store(text), i)
            return lambda question: [(owners[match.key], match.text) for match in peer.search(question, 20)]

        try:
            yield stored_in_peer
        finally:
            peer.close()


def _baseline(name: str, conversation: Conversation) -> Search:
    part = conversation.part
    texts, owners = [], []
    for i, (draft, role) in enumerate(zip(part.memories, conversation.roles, strict=True)):
        if name == "bm25-user" and role != "user":
            continue
        words = draft.content.split()
        starts = range(0, max(1, len(words) - STEP), STEP) if name == "bm25-passages" else (0,)
        length = PASSAGE if name == "bm25-passages" else len(words)
        texts += [Draft(" ".join(words[start : start + length])) for start in starts]
        owners += [i for _ in starts]
    index = replace(part, memories=tuple(texts))
    if name in ("vector", "chromadb"):
        find = (baselines.pooled_minilm if name == "vector" else baselines.chromadb)(index)
    else:
        find = baselines.bm25(index, depth=DEEP)
    return lambda question: [(owners[row], texts[row].content) for row in find(question)]


def _searched(conversation: Conversation, search: Search) -> Iterator[dict]:
    """One record for each question, answered by a search."""
    for question in conversation.part.questions:
        started = time.perf_counter()
        matches = search(question.text)
        seconds = time.perf_counter() - started
        found = list(dict.fromkeys(number for number, _ in matches))[:20]
        at = sorted(found.index(i) + 1 for i in question.gold if i in found)
        texts = _first_tokens(text for _, text in matches)
        in_context = {number for number, _ in matches[: len(texts)]} & question.gold
        wanted = conversation.wanted.get(question.id)
        stated = _share("\n".join(texts), wanted) if wanted else None
        record = _record(question, at, len(question.gold), seconds)
        yield record | {"told": len(in_context) / len(question.gold), "stated": stated}
    for number, text in enumerate(conversation.unanswerable):
        question = replace(
            conversation.part.questions[0], id=f"{conversation.part.name}/x{number}", category=UNANSWERABLE
        )
        yield _record(question, [], 0, 0.0) | {"silent": not search(text)}


def _first_tokens(texts: Iterable[str]) -> list[str]:
    """The texts that fit into the context; of the last its beginning."""
    lines, left = [], TOKENS
    for text in texts:
        tokens = token_count(text)
        lines.append(text if tokens <= left else text[: len(text) * left // tokens])
        left -= tokens
        if left <= 0:
            break
    return lines


def _record(question: Question, found: list[int], gold: int, seconds: float) -> dict:
    return {
        "id": question.id, "category": question.category, "held": question.held, "ranks": found, "gold": gold,
        "ms": round(1000 * seconds, 2),
    }  # fmt: skip


def summary(records: Sequence[dict]) -> dict[str, float]:
    """In percent, of what was looked at and of what is held: recall, what contexts tell and state, by ability."""
    numbers: dict[str, float] = {}
    for half, held in (("chosen", False), ("held", True)):
        values = defaultdict(list)
        for record in (record for record in records if record["held"] == held):
            if record["category"] == UNANSWERABLE:
                values["silent"].append(record["silent"])
                continue
            for k, recall_at in zip((5, 10, 20), of_ranks(record["ranks"], record["gold"]), strict=False):
                values[f"R@{k}"].append(recall_at)
                if k == 10:
                    values[f"R@10 {record['category']}"].append(recall_at)
            if "told" in record:
                values["told"].append(record["told"])
                values[f"told {record['category']}"].append(record["told"])
            if record.get("stated") is not None:
                values[f"stated {record['category']}"].append(record["stated"])
        numbers |= {f"{half} {name}": round(100 * float(np.mean(of)), 1) for name, of in sorted(values.items())}
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the conversations")
    parser.add_argument("--size", default="100K", help="beginning of their names")
    parser.add_argument("--only", nargs="+", help="names of conversations; all of the size by default")
    parser.add_argument("--systems", nargs="+", choices=[*RIVALS, *PEERS, *OURS])
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/beam"))
    parser.add_argument("--keep", type=Path, help="folder where our stores stay for the next run")
    options = parser.parse_args()
    read_all = list(read(options.data, options.size))
    conversations = [one for one in read_all if not options.only or one.part.name in options.only]
    for system in options.systems or [*RIVALS, *PEERS, *OURS]:
        started = time.perf_counter()
        tier, folder = OURS.get(system), options.out / options.size.lower()
        about = {"conversations": [one.part.name for one in conversations]}
        if system in PEERS:
            about |= {"package": PEERS[system].package, "way": PEERS[system].way}
        try:
            records = ours(tier, conversations, options.keep) if tier else rival(system, conversations)
        except Unavailable as missing:
            save(folder, system, {"not measured": str(missing)}, [], seconds=0.0, about=about)
            continue
        save(folder, system, summary(records), records, seconds=time.perf_counter() - started, about=about)


if __name__ == "__main__":
    main()
