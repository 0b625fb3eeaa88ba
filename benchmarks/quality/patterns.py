"""How often the patterns of tool calls foresee the next call, against naming the most frequent one.

::

    python -m benchmarks.quality.patterns --traces benchmarks/results/patterns/tests.jsonl.gz [--keep FOLDER]

Two traces, neither of them of agents at work, which there are none of to keep: chains of calls that this project's own
tests made through the server's dispatch (`benchmarks.quality.tool_traces` records them), and sessions drawn by a fixed
seed from the flows that the handbook for agents recommends, with steps left out, repeated and put in between. The first
half of the chains is learned from, each call of the second half is foreseen from those before it in its chain.
"""

import argparse
import gzip
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from benchmarks.quality.report import save
from context_graph.inference.patterns import Foresight, repeated

SEED = 19
SESSIONS = 400
LEFT_OUT, REPEATED, PUT_IN = 0.1, 0.1, 0.15

FLOWS: dict[str, tuple[int, tuple[str, ...]]] = {
    "begin": (6, ("get_system_instructions", "get_graph_manifest", "inject_context")),
    "answer": (10, ("inject_context", "hydrate_citation")),
    "keep": (8, ("search_graph", "store_memory")),
    "correct": (3, ("search_graph", "annotate_node", "store_memory")),
    "forget": (2, ("search_graph", "get_node_lineage", "forget_concept")),
    "bring back": (1, ("search_tombstones", "restore_from_hash", "search_graph")),
    "tidy": (2, ("get_memetic_status", "get_neighborhood", "merge_concepts")),
    "check": (3, ("inject_context", "critique_context", "hydrate_citation")),
    "goal": (2, ("reflect_on_memory", "search_graph", "get_neighborhood")),
    "why": (2, ("find_causal_path", "hydrate_citation")),
    "documents": (2, ("kg_graph_generate", "kg_search_nodes", "kg_get_node")),
    "agent": (1, ("kg_agent_spawn", "kg_agent_list", "kg_trajectory_list")),
}
"""What the handbook (docs/agents.md) says to call in which order, and how often a session draws it."""


def drawn() -> list[list[str]]:
    """Sessions of three to ten flows."""
    dice = random.Random(SEED)
    names, weights = list(FLOWS), [weight for weight, _ in FLOWS.values()]
    tools = sorted({tool for _, flow in FLOWS.values() for tool in flow})
    sessions = []
    for _ in range(SESSIONS):
        calls: list[str] = []
        for name in dice.choices(names, weights, k=dice.randint(3, 10)):
            for tool in FLOWS[name][1]:
                chance = dice.random()
                if chance < LEFT_OUT:
                    continue
                calls += [tool, tool] if chance < LEFT_OUT + REPEATED else [tool]
                if dice.random() < PUT_IN:
                    calls.append(dice.choice(tools))
        sessions.append(calls)
    return sessions


def recorded(file: Path) -> list[list[str]]:
    """Chains that `tool_traces` has written, a line each."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


Foresees = Callable[[Sequence[str]], str | None]


def by_patterns(chains: Sequence[Sequence[str]]) -> Foresees:
    foresight = Foresight(repeated(chains))

    def foresee(calls: Sequence[str]) -> str | None:
        pattern = foresight.next(calls)
        return None if pattern is None else pattern.actions[-1]

    return foresee


def by_frequency(chains: Sequence[Sequence[str]]) -> Foresees:
    (tool, _), *_ = Counter(call for chain in chains for call in chain[1:]).most_common()
    return lambda calls: tool


def by_the_last_call(chains: Sequence[Sequence[str]]) -> Foresees:
    followers: dict[str, Counter[str]] = defaultdict(Counter)
    for chain in chains:
        for one, after in pairwise(chain):
            followers[one][after] += 1
    return lambda calls: followers[calls[-1]].most_common(1)[0][0] if followers[calls[-1]] else None


WAYS = {"patterns": by_patterns, "most frequent": by_frequency, "most frequent after the last": by_the_last_call}


def measured(chains: Sequence[Sequence[str]]) -> dict[str, float]:
    """The share of next calls in the second half that each way foresees, in percent."""
    half = len(chains) // 2
    first, second = chains[:half], chains[half:]
    questions = [(chain[:i], chain[i]) for chain in second for i in range(1, len(chain))]
    numbers: dict[str, float] = {"chains": len(chains), "next calls": len(questions)}
    for name, learn in WAYS.items():
        foresee = learn(first)
        answers = [foresee(before) for before, _ in questions]
        right = sum(answer == after for answer, (_, after) in zip(answers, questions, strict=True))
        numbers[f"{name}: foreseen"] = round(100 * right / len(questions), 2)
        numbers[f"{name}: silent"] = round(100 * answers.count(None) / len(questions), 2)
    numbers["patterns"] = len(repeated(first))
    return numbers


def main() -> None:
    """Measure both traces."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=Path, required=True)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    for name, chains in (("tests", recorded(arguments.traces)), ("handbook", drawn())):
        began = time.monotonic()
        numbers = measured(chains)
        if arguments.keep:
            save(arguments.keep, name, numbers, [], seconds=time.monotonic() - began)
        else:
            print(name, json.dumps(numbers, indent=1))


if __name__ == "__main__":
    main()
