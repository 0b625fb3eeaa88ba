"""Is what a memory tells still true? Facts that change, that differ in a word, that have a time, in ten languages.

::

    python -m benchmarks.quality.truth --data PATH/truth [--systems ours-minilm bm25 ...] [--sets updates times ...]

Memories are stored one after the other through the tools, as an agent would, under a clock that reads what each item
says; then the questions are asked on their own day. Each figure stands for all items and for the half whose texts no
rule was made on. What a column means:

- updates: told (every current answer is in the context), clean (no past answer without a word that says so), ranked
  (the current memory above every past one), truth (all three), lied (a past answer told and the current one not).
  Controls, where both statements hold, are counted apart.
- pairs, of which the second is stored after the first: lost, duplicate (called one), punished (reward below 0); pairs
  that say the same are the controls.
- times: hit@1 and R@5 of the search, told (share of the gold memories in the context); languages: hit@1, told.
- secrets: recall (secret parts of which nothing long is stored), touched (lines without secrets that changed).
- profile: recall (share of what must be told), noise (of what must not), empty.

Rivals search texts with their dates; their context is the best five. Memory servers of others (`peers`) store and
search such texts through their own tools, each item in an empty store, under the clock of the machine; their context is
the best five that their search returns. One that cannot run here has a result that says why, and no figures. Beside
each result lie the figures of every item, without its text.
"""

import argparse
import difflib
import json
import re
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from benchmarks.quality import baselines
from benchmarks.quality.peers import PEERS, Peer, Unavailable
from benchmarks.quality.report import environment, keep_records, model_settings
from context_graph.evaluation.sets import QuestionSet
from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.models import from_iso
from context_graph.server.dispatch import call
from context_graph.settings import Settings

OURS: dict[str, dict[str, Any]] = {"ours-base": {"tier": "base"}, "ours-minilm": {"tier": "minilm"}}
RIVALS: dict[str, Callable[[QuestionSet], baselines.Find]] = {
    "bm25": baselines.bm25, "vector": baselines.pooled_minilm, "chromadb": baselines.chromadb,
}  # fmt: skip
RATIONALE = "Said in a conversation with the user; needed when it is asked about later."
BEST, CONTEXT = 10, 5
NOWHERE = 99
CONTROLS = {"updates": ("both-hold", "trap"), "pairs": ("same",)}
"""Kinds that are counted apart: both statements hold; the second says nothing new."""

PAST = re.compile(
    r"\b(until|till|was|were|formerly|former|before|used to|superseded|supersedes|earlier|previously|previous|past|"
    r"outdated|replaced|no longer|not any ?more|old|obsolete|corrected|retracted|ended|changed|stale)\b",
    re.I,
)

NAMES = ("set", "id", "kind", "held")
"""What a record says of its item; the rest are figures."""

Item = dict[str, Any]


class Asked(Protocol):
    """A memory under a clock, as an agent meets it."""

    def store(self, memory: Item) -> Item: ...
    def at(self, moment: str) -> None: ...
    def search(self, question: str) -> list[str]: ...
    def context(self, question: str) -> str: ...
    def kept(self, node_id: str) -> str: ...


Opened = Callable[[str | None], AbstractContextManager[Asked]]
"""Opens an empty memory of a system, at a moment or now."""


class Ours:
    """Our tools, in this process."""

    def __init__(self, memory: Memory, clock: list[int]) -> None:
        self._memory, self._clock = memory, clock
        self._sessions: defaultdict[str, str] = defaultdict(lambda: str(uuid.uuid4()))

    def at(self, moment: str) -> None:
        self._clock[0] = from_iso(moment)

    def store(self, memory: Item) -> Item:
        metadata, more = {}, {}
        if "at" in memory:
            self.at(memory["at"])
            metadata["date"] = memory["at"]
        if memory.get("speaker"):
            metadata["speaker"] = memory["speaker"]
        if memory.get("session"):
            more["session_id"] = self._sessions[memory["session"]]
        return self._call("store_memory", content=memory["text"], rationale=RATIONALE, metadata=metadata, **more)

    def search(self, question: str) -> list[str]:
        return [hit["node_id"] for hit in self._call("search_graph", query=question, top_k=BEST)["results"]]

    def context(self, question: str) -> str:
        return self._call("inject_context", query=question).get("context") or ""

    def kept(self, node_id: str) -> str:
        node = self._memory.store.node(node_id)
        assert node is not None
        return node.content

    def _call(self, tool: str, **arguments: Any) -> Item:
        answer = call(self._memory, tool, arguments)
        if answer.structured is None:
            raise RuntimeError(f"{tool}: {answer}")
        return answer.structured


class Rival:
    """A search over texts: its context is the best of them."""

    def __init__(self, find: Callable[[QuestionSet], baselines.Find]) -> None:
        self._index, self._drafts = find, list[Draft]()
        self._find: baselines.Find | None = None

    def at(self, moment: str) -> None: ...

    def store(self, memory: Item) -> Item:
        when = from_iso(memory["at"]) if "at" in memory else None
        self._drafts.append(Draft(memory["text"], RATIONALE, speaker=memory.get("speaker"), occurred_at=when))
        self._find = None
        return {"node_id": str(len(self._drafts) - 1), "steering_reward": {"reward": 0.0}}

    def search(self, question: str) -> list[str]:
        if self._find is None:
            self._find = self._index(self._stored())
        return [str(place) for place in self._find(question)[:BEST]]

    def context(self, question: str) -> str:
        texts = baselines.texts_of(self._stored())
        return "\n".join(texts[int(place)] for place in self.search(question)[:CONTEXT])

    def kept(self, node_id: str) -> str:
        return self._drafts[int(node_id)].content

    def _stored(self) -> QuestionSet:
        return QuestionSet(f"truth-{uuid.uuid4()}", tuple(self._drafts), ())


class Served:
    """A memory server of somebody else, which reads the date and the speaker in the text."""

    def __init__(self, peer: Peer) -> None:
        self._peer, self._keys = peer, set[str]()

    def at(self, moment: str) -> None: ...

    def store(self, memory: Item) -> Item:
        when = from_iso(memory["at"]) if "at" in memory else None
        draft = Draft(memory["text"], RATIONALE, speaker=memory.get("speaker"), occurred_at=when)
        key = self._peer.store(*baselines.texts_of(QuestionSet("", (draft,), ())))
        known = key in self._keys
        self._keys.add(key)
        return {"node_id": key, "already_known": known, "steering_reward": {"reward": 0.0}}

    def search(self, question: str) -> list[str]:
        return [match.key for match in self._peer.search(question, BEST)]

    def context(self, question: str) -> str:
        return "\n".join(match.text for match in self._peer.search(question, CONTEXT))

    def kept(self, node_id: str) -> str:
        return self._peer.stored(node_id)


@contextmanager
def systems(name: str) -> Iterator[Opened]:
    """What opens the memories of a system; raises `Unavailable` where it cannot run here."""
    if name in PEERS:
        with tempfile.TemporaryDirectory(prefix="truth-", ignore_cleanup_errors=True) as home:
            peer = PEERS[name](Path(home))

            @contextmanager
            def cleared(moment: str | None) -> Iterator[Asked]:
                peer.clear()
                yield Served(peer)

            try:
                yield cleared
            finally:
                peer.close()
    elif name in RIVALS:

        @contextmanager
        def empty(moment: str | None) -> Iterator[Asked]:
            yield Rival(RIVALS[name])

        yield empty
    else:
        yield ours(OURS[name])


def ours(settings: dict[str, Any]) -> Opened:
    """Our memory with settings such as the tier."""

    @contextmanager
    def opened(moment: str | None) -> Iterator[Asked]:
        clock = [from_iso(moment) if moment else time.time_ns() // 1_000]
        with (
            tempfile.TemporaryDirectory(prefix="truth-") as home,
            Memory(Settings(home=Path(home), **settings), clock=lambda: clock[0]) as memory,
        ):
            yield Ours(memory, clock)

    return opened


def plain(text: str) -> str:
    return " ".join(text.lower().split())


def told(context: str, memory: Item, node_id: str) -> bool:
    return f"node_{node_id.replace('-', '')[:10]}" in context or plain(memory["text"]) in plain(context)


def unmarked(context: str, past: Item, answer: str, current: Sequence[Item]) -> bool:
    """Whether a line tells a past answer without a word of the past that is not the past memory's own."""
    own = {word.lower() for word in PAST.findall(past["text"])}
    for line in context.splitlines():
        text = plain(line)
        for memory in current:  # which may name what it replaces
            text = text.replace(plain(memory["text"]), " ")
        if plain(answer) in text:
            words = {word.lower() for word in PAST.findall(text.replace(plain(past["text"]), " "))}
            if not words - own:
                return True
    return False


def updates(opened: Opened, items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        memories = item["memories"]
        with opened(memories[0]["at"]) as asked:
            stored = [asked.store(memory) for memory in memories]
            ids = [answer["node_id"] for answer in stored]
            asked.at(item["asked_at"])
            context, ranks = asked.context(item["question"]), asked.search(item["question"])
        place = {id: rank for rank, id in reversed(list(enumerate(ranks)))}
        current, past = ([place.get(ids[i], NOWHERE) for i in item[key]] for key in ("current", "stale"))
        new = [memories[i] for i in item["current"]]
        shown = [(memories[i], answer) for i, answer in zip(item["stale"], item["stale_answers"], strict=True)]
        is_told = all(plain(answer) in plain(context) for answer in item["answers"])
        clean = not any(unmarked(context, memory, answer, new) for memory, answer in shown)
        ranked = min(current) < min(past) if past else max(current) < NOWHERE
        yield {
            "id": item["id"], "kind": item["kind"], "told": is_told, "clean": clean, "ranked": ranked,
            "truth": is_told and clean and ranked, "lied": not is_told and not clean,
        }  # fmt: skip


def pairs(opened: Opened, items: Sequence[Item]) -> Iterator[Item]:
    for start in range(0, len(items), 40):
        with opened(None) as asked:
            for item in items[start : start + 40]:
                first, second = (asked.store({"text": item[key]}) for key in ("a", "b"))
                yield {
                    "id": item["id"], "kind": item["relation"], "lost": bool(second.get("already_known")),
                    "duplicate": second.get("duplicate_of") == first["node_id"],
                    "punished": second["steering_reward"]["reward"] < 0,
                }  # fmt: skip


def times(opened: Opened, items: Sequence[Item]) -> Iterator[Item]:
    for some, asked, ids in _by_set(opened, items):
        for item in some:
            gold = [ids[i] for i in item["gold"]]
            ranks, context = asked.search(item["question"]), asked.context(item["question"])
            has = [told(context, item["memories"][i], ids[i]) for i in item["gold"]]
            yield {
                "id": item["id"], "kind": item["kind"], "hit@1": ranks[:1] != [] and ranks[0] in gold,
                "R@5": sum(id in ranks[:5] for id in gold) / len(gold), "told": sum(has) / len(has),
            }  # fmt: skip


def languages(opened: Opened, items: Sequence[Item]) -> Iterator[Item]:
    for some, asked, ids in _by_set(opened, items):
        for item in some:
            ranks, context = asked.search(item["question"]), asked.context(item["question"])
            own = item["question_lang"] == item["lang"]
            yield {
                "id": item["id"],
                "kind": "own language" if own else "across",
                "hit@1": ranks[:1] != [] and ranks[0] in [ids[i] for i in item["gold"]],
                "told": plain(item["answer"]) in plain(context),
            }  # fmt: skip


def _by_set(opened: Opened, items: Sequence[Item]) -> Iterator[tuple[list[Item], Any, list[str]]]:
    """The questions of each set, its memories stored, on the day on which the last is asked."""
    sets: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        sets[item["set"]].append(item)
    for some in sets.values():
        memories = some[0]["memories"]
        with opened(memories[0]["at"]) as asked:
            ids = [asked.store(memory)["node_id"] for memory in memories]
            asked.at(max(item["asked_at"] for item in some))
            yield some, asked, ids


def secrets(opened: Opened, items: Sequence[Item]) -> Iterator[Item]:
    for start in range(0, len(items), 50):
        with opened(None) as asked:
            for item in items[start : start + 50]:
                kept = asked.kept(asked.store(item)["node_id"])
                if item["spans"]:
                    cut = [_gone(kept, item["text"][a:b]) for a, b, _ in item["spans"]]
                    yield {"id": item["id"], "kind": "secret", "recall": sum(cut) / len(cut)}
                else:
                    yield {"id": item["id"], "kind": "clean", "touched": kept.strip() != item["text"].strip()}


def _gone(text: str, value: str) -> bool:
    """No long part of the value is left."""
    match = difflib.SequenceMatcher(None, text, value, autojunk=False).find_longest_match(0, len(text), 0, len(value))
    return match.size < max(4, len(value) / 2)


def profile(opened: Opened, items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        memories = item["memories"]
        with opened(memories[0]["at"]) as asked:
            ids = [asked.store(memory)["node_id"] for memory in memories]
            asked.at(item["asked_at"])
            for number, question in enumerate(item["questions"]):
                context = asked.context(question["question"])
                has = [told(context, memory, id) for memory, id in zip(memories, ids, strict=True)]
                yield {
                    "id": f"{item['id']}/{number}", "kind": "profile",
                    "recall": sum(has[i] for i in question["must"]) / len(question["must"]),
                    "noise": sum(has[i] for i in question["must_not"]) / max(1, len(question["must_not"])),
                    "empty": not context,
                }  # fmt: skip


SETS: dict[str, Callable[[Opened, Sequence[Item]], Iterator[Item]]] = {
    "updates": updates, "pairs": pairs, "times": times, "secrets": secrets, "profile": profile, "languages": languages,
}  # fmt: skip


def halves(name: str, items: Sequence[Item]) -> dict[str, list[Item]]:
    """The items that were in view when rules were made, and the others: every second, or of sets the later half."""
    if name in ("times", "languages"):
        sets = list(dict.fromkeys(item["set"] for item in items))
        seen = set(sets[: len(sets) // 2] if name == "times" else sets[::2])
        return {
            "seen": [item for item in items if item["set"] in seen],
            "held": [item for item in items if item["set"] not in seen],
        }
    return {"seen": list(items[::2]), "held": list(items[1::2])}


def summary(name: str, rows: Sequence[Item]) -> Item:
    """The mean of every column in per cent; without the controls, which stand beside."""
    if name in CONTROLS:
        control = [row for row in rows if row["kind"] in CONTROLS[name]]
        others = summary("", [row for row in rows if row["kind"] not in CONTROLS[name]])
        return others | {f"control, {key}": value for key, value in summary("", control).items()}
    columns = dict.fromkeys(key for row in rows for key in row if key not in NAMES)
    means = {key: [float(row[key]) for row in rows if key in row] for key in columns}
    return {"n": len(rows)} | {key: round(100 * sum(values) / len(values), 1) for key, values in means.items()}


def records(opened: Opened, name: str, items: Sequence[Item]) -> list[Item]:
    """The figures of every item of a set."""
    return [
        {"set": name, "held": half == "held"} | row
        for half, some in halves(name, items).items()
        for row in SETS[name](opened, some)
    ]


def parts(name: str, rows: Sequence[Item]) -> Item:
    """The figures of a set, whole and in halves, and by kind."""
    kinds: defaultdict[str, list[Item]] = defaultdict(list)
    for row in rows:
        kinds[row["kind"]].append(row)
    halved = {"seen": [row for row in rows if not row["held"]], "held": [row for row in rows if row["held"]]}
    means = {part: summary(name, some) for part, some in ({"all": rows} | halved).items() if some}
    return means | {"kinds": {kind: summary("", some) for kind, some in sorted(kinds.items())}}


def read(folder: Path, name: str, limit: int | None = None) -> list[Item]:
    """The items of a set, or the first of them."""
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines()][:limit]


def measured(system: str, folder: Path, names: Sequence[str], limit: int | None) -> tuple[Item, list[Item]]:
    """The figures of some sets for a system, and of every item; of one that cannot run here, why."""
    result, rows = {}, []
    try:
        with systems(system) as opened:
            for name in names:
                some = records(opened, name, read(folder, name, limit))
                rows += some
                result[name] = parts(name, some)
                for part in ("all", "held"):
                    print(f"{system:<12} {name:<10} {part:<5}", result[name].get(part, ""), flush=True)
    except Unavailable as missing:
        print(f"{system:<12} not measured: {missing}", flush=True)
        return {"not measured": str(missing)}, []
    return {"result": result}, rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the sets")
    every = [*OURS, *RIVALS, *PEERS]
    parser.add_argument("--systems", nargs="+", default=["ours-base", *RIVALS, *PEERS], choices=every)
    parser.add_argument("--model", type=Path, help="folder of a model, or multilingual; measured as ours-NAME alone")
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--limit", type=int, help="only the first items of each set")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/truth"))
    options = parser.parse_args()
    if options.model is not None:
        OURS[f"ours-{options.model.name}"] = {"tier": "minilm"} | model_settings(options.model)
        options.systems = [f"ours-{options.model.name}"]
    options.out.mkdir(parents=True, exist_ok=True)
    for system in options.systems:
        started = time.perf_counter()
        outcome, rows = measured(system, options.data, options.sets, options.limit)
        head = environment() | {"system": system, "seconds": round(time.perf_counter() - started, 1)}
        if system in PEERS:
            head |= {"package": PEERS[system].package, "way": PEERS[system].way}
        (options.out / f"{system}.json").write_text(json.dumps(head | outcome, indent=1) + "\n", "utf-8")
        if rows:
            keep_records(options.out / f"{system}.questions.jsonl.gz", rows)


if __name__ == "__main__":
    main()
