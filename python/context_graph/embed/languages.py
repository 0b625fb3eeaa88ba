"""Memories in other languages: which one a text is in, its English reading word by word, and its own stems.

The spaces are made for English. A text in another language is read through a table of everyday words before it is
embedded, so a question and a memory meet in English whatever languages they are in. Words that the table does not know
stay as they are, and the stems of the text in its own language are indexed beside.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import Stemmer

from context_graph.embed import wordpiece
from context_graph.embed.informal import TYPED, spelled_out
from context_graph.embed.other_languages import (
    OTHER_LANGUAGES,
    SMALL_WORD,
    folded,
    language_by_script,
    language_by_words,
    of_language,
    other_stems,
    telling_words,
)  # fmt: skip
from context_graph.embed.stems import STOP_WORDS, stem_of
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = [
    "ENGLISH", "LANGUAGES", "TABLE", "in_english", "in_full", "language_of", "meanings", "native_stems", "small_words",
    "written_stems",
]  # fmt: skip

TABLE = Path(__file__).parent.parent / "data" / "everyday_words.tsv"
"""A row for each meaning: its kind, its English word, then its forms in each language, blanks between; _ joins the
words of one form. Words of the kind "small" carry no subject; - in place of the English word is left out."""

ENGLISH = "en"
ALPHABETIC = {
    "de": "german", "es": "spanish", "fr": "french", "it": "italian", "pt": "portuguese", "nl": "dutch", "pl": "polish",
}  # fmt: skip
"""Languages whose words stand apart, and their stemmers."""

LANGUAGES = (*ALPHABETIC, "zh", "ja")

_WORD = regex(r"(?<![\w@/\\#=])(?<!\w\.)[^\W\d_]++(?:['’][^\W\d_]++)*(?![\w@/\\=]|['’][^\W\d_])(?!\.\w)")
"""A word of prose: no part of an address, a path or an identifier."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々"
_NOT_LATIN = regex("[^\x00-\u024f\u2000-\u20cf]")
_IDEOGRAPHS = regex(f"[{_HAN}\u3041-\u30ff]+")
_KANA = regex("[\u3041-\u30ff]")
_PLAIN_ENGLISH = frozenset(
    "and are could for from have how our should than that the their them then there they this were what when where"
    " which while who whom with would you your".split()
)
"""English words that are no words of the other languages."""

_ALSO_ENGLISH = frozenset(
    "ben camping collar dan ed jersey kim patio per plaza sara sierra stall teller trainer via".split()
)
"""Words of other languages, no English ones of the table, that an English text has as well: most of them are names."""

_MORE_OFTEN_FOREIGN = frozenset("camera hat hen map pan parking van".split())
"""English words of the table that stand in texts of other languages more often: they say nothing of English."""

_LETTERS = {
    "ß": "de", "ä": "de", "ö": "de", "ü": "de", "ñ": "es", "¿": "es", "¡": "es", "ç": "fr pt", "œ": "fr", "è": "fr it",
    "ê": "fr pt", "ã": "pt", "õ": "pt", "ò": "it", "ì": "it", "ù": "it fr", "í": "es pt", "ą": "pl", "ę": "pl",
    "ł": "pl", "ś": "pl", "ż": "pl", "ź": "pl", "ć": "pl", "ń": "pl", "à": "fr it pt",
    "á": "es pt", "é": "fr es pt", "ó": "es pt pl", "ú": "es pt", "ô": "fr pt",
}  # fmt: skip
_LETTERS_ALONE = {code: " " for code in range(128) if not chr(code).isalpha()}
"""Blanks for all that is no letter of ASCII."""

_SEPARATE = regex(r"[\s-]+")

_FRENCH_NO_LONGER = regex(
    r"(?<![\w'’-])(?P<said>(?:j['’]|(?:je|tu|il|elle|on|nous|vous|ils|elles) )"
    r"(?:(?:y|en|me|te|se|le|la|les|lui|leur) |[mtsl]['’]){0,2}"
    r"(?!(?:suis|es|est|sommes|êtes|sont|serai) )[^\W\d_]{1,20})"
    r" plus(?=\s*[.,;!?]|\s*$|\s(?:depuis|for|since|from|until|on|in|du|des|à|au|aux|chez|avec|en|dans|sur|pour|le"
    r"|la|les|mon|ma|mes|rien|jamais|maintenant|non|de(?!\s(?:\d|la moitié)))\s|\s[dl]['’])"
    r"(?![^.,;!?]{0,80}\bqu(?:e\b|['’]))",
    re.I,
)
"""In spoken French "plus" alone says that something is so no longer: "je fume plus depuis une semaine"; what follows
may be a time in English already."""

NO_LONGER = "nolonger"
"""Stands for it until the words around it are read."""

MAX_LANGUAGE_CHARS = 1_000
"""Characters by which the language of a text is told."""

MIN_LANGUAGE_WORDS, MIN_LANGUAGE_SHARE = 2, 0.25
"""How many of these, and what share, must be words of that language."""

LONGEST_FORM = 4
"""Words of the longest form in the table."""

COMPOUND = range(7, 41)
"""Letters of a German or Dutch word that may be several in one."""

SEEN_BEFORE = 8
"""Characters before a word in which the end of a sentence is looked for."""

MAX_SHORT_WORDS, MIN_TELLING_LETTERS = 4, 5
"""Words of a text whose language one word tells, and letters of that word."""

MIN_POINTS = 2
"""Points by which a language is told: a small word has `SMALL_WORD`, another one."""

PLAIN_ENGLISH_OF = 8
"""A text in Latin letters of which more than one word in so many is plain English is English."""

JOINTS = ("", "s", "n", "en", "es", "e")


class _Table(NamedTuple):
    """One language: what its forms, and the stems of these, mean in English."""

    forms: dict[str, str]
    stems: dict[str, str]
    longest: int


@kept_for_texts(maxsize=1_024)
def language_of(text: str) -> str:
    """The language of a text, "en" where it is none of `LANGUAGES` and `OTHER_LANGUAGES` or too short to tell.

    Examples
    --------
    >>> language_of("Wo ist der Schlüssel?"), language_of("where is the key?"), language_of("钥匙在哪里?")
    ('de', 'en', 'zh')
    >>> language_of("¿Dónde vivo?")
    'es'
    >>> language_of("Ben is allergic to nuts."), language_of("The hotel wants one invoice per location.")
    ('en', 'en')
    >>> language_of("Mum's op was brought forward to the 3rd."), language_of("Abends sehen wir gern The Crown zu Hause")
    ('en', 'de')
    >>> language_of("Wir sehen The Crown"), language_of("The dining car to Prague serves svíčková.")
    ('de', 'en')
    """
    text = text[:MAX_LANGUAGE_CHARS]
    ascii = text.isascii()
    if ascii or not _NOT_LATIN.search(text):
        first, *others = text.split() or [""]  # not "The" of a title within a text of another language
        plain = sum(map(_PLAIN_ENGLISH.__contains__, (first.lower(), *others)))
        if PLAIN_ENGLISH_OF * (plain + (ascii and " the " in text)) > len(others) + 1:
            return ENGLISH
    if ascii:
        # without a word that speaks for another language, and without the letters of one, a text is English
        lower = text.lower()
        if "'s" not in lower and _foreign_words().isdisjoint(lower.translate(_LETTERS_ALONE).split()):
            return ENGLISH
    words = _WORD.findall(text)
    characters = 0 if text.isascii() else sum(map(len, _IDEOGRAPHS.findall(text)))
    if characters and characters > sum(not _IDEOGRAPHS.search(word) for word in words):
        return "ja" if _KANA.search(text) else "zh"
    return language_by_script(text) or _alphabetic(text, words)


def _alphabetic(text: str, words: list[str]) -> str:
    """By the words that each language has and by its letters; English where that leads or too little is known: names
    of films are made of foreign words, too.

    A word that English has as well speaks for none, and a capital within a text only where nouns have one.
    """
    marks, points = _marks(), dict.fromkeys((ENGLISH, *ALPHABETIC), 0)
    matches, small = dict.fromkeys(points, 0), dict.fromkeys(points, False)
    parts = dict.fromkeys(part for word in words for part in (_elided(word.removesuffix("'s")) or (word,)))
    for i, part in enumerate(parts):
        weights, single = marks.get(folded(part.lower()), {}), len(part) == 1 and part.isascii()
        if single and part in "aiIA":
            continue
        for language, worth in weights.items():
            if i and part[0].isupper() and language not in ("de", ENGLISH):
                continue
            if len(weights) == 1 or ENGLISH not in weights:
                points[language] += 1 if single else worth
                small[language] |= worth == SMALL_WORD
            matches[language] += 1
    if not text.isascii():
        lower = text.lower()
        for letter, languages in _LETTERS.items():
            if letter in lower:
                for language in languages.split():
                    points[language] += 1
                    small[language] = True
    best = max(ALPHABETIC, key=points.__getitem__)
    if other := language_by_words([*parts], max(points.values()), english=small[ENGLISH]):
        return other
    if alone := _language_of_short(parts, points):
        return alone
    certain = len(parts) >= 3 or text.lstrip(" ¿¡")[1:].islower()
    certain &= small[best] or (points[ENGLISH] == 0 and len(parts) >= 3)
    leads = points[best] >= MIN_POINTS and points[best] > points[ENGLISH]
    return (
        best
        if certain and leads and matches[best] >= max(MIN_LANGUAGE_WORDS, MIN_LANGUAGE_SHARE * len(parts))
        else ENGLISH
    )


def _language_of_short(parts: Collection[str], points: dict[str, int]) -> str | None:
    """The one language that has all known words of a short text, one of them long, where English has none of them: a
    long word that BERT's vocabulary has may be English.
    """
    if not 1 < len(parts) <= MAX_SHORT_WORDS or points[ENGLISH]:
        return None
    marks, vocabulary = _marks(), wordpiece.vocabulary()
    plain = [folded(part.lower()) for part in parts if len(part) > 1]
    known = {part: weights for part in plain if (weights := marks.get(part))}
    if any(ENGLISH in weights for weights in known.values()):
        return None
    if not any(len(part) >= MIN_TELLING_LETTERS and part not in vocabulary for part in known):
        return None
    of = set.intersection(*map(set, known.values()))
    return of.pop() if len(of) == 1 else None


@kept_for_texts(maxsize=256)
def in_english(text: str, language: str | None = None) -> str:
    """A text with the words that the table knows in English; where it is English, spelled out.

    Parameters
    ----------
    language : str, optional
        Of the text, where it is a part of another and too short to tell.

    Examples
    --------
    >>> in_english("Wo ist der Schlüssel zum Serverraum?")
    'where is the key to server room?'
    >>> in_english("where is the key?")
    'where is the key?'
    """
    language = language or language_of(text)
    if language == ENGLISH:
        return spelled_out(text)
    if language in OTHER_LANGUAGES:
        return text
    if language == "fr":
        text = _FRENCH_NO_LONGER.sub(rf"\g<said> {NO_LONGER}", text)
        return _words_in_english(text, language).replace(NO_LONGER, "no longer")
    if language in ALPHABETIC:
        return _words_in_english(text, language)
    return " ".join(_IDEOGRAPHS.sub(lambda run: _run_in_english(run[0], language), text).split())


def in_full(text: str) -> str:
    """A text in its own language; where that is English, spelled out.

    Examples
    --------
    >>> in_full("where do u live"), in_full("Wo wohnst du im Winter?")
    ('where do you live', 'Wo wohnst du im Winter?')
    """
    return spelled_out(text) if language_of(text) == ENGLISH else text


def meanings(text: str, language: str) -> Iterator[tuple[str, str | None]]:
    """The words of a text in lower case, and what each means in English; None for one that the table does not know."""
    for word in _WORD.findall(text):
        for part in _elided(word.lower()) or (word.lower(),):
            yield part, _known(part, language)


def native_stems(text: str, language: str | None = None) -> tuple[str, ...]:
    """The words of a text in its own language, without accents and small words; none of an English text.

    Of Chinese and Japanese, which put no blanks between words, every two neighbouring characters.
    """
    language = language or language_of(text)
    if language == ENGLISH:
        return ()
    if language in OTHER_LANGUAGES:
        return tuple(other_stems(text, language))
    if language not in ALPHABETIC:
        return tuple(_characters(text, language))
    return tuple(_stem(word, language) for word in _subject_words(text, language))


def written_stems(text: str) -> tuple[str, ...]:
    """The words of a text in another language stemmed as if they were English: so is a part of it that is too short to
    tell its language.
    """
    language = language_of(text)
    if language not in ALPHABETIC:
        return ()
    return tuple(filter(None, map(stem_of, _subject_words(text, language))))


def _subject_words(text: str, language: str) -> Iterator[str]:
    for whole in _WORD.findall(text):
        for word in _elided(whole.lower()) or (whole.lower(),):
            meaning = _form(word, language)
            if len(word) > 1 and not (meaning is not None and _small(meaning)):
                yield word


def _words_in_english(text: str, language: str) -> str:
    pieces, at = [], 0
    words = list(_WORD.finditer(text))
    keys = [word[0].lower().replace("’", "'") for word in words]
    i = 0
    while i < len(words):
        length, meaning = 1, None
        for several in range(min(LONGEST_FORM, len(words) - i), 1, -1):
            between = (text[words[j].end() : words[j + 1].start()] for j in range(i, i + several - 1))
            if all(_SEPARATE.fullmatch(gap) for gap in between):
                meaning = _form("_".join(keys[i : i + several]), language)
            if meaning is not None:
                length = several
                break
        if meaning is None and not _is_name(text, words[i], language):
            meaning = _meaning(keys[i], language)
        if meaning is not None:
            pieces += [text[at : words[i].start()], "" if meaning == "-" else meaning]
            at = words[i + length - 1].end()
        i += length
    return " ".join("".join([*pieces, text[at:]]).split())


def _is_name(text: str, word: re.Match[str], language: str) -> bool:
    """A capital within a sentence, but for German, where every noun has one."""
    before = text[max(0, word.start() - SEEN_BEFORE) : word.start()].rstrip(" \t'\"«»“”„(¿¡")
    return language != "de" and word[0][0].isupper() and bool(before) and before[-1] not in ".!?:;\n…"


def _meaning(word: str, language: str) -> str | None:
    """What a lower-case word means: itself, its stem, the parts around an apostrophe, or those of a compound."""
    if (parts := _elided(word)) and _form(word, language) is None:
        meanings = [_known(part, language) for part in parts]
        return " ".join(part if m is None else m for part, m in zip(parts, meanings, strict=True) if m != "-")
    if (meaning := _known(word, language)) is not None:
        return meaning
    return _of_compound(word, language) if language in ("de", "nl") and len(word) in COMPOUND else None


def _known(word: str, language: str) -> str | None:
    if (meaning := _form(word, language)) is not None or len(word) < 4:
        return meaning
    return _table(language).stems.get(_stem(word, language))


def _form(word: str, language: str) -> str | None:
    """What a form means as it is written, else without its accents."""
    forms = _table(language).forms
    meaning = forms.get(word)
    return forms.get(folded(word)) if meaning is None else meaning


def _of_compound(word: str, language: str) -> str | None:
    """The meanings of both parts, or of the one that is known beside the other as it stands."""
    partly = None
    for cut in range(3, len(word) - 2):
        head, tail = word[:cut], word[cut:]
        last = _content(tail, language)
        first = next((found for joint in JOINTS if (found := _content(head.removesuffix(joint), language))), None)
        if first and last:
            return f"{first} {last}"
        if last and len(tail) >= 4 and partly is None:
            partly = f"{head} {last}"
    return partly


def _content(word: str, language: str) -> str | None:
    meaning = _known(word, language) if len(word) >= 3 else None
    return None if meaning is None or _small(meaning) else meaning


def _elided(word: str) -> tuple[str, ...]:
    """The parts of l'acqua or qu'elle; none of a word without an apostrophe."""
    return tuple(filter(None, re.split("['’]", word))) if "'" in word or "’" in word else ()


def _run_in_english(run: str, language: str) -> str:
    parts = (part if meaning is None else meaning for part, meaning in _cut(run, language) if meaning != "-")
    return f" {' '.join(parts)} "


def _cut(run: str, language: str) -> Iterator[tuple[str, str | None]]:
    """A run of characters as its longest known forms with their meanings, and what stands between them with None."""
    table, unknown, at = _table(language), "", 0
    while at < len(run):
        for end in range(min(at + table.longest, len(run)), at, -1):
            if (meaning := table.forms.get(run[at:end])) is not None:
                if unknown:
                    yield unknown, None
                yield run[at:end], meaning
                unknown, at = "", end
                break
        else:
            unknown, at = unknown + run[at], at + 1
    if unknown:
        yield unknown, None


def _characters(text: str, language: str) -> Iterator[str]:
    """Pairs of neighbouring characters between small words; a character that stands alone; words of other scripts."""
    for run in _IDEOGRAPHS.findall(text):
        between = ""
        for part, meaning in [*_cut(run, language), ("", "-")]:
            if meaning is None or not _small(meaning):
                between += part
                continue
            if len(between) == 1:
                yield between
            yield from (between[i : i + 2] for i in range(len(between) - 1))
            between = ""


@lru_cache(maxsize=len(LANGUAGES) + len(OTHER_LANGUAGES))
def small_words(language: str) -> frozenset[str]:
    """The words of a language that carry no subject; none of English, which `STOP_WORDS` are."""
    if language in OTHER_LANGUAGES:
        return of_language()[language].small
    forms = {} if language == ENGLISH else _table(language).forms
    return frozenset(form for form, meaning in forms.items() if _small(meaning))


def _small(meaning: str) -> bool:
    """Whether a meaning carries no subject."""
    return meaning in _small_meanings()


@lru_cache(maxsize=1)
def _small_meanings() -> frozenset[str]:
    return frozenset(row[ENGLISH] for row in _rows() if row["kind"])


@kept_for_texts(maxsize=65_536)
def _stem(word: str, language: str) -> str:
    return folded(_stemmer(language).stemWord(word.replace("’", "'")))


@lru_cache(maxsize=len(ALPHABETIC))
def _stemmer(language: str) -> "Stemmer.Stemmer":
    return Stemmer.Stemmer(ALPHABETIC[language], 0)  # its own cache is not safe across threads; ours is


@lru_cache(maxsize=1)
def _rows() -> tuple[dict[str, str], ...]:
    """Each row by language; read once, when a text first needs it."""
    head, *lines = TABLE.read_text(encoding="utf-8").splitlines()
    languages = head.split("\t")
    return tuple(dict(zip(languages, line.split("\t"), strict=True)) for line in lines)


@lru_cache(maxsize=len(LANGUAGES))
def _table(language: str) -> _Table:
    forms: dict[str, str] = {}
    plain_forms: dict[str, str] = {}
    stems: dict[str, str] = {}
    for row in _rows():
        for form in row[language].split():
            if language not in ALPHABETIC:
                forms.setdefault(form, row[ENGLISH])
                continue
            plain = form.replace("-", "_")
            forms.setdefault(plain, row[ENGLISH])
            plain_forms.setdefault(folded(plain), row[ENGLISH])
            if len(form) >= 4 and "_" not in plain and not _small(row[ENGLISH]):
                stems.setdefault(_stem(form, language), row[ENGLISH])
    forms = plain_forms | forms
    return _Table(forms, stems, max(map(len, forms)))


@lru_cache(maxsize=1)
def _foreign_words() -> frozenset[str]:
    """The words that speak for another language and not for English."""
    others = telling_words() - {word for word, weights in _marks().items() if ENGLISH in weights}
    return others.union(word for word, weights in _marks().items() if ENGLISH not in weights)


@lru_cache(maxsize=1)
def _marks() -> dict[str, dict[str, int]]:
    """What a word says of the language of its text."""
    marks: dict[str, dict[str, int]] = {word: {ENGLISH: SMALL_WORD} for word in STOP_WORDS | TYPED | _ALSO_ENGLISH}
    for row in _rows():
        worth = SMALL_WORD if row["kind"] else 1
        for word in set(row[ENGLISH].lower().split()) - _MORE_OFTEN_FOREIGN:
            marks.setdefault(word, {}).setdefault(ENGLISH, worth)
        for language in ALPHABETIC:
            for form in row[language].split():
                marks.setdefault(folded(form), {}).setdefault(language, worth)
    return marks
