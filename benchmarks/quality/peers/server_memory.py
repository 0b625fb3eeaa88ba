"""The knowledge graph server of the Model Context Protocol project, `@modelcontextprotocol/server-memory` of npm."""

import re
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.environments import node_packages, node_program
from benchmarks.quality.baselines import STOP
from benchmarks.quality.peers.peer import Match, Peer

__all__ = ["ServerMemory", "ServerMemoryByWords"]

VERSION = "2026.8.31"
SCRIPT = "node_modules/@modelcontextprotocol/server-memory/dist/index.js"
MIN_WORD = 3
"""Letters of a word that is searched for: the search is for parts of words, and "is" is a part of many."""


class ServerMemory(Peer):
    """Each memory is an entity with one observation; the question is the query of `search_nodes`."""

    package: ClassVar[str] = f"@modelcontextprotocol/server-memory {VERSION}"
    way: ClassVar[str] = (
        "a memory is an entity with one observation (create_entities); search_nodes finds what contains the whole "
        "query as it stands, so a question finds nothing"
    )

    def command(self) -> list[str | Path]:
        node, _ = node_program()
        return [node, node_packages(f"@modelcontextprotocol/server-memory@{VERSION}") / SCRIPT]

    def variables(self) -> dict[str, str]:
        return {"MEMORY_FILE_PATH": str(self.folder / "memory.jsonl")}

    def clear(self) -> None:
        super().clear()
        self._count = 0

    def store(self, text: str) -> str:
        key = f"#{self._count:05}"
        self._count += 1
        entity = {"name": key, "entityType": "memory", "observations": [text]}
        self.server.call("create_entities", {"entities": [entity]})
        return key

    def search(self, question: str, limit: int) -> list[Match]:
        return self._nodes("search_nodes", {"query": question})[:limit]

    def stored(self, key: str) -> str:
        (node,) = self._nodes("open_nodes", {"names": [key]})
        return node.text

    def _nodes(self, tool: str, arguments: dict[str, Any]) -> list[Match]:
        entities = self.server.call(tool, arguments)["structuredContent"]["entities"]
        return [Match(entity["name"], "\n".join(entity["observations"])) for entity in entities]


class ServerMemoryByWords(ServerMemory):
    """The same, asked as an agent may who knows that it searches for parts of words: one word after the other."""

    way: ClassVar[str] = (
        "a memory is an entity with one observation (create_entities); search_nodes is asked for each word of the "
        f"question alone, but for stop words and those below {MIN_WORD} letters; what most of these searches return "
        "stands first, the latest first among equals"
    )

    def search(self, question: str, limit: int) -> list[Match]:
        words = dict.fromkeys(word for word in re.findall(r"\w+", question.lower()) if len(word) >= MIN_WORD)
        counts: dict[Match, int] = {}
        for word in words:
            if word not in STOP:
                for node in self._nodes("search_nodes", {"query": word}):
                    counts[node] = counts.get(node, 0) + 1
        best = sorted(counts, key=lambda node: node.key, reverse=True)
        return sorted(best, key=lambda node: -counts[node])[:limit]
