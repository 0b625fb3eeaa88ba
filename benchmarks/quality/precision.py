"""Precision of beliefs: what must and what must not be told, case by case, as PrecisionMemBench asks.

Beliefs are stored through `store_memory` with their metadata and nothing else. A case passes if every list that it
speaks of holds what it must and nothing that it must not; `shouldOnlyInclude` is exact.
"""

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.quality.report import save

__all__ = ["failures", "main", "run_cases", "run_session"]

PARTS = {
    "personaPrelude": "prelude", "pinnedFacts": "pinned", "relevantBeliefs": "relevant",
    "openQuestions": "open_questions",
}  # fmt: skip


@dataclass
class Told:
    """What a system tells: ids by part, and the text of the prelude."""

    prelude: list[str]
    pinned: list[str]
    relevant: list[str]
    open_questions: list[str]
    text: str


class Ours:
    """Our memory in a store of its own, filled through its public tools."""

    def __init__(self, beliefs: Sequence[Mapping[str, Any]], tier: str) -> None:
        from context_graph.memory import Memory
        from context_graph.settings import Settings

        self.home = Path(tempfile.mkdtemp(prefix="precision-"))
        self.memory = Memory(Settings(home=self.home, tier=tier))
        self.node_of: dict[str, str] = {}
        self.known = {belief["_id"]: dict(belief) for belief in beliefs}
        waiting = list(self.known.values())
        while waiting:  # what others supersede or take part in first
            ready = [belief for belief in waiting if all(id in self.node_of for id in self._before(belief))]
            for belief in ready or waiting:
                self.store(belief)
            waiting = [belief for belief in waiting if belief["_id"] not in self.node_of]

    def _before(self, belief: Mapping[str, Any]) -> list[str]:
        superseded = [other["_id"] for other in self.known.values() if other.get("superseded_by") == belief["_id"]]
        return [*superseded, *belief.get("participants", ())]

    def store(self, belief: Mapping[str, Any]) -> None:
        """Keep a belief, or add to the one of the same words."""
        from context_graph.server.dispatch import call

        metadata = {
            "name": belief["canonical_name"],
            **{key: belief[key] for key in ("type", "aliases", "scope", "pinned", "resolved_at") if key in belief},
            "user": belief["user_id"],
            "status": belief["epistemic_status"],
            "confirmed_at": belief["last_reinforced_at"],
            "participants": [self.node_of[id] for id in belief.get("participants", ()) if id in self.node_of],
            "supersedes": [self.node_of[id] for id in self._before(belief) if self._superseded(id, belief)],
        }
        metadata = {key: value for key, value in metadata.items() if value not in (None, [])}
        arguments = {"content": belief["content"], "rationale": belief["why_it_matters"], "metadata": metadata}
        stored = call(self.memory, "store_memory", arguments)
        if stored.is_error:
            raise RuntimeError(stored.structured["error"]["message"])
        self.node_of[belief["_id"]] = stored.structured["node_id"]

    def _superseded(self, id: str, belief: Mapping[str, Any]) -> bool:
        return id in self.node_of and self.known.get(id, {}).get("superseded_by") == belief["_id"]

    def add_aliases(self, id: str, aliases: Sequence[str]) -> None:
        """Say a belief again with more names; what it superseded is past already."""
        known = self.known[id]
        known["aliases"] = [*known["aliases"], *aliases]
        self.store(known)

    def told(self, case: Mapping[str, Any]) -> Told:
        from context_graph.recall.briefing import BUDGET, brief

        found = brief(
            self.memory, case["query"], scopes=case["scope"], user=case.get("userId", "test-user"),
            budget=case.get("budget", {}).get("maxBeliefs", BUDGET),
        )  # fmt: skip
        belief_of = {node: id for id, node in self.node_of.items()}
        parts = {part: [belief_of[node.id] for node in getattr(found, part)] for part in PARTS.values()}
        return Told(**parts, text="\n".join(node.content for node in found.prelude))

    def close(self) -> None:
        self.memory.close()
        shutil.rmtree(self.home)


class Searched(Ours):
    """The baseline: the five best results of `search_graph` are what is relevant, whatever the case."""

    def told(self, case: Mapping[str, Any]) -> Told:
        from context_graph.server.dispatch import call

        belief_of = {node: id for id, node in self.node_of.items()}
        if not case["query"].strip():
            return Told([], [], [], [], "")
        found = call(self.memory, "search_graph", {"query": case["query"], "top_k": 5})
        return Told([], [], [belief_of[hit["node_id"]] for hit in found.structured["results"]], [], "")


def failures(told: Told, expect: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What of an expectation does not hold; unknown demands are failures too."""
    wrong = []
    for part, demands in expect.items():
        if part not in PARTS:
            wrong += [f"{part}: not understood"] if part not in ("noiseCheck", "topicRetrieval") else []
            if part == "noiseCheck":
                everywhere = {*told.pinned, *told.relevant, *told.open_questions}
                wrong += [f"noise {id}" for id in demands["mustNotSurface"] if id in everywhere]
            continue
        got = getattr(told, PARTS[part])
        for demand, wanted in demands.items():
            if demand == "mustInclude":
                wrong += [f"{part} lacks {id}" for id in wanted if id not in got]
            elif demand == "mustExclude":
                wrong += [f"{part} has {id}" for id in wanted if id in got]
            elif demand == "shouldOnlyInclude":
                wrong += [f"{part} lacks {id}" for id in wanted if id not in got]
                wrong += [f"{part} has {id}" for id in got if id not in wanted]
            elif demand == "nonEmpty":
                wrong += [f"{part}: empty is {not got}"] if bool(got) != wanted else []
            elif demand == "isNull":
                wrong += [f"{part}: null is {not got}"] if (not got) != wanted else []
            elif demand in ("contains", "mustNotContain"):
                said = [wanted] if isinstance(wanted, str) else wanted
                held = demand == "contains"
                wrong += [f"{part}: {text!r}" for text in said if (text.lower() in told.text.lower()) != held]
            elif demand in PARTS:
                wrong += failures(told, {demand: wanted})
            elif not demand.startswith("_"):
                wrong.append(f"{part}.{demand}: not understood")
    return wrong


def run_cases(system: Ours, cases: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One record a case; the halves are every second case, so that one can be looked at and the other only scored."""
    records = []
    for number, case in enumerate(cases):
        started = time.perf_counter()
        told = system.told(case)
        ms = (time.perf_counter() - started) * 1000
        wrong = failures(told, case["expect"])
        records.append(
            {"id": case["caseId"], "category": case["category"], "half": "AB"[number % 2], "wrong": wrong, "ms": ms}
        )
    return records


def run_session(system: Ours, session: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One record a turn. A belief made or named anew in a turn is there from the next turn on."""
    records = []
    for turn in session["turns"]:
        told = system.told({"query": turn["userMessage"], "scope": turn["scope"]})
        wrong = failures(told, turn.get("expect", {}))
        records.append({"id": f"{session['caseId']}/{turn['turnIndex']}", "category": "session", "wrong": wrong})
        if made := turn.get("createBeliefAtTurn"):
            system.known[made["_id"]] = dict(made)
            system.store(made)
        if changed := turn.get("updateBeliefAtTurn"):
            system.add_aliases(changed["beliefId"], changed["addAliases"])
    return records


def summary(records: Sequence[dict[str, Any]], turns: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How many passed: all, by half, by category, and by turn."""

    def passed(entries: Sequence[dict[str, Any]]) -> str:
        return f"{sum(not entry['wrong'] for entry in entries)}/{len(entries)}"

    numbers = {"cases": passed(records), "session turns": passed(turns)}
    numbers |= {f"half {half}": passed([r for r in records if r["half"] == half]) for half in "AB"}
    for name in sorted({record["category"] for record in records}):
        numbers[name] = passed([record for record in records if record["category"] == name])
    return numbers


SYSTEMS: dict[str, Callable[[Sequence[Mapping[str, Any]]], Ours]] = {
    "search-base": lambda beliefs: Searched(beliefs, "base"),
    "search-minilm": lambda beliefs: Searched(beliefs, "minilm"),
    "brief-base": lambda beliefs: Ours(beliefs, "base"),
    "brief-minilm": lambda beliefs: Ours(beliefs, "minilm"),
}


def _without() -> dict[str, list[tuple[Any, str, Any]]]:
    """What each mechanism is replaced by where it is taken away: object, attribute, substitute."""
    from context_graph.derived import beliefs
    from context_graph.graph import naming
    from context_graph.recall import briefing

    remember = import_module("context_graph.ingest.remember")
    read = beliefs.texts
    return {
        "slips": [(naming.Names, "_near", lambda self, said: iter(()))],
        "the vocabulary that tells slips from words": [(naming, "_known", lambda word: False)],
        "inflection": [(naming, "uninflected", lambda word: (word,))],
        "aliases": [(beliefs, "texts", lambda given, key: () if key == "aliases" else read(given, key))],
        "scopes": [(beliefs.Belief, "holds_in", lambda self, scopes: True)],
        "users": [(beliefs, "texts", lambda given, key: () if key == "user" else read(given, key))],
        "supersession": [
            (Ours, "_superseded", lambda self, id, belief: False),
            *((place, "is_past", lambda given: False) for place in (beliefs, remember)),
        ],
        "participants of relations": [(beliefs.Beliefs, "called", lambda self, given: [])],
        "the bar for likeness (0.5, not 0.97)": [(briefing, "CONFIDENT", 0.5)],
    }


def ablate(
    beliefs: Sequence[Mapping[str, Any]], cases: Sequence[Mapping[str, Any]], sessions: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, str]]:
    """What passes with all mechanisms, and with each of them taken away."""
    from contextlib import ExitStack
    from unittest.mock import patch

    numbers = {}
    for name, substitutes in {"nothing": [], **_without()}.items():
        with ExitStack() as stack:
            for place, attribute, substitute in substitutes:
                stack.enter_context(patch.object(place, attribute, substitute))
            records, turns = run_all("brief-base", beliefs, cases, sessions)
        told = summary(records, turns)
        numbers[name] = {key: told[key] for key in ("cases", "session turns", "half A", "half B")}
        print(f"  without {name:<44}", *(f"{key} {value}" for key, value in numbers[name].items()), flush=True)
    return numbers


def run_all(
    name: str,
    beliefs: Sequence[Mapping[str, Any]],
    cases: Sequence[Mapping[str, Any]],
    sessions: Sequence[Mapping[str, Any]],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Records of all cases and of all turns; each session begins with the seed alone."""
    system = SYSTEMS[name](beliefs)
    records, turns = run_cases(system, cases), []
    system.close()
    for session in sessions:
        system = SYSTEMS[name](beliefs)
        turns += run_session(system, session)
        system.close()
    return records, turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with beliefs.seed.json and the cases")
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/precision"))
    parser.add_argument("--ablate", action="store_true", help="instead, take away one mechanism after the other")
    parser.add_argument("--failures", choices=("A", "B"), help="print what failed in one half of the cases")
    options = parser.parse_args()
    beliefs, cases, sessions = (
        json.loads((options.data / name).read_text("utf-8"))
        for name in ("beliefs.seed.json", "retrieval.cases.json", "session-retrieval.cases.json")
    )
    if options.ablate:
        started = time.perf_counter()
        numbers = ablate(beliefs, cases, sessions)
        save(options.out, "ablation", numbers, [], seconds=time.perf_counter() - started)
        return
    for name in options.systems:
        started = time.perf_counter()
        records, turns = run_all(name, beliefs, cases, sessions)
        save(options.out, name, summary(records, turns), [*records, *turns], seconds=time.perf_counter() - started)
        for number, record in enumerate(turns):
            print(f"  turn {record['id']}: {'failed' if record['wrong'] else 'passed'}")
            if record["wrong"] and options.failures and number % 2 == "AB".index(options.failures):
                print("   ", *record["wrong"], sep="; ")
        for record in records:
            if record["wrong"] and record["half"] == options.failures:
                print(f"  {record['id']}: {'; '.join(record['wrong'])}")


if __name__ == "__main__":
    main()
