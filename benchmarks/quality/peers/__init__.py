"""Memory servers of others, each run as it is: started over pipes, filled and asked through its own tools."""

from benchmarks.quality.peers.basic_memory import BasicMemory
from benchmarks.quality.peers.mcp_memory_service import McpMemoryService, McpMemoryServiceConversation
from benchmarks.quality.peers.peer import Match, Peer, Unavailable
from benchmarks.quality.peers.server_memory import ServerMemory, ServerMemoryByWords

__all__ = ["PEERS", "Match", "Peer", "Unavailable"]

PEERS: dict[str, type[Peer]] = {
    "server-memory": ServerMemory,
    "server-memory-words": ServerMemoryByWords,
    "mcp-memory-service": McpMemoryService,
    "mcp-memory-service-conversation": McpMemoryServiceConversation,
    "basic-memory": BasicMemory,
}
