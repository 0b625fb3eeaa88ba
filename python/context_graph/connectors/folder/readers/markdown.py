"""Markdown by the sections under its headings."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from context_graph.connectors.folder.readers.registry import Section, reader

__all__ = ["MARKDOWN", "sections"]

MARKDOWN = (".md", ".markdown", ".mdx")


@reader(*MARKDOWN, kind="documentation")
def sections(text: str, path: Path | None = None) -> Iterator[Section]:
    """The text before the first heading, and each heading with what stands below it."""
    from markdown_it import MarkdownIt

    lines = text.splitlines()
    headings: list[str] = []
    starts: list[tuple[int, str]] = [(0, "")]
    for token, inline in pairwise(MarkdownIt().parse(text)):
        if token.type == "heading_open" and token.map:
            level = int(token.tag[1])
            headings = [*headings[: level - 1], inline.content.strip()]
            starts.append((token.map[0], " › ".join(part for part in headings if part)))
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    for (start, heading), end in zip(starts, ends, strict=True):
        yield Section(heading, "\n".join(lines[start:end]), start + 1)
