"""A Markdown document as it stands: front matter, headings, links and tags, in the dialects of Obsidian and GitHub."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote

from context_graph.reading.front_matter import front_matter, note_tag, tags_in, title_in
from context_graph.regex import regex

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

__all__ = ["Link", "LinkType", "Page", "count_words", "read_page", "slug_of"]

LinkType = Literal["wiki", "markdown", "embed"]

MAX_DESCRIPTION_CHARS = 200

COMMENT = "%%"
_WIKI = regex(r"(!?)\[\[([^\[\]\n|#]*)(?:#([^\[\]\n|]*))?(?:\|([^\[\]\n]*))?\]\]")
_TAG = regex(r"#([^\W_][\w/-]*|_[\w/-]*)")
_SCHEME = regex(r"[a-z][a-z0-9+.-]*:|//", re.I)
_HTML_LINK = regex(r"""<(?:a|img)\b[^>]*?\b(href|src)\s*=\s*["']?([^"'\s>]+)""", re.I)
_HTML_ANCHOR = regex(r"""<\w+\b[^>]*?\b(?:id|name)\s*=\s*["']?([^"'\s>]+)""", re.I)
_NOT_IN_SLUG = regex(r"[^\w\- ]")
_BLOCK_ID = regex(r"(?:^|\s)(\^[\w-]+)\s*$", re.M)
_WORD = regex(r"\w+")
_TARGET = regex(r"\]\(\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)")
_DEFINITION = regex(r"^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*(?:<[^<>\n]*>|[^\s<]\S*)(?=[ \t]*(?:$|[\"'(]))", re.M)
_LINK_TAG = regex(r"</?(?:a|img)\b[^<>]*>", re.I)
_ADDRESS = regex(r"\b(?:https?|ftp)://[^\s<>()\[\]]+", re.I)
_TELLING = regex(r"[\[<!]|%%|(?:^|\s)#", re.M)
"""What a text must hold to have a link, a tag or a comment."""


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
        In which it begins, from 1.
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
        note_tag(self.tags, name)


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
        words=count_words(body),
        problems=problems,
    )


def count_words(text: str) -> int:
    """How many words of Markdown a reader sees: where links lead counts for none, and a written web address for one.

    Examples
    --------
    >>> count_words("Ask [Bob](../people/Bob%20Brown.md) or [[team/Ann|Ann]] ![[logo.png]]")
    4
    """
    text = _DEFINITION.sub(" ", _TARGET.sub("] ", text)) if "]" in text else text
    text = _WIKI.sub(_shown, text) if "[[" in text else text
    text = _LINK_TAG.sub(" ", text) if "<" in text else text
    text = _ADDRESS.sub("address", text) if "://" in text else text
    return sum(1 for _ in _WORD.finditer(text))


def _shown(link: re.Match[str]) -> str:
    return " " if link[1] else f" {link[4] or link[2] or link[3]} "


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


@cache
def _parser() -> "MarkdownIt":
    """CommonMark with tables, the inline parts unread: few of them hold a link or a tag."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.disable("inline", True)
    parser.block.ruler.before("paragraph", "comment_block", _comment_block_rule, {"alt": ["paragraph"]})
    parser.inline.ruler.before("link", "comment", _comment_rule)
    parser.inline.ruler.before("link", "wiki_link", _wiki_rule)
    parser.inline.ruler.before("link", "hash_tag", _tag_rule)
    parser.inline.ruler.before("image", "wiki_embed", _wiki_rule)
    for name, begins in (("link", "link_open"), ("image", "image"), ("html_inline", "html_inline")):
        rules = {rule.name: rule.fn for rule in parser.inline.ruler.__rules__}
        parser.inline.ruler.at(name, _placed(rules[name], begins))
    return parser


def _placed(rule: "Callable[[StateInline, bool], bool]", begins: str) -> "Callable[[StateInline, bool], bool]":
    """A rule of the parser that also notes where in the text its token begins."""

    def placed(state: "StateInline", silent: bool) -> bool:
        place, count = state.pos, len(state.tokens)
        applies = rule(state, silent)
        if applies and not silent:
            token = next((one for one in state.tokens[count:] if one.type == begins), None)
            if token is not None:
                token.meta = {"place": place}
        return applies

    return placed


def _comment_block_rule(state: "StateBlock", first: int, end: int, silent: bool) -> bool:
    """A comment of Obsidian from a line that begins with %% to one that has it again."""
    start = state.bMarks[first] + state.tShift[first]
    if not state.src.startswith(COMMENT, start) or COMMENT in state.src[start + 2 : state.eMarks[first]]:
        return False
    for line in range(first + 1, end):
        if state.src.find(COMMENT, state.bMarks[line], state.eMarks[line]) >= 0:
            if not silent:
                state.line = line + 1
            return True
    return False


def _comment_rule(state: "StateInline", silent: bool) -> bool:
    """A comment of Obsidian within a paragraph: %%so%%."""
    if not state.src.startswith(COMMENT, state.pos):
        return False
    end = state.src.find(COMMENT, state.pos + 2, state.posMax)
    if end < 0:
        return False
    state.pos = end + 2
    return True


def _wiki_rule(state: "StateInline", silent: bool) -> bool:
    match = _WIKI.match(state.src, state.pos) if state.src[state.pos] in "![" else None
    if match is None or not (match[2].strip() or match[3]):
        return False
    if not silent:
        token = state.push("wiki_link", "", 0)
        token.meta = {"link": match, "place": state.pos}
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
        _take_links(page, children, _Lines(token.content, line))
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


class _Lines:
    """The lines of places in a text, of which each lies behind the one before."""

    def __init__(self, text: str, first: int) -> None:
        self._text, self._line, self._place = text, first, 0

    def at(self, place: int) -> int:
        self._line += self._text.count("\n", self._place, place)
        self._place = max(place, self._place)
        return self._line


def _take_links(page: _Gathered, children: "list[Token]", lines: _Lines) -> None:
    for place, child in enumerate(children):
        line = lines.at(child.meta.get("place", 0))
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
    lines = _Lines(html, line)
    for link in _HTML_LINK.finditer(html):
        kind: LinkType = "markdown" if link[1].lower() == "href" else "embed"
        _take_link(page, link[2], kind, "", lines.at(link.start()))
    page.headings += _HTML_ANCHOR.findall(html)
