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
from context_graph.agents.code.report import Outcome
from context_graph.agents.code.sources import Sources, read_sources
from context_graph.agents.code.untested import find_untested

__all__ = ["ANALYSERS", "answer", "limit", "without_network"]

CLONE_NEWNET, CLONE_NEWUSER = 0x40000000, 0x10000000  # linux/sched.h

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
        steps.append(
            {
                "action": outcome.action, "outcome": outcome.outcome, "findings": list(outcome.findings),
                "recommendations": list(outcome.recommendations), "ms": round(1_000 * (now - began), 3),
                "artifacts": [
                    {"type": one.type, "name": one.name, "mediaType": one.media_type, "content": one.content}
                    for one in outcome.artefacts
                ],
            }
        )  # fmt: skip
        began = now
    return {"files": len(sources.files), "steps": steps}


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
