"""The process in which agents read code: within limits of time and memory, writing no file, without a network."""

import ctypes
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from context_graph.agents.code.imports import outline_code
from context_graph.agents.code.patches import propose_patch
from context_graph.agents.code.quality import analyse_code
from context_graph.agents.code.report import MAX_ARTEFACT_CHARS, MAX_STEP_FINDINGS, Artefact, Outcome
from context_graph.agents.code.sources import Sources, read_sources
from context_graph.agents.code.untested import find_untested

__all__ = ["ANALYSERS", "answer", "limit", "without_network"]

CLONE_NEWNET, CLONE_NEWUSER = 0x40000000, 0x10000000  # linux/sched.h

MAX_ANSWER_TEXT_CHARS = 400
"""Of one text of an answer: whoever asks has no limit of memory, and code may have names of a million characters."""

MAX_RECURSION = 4_000
"""Frames, as many as a tree of `MAX_TREE_DEPTH` levels takes to be walked through and written."""

ANALYSERS: dict[str, Callable[[Path, Sources, str], Iterator[Outcome]]] = {
    "analyst": analyse_code,
    "architect": outline_code,
    "coder": propose_patch,
    "tester": find_untested,
}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """The steps of an analyser over the code of a project, each with how long it took."""
    began = time.monotonic()
    root = Path(question["root"])
    sources = read_sources(root, question["scope"])
    steps = []
    for outcome in ANALYSERS[question["type"]](root, sources, question["task"]):
        now = time.monotonic()
        rows = outcome.findings[:MAX_STEP_FINDINGS]
        steps.append(
            {
                "action": outcome.action, "outcome": _short(outcome.outcome), "found": len(outcome.findings),
                "findings": [{key: _short(value) for key, value in row.items()} for row in rows],
                "recommendations": list(map(_short, outcome.recommendations)), "ms": round(1_000 * (now - began), 3),
                "artifacts": list(map(_bounded, outcome.artefacts)),
            }
        )  # fmt: skip
        began = now
    return {"files": len(sources.files), "steps": steps}


def _short(value: Any) -> Any:
    is_long = isinstance(value, str) and len(value) > MAX_ANSWER_TEXT_CHARS
    return f"{value[: MAX_ANSWER_TEXT_CHARS - 1]}…" if is_long else value


def _bounded(one: Artefact) -> dict[str, Any]:
    """What was made, with the length that it was cut from where it was too long."""
    row = {
        "type": one.type, "name": _short(one.name), "mediaType": one.media_type,
        "content": one.content[:MAX_ARTEFACT_CHARS],
    }  # fmt: skip
    return row if len(one.content) <= MAX_ARTEFACT_CHARS else row | {"cutFrom": len(one.content)}


def without_network() -> str:
    """Leave the network behind, and say whether that was allowed."""
    uid, gid = os.getuid(), os.getgid()
    unshare = ctypes.CDLL(None, use_errno=True).unshare
    if unshare(CLONE_NEWNET) == 0:
        return "none"
    if unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        return f"not cut off ({os.strerror(ctypes.get_errno())}); the analysers ask for none"
    try:  # stay who one is, or files that only the user may read are lost
        Path("/proc/self/setgroups").write_text("deny", "utf-8")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1", "utf-8")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1", "utf-8")
    except OSError:
        pass
    return "none"


def limit(bytes: int, cpu_s: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (bytes, bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Answer the question on standard input."""
    question = json.load(sys.stdin)
    network = without_network()
    limit(question["bytes"], question["cpu_s"])
    sys.setrecursionlimit(MAX_RECURSION)
    try:
        answered = answer(question)
    except MemoryError:
        answered = {"error": f"it needed more than its {question['bytes'] >> 20} MiB of memory"}
    used = resource.getrusage(resource.RUSAGE_SELF)
    limits = {
        "network": network,
        "cpuMs": round(1_000 * (used.ru_utime + used.ru_stime)),
        "peakMiB": used.ru_maxrss >> 10,
    }
    json.dump(answered | {"process": limits}, sys.stdout)


if __name__ == "__main__":
    main()
