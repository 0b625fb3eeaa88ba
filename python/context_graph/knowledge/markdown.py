"""A Markdown document as it stands: front matter, headings, links and tags, in the dialects of Obsidian and GitHub."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote

from context_graph.dates import read_date
from context_graph.instants import EARLIEST, LATEST
from context_graph.models import Microseconds
from context_graph.regex import regex

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from yaml import MarkedYAMLError

__all__ = [
    "Link", "LinkType", "Page", "begins_with_key", "date_in", "ended_in", "front_matter", "line_of_key", "read_page",
    "slug_of", "tags_in", "title_in",
]  # fmt: skip

LinkType = Literal["wiki", "markdown", "embed"]

MAX_FRONT_MATTER_CHARS = 16_384
MAX_FRONT_MATTER_DEPTH = 12
MAX_FRONT_MATTER_VALUES = 2_000
MAX_DESCRIPTION_CHARS = 200
MAX_WRITTEN_DATE_CHARS = 60

_FRONT_MATTER = regex(r"\ufeff?---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.S | re.M)
_ENDED = {
    "superseded": "superseded", "replaced": "superseded", "deprecated": "obsolete", "obsolete": "obsolete",
    "expired": "obsolete", "withdrawn": "retracted", "retracted": "retracted", "rejected": "rejected",
    "archived": "archived",
}  # fmt: skip
"""First words of a status that say: no longer so, as records of decisions have them."""

_SUCCESSORS = ("superseded_by", "superseded-by", "replaced_by", "replaced-by")
_KEY = regex(r"""[ \t]*["']?([\w .-]{1,60}?)["']?[ \t]*:""")
_WIKI = regex(r"(!?)\[\[([^\[\]\n|#]*)(?:#([^\[\]\n|]*))?(?:\|([^\[\]\n]*))?\]\]")
_TAG = regex(r"#([^\W_][\w/-]*|_[\w/-]*)")
_SCHEME = regex(r"[a-z][a-z0-9+.-]*:|//", re.I)
_HTML_LINK = regex(r"""<(?:a|img)\b[^>]*?\b(href|src)\s*=\s*["']?([^"'\s>]+)""", re.I)
_HTML_ANCHOR = regex(r"""<\w+\b[^>]*?\b(?:id|name)\s*=\s*["']?([^"'\s>]+)""", re.I)
_NOT_IN_SLUG = regex(r"[^\w\- ]")
_BLOCK_ID = regex(r"(?:^|\s)(\^[\w-]+)\s*$", re.M)
_WORD = regex(r"\w+")
_TELLING = regex(r"[\[<!]|(?:^|\s)#", re.M)
"""What a text must hold to have a link or a tag."""

_IN_A_VALUE = ("while parsing a flow", "while scanning a quoted", "while scanning a simple key")
"""Errors of the YAML parser that name where a value begins, and are noticed far below."""


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a document to something in its project.

    Attributes
    ----------
    target : str
        As it is written, without the heading; empty for a heading of the document itself.
    heading : str
        Behind the #, decoded; empty where there is none.
    line : int
        Of the block that it stands in, from 1.
    """

    type: LinkType
    target: str
    heading: str = ""
    text: str = ""
    line: int = 1


@dataclass(frozen=True, slots=True)
class Page:
    """What a document says of itself.

    Attributes
    ----------
    title : str
        Of the front matter, else the first heading of the highest level; empty without one.
    headings : tuple of str
        The names by which a link reaches its headings, blocks and anchors.
    description : str
        Of the front matter, else the first paragraph, short.
    problems : tuple of str
        What could not be read.
    """

    title: str
    frontmatter: Mapping[str, Any]
    tags: tuple[str, ...]
    links: tuple[Link, ...]
    headings: tuple[str, ...]
    description: str
    words: int
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class _Gathered:
    links: list[Link] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    headings: list[str] = field(default_factory=list)
    slugs: Counter[str] = field(default_factory=Counter)
    titles: list[tuple[int, str]] = field(default_factory=list)
    description: str = ""

    def tag(self, name: str) -> None:
        _note_tag(self.tags, name)


def read_page(text: str) -> Page:
    """Read a document; what stands in code is neither a link nor a tag.

    Examples
    --------
    >>> page = read_page("---\\ntags: [a]\\n---\\n# Title\\n\\nSee [[Other|this]] and `[[not]]`. #b\\n")
    >>> page.title, page.tags, [link.target for link in page.links]
    ('Title', ('a', 'b'), ['Other'])
    """
    frontmatter, start, problems = front_matter(text)
    page = _Gathered()
    for name in tags_in(frontmatter):
        page.tag(name)
    body = text[start:]
    first = text.count("\n", 0, start) + 1
    references: dict[str, Any] = {}
    tokens = _parser().parse(body, references)
    for place, token in enumerate(tokens):
        if token.type == "inline":
            _take_inline(page, tokens, place, first, references)
        elif token.type == "html_block":
            _take_html(page, token.content, first + (token.map[0] if token.map else 0))
    page.headings += _BLOCK_ID.findall(body) if "^" in body else []
    titles = sorted(page.titles, key=lambda title: title[0])
    description = frontmatter.get("description")
    return Page(
        title=title_in(frontmatter) or (titles[0][1] if titles else ""),
        frontmatter=frontmatter,
        tags=tuple(page.tags.values()),
        links=tuple(page.links),
        headings=tuple(dict.fromkeys(page.headings)),
        description=_short(description if isinstance(description, str) else page.description),
        words=sum(1 for _ in _WORD.finditer(body)),
        problems=problems,
    )


def slug_of(heading: str) -> str:
    """The name of a heading in a link, as GitHub makes it.

    Examples
    --------
    >>> slug_of("What's new, in 2.0?")
    'whats-new-in-20'
    """
    return _NOT_IN_SLUG.sub("", heading.strip().casefold()).replace(" ", "-")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_DESCRIPTION_CHARS else f"{text[: MAX_DESCRIPTION_CHARS - 1].rstrip()}…"


def _note_tag(tags: dict[str, str], name: str) -> None:
    """Note a tag under its name without case, as it is written first; a number is none."""
    name = name.strip().lstrip("#").rstrip("/")
    if name and not name.isdigit():
        tags.setdefault(name.casefold(), name)


def _names(value: Any) -> Iterator[str]:
    """Tags of the front matter: a list, or a text with commas or spaces."""
    if isinstance(value, str):
        yield from re.split(r"[,\s]+", value)
    elif isinstance(value, Sequence):
        yield from (str(one) for one in value if isinstance(one, str | int))


# Front matter


def front_matter(text: str) -> tuple[dict[str, Any], int, tuple[str, ...]]:
    """The front matter, where the rest begins, and what is wrong with it."""
    if not text.startswith(("---", "\ufeff---")) or (found := _FRONT_MATTER.match(text)) is None:
        return {}, 0, ()
    try:
        return _loaded(found[1]), found.end(), ()
    except (ValueError, RecursionError) as error:
        return {}, found.end(), (f"front matter: {error}",)


def begins_with_key(text: str) -> bool:
    """Whether what stands between the lines --- at the top of a document begins with a key, as front matter that
    cannot be read does; prose between two rules begins with none.
    """
    match = _FRONT_MATTER.match(text)
    return match is not None and bool(_key_of(match[1].lstrip().partition("\n")[0]))


def title_in(frontmatter: Mapping[str, Any]) -> str:
    """The title that front matter names; empty where it names none."""
    title = frontmatter.get("title")
    return str(title).strip() if isinstance(title, str | int | float) else ""


def tags_in(frontmatter: Mapping[str, Any]) -> tuple[str, ...]:
    """The tags that front matter names under `tags` and `tag`, each once.

    Examples
    --------
    >>> tags_in({"tags": "plan, #alpha, Plan"})
    ('plan', 'alpha')
    """
    tags: dict[str, str] = {}
    for key in ("tags", "tag"):
        for name in _names(frontmatter.get(key)):
            _note_tag(tags, name)
    return tuple(tags.values())


def date_in(frontmatter: Mapping[str, Any]) -> Microseconds | None:
    """The date of a document: that under `occurred`, as an export writes it, else `date`, else `created`; None where
    none can be read.

    Examples
    --------
    >>> date_in({"date": "soon", "created": "1970-01-02"})
    86400000000
    """
    for key in ("occurred", "date", "created"):
        value = frontmatter.get(key)
        if isinstance(value, bool) or not isinstance(value, str | int):
            continue
        try:
            moment = read_date(str(value)[:MAX_WRITTEN_DATE_CHARS])
        except ValueError:  # no date, or one with a time zone that cannot be
            continue
        if EARLIEST <= moment <= LATEST:
            return moment
    return None


def ended_in(frontmatter: Mapping[str, Any]) -> str:
    """How a document ended by its front matter, in a word that says so of a memory too: superseded, rejected,
    retracted, obsolete or archived; empty where it holds.

    Examples
    --------
    >>> ended_in({"status": "Superseded by 0003"}), ended_in({"status": "accepted", "superseded-by": ""})
    ('superseded', '')
    """
    status = frontmatter.get("status")
    first = status.split()[:1] if isinstance(status, str) else []
    if first and (word := _ENDED.get(first[0].strip(",.:;").lower())):
        return word
    return "superseded" if any(frontmatter.get(key) for key in _SUCCESSORS) else ""


def line_of_key(text: str, key: str) -> int:
    """The line of a document that a key of its front matter stands in, from 1; 0 where that is not to be seen."""
    match = _FRONT_MATTER.match(text)
    lines = match[1].splitlines() if match else []
    return next((place for place, line in enumerate(lines, 2) if _key_of(line) == key), 0)


def _key_of(line: str) -> str:
    match = _KEY.match(line)
    return match[1] if match else ""


def _loaded(text: str) -> dict[str, Any]:
    """Front matter as JSON values: no tags of Python, no aliases that multiply, no depth that breaks a parser."""
    import yaml

    if len(text) > MAX_FRONT_MATTER_CHARS:
        raise ValueError(f"expected at most {MAX_FRONT_MATTER_CHARS} characters, got {len(text)}")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        depth = 0
        for event in yaml.parse(text, Loader=loader):  # a flat pass: deep data would overflow the stack of the C loader
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if isinstance(event, yaml.AliasEvent):
                raise ValueError(_placed(text, event.start_mark.line, "expected no aliases (*name)"))
            if depth > MAX_FRONT_MATTER_DEPTH:
                raise ValueError(
                    _placed(text, event.start_mark.line, f"expected at most {MAX_FRONT_MATTER_DEPTH} levels")
                )
        values = yaml.load(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        raise ValueError(_placed(text, _wrong_line(error), error.problem or "no YAML")) from None
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())[:200]) from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ValueError(f"expected keys with values, got {type(values).__name__}")
    plain: dict[str, Any] = _plain(values, Counter())
    return plain


def _wrong_line(error: "MarkedYAMLError") -> int | None:
    """Where the value begins that could not be read, else where reading ended; from 0."""
    inside = error.context is not None and error.context.startswith(_IN_A_VALUE)
    mark = error.context_mark if inside and error.context_mark is not None else error.problem_mark
    return None if mark is None else mark.line


def _placed(text: str, line: int | None, problem: str) -> str:
    """What is wrong in a line of front matter, with the line of the file, which has --- above it, and the key."""
    problem = " ".join(problem.split())[:200]
    lines = text.splitlines()[: None if line is None else line + 1]
    while lines and not lines[-1].strip():
        lines.pop()
    if line is None or not lines:
        return problem
    key = _key_of(lines[-1])
    return f"line {len(lines) + 1}: {key}: {problem}" if key else f"line {len(lines) + 1}: {problem}"


def _plain(value: Any, count: Counter[str]) -> Any:
    count["values"] += 1
    if count["values"] > MAX_FRONT_MATTER_VALUES:
        raise ValueError(f"expected at most {MAX_FRONT_MATTER_VALUES} values")
    if isinstance(value, dict):
        return {str(key): _plain(one, count) for key, one in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(one, count) for one in value]
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, float) and value - value != 0:  # infinite or not a number: JSON has neither
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        return str(value)
    return value if isinstance(value, str | int | float | bool | None) else str(value)


# Markdown


@cache
def _parser() -> "MarkdownIt":
    """CommonMark with tables, the inline parts unread: few of them hold a link or a tag."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.disable("inline", True)
    parser.inline.ruler.before("link", "wiki_link", _wiki_rule)
    parser.inline.ruler.before("link", "hash_tag", _tag_rule)
    parser.inline.ruler.before("image", "wiki_embed", _wiki_rule)
    return parser


def _wiki_rule(state: "StateInline", silent: bool) -> bool:
    match = _WIKI.match(state.src, state.pos) if state.src[state.pos] in "![" else None
    if match is None or not (match[2].strip() or match[3]):
        return False
    if not silent:
        token = state.push("wiki_link", "", 0)
        token.meta = {"link": match}
    state.pos = match.end()
    return True


def _tag_rule(state: "StateInline", silent: bool) -> bool:
    before = state.src[state.pos - 1] if state.pos else " "
    match = _TAG.match(state.src, state.pos) if state.src[state.pos] == "#" and before.isspace() else None
    if match is None:
        return False
    if not silent:
        token = state.push("hash_tag", "", 0)
        token.meta = {"tag": match[1]}
        token.content = match[0]
    state.pos = match.end()
    return True


def _take_inline(page: _Gathered, tokens: "list[Token]", place: int, first: int, references: dict[str, Any]) -> None:
    token, opener = tokens[place], tokens[place - 1]
    line = first + (token.map[0] if token.map else 0)
    plain = token.content
    if opener.type == "heading_open" or _TELLING.search(token.content):
        children: list[Token] = []
        _parser().inline.parse(token.content, _parser(), references, children)
        plain = "".join(_text_of(child) for child in children)
        _take_links(page, children, line)
    if opener.type == "heading_open":
        slug = slug_of(plain)
        page.headings.append(f"{slug}-{page.slugs[slug]}" if page.slugs[slug] else slug)
        page.slugs[slug] += 1
        page.titles.append((int(opener.tag[1]), plain.strip()))
    elif opener.type == "paragraph_open" and not page.description:
        page.description = plain


def _text_of(token: "Token") -> str:
    if token.type == "wiki_link":
        found = token.meta["link"]
        return str(found[4] or found[2] or found[3])
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return token.content if token.type in ("text", "code_inline", "hash_tag", "image", "text_special") else ""


def _take_links(page: _Gathered, children: "list[Token]", line: int) -> None:
    for place, child in enumerate(children):
        if child.type == "wiki_link":
            bang, *parts = child.meta["link"].groups("")
            target, heading, alias = (part.strip() for part in parts)
            kind: LinkType = "embed" if bang else "wiki"
            page.links.append(Link(kind, target, heading, alias or target or heading, line))
        elif child.type == "hash_tag":
            page.tag(child.meta["tag"])
        elif child.type == "link_open":
            text = _until_close(children[place + 1 :])
            _take_link(page, str(child.attrGet("href") or ""), "markdown", text, line)
        elif child.type == "image":
            _take_link(page, str(child.attrGet("src") or ""), "embed", child.content, line)
        elif child.type == "html_inline":
            _take_html(page, child.content, line)


def _until_close(children: "list[Token]") -> str:
    text = ""
    for child in children:
        if child.type == "link_close":
            break
        text += _text_of(child)
    return text


def _take_link(page: _Gathered, address: str, kind: LinkType, text: str, line: int) -> None:
    """Note a link that does not lead out of the project by a scheme or a host."""
    if address and not _SCHEME.match(address):
        path, _, heading = address.partition("#")
        page.links.append(Link(kind, unquote(path.partition("?")[0]), unquote(heading), text.strip(), line))


def _take_html(page: _Gathered, html: str, line: int) -> None:
    for attribute, address in _HTML_LINK.findall(html):
        _take_link(page, address, "markdown" if attribute.lower() == "href" else "embed", "", line)
    page.headings += _HTML_ANCHOR.findall(html)
