"""Names of people, things and code that a text mentions, found by form alone."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from context_graph.embed.chunks import sentences
from context_graph.embed.stems import STOP_WORDS
from context_graph.names import name_key
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["NO_NAMES", "Mention", "is_named_by_text", "mentions", "node_name", "title_keys", "title_of"]

MAX_MENTIONS = 32
MAX_NAME = 60
MAX_NAMED_CHARS = 2_000
"""Of a text, among which its first sentence is looked for."""

MAX_TITLE_WORDS = 8
MAX_OPENINGS = 200
"""Each costs a pass over the text; a text of 65,536 letters may have ten thousand."""

Kind = Literal["name", "identifier", "path", "acronym", "quoted"]

_JOINERS = r"(?:of|the|de|da|di|van|von|der|den|la|le|du|for|and)"
_CAPITAL = r"[A-Z][\w’'&-]*[\w]|[A-Z]"
_NAME = regex(rf"\b(?:{_CAPITAL})(?:[ ](?:{_JOINERS}[ ]){{0,2}}(?:{_CAPITAL})){{0,5}}")
_ENDING = r"\.(?:py|md|js|ts|tsx|cpp|hpp|cu|rs|go|java|json|toml|yaml|yml|txt|sql|sh|html|css)\b"
_PATH = regex(r"(?<![\w/.])(?:\.{0,2}/)?(?:[\w.-]{1,60}/){1,10}[\w.-]{1,80}|\b[\w-]{1,60}" + _ENDING)
_FILE_ENDING = regex(_ENDING)
_IDENTIFIER = regex(
    r"\b(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Za-z_]\w*(?=\(\))|[a-z]\w*_\w+|[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,})"
)
_IN_IDENTIFIERS = regex(r"\.[A-Za-z_]|\(\)|_|[a-z0-9][A-Z]")
"""What every identifier has somewhere, and few texts."""

_QUOTED = regex(r"[\"“]([^\"”\n]{2,60})[\"”]|`([^`\n]{2,60})`")
_SENTENCE_START = regex(r"(?:^|[.!?:;\n•*#>-]\s*|[\"“(])\Z")
_ASIDE = regex(r"\s*\([^()]*\)")
_LEADING = regex(r"\s*([^\n:.!?]{2,80}?)(?::[ \t]|\s*\n)\s*(?=\S)")
_FILE_MARK = regex(r"\A\[(?:image|audio|video): [^\]\n]*\]\n[A-Z]\w+ in the (?:image|audio|video):\n")
"""What stands before the text of a picture or sound that nobody gave a caption."""

_FENCE = regex(r"\A\s*(?:`{3,}|~{3,})[^`\n]*\n")
_SENTENCE_END = regex(r"(?<=[.!?])\s|\n")
_ORDINAL = regex(r"(?<![\w.,:])\d{1,2}\.\Z")
_JOINT = regex(r"[,;()–—]\s*|:\s+")
_FORMER_JOINT = regex(r"[,;:()–—]\s*")
_HEADING = regex(r"^\s{0,3}#{1,6}\s+(.+)$", re.M)

# Words that English capitalises without naming anything.
NO_NAMES = STOP_WORDS | frozenset(
    """hi hey hello thanks thank yes yeah yep no nope ok okay wow oh ah great good nice sure well please sorry maybe
    also still then now today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december that's it's i'm i've i'd
    i'll we're we've you're don't let's what's there's here's first second third last next one two three many few
    every each both all some any other another such since while after before during because although though if
    absolutely definitely really totally exactly congrats congratulations awesome amazing cool sounds looking glad
    been being seeing having taking going keep let just how's who's where's when's can't won't didn't doesn't""".split()
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as it stands in a text, and the key under which its spellings meet."""

    text: str
    key: str
    kind: Kind


def mentions(text: str, *, known_keys: frozenset[str] = frozenset()) -> list[Mention]:
    """Entities in reading order, each once, at most 32.

    A single capitalised word that opens a sentence counts only when it is `known_keys` by key already or stands
    capitalised elsewhere too: English capitalises first words whatever they are.
    """
    by_key: dict[str, Mention] = {}

    def add(name: str, kind: Kind) -> None:
        name = name.strip(" .,;:!?'\"’-")
        key = name_key(name)
        if len(key) >= 2 and key not in by_key and not key.isdigit() and len(name) <= MAX_NAME:
            by_key[key] = Mention(name, key, kind)

    def add_path(match: re.Match[str]) -> str:
        add(match[0], "path")
        return " "

    rest = _PATH.sub(add_path, text) if "/" in text or _FILE_ENDING.search(text) else text
    for match in _IDENTIFIER.finditer(rest) if _IN_IDENTIFIERS.search(rest) else ():
        add(match[0], "identifier")
    for match in _QUOTED.finditer(text):
        add(match[1] or match[2], "quoted")

    inside: dict[str, bool] = {}

    def amid(name: str) -> bool:
        """Whether a word that opens a sentence is a capital one inside of one too; asked of so many words at most."""
        if name not in inside:
            inside[name] = len(inside) < MAX_OPENINGS and _inside(text, name)
        return inside[name]

    for match in _NAME.finditer(text):
        parts = match[0].split()
        while parts and (parts[0].lower() in NO_NAMES or parts[0].lower().rstrip("'’") in NO_NAMES):
            parts.pop(0)  # "The Eiffel Tower" -> "Eiffel Tower", "Thanks Anna" -> "Anna"
        while parts and parts[-1].lower() in NO_NAMES:
            parts.pop()
        if not parts:
            continue
        name = " ".join(parts).removesuffix("'s").removesuffix("’s")
        opens = len(parts) == len(match[0].split()) and _SENTENCE_START.search(
            text[max(0, match.start() - 3) : match.start()]
        )
        alone = opens and len(parts) == 1 and not name.isupper() and name_key(name) not in known_keys
        if alone and not amid(name):
            continue
        add(name, "acronym" if name.isupper() and 2 <= len(name) <= 6 else "name")
    return list(by_key.values())[:MAX_MENTIONS]


def _inside(text: str, name: str) -> bool:
    """Whether a whole word stands behind a small letter or a comma, as words inside a sentence do."""
    at = text.find(f" {name}", 1)
    while at >= 0:
        end = at + 1 + len(name)
        whole = end == len(text) or _in_word(text[end]) != _in_word(name[-1])
        if whole and ("a" <= text[at - 1] <= "z" or text[at - 1] == ","):
            return True
        at = text.find(f" {name}", at + 1)
    return False


def _in_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def node_name(text: str, *, given: str | None = None) -> str:
    """What a memory is called: the name it was given, its heading, or its best phrase, at most 60 characters."""
    return _short(given) if given and given.strip() else _name_of(text)


def is_named_by_text(name: str, text: str) -> bool:
    """Whether a memory is called as its text says, by this version or one that cut sentences at any full stop."""
    return name == _name_of(text) or name == _name_of(text, former=True)


@kept_for_texts(maxsize=256)  # of each result of a question it is asked several times whether it was given its name
def _name_of(text: str, former: bool = False) -> str:
    text = _FILE_MARK.sub("", text, count=1) or text
    text = _FENCE.sub("", text, count=1) or text
    if heading := _HEADING.search(text[:2000]):
        return _short(_headed(heading))
    if former:
        first, joint = _SENTENCE_END.split(text.strip(), maxsplit=1)[0], _FORMER_JOINT
    else:
        first, joint = _first_sentence(text), _JOINT
    if len(first) <= MAX_NAME:
        return _short(first or text)
    for part in joint.split(first):  # the first clause that says something
        if 12 <= len(part) <= MAX_NAME:
            return _short(part)
    return _short(first)


def _first_sentence(text: str) -> str:
    """The first sentence of a text, beyond a full stop behind the number of a day: "am 5. Dezember"."""
    first, *others = sentences(text[:MAX_NAMED_CHARS]) or [""]
    while others and _ORDINAL.search(first):
        first = f"{first} {others.pop(0)}"
    return first


def title_of(text: str, *, declared: str | None = None) -> str | None:
    """What a memory is an entry about: the name it was given, its heading, or a short leading "Title:" or line.

    None where it has no such head: then it may mention names, and is nobody's entry.
    """
    if declared and declared.strip():
        return declared
    if heading := _HEADING.match(text[:2000]):
        return _headed(heading)
    lead = _LEADING.match(text[:200])
    return lead[1] if lead and len(lead[1].split()) <= MAX_TITLE_WORDS and lead[1][0].isupper() else None


def title_keys(text: str, *, declared: str | None = None, aliases: Iterable[str] = ()) -> list[str]:
    """Keys of a memory's title and aliases; of "Rush (band)" also the key of "Rush", as others would name it."""
    title = title_of(text, declared=declared)
    keys = [] if title is None else [name_key(title), name_key(_ASIDE.sub("", title))]
    return [key for key in dict.fromkeys((*keys, *map(name_key, aliases))) if len(key) >= 2]


def _headed(heading: re.Match[str]) -> str:
    """What a heading says, without the marks that may close it."""
    return heading[1].rstrip().rstrip("#").rstrip() or heading[1].strip()


def _short(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= MAX_NAME:
        return text or "untitled"
    return text[: MAX_NAME - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
