"""Who does what for somebody: "my dentist is Dr. Sommer" and "I have my teeth checked by Dr. Sommer" name one role."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import stem_of
from context_graph.reading.answer_types import holds_answer
from context_graph.reading.first_names import opens_as_a_name
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import caseless, kept_for_texts

__all__ = ["RoleAsked", "is_in_role", "role_asked", "role_stems"]

MAX_ROLE_CHARS, MAX_ROLE_QUESTION_CHARS = 400, 120
"""Characters of a statement that says who has a role, and of a question for them."""

GAP = 5
"""How many words further on the next word of a form may stand: "get ten boxes of eggs from"."""

_CLASSES = {
    "MY": frozenset(("my", "our", "the", "user's", "users")),
    "ME": frozenset(("me", "us", "user")),
    "I": frozenset(("i", "we", "user")),
    "be": frozenset(("is", "are", "was", "were", "be", "been", "gets", "get")),
    "do": frozenset(("do", "does", "did", "done", "doing")),
    "own": frozenset(("own", "owns", "owned")),
}
_NOBODY_ELSE = frozenset(("i", "we", "i'm", "we're", "i'll", "we'll"))
_PRONOUNS = frozenset("i we he she they you who it".split())

_WORD = regex(r"[^\W_]+(?:['’.-][^\W_]+)*|[.!?;:]")
_ENDS = frozenset(".!?;:")

_LEAD = r"^\W*(?:(?:and|so|ok|okay|hey)\W+)?"
_BEFORE = r"(?:(?:my|our|the|your|all|current|currently|an?|any|these|those|new|now|of)\s+)*"
_BEHIND = (
    r"(?:['’]s)?(?: (?:names?|called|now|currently|again|these days|do (?:i|we) have|have (?:i|we)(?: got)?|are there"
    r"|(?:of|for|at|in|on|from|to|is)\b[^?]*))?"
)
_WHICH = (
    r"(?:who(?:['’]s| is| are| was| were)|what(?:['’]s| is| are)(?: the names? of)?|which|list|name|show me|tell me"
    r"|do (?:i|we) have(?: got)?|have (?:i|we) got)"
)
_ASKS = regex(_LEAD + r"(?:who|whom|which|where (?:do|did) (?:i|we))\b", re.I)

_ANY = content_stems(
    "name names called current currently now new days list tell show have got person people somebody look looks after"
    " take takes care handle handles check checks buy get come from moment again"
)
"""Stems of a question for who has a role that do not say which of them."""


class RoleAsked(NamedTuple):
    """
    Attributes
    ----------
    roles : tuple of int
        Those that a question may be for, by their place in the list.
    about : frozenset of str
        Stems of what else it says: of which van who drives is asked for.
    """

    roles: tuple[int, ...]
    about: frozenset[str]


class _Role(NamedTuple):
    asks: re.Pattern[str]
    names: re.Pattern[str]
    forms: tuple[tuple[str, ...], ...]
    stems: frozenset[str]


@cache
def _roles() -> tuple[_Role, ...]:
    lines = (files("context_graph") / "data" / "roles.txt").read_text("utf-8").splitlines()
    return tuple(_role(*line.split(" = ")) for line in lines if " = " in line and not line.startswith("#"))


def _role(nouns: str, forms: str) -> _Role:
    noun = rf"(?:{'|'.join(re.escape(one.strip()) for one in nouns.split(','))})(?:s|es)?"
    asks = rf"{_LEAD}(?:{_WHICH} )?{_BEFORE}(?:[\w-]+ ){{0,2}}?{noun}\b{_BEHIND}\W*$"
    names = (
        rf"\b{noun}(?:['’]s name| name)?,? (?:is|are|was|were|will be|called|named)\b|\b{noun}(?::|,)"
        r"|\b(?:is|are|['’]s|['’]re|as|be|became|becomes|with|by|,) (?:my|our|the|an?|another)"
        rf"(?: [\w-]+){{0,2}}? {noun}\b"
    )
    worded = tuple(tuple(form.split()) for form in forms.split(" | "))
    words = {word for form in worded for word in form if word not in _CLASSES and word != "THING"}
    own = {*content_stems(nouns), *(stem for word in words for stem in content_stems(word))}
    return _Role(regex(asks, re.I), regex(names, re.I), worded, frozenset(own))


@kept_for_texts(maxsize=64)
def role_asked(question: str) -> RoleAsked | None:
    """The role whose holder an English question asks for; None for any other.

    Examples
    --------
    >>> role_asked("Who is my dentist?") == role_asked("who looks after my teeth?"), role_asked("Where do I live?")
    (True, None)
    >>> sorted(role_asked("Who teaches me Norwegian?").about)
    ['norwegian']
    """
    question = question[:MAX_ROLE_QUESTION_CHARS]
    if language_of(question) != ENGLISH:
        return None
    plain = caseless(question)
    named = [place for place, role in enumerate(_roles()) if role.asks.search(plain)]
    roles = named
    if not named and _ASKS.search(plain):
        words = [*_tokens(plain.rstrip("?! ")), *(["from"] if "where" in plain else [])]
        roles = [place for place, role in enumerate(_roles()) if any(_holds(words, form) for form in role.forms)]
    if not roles:
        return None
    own = frozenset().union(*(_roles()[place].stems for place in roles))
    return RoleAsked(tuple(roles), content_stems(question) - own - _ANY)


def is_in_role(text: str, wanted: RoleAsked) -> bool:
    """Whether a statement names somebody in the role that is asked for.

    Examples
    --------
    >>> wanted = role_asked("Who are our suppliers?")
    >>> is_in_role("Eggs are delivered by Frau Behn.", wanted), is_in_role("Mira comes from Poland.", wanted)
    (True, False)
    """
    if len(text) > MAX_ROLE_CHARS or language_of(text) != ENGLISH or not wanted.about <= content_stems(text):
        return False
    words = _tokens(text)
    roles = [_roles()[place] for place in wanted.roles]
    says_so = any(role.names.search(text) or any(_holds(words, form) for form in role.forms) for role in roles)
    return says_so and holds_answer(text, "somebody", ())


def role_stems(wanted: RoleAsked) -> frozenset[str]:
    """Stems of which a statement about the role has one."""
    return frozenset().union(*(_roles()[place].stems for place in wanted.roles))


def _tokens(text: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(text)]


def _holds(words: Sequence[str], form: Sequence[str]) -> bool:
    """Whether words hold those of a form in their order, in one sentence and near each other."""
    return any(
        _is(words, at, form[0])
        and not (form[0] not in _CLASSES and form[0] != "THING" and at and words[at - 1].lower() in _NOBODY_ELSE)
        and _follows(words, at + 1, form[1:])
        for at in range(len(words))
    )


def _follows(words: Sequence[str], start: int, form: Sequence[str]) -> bool:
    if not form:
        return True
    for at in range(start, min(start + GAP + 1, len(words))):
        if words[at] in _ENDS:
            return False
        if _is(words, at, form[0]) and _follows(words, at + 1, form[1:]):
            return True
    return False


def _is(words: Sequence[str], at: int, wanted: str) -> bool:
    word = words[at].lower()
    if wanted == "THING":
        is_name = words[at][0].isupper() and (at > 0 or opens_as_a_name(words[at]))
        return not is_name and word not in _PRONOUNS and word not in _ENDS
    if wanted in _CLASSES:
        return word in _CLASSES[wanted]
    stem = stem_of(wanted)
    return word == wanted or (bool(stem) and stem_of(word) == stem)
