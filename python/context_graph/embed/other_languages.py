"""Languages that no table reads in English: which one a text is in, its small words, and its stems in it.

Of Russian, Greek, Swedish, Turkish and others the memory knows the words that carry no subject and the endings, and no
meanings: equal words find each other in whatever form, and no rule or model that was made for English is asked.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import Stemmer

from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = [
    "OTHER_LANGUAGES",
    "SMALL_WORD",
    "SMALL_WORDS",
    "OtherLanguage",
    "folded",
    "language_by_script",
    "language_by_words",
    "of_language",
    "other_stems",
    "telling_words",
]  # fmt: skip

SMALL_WORDS = Path(__file__).parent.parent / "data" / "small_words.tsv"
"""A row for each language: its code, its Snowball stemmer, letters that tell it from others of its script, letters
that it has like some others, its words that carry no subject, and those of them that English or code has as well."""

_SCRIPTS = {
    "ru": "\u0400-\u052f", "el": "\u0370-\u03ff\u1f00-\u1fff", "ar": "\u0600-\u06ff", "he": "\u0590-\u05ff",
    "hi": "\u0900-\u097f", "ko": "\u1100-\u11ff\uac00-\ud7a3", "th": "\u0e00-\u0e7f",
}  # fmt: skip
"""The letters of each script, under the language that a text in it is read as unless its letters tell another one."""

_OF_SCRIPT = {language: regex(f"[{letters}]") for language, letters in _SCRIPTS.items()}
_ANY_SCRIPT = regex(f"[{''.join(_SCRIPTS.values())}]")
_BESIDE = {"ru": "uk", "ar": "fa"}
"""The other language of a script."""

_BY_WORDS = ("sv", "da", "nb", "fi", "hu", "tr", "ro", "cs")
"""Languages in Latin letters."""

_BY_PAIRS = ("ko", "th")
"""Languages compared by pairs of characters: Korean joins a verb and its endings, Thai puts no blanks."""

OTHER_LANGUAGES = (*_SCRIPTS, *_BESIDE.values(), *_BY_WORDS)

_SIGNS = (
    "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
)
"""Signs within a word that count as no letter: vowels of Hindi, Thai, Arabic and Hebrew."""

_WORD = regex(rf"[^\W\d_](?:[^\W\d_]|['’{_SIGNS}])*")
_UNWRITTEN = regex(r"[\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0640]")
"""Vowel signs of Hebrew and Arabic, which are mostly left out, and the stroke that makes a word longer."""

_PARTICLE = regex(
    "(?<=[\uac00-\ud7a3])(?:에서|에게|한테|으로|까지|부터|처럼|보다|이나|라도|은|는|이|가|을|를|에|의|로|와|과|도|만|들)$"
)
"""What Korean puts behind a noun."""

_AS_RUSSIAN = str.maketrans("іїєґё", "ииеге")
"""Ukrainian letters, so that a Russian stemmer knows its endings, and a Russian one that is mostly written without."""

_FOLDED = {code: unicodedata.normalize("NFD", chr(code))[0] for code in range(0xC0, 0x250)}
_FOLDED |= str.maketrans({"ß": "ss", "ł": "l", "œ": "oe", "æ": "ae", "ø": "o", "ı": "i", "’": "'"})
"""Letters without their accents."""

SMALL_WORD, OWN_LETTER, MIN_SMALL_WORDS, MIN_LANGUAGE_WORD_SHARE = 3, 2, 2, 0.2
"""Points of a small word and of a letter that English has not; how many small words a text has, and at which share of
its words with either, to be of that language."""

MAX_TELLING_WORDS, MIN_TELLING_WORD = 6, 3
"""Words of a text whose language one small word tells that English has not, and letters of that word."""


class OtherLanguage(NamedTuple):
    """What is known of a language.

    Attributes
    ----------
    stemmer : str
        Of Snowball; empty where there is none.
    letters, others : frozenset of str
        Those that tell it from others, and those that it has like some others.
    small : frozenset of str
        Words that carry no subject.
    telling : frozenset of str
        Those of them that English has not.
    """

    stemmer: str
    letters: frozenset[str]
    others: frozenset[str]
    small: frozenset[str]
    telling: frozenset[str]


@lru_cache(maxsize=1)
def of_language() -> dict[str, OtherLanguage]:
    """Each language by its code; read once, when a text first needs it."""
    _, *lines = SMALL_WORDS.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {
        code: OtherLanguage(
            stemmer, frozenset(letters), frozenset(others), frozenset(f"{words} {both}".split()),
            frozenset(words.split()),
        )
        for code, stemmer, letters, others, words, both in rows
    }  # fmt: skip


def folded(word: str) -> str:
    """A word in lower case without accents."""
    return word if word.isascii() else word.translate(_FOLDED)


@lru_cache(maxsize=1)
def telling_words() -> frozenset[str]:
    """Small words, without accents, that speak for one of the languages in Latin letters and not for English."""
    return frozenset(folded(word) for language in _BY_WORDS for word in of_language()[language].telling)


@lru_cache(maxsize=1)
def _all_telling() -> frozenset[str]:
    return frozenset().union(*(of_language()[language].telling for language in _BY_WORDS))


def language_by_script(text: str) -> str | None:
    """The language of a text most of whose words are in a script of its own.

    Examples
    --------
    >>> language_by_script("Где ключи от дачи?"), language_by_script("Where is Иван?")
    ('ru', None)
    """
    if text.isascii() or not _ANY_SCRIPT.search(text):
        return None
    words = _WORD.findall(text)
    foreign = [word for word in words if not word[0].isascii()]
    for language, is_of in _OF_SCRIPT.items():
        if 2 * sum(bool(is_of.match(word)) for word in foreign) > len(words):
            beside = _BESIDE.get(language)
            return beside if beside and not of_language()[beside].letters.isdisjoint(text.lower()) else language
    return None


def language_by_words(words: Sequence[str], least: int, *, english: bool) -> str | None:
    """The language in Latin letters whose small words and letters a text has, more than `least` points of them.

    A capital within a text begins a name, which may be of any language.

    Parameters
    ----------
    words : sequence of str
        Those of the text, each once.
    english : bool
        It has small words of English: then one word or letter tells nothing.

    Examples
    --------
    >>> language_by_words(["Vad", "kostar", "hyran"], 0, english=False)
    'sv'
    >>> language_by_words(["The", "ferry", "to", "Brač"], 0, english=True) is None
    True
    """
    first, *rest = words or [""]
    lower = {first.lower(), *(word for word in rest if word[0].islower())}
    if english and len(lower & _all_telling()) < MIN_SMALL_WORDS:
        return None
    letters, accented = frozenset("".join(lower)), {word for word in lower.intersection(words) if not word.isascii()}
    best, most = None, least
    for language in _BY_WORDS:
        of = of_language()[language]
        small, telling = lower & of.small, lower & of.telling
        special = {word for word in accented if not of.letters.isdisjoint(word)}
        points = SMALL_WORD * len(small) + OWN_LETTER * len(special) + len(of.others & letters)
        alone = special or (len(words) <= MAX_TELLING_WORDS and any(len(word) >= MIN_TELLING_WORD for word in telling))
        certain = len(telling) >= MIN_SMALL_WORDS or (
            not english and (alone or (telling and len(small) >= MIN_SMALL_WORDS))
        )
        if certain and points > most and len(small | special) >= MIN_LANGUAGE_WORD_SHARE * len(words):
            best, most = language, points
    return best


def other_stems(text: str, language: str) -> Iterator[str]:
    """The words of a text in its own language, without accents and small words; of Korean and Thai, every two
    neighbouring characters of each.

    Examples
    --------
    >>> [*other_stems("Где ключи от дачи?", "ru")], [*other_stems("Ключ от дачи у сестры", "ru")]
    (['ключ', 'дач'], ['ключ', 'дач', 'сестр'])
    """
    small = of_language()[language].small
    for word in map(str.lower, _WORD.findall(text)):
        if word in small:
            continue
        if language in _BY_PAIRS and not word.isascii():
            yield from _pairs(_PARTICLE.sub("", word))
        elif len(word) > 1:
            yield _stem(_UNWRITTEN.sub("", word), language)


def _pairs(word: str) -> Iterator[str]:
    if len(word) == 1:
        yield word
    yield from (word[i : i + 2] for i in range(len(word) - 1))


@kept_for_texts(maxsize=65_536)
def _stem(word: str, language: str) -> str:
    stemmer = of_language()[language].stemmer
    word = word.translate(_AS_RUSSIAN) if stemmer == "russian" else word
    return folded(_stemmer(stemmer).stemWord(word) if stemmer else word)


@lru_cache(maxsize=len(OTHER_LANGUAGES))
def _stemmer(name: str) -> "Stemmer.Stemmer":
    return Stemmer.Stemmer(name, 0)  # its own cache is not safe across threads; ours is
