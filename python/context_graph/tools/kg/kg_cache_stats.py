"""kg_cache_stats: what the cache of answers holds and was good for."""

from typing import TYPE_CHECKING

from pydantic import Field

from context_graph.models import Caller
from context_graph.tools.kg.envelope import KgInput, KgModel, KgOutput
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["kg_cache_stats"]


class KgCacheStatsInput(KgInput):
    pass


class CacheData(KgModel):
    total_entries: int
    stale_entries: int
    """Answers about documents that have changed since; they are never given."""

    hit_rate: float = Field(ge=0, le=1)
    size_bytes: int
    hits: int
    misses: int


class KgCacheStatsOutput(KgOutput):
    data: CacheData


@tool(family="kg", title="Kg cache stats", tier=2, read_only=True)
def kg_cache_stats(memory: "Memory", args: KgCacheStatsInput, caller: Caller) -> KgCacheStatsOutput:
    """The cache of answers about documents, of this process: entries, bytes, hits, misses, and what is stale."""
    from context_graph.knowledge.project import documents, graph_of

    stats = documents(memory).cache.stats(graph_of(memory).hash)
    return KgCacheStatsOutput(
        success=True,
        data=CacheData(
            total_entries=stats.entries, stale_entries=stats.stale, hit_rate=round(stats.hit_rate, 6),
            size_bytes=stats.bytes, hits=stats.hits, misses=stats.misses,
        ),
    )  # fmt: skip
