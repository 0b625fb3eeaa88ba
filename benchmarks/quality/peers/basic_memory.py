"""`basic-memory` of PyPI: notes in Markdown files with an index in SQLite."""

import re
from itertools import count
from pathlib import Path
from typing import ClassVar

from benchmarks.environments import python_with
from benchmarks.quality.peers.peer import Match, Peer
from benchmarks.quality.peers.stdio import text_of

__all__ = ["BasicMemory"]

VERSION = "0.24.1"
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n+", re.S)


class BasicMemory(Peer):
    """A note a memory, in a project of its own for each store."""

    package: ClassVar[str] = f"basic-memory {VERSION}"
    way: ClassVar[str] = (
        "write_note and search_notes by full text, its search without vectors: those want a model that it downloads, "
        "and a Python from 3.12 on that loads extensions of SQLite, which is not on this machine"
    )

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self._projects = count()

    def command(self) -> list[str | Path]:
        python = python_with(f"basic-memory=={VERSION}", versions=("3.12", "3.13", "3.14"))
        return [python.parent / "basic-memory", "mcp"]

    def variables(self) -> dict[str, str]:
        return {
            "BASIC_MEMORY_HOME": str(self.home / "main"), "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false",
            "HF_HUB_OFFLINE": "1",
        }  # fmt: skip

    def clear(self) -> None:
        """A new project, as its users part what belongs apart; the process goes on."""
        if not self.running:
            super().clear()
        self._project, self._notes = f"project-{next(self._projects)}", count()
        path = self.home / self._project
        self.server.call("create_memory_project", {"project_name": self._project, "project_path": str(path)})

    def store(self, text: str) -> str:
        title = f"memory {next(self._notes)}"
        note = {"title": title, "content": text, "directory": "memories"}
        self.server.call("write_note", {**note, "project": self._project})
        return title

    def search(self, question: str, limit: int) -> list[Match]:
        asked = {"query": question, "page_size": limit, "output_format": "json", "search_type": "text"}
        asked["project"] = self._project
        answer = self.server.call("search_notes", asked)["structuredContent"]["result"]
        if isinstance(answer, str):  # words for a model in place of results
            raise RuntimeError(f"search_notes gave no results for {question!r}: {answer[:500]}")
        return [Match(found["title"], found["content"]) for found in answer["results"]]

    def stored(self, key: str) -> str:
        note = text_of(self.server.call("read_note", {"identifier": key, "project": self._project}))
        return _FRONT_MATTER.sub("", note)
