"""Sensitive text is replaced before anything is embedded or written."""

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from typing import Any

from context_graph.regex import regex
from context_graph.safety.announced import Span, announced, decoded
from context_graph.safety.patterns import PII, SECRETS, Pattern
from context_graph.settings import PERSONAL_KINDS, SECRET_KINDS
from context_graph.texts import kept_for_texts

__all__ = ["ALL_KINDS", "Scrubbed", "scrub", "scrub_all"]

ALL_KINDS = SECRET_KINDS | PERSONAL_KINDS
UUID_LETTERS = 36
_UUID = regex(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.I)
_INVISIBLE = regex("[\u00ad\u200b-\u200d\u2060\ufeff]")
_BASE64 = regex(r"(?<![\w+/])[A-Za-z0-9+/]{24,4000}={0,2}(?![\w+/=])")
MARK = "[REDACTED:"

_WITHOUT_BEGIN = tuple(place for place, pattern in enumerate(SECRETS) if not pattern.begins)
_PLACES_BY_BEGIN = tuple(
    (begin, tuple(place for place, pattern in enumerate(SECRETS) if begin in pattern.begins))
    for begin in dict.fromkeys(begin for pattern in SECRETS for begin in pattern.begins)
)
"""By each text that a secret may begin with, the places in `SECRETS` of those that do."""

_WORD = regex(r"[A-Za-z_]{0,15}")
"""Too short for a token, and without the signs, digits and blanks that are in all else that is looked for: the keys of
metadata, most often.
"""

MAX_CACHED_CHARS = 128
"""Characters of a text whose scrubbed form is kept for the next time."""

_PARTED = regex(r"([\w.~+/=-]{4,200})\\?\r?\n[ \t>|]{0,20}([\w.~+/=-]{4,400})")
"""A run of the characters of tokens up to the end of its line, and the run at the beginning of the next."""


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """A text without its sensitive parts.

    Attributes
    ----------
    types : tuple of str
        Kinds that were replaced, sorted, each once.
    """

    text: str
    types: tuple[str, ...]


def scrub(text: str, *, kinds: Set[str] = ALL_KINDS) -> Scrubbed:
    """Replace secrets and personal data by `[REDACTED:KIND]`.

    Parameters
    ----------
    kinds : set of str
        Those to replace, as the setting `redact` says; all when not given.
    """
    if _WORD.fullmatch(text):
        return Scrubbed(text, ())
    return _scrubbed_short(text, frozenset(kinds)) if len(text) <= MAX_CACHED_CHARS else _seen(text, kinds)


@kept_for_texts(maxsize=4_096)
def _scrubbed_short(text: str, kinds: frozenset[str]) -> Scrubbed:
    """What stands in many metadata, as the names of folders, files and projects, is looked at once."""
    return _seen(text, kinds)


def _seen(text: str, kinds: Set[str]) -> Scrubbed:
    """A text without what is seen in it, nor what is hidden by characters that nobody sees."""
    scrubbed = _scrubbed(text, kinds)
    if not text.isascii() and _INVISIBLE.search(text):
        bare = _scrubbed(_INVISIBLE.sub("", text), kinds)
        if bare.text.count(MARK) > scrubbed.text.count(MARK):
            return bare
    return scrubbed


def _scrubbed(text: str, kinds: Set[str]) -> Scrubbed:
    removed_kinds: set[str] = set()
    secrets, whole = _likely_secrets(text), text
    for pattern in secrets:
        text = _replaced(text, _spans(pattern, text), kinds, removed_kinds)
    if not kinds.isdisjoint(SECRET_KINDS):
        likely = secrets if text is whole else _likely_secrets(text)
        text = _replaced(text, _broken(text, likely), kinds, removed_kinds)
        text = _replaced(text, _encoded(text), kinds, removed_kinds)
        text = _replaced(text, announced(text), kinds, removed_kinds)
    held: dict[re.Pattern[str], bool] = {}  # no mark holds what the text did not
    for pattern in PII:
        if pattern.holds is not None:
            if pattern.holds not in held:
                held[pattern.holds] = pattern.holds.search(text) is not None
            if not held[pattern.holds]:
                continue
        if pattern.needed_in(text):
            spans = (span for span in _spans(pattern, text) if not _in_id(text, *span[:2]))
            text = _replaced(text, spans, kinds, removed_kinds)
    return Scrubbed(text, tuple(sorted(removed_kinds)))


def _likely_secrets(text: str) -> list[Pattern]:
    """The secrets that a text may hold, in the order of their patterns: most texts have none of their beginnings."""
    places = [place for begin, those in _PLACES_BY_BEGIN if begin in text for place in those]
    likely = [pattern for place in sorted({*_WITHOUT_BEGIN, *places}) if (pattern := SECRETS[place]).needed_in(text)]
    return [pattern for pattern in likely if pattern.holds is None or pattern.holds.search(text)]


def _replaced(text: str, spans: Iterable[Span], kinds: Set[str], removed_kinds: set[str]) -> str:
    """The text with a mark in the place of each span of these kinds; of two that overlap, the first counts."""
    pieces, end = [], 0
    for start, stop, kind in sorted(spans):
        if kind in kinds and start >= end and not text.startswith(MARK, start):
            pieces += [text[end:start], f"{MARK}{kind}]"]
            end = stop
            removed_kinds.add(kind)
    return "".join([*pieces, text[end:]]) if pieces else text


def _spans(pattern: Pattern, text: str) -> Iterator[Span]:
    """Where a pattern stands."""
    if not pattern.needed_in(text):
        return
    for match in pattern.regex.finditer(text):
        start, stop = match.span(pattern.group)
        passed = True if pattern.valid is None else pattern.valid(match[pattern.group])
        if passed and (pattern.stands is None or pattern.stands(text, start, stop)):
            yield start, stop if passed is True else start + passed, pattern.type


def _broken(text: str, likely: Iterable[Pattern]) -> Iterator[Span]:
    """Tokens of a known beginning that a line break parts."""
    if "\n" not in text:
        return
    for pattern in likely:
        for begin in _begins(pattern, text):
            parted = _PARTED.match(text, begin)
            if not parted:
                continue
            whole = pattern.regex.match(parted[1] + parted[2])
            behind = whole.end() - len(parted[1]) if whole else 0
            if (
                whole is not None
                and behind >= 4
                and (pattern.valid is None or pattern.valid(whole[pattern.group]))
                and _chance(parted[2][:behind])
            ):
                yield begin, parted.start(2) + behind, pattern.type


def _begins(pattern: Pattern, text: str) -> Iterator[int]:
    """Where a token of this pattern may begin, as far as it has a beginning of its own."""
    for needed in pattern.needs:
        at = text.find(needed) if len(needed) >= 4 else -1
        while at >= 0:
            yield at
            at = text.find(needed, at + len(needed))


def _chance(fragment: str) -> bool:
    """Whether the second half of a token is no word that begins a line."""
    return any(map(str.isdigit, fragment)) or not (fragment.islower() or fragment.istitle() or fragment.isupper())


def _encoded(text: str) -> Iterator[Span]:
    """Base64 that says a secret."""
    for run in _BASE64.finditer(text):
        if (said := decoded(run[0])) and (
            any(True for pattern in SECRETS for _ in _spans(pattern, said)) or any(True for _ in announced(said))
        ):
            yield *run.span(), "SECRET"


def _in_id(text: str, start: int, stop: int) -> bool:
    """Whether a part stands in a UUID: by chance, one in thousands ends in what passes for an account number."""
    around = _UUID.finditer(text, max(0, start - UUID_LETTERS), stop + UUID_LETTERS)
    return any(id.start() <= start and stop <= id.end() for id in around)


def scrub_all(value: Any, *, kinds: Set[str] = ALL_KINDS) -> tuple[Any, set[str]]:
    """Scrub every text in nested data, keys included."""
    if isinstance(value, str):
        scrubbed = scrub(value, kinds=kinds)
        return scrubbed.text, set(scrubbed.types)
    if isinstance(value, dict):
        clean, types = {}, set()
        for key, entry in value.items():
            key, in_key = scrub_all(key, kinds=kinds)
            clean[key], in_entry = scrub_all(entry, kinds=kinds)
            types |= in_key | in_entry
        return clean, types
    if isinstance(value, list | tuple):
        cleaned, types = [], set()
        for entry in value:
            entry, found = scrub_all(entry, kinds=kinds)
            cleaned.append(entry)
            types |= found
        return cleaned, types
    return value, set()
