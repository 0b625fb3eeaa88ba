"""kg_health_check: each part tried, and why it is as it is."""

import os
import platform
import sys
from typing import TYPE_CHECKING, Literal

from context_graph.errors import InvalidInput
from context_graph.instants import SECOND_US
from context_graph.models import Caller, to_iso
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_health_check"]

Component = Literal["database", "cache", "agents", "memory"]
Health = Literal["healthy", "degraded", "unhealthy"]


class KgHealthCheckInput(KgInput):
    detailed: bool = False
    """Add process details."""

    components: Maybe[list[Component]] = None
    """Only these components."""


class Components(KgModel):
    database: Health | None = None
    cache: Health | None = None
    agents: Health | None = None
    memory: Health | None = None


class MemoryUse(KgModel):
    rss: int
    heap_total: int | None = None
    """Of the C allocator."""

    heap_used: int | None = None
    external: int
    array_buffers: int
    """Of Node.js; 0 here."""


class HealthCheckData(KgModel):
    status: Health
    components: Components
    reasons: dict[str, str]
    """Why each component is as it is."""

    probe_ms: dict[str, float]
    timestamp: str
    memory: MemoryUse | None = None
    uptime: float | None = None
    """Seconds."""

    node_version: str | None = None
    """None, for this is Python."""

    python_version: str | None = None
    platform: str | None = None
    arch: str | None = None
    pid: int | None = None


class HealthCheckMetadata(KgMetadata):
    components_checked: list[str]


class KgHealthCheckOutput(KgOutput):
    data: HealthCheckData
    metadata: HealthCheckMetadata


@tool(family="kg", title="Kg health check", tier=2, read_only=True)
def kg_health_check(memory: "Memory", args: KgHealthCheckInput, caller: Caller) -> KgHealthCheckOutput:
    """Try the store, the cache, the background and the memory of the process; tells why each is as it is."""
    from context_graph.heap import heap_use
    from context_graph.knowledge.health import COMPONENTS, probe, resident_bytes, worst

    if args.components is not None and not args.components:
        raise InvalidInput(f"components must name one of {', '.join(COMPONENTS)}, or be left out", field="components")
    wanted = [name for name in COMPONENTS if args.components is None or name in args.components]
    probes = {name: probe(memory, name) for name in wanted}
    data = HealthCheckData(
        status=worst(list(probes.values())),
        components=Components(**{name: one.health for name, one in probes.items()}),
        reasons={name: one.reason for name, one in probes.items()},
        probe_ms={name: one.ms for name, one in probes.items()},
        timestamp=to_iso(memory.clock()),
    )
    if args.detailed:
        data.memory = MemoryUse(rss=resident_bytes(), external=0, array_buffers=0)
        if heap := heap_use():
            data.memory.heap_total, data.memory.heap_used = heap
        data.uptime = round((memory.clock() - memory.started_at) / SECOND_US, 3)
        data.python_version = platform.python_version()
        data.node_version = f"none: Python {data.python_version}"
        data.platform, data.arch, data.pid = sys.platform, platform.machine(), os.getpid()
    return KgHealthCheckOutput(success=True, data=data, metadata=HealthCheckMetadata(components_checked=wanted))
