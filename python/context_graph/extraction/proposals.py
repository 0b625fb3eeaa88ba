"""What a language model has proposed of a memory, as far as the words of its text bear it: claims, times, aliases."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, NamedTuple, TypeVar

from context_graph.client_model import MODEL_NAME
from context_graph.embed.stems import STOP_WORDS, stems
from context_graph.extraction import ONE_AT_A_TIME
from context_graph.extraction.extractor import SAME
from context_graph.extraction.verbs import FORMS, RELATIONS
from context_graph.extraction.words import BE
from context_graph.models import Node
from context_graph.names import name_key
from context_graph.regex import regex

__all__ = ["PROPOSED", "Alias", "Claim", "Evidence", "Proposals", "Time", "checked", "proposals_of"]

PROPOSED = "_proposed"
"""Metadata key: which model has proposed what."""

MAX_OF_KIND = 12
"""Of each kind, of one memory."""

MAX_PROPOSED_CHARS, MAX_RELATION_WORDS = 120, 6

_WORD = regex(r"[^\W_]+")
_PHRASE = regex(r"[\w'’.,&/:+#%€$£()-]+(?: [\w'’.,&/:+#%€$£()-]+){0,11}")
"""Words with what may stand in and between them: nothing that could end a line or a quotation, or cite a memory."""

_KNOWN = RELATIONS | ONE_AT_A_TIME | {"be"}
_DENYING = frozenset({"no", "nor", "not"})
_WITHOUT_BLANKS = regex(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")

Item = TypeVar("Item", "Claim", "Time", "Alias")


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody or something stands in a relation to an object."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class Time:
    """Words of the text for a time, and the days that the model takes them to mean, as ISO dates."""

    words: str
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Alias:
    """Two names of the text for one person or thing."""

    name: str
    alias: str


@dataclass(frozen=True, slots=True)
class Proposals:
    """What a model has proposed of one memory; false where there is nothing of it."""

    model: str
    claims: tuple[Claim, ...] = ()
    times: tuple[Time, ...] = ()
    aliases: tuple[Alias, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.claims or self.times or self.aliases)

    def as_metadata(self) -> dict[str, Any]:
        """The metadata that keep it; a kind of which there is nothing is left out."""
        return {
            PROPOSED: {key: list(value) if key != "model" else value for key, value in asdict(self).items() if value}
        }


class Dropped(Exception):
    """A proposal does not count; the text says why."""


class Evidence:
    """The words that a proposal may be made of: those of the text of a memory, and of its speaker.

    Examples
    --------
    >>> evidence = Evidence("The blue van belongs to Anna's uncle.")
    >>> evidence.bears("Anna's van"), evidence.bears("Anna's red van"), evidence.bears("the")
    (True, False, False)
    """

    def __init__(self, text: str, speaker: str | None = None) -> None:
        self._folded = _folded(f"{speaker or ''}\n{text}")
        self._words = frozenset(_WORD.findall(self._folded)) | {"s"}
        self._stems = frozenset(stems(text))

    @classmethod
    def of(cls, node: Node) -> "Evidence":
        """The words of a memory."""
        return cls(node.content, node.speaker)

    def bears(self, phrase: str) -> bool:
        """Whether a phrase names something, and every word of it stands in the text."""
        words = _WORD.findall(_folded(phrase))
        return any(word not in STOP_WORDS for word in words) and all(map(self._has, words))

    def bears_relation(self, relation: str) -> bool:
        """Whether a relation is one that the rules have, or is made of words of the text in any form.

        Prepositions and the like may stand between them, and "be" before them; a denial must be one of the text.
        """
        if relation in _KNOWN:
            return True
        words = _WORD.findall(_folded(relation))
        if words[:1] == ["be"]:
            return all(map(self._has, words[1:]))
        telling = [word for word in words if word not in STOP_WORDS or word in _DENYING]
        return any(word not in _DENYING for word in telling) and all(map(self._has_form, telling))

    def _has_form(self, word: str) -> bool:
        return self._has(word) or (bool(stems(word)) and self._stems >= frozenset(stems(word)))

    def _has(self, word: str) -> bool:
        return word in self._words or (_WITHOUT_BLANKS.search(word) is not None and word in self._folded)


class Checked(NamedTuple):
    """What of a proposal counts.

    Attributes
    ----------
    dropped : Counter
        How many do not, by the reason.
    """

    proposals: Proposals
    dropped: Counter[str]


def proposals_of(node: Node) -> Proposals | None:
    """What is marked as proposed in the metadata of a memory; None where nothing is.

    Looked at anew whenever it is read: a text that was changed since, or metadata from elsewhere, bear no other words.
    """
    values = node.metadata.get(PROPOSED)
    if not isinstance(values, Mapping):
        return None
    model = values.get("model")
    if not isinstance(model, str) or not MODEL_NAME.fullmatch(model):
        return None
    lists = {key: values.get(key, []) for key in ("claims", "times", "aliases")}
    if not all(isinstance(entries, list) for entries in lists.values()):
        return None
    proposals = checked(model, Evidence.of(node), **lists).proposals
    return proposals or None


def checked(
    model: str, evidence: Evidence, claims: Iterable[Any] = (), times: Iterable[Any] = (), aliases: Iterable[Any] = ()
) -> Checked:
    """The proposals whose words stand in a text, each once and at most twelve of a kind; the others are counted.

    Whether the text says so is not looked at.

    Examples
    --------
    >>> entries = [{"subject": "Anna", "relation": "lives in", "object": "Graz"}, {"subject": "Bob"}]
    >>> found = checked("tiny", Evidence("Anna has moved house, to Graz."), entries)
    >>> found.proposals.claims, dict(found.dropped)
    ((Claim(subject='Anna', relation='live in', object='Graz'),), {'malformed': 1})
    """
    dropped: Counter[str] = Counter()

    def counting(entries: Iterable[Any], read: Callable[[Any, Evidence], Item]) -> tuple[Item, ...]:
        items: dict[Item, None] = {}
        for entry in entries:
            try:
                item = read(entry, evidence)
            except Dropped as reason:
                dropped[str(reason)] += 1
                continue
            if item in items:
                dropped["repeated"] += 1
            elif len(items) == MAX_OF_KIND:
                dropped["too many"] += 1
            else:
                items[item] = None
        return tuple(items)

    return Checked(
        Proposals(model, counting(claims, _claim), counting(times, _time), counting(aliases, _alias)), dropped
    )


def _claim(entry: Any, evidence: Evidence) -> Claim:
    subject, relation, value = _texts(entry, ("subject", "relation", "object"))
    relation = _as_rules_spell(relation)
    if not evidence.bears(subject) or not evidence.bears(value):
        raise Dropped("foreign words")
    if len(relation.split()) > MAX_RELATION_WORDS or not evidence.bears_relation(relation):
        raise Dropped("foreign relation")
    if name_key(subject) == name_key(value):
        raise Dropped("says nothing")
    return Claim(subject, relation, value)


def _time(entry: Any, evidence: Evidence) -> Time:
    words, first, last = _texts(entry, ("words", "first", "last"))
    if not (_is_day(first) and _is_day(last) and first <= last):
        raise Dropped("malformed")
    if not evidence.bears(words):
        raise Dropped("foreign words")
    return Time(words, first, last)


def _alias(entry: Any, evidence: Evidence) -> Alias:
    name, alias = _texts(entry, ("name", "alias"))
    if not evidence.bears(name) or not evidence.bears(alias):
        raise Dropped("foreign words")
    if name_key(name) == name_key(alias):
        raise Dropped("says nothing")
    return Alias(name, alias)


def _texts(entry: Any, keys: tuple[str, ...]) -> list[str]:
    """The phrases under just these keys."""
    if not isinstance(entry, Mapping) or set(entry) != set(keys):
        raise Dropped("malformed")
    phrases = [entry[key] for key in keys]
    for phrase in phrases:
        if not isinstance(phrase, str) or len(phrase) > MAX_PROPOSED_CHARS or not _PHRASE.fullmatch(phrase):
            raise Dropped("malformed")
    return phrases


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _as_rules_spell(relation: str) -> str:
    """A relation with its verb in the plain form, as the rules have it: "lives in" and "moved to" are "live in"."""
    first, *rest = relation.lower().split()
    first = "be" if first in BE else FORMS[first].lemma if first in FORMS else first
    plain = " ".join([first, *rest])
    return SAME.get(plain, plain) if plain in _KNOWN or first == "be" else relation.lower()


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
