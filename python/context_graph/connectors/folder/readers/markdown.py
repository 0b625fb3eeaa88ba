"""Markdown by the sections under its headings."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_graph.connectors.folder.readers.registry import Section, reader
from context_graph.dates import read_date
from context_graph.errors import InvalidInput
from context_graph.models import Microseconds
from context_graph.reading.front_matter import begins_with_key, date_in, ended_in, front_matter, tags_in, title_in
from context_graph.regex import regex

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

__all__ = ["MARKDOWN", "sections", "unread_front_matter"]

MARKDOWN = (".md", ".markdown", ".mdx")

MAX_TITLE_CHARS = 200
MAX_FILE_TAGS, MAX_TAG_CHARS = 50, 60
"""Of front matter; what is longer, or more, is left out: the metadata of a memory have little room."""

_DAY = regex(r"(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)")


@reader(*MARKDOWN, kind="documentation")
def sections(text: str, path: Path | None = None) -> Iterator[Section]:
    """The text before the first heading, and each heading with what stands below it, of the date and with the tags of
    the note.

    The date is that of the front matter, else the one in the name of the file, else the one in the level-1 heading
    above the section. Without a level-1 heading the title of the front matter stands for it. A status that says that
    the note does not hold any more is that of all its sections.

    Parameters
    ----------
    path : Path, optional
        The file; a text without one is part of something else, and has no front matter.
    """
    frontmatter, start = ({}, 0) if path is None else _front_matter(text)
    of_file = date_in(frontmatter) or _day_in("" if path is None else path.stem)
    tags = tuple(tag for tag in tags_in(frontmatter) if len(tag) <= MAX_TAG_CHARS)[:MAX_FILE_TAGS]
    body, above = text[start:], text.count("\n", 0, start)
    levels = list(_headings(body))
    title = "" if any(level == 1 for level, _, _ in levels) else " ".join(title_in(frontmatter).split())
    headings = [title[:MAX_TITLE_CHARS]] if title else []
    day = _day_in(title)
    starts = [(0, _joined(headings), day)]
    for level, line, heading in levels:
        headings = [*headings[: level - 1], heading]
        day = _day_in(heading) if level == 1 else day
        starts.append((line, _joined(headings), day))
    lines = body.splitlines()
    ends = [line for line, _, _ in starts[1:]] + [len(lines)]
    for (line, heading, day), end in zip(starts, ends, strict=True):
        when = day if of_file is None else of_file
        text = "\n".join(lines[line:end])
        yield Section(heading, text, above + line + 1, occurred_at=when, tags=tags, ended=ended_in(frontmatter))


def unread_front_matter(text: str) -> str:
    """What is wrong with the front matter of a note, which is left out of its text; empty where nothing is."""
    problems = front_matter(text)[2]
    return problems[0] if problems and begins_with_key(text) else ""


def _front_matter(text: str) -> tuple[dict[str, Any], int]:
    """The front matter and where the text begins; prose between two rules is text."""
    values, start, problems = front_matter(text)
    return (values, start) if not problems or begins_with_key(text) else ({}, 0)


def _headings(text: str) -> Iterator[tuple[int, int, str]]:
    """Level, line from 0, and text of each heading."""
    for token, inline in pairwise(_parser().parse(text)):
        if token.type == "heading_open" and token.map:
            yield int(token.tag[1]), token.map[0], inline.content.strip()


def _joined(headings: list[str]) -> str:
    return " › ".join(heading for heading in headings if heading)


def _day_in(text: str) -> Microseconds | None:
    """The one day that a name or heading names in full, such as 2026-10-05; None where it names none, or two."""
    days = set(_DAY.findall(text))
    if len(days) != 1:
        return None
    try:
        return read_date(days.pop())
    except InvalidInput:  # 2026-13-05
        return None


@cache
def _parser() -> "MarkdownIt":
    """Reads blocks alone: what stands within a line takes half the time, and no section asks for it."""
    from markdown_it import MarkdownIt

    return MarkdownIt().disable("inline")
