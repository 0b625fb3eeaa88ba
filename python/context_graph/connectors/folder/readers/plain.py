"""Text by its paragraphs."""

from collections.abc import Iterator
from pathlib import Path

from context_graph.connectors.folder.readers.registry import Section, reader

__all__ = ["CODE", "TEXT"]

TEXT = (".txt", ".rst", ".adoc", ".org", ".tex")
CODE = (".cu", ".cuh", ".swift", ".kt", ".scala", ".sql", ".toml", ".css", ".lua")
"""Languages whose definitions nobody reads here yet."""


@reader(*TEXT, kind="text")
@reader(*CODE, kind="code")
def paragraphs(text: str, path: Path) -> Iterator[Section]:
    yield Section("", text)
