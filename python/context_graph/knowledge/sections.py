"""How complete a document is: the sections that a specification needs, by their headings and what stands below them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from context_graph.knowledge.markdown import count_words
from context_graph.reading.front_matter import front_matter
from context_graph.regex import regex

__all__ = ["PARTS", "Completeness", "Section", "completeness_of", "sections_of"]

MIN_PART_WORDS = 20
"""From which on a part is there as a whole; one with fewer counts for its share."""

PARTS: Mapping[str, re.Pattern[str]] = {
    "acceptance criteria": regex(r"\bacceptance\b|\bdefinition of done\b|\bsuccess criteria\b|\bdone when\b"),
    "requirements": regex(r"\brequirements?\b|\buser stor(?:y|ies)\b|\bneeds\b|\bconstraints\b|\bmust haves?\b"),
    "technical specification": regex(
        r"\btechnical\b|\bspecifications?\b|\barchitecture\b|\bdesign\b|\bimplementation\b|\bapi\b|\binterfaces?\b"
        r"|\bdata model\b"
    ),
    "overview": regex(
        r"\boverview\b|\bintroduction\b|\bsummary\b|\babstract\b|\bpurpose\b|\bbackground\b|\babout\b"
        r"|\bwhat (?:it|this) is\b"
    ),
}  # fmt: skip
"""The parts of a specification by the words of a heading; a heading is that of the first one that it fits."""

_PLACEHOLDER = regex(r"\b(?:todo|tbd|fixme|to be (?:done|written|defined|decided)|lorem ipsum)\b", re.I)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it, up to the next heading of its level or a higher one.

    Attributes
    ----------
    level : int
        From 1; 0 for what stands before the first heading.
    line : int
        From 1.
    """

    level: int
    title: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Completeness:
    """The share of each part that a document has, and where."""

    shares: Mapping[str, float]
    lines: Mapping[str, int]

    @property
    def score(self) -> float:
        """The mean of the shares."""
        return sum(self.shares.values()) / len(self.shares)

    @property
    def missing(self) -> list[str]:
        """The parts of which there is nothing, in the order of a specification."""
        return [name for name in _IN_ORDER if not self.shares[name]]


_IN_ORDER = ("overview", "requirements", "acceptance criteria", "technical specification")


def completeness_of(text: str) -> Completeness:
    """Measure a document: each part has the share of 20 words that stand below its heading.

    What stands between the title and the next heading is an overview too. Words such as TODO count for nothing.

    Examples
    --------
    >>> measured = completeness_of("# Login\\n\\n## Requirements\\n\\n- Anna logs in with her name and a password.\\n")
    >>> measured.shares["requirements"], measured.missing
    (0.45, ['overview', 'acceptance criteria', 'technical specification'])
    """
    words = dict.fromkeys(_IN_ORDER, 0)
    lines: dict[str, int] = {}
    sections = sections_of(text)
    for place, section in enumerate(sections):
        heading = section.title.casefold()
        part = next((name for name, cue in PARTS.items() if cue.search(heading)), None)
        if part is None and place == 0 and section.level <= 1:
            part, section = (
                "overview",
                Section(section.level, section.title, section.line, _before_headings(section.text)),
            )
        if part is not None:
            count = count_words(_PLACEHOLDER.sub(" ", section.text))
            if count > words[part]:
                words[part], lines[part] = count, section.line
    return Completeness({name: min(1.0, words[name] / MIN_PART_WORDS) for name in _IN_ORDER}, lines)


def sections_of(text: str) -> list[Section]:
    """The sections of a document in reading order; a `#` in code is no heading."""
    from markdown_it import MarkdownIt

    start = front_matter(text)[1]
    body, first = text[start:], text.count("\n", 0, start) + 1
    tokens = MarkdownIt("commonmark").disable("inline", True).parse(body)
    lines = body.split("\n")
    heads = [
        (int(token.tag[1]), tokens[i + 1].content.strip(), token.map[0], token.map[1])
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.map and token.level == 0
    ]
    sections = []
    if (heads and any(line.strip() for line in lines[: heads[0][2]])) or (not heads and body.strip()):
        sections.append(Section(0, "", first, "\n".join(lines[: heads[0][2]] if heads else lines)))
    for i, (level, title, line, end) in enumerate(heads):
        after = next((other[2] for other in heads[i + 1 :] if other[0] <= level), len(lines))
        sections.append(Section(level, title, first + line, "\n".join(lines[end:after])))
    return sections


def _before_headings(text: str) -> str:
    inner = sections_of(text)
    return inner[0].text if inner and inner[0].level == 0 else ""
