"""Probes of the parts that the kg_ tools stand on: each is tried, and how long that took is told."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from context_graph.errors import ContextGraphError
from context_graph.knowledge.project import documents, project_name, trees
from context_graph.runtime.runtime import Runtime

__all__ = ["COMPONENTS", "Health", "Probe", "probe", "worst"]

Health = Literal["healthy", "degraded", "unhealthy"]
COMPONENTS = ("database", "cache", "agents", "memory")
MAX_RESIDENT_BYTES = 4 << 30
"""Of a healthy process."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What a probe found, why, and how long it took."""

    health: Health
    reason: str
    ms: float


def probe(memory: Runtime, component: str) -> Probe:
    """Try one part."""
    began = time.perf_counter()
    try:
        health, reason = _PROBES[component](memory)
    except ContextGraphError as error:
        health, reason = "unhealthy", str(error)
    return Probe(health, reason, round(1_000 * (time.perf_counter() - began), 3))


def worst(probes: list[Probe]) -> Health:
    """How the whole is: as its worst part."""
    for health in ("unhealthy", "degraded"):
        if any(one.health == health for one in probes):
            return "unhealthy" if health == "unhealthy" else "degraded"
    return "healthy"


def _database(memory: Runtime) -> tuple[Health, str]:
    seq, hash = memory.store.head()
    if problem := memory.store.write_problem:
        return "unhealthy" if memory.store.lost else "degraded", problem
    if seq and memory.store.event_at(seq) is None:
        return "unhealthy", f"the log has no event {seq}, which is its last"
    if not trees(memory):
        return "degraded", "no documents of this project were read yet; kg_graph_generate reads them"
    return "healthy", f"{seq} events, the last {hash[:16]}"


def _cache(memory: Runtime) -> tuple[Health, str]:
    view = documents(memory)
    stats = view.cache.stats(view.graph(project_name(memory)).hash)
    return "healthy", f"{stats.entries} answers, {stats.stale} of documents that have changed since"


def _agents(memory: Runtime) -> tuple[Health, str]:
    waiting = sum(memory.background.waiting().values())
    return "healthy", f"{waiting} items wait in the background"


def _memory(memory: Runtime) -> tuple[Health, str]:
    resident = resident_bytes()
    health: Health = "healthy" if resident <= MAX_RESIDENT_BYTES else "degraded"
    return health, f"{resident} bytes resident"


def resident_bytes() -> int:
    """The memory of this process that lies in RAM; the most it ever was where the system tells no other."""
    import resource

    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1_024


_PROBES: dict[str, Callable[[Runtime], tuple[Health, str]]] = {
    "database": _database,
    "cache": _cache,
    "agents": _agents,
    "memory": _memory,
}
