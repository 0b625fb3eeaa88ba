"""Markdown by the sections under its headings."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.connectors.folder.readers.registry import Section, reader

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

__all__ = ["MARKDOWN", "sections"]

MARKDOWN = (".md", ".markdown", ".mdx")


@reader(*MARKDOWN, kind="documentation")
def sections(text: str, path: Path | None = None) -> Iterator[Section]:
    """The text before the first heading, and each heading with what stands below it."""
    lines = text.splitlines()
    headings: list[str] = []
    starts: list[tuple[int, str]] = [(0, "")]
    for token, inline in pairwise(_parser().parse(text)):
        if token.type == "heading_open" and token.map:
            level = int(token.tag[1])
            headings = [*headings[: level - 1], inline.content.strip()]
            starts.append((token.map[0], " › ".join(part for part in headings if part)))
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    for (start, heading), end in zip(starts, ends, strict=True):
        yield Section(heading, "\n".join(lines[start:end]), start + 1)


@cache
def _parser() -> "MarkdownIt":
    """Reads blocks alone: what stands within a line takes half the time, and no section asks for it."""
    from markdown_it import MarkdownIt

    return MarkdownIt().disable("inline")
