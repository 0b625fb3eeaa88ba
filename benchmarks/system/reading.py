"""What each tool that only reads costs a server of its own, in processor time, as a client over pipes sees it."""

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.system.served import Served

__all__ = ["filled", "reading_tools"]

CALLS = 200
"""Of each tool; p99 is the third slowest."""

IDLE_S = 60.0
SETTLE_S = 20.0
"""Before the first call and after the last: what is queued is written, passages of the documents are memories."""

SUMMARY = "The pump of hall 3 moves 40 litres of brine, because the valve of hall 4 is open."
HALLS = 9
NETWORK = {"variables": {"pump": ["runs", "stands"]}, "cpts": {"pump": [0.9, 0.1]}}
LONG = {"test_recall_accuracy": "stores and searches what it measures with; it is a measurement, not a read"}
"""Not called, and why."""

Arguments = Callable[[int], dict[str, Any]]


def filled(home: Path, tier: str, texts: Sequence[str]) -> None:
    """Store texts as an agent would, 64 to an event, with all links, concepts and claims."""
    from benchmarks.system.storing import opened
    from context_graph.ingest.draft import Draft

    with opened(home, tier) as memory:
        for start in range(0, len(texts), 64):
            memory.remember_many([Draft(text, "a text that is read") for text in texts[start : start + 64]])
        memory.background.wait()


def reading_tools(home: Path, tier: str, project: Path, questions: Sequence[str]) -> dict[str, object]:
    """Each tool that only reads, called 200 times by one client; the longest line; the server at rest.

    Processor time is that of all threads of the server, so work in the background during a call counts as its own.
    """
    os.environ["CONTEXT_GRAPH_PROJECT"] = str(project)
    load = os.getloadavg()[0]
    with Served(home, tier) as server:
        listing = server.ask("tools/list")
        arguments = _arguments(server, questions)
        time.sleep(SETTLE_S)
        lines: dict[str, int] = {"tools/list": len(listing)}
        rows, missing = {}, dict(LONG)
        for name in _read_only():
            if name in LONG:
                continue
            try:
                rows[name] = _measured(server, name, arguments[name])
            except AssertionError as error:
                missing[name] = str(error)[:200]
                continue
            lines[name] = rows[name].pop("line_bytes")
        time.sleep(SETTLE_S)
        before = server.processor_s()
        time.sleep(IDLE_S)
        idle = server.processor_s() - before
    slowest = max(rows, key=lambda name: rows[name]["p99_cpu_ms"])
    longest = max(lines, key=lambda name: lines[name])
    return {
        "calls_of_each": CALLS, "tools": len(rows), "slowest": slowest,
        "slowest_p99_cpu_ms": rows[slowest]["p99_cpu_ms"],
        "inject_context_p95_cpu_ms": rows["inject_context"]["p95_cpu_ms"],
        "tools_listed": len(json.loads(listing)["result"]["tools"]), "tools_list_bytes": len(listing),
        "longest_line": longest, "longest_line_bytes": lines[longest],
        "load_average": [round(load, 1), round(os.getloadavg()[0], 1)],
        "idle_s": IDLE_S, "idle_cpu_ms": round(1_000 * idle, 2),
        "not_called": missing, "by_tool": rows,
    }  # fmt: skip


def _read_only() -> list[str]:
    from context_graph.tools import all_tools

    return [tool.name for tool in all_tools() if tool.read_only]


def _measured(server: Served, name: str, arguments: Arguments) -> dict[str, Any]:
    """Times in ms of a tool, after one call that is left out."""
    server.call(name, **arguments(CALLS))
    busy, walls, longest = [], [], 0
    for number in range(CALLS):
        given = arguments(number)
        begin, started = time.perf_counter(), server.processor_s()
        answer = server.ask("tools/call", name=name, arguments=given)
        busy.append(1_000 * (server.processor_s() - started))
        walls.append(1_000 * (time.perf_counter() - begin))
        longest = max(longest, len(answer))
        assert not json.loads(answer)["result"]["isError"], answer[:500]
    p50, p95, p99 = np.percentile(busy, [50, 95, 99])
    return {
        "p50_cpu_ms": round(float(p50), 2), "p95_cpu_ms": round(float(p95), 2), "p99_cpu_ms": round(float(p99), 2),
        "max_cpu_ms": round(max(busy), 2), "p99_wall_ms": round(float(np.percentile(walls, 99)), 2),
        "line_bytes": longest,
    }  # fmt: skip


def _arguments(server: Served, questions: Sequence[str]) -> dict[str, Arguments]:
    """What each tool is asked for, by the number of the call; stores what some of them need."""
    with suppress(AssertionError):  # there since the last run
        server.call("create_cerebrum_model", name="bench", model_type="bayesian", config=NETWORK)
        for number in range(100):
            hall = number % HALLS
            server.call("add_case", case_id=f"bench-{number}", features={"hall": hall}, outcome=f"moves {hall}")
    server.call("kg_graph_generate")
    server.call("kg_vector_upsert", id="pump", vector=[0.5] * 1536, metadata={"title": "pump"})
    session = "0193a4b2-c1d2-4e3f-8a5b-6c7d8e9f0a1b"
    server.call("store_memory", content=SUMMARY, rationale="what it does", session_id=session)
    ids = list(dict.fromkeys(_ids(server, questions[:60])))
    words = [question.rstrip("?").split()[-1] for question in questions]

    def question(number: int) -> str:
        return questions[number % len(questions)]

    def id_of(number: int) -> str:
        return ids[number % len(ids)]

    named: dict[str, Arguments] = {
        "bayesian_inference": lambda _: {"network_name": "bench", "query": {"pump": None}},
        "check_adversarial": lambda n: {"content": question(n)},
        "critique_context": lambda n: {"reasoning_summary": f"{question(n)} {SUMMARY}"},
        "debug_compare_retrieval": lambda n: {"query": question(n), "methods": ["cosine_baseline", "fuse_moe"]},
        "entailment_query": lambda n: {"node_id": id_of(n)},
        "epistemic_action": lambda _: {"force": True},
        "expand_causal_path": lambda _: {"start_concept": "pump", "end_concept": "brine"},
        "find_causal_path": lambda _: {"start_concept": "pump", "end_concept": "brine"},
        "generate_search_plan": lambda n: {"goal": question(n)},
        "get_neighborhood": lambda n: {"focal_node_id": id_of(n)},
        "get_node_lineage": lambda n: {"node_id": id_of(n)},
        "get_steering_feedback": lambda n: {"content": question(n), "context": SUMMARY},
        "hydrate_citation": lambda n: {"citation_tags": [f"node_{id_of(n)[:8]}"]},
        "inject_context": lambda n: {"query": question(n)},
        "kg_get_node": lambda _: {"path": "docs/http.md"},
        "kg_graph_query": lambda n: {"query": words[n % len(words)], "includeRelations": True},
        "kg_search_nodes": lambda n: {"query": words[n % len(words)]},
        "kg_search_tags": lambda _: {"tags": ["pump"]},
        "kg_vector_search": lambda n: {"query": question(n), "hybrid": True},
        "omni_infer": lambda _: {"query": "pump"},
        "query_causal": lambda _: {"action": "pump"},
        "reason_with_cases": lambda n: {"query_features": {"hall": n % HALLS}},
        "reflect_on_memory": lambda n: {"goal": question(n)},
        "search_graph": lambda n: {"query": question(n)},
        "search_tombstones": lambda n: {"query": question(n)},
        "utl_status": lambda _: {"session_id": session},
        "verify_code_node": lambda n: {"node_id": id_of(n)},
    }
    return {name: named.get(name, lambda _: {}) for name in _read_only()}


def _ids(server: Served, questions: Sequence[str]) -> Iterator[str]:
    """Memories that some questions find."""
    for question in questions:
        answer = json.loads(server.ask("tools/call", name="search_graph", arguments={"query": question}))
        yield from (hit["node_id"] for hit in answer["result"]["structuredContent"]["results"])
