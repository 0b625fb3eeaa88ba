"""Which names a text uses: in any case and spacing, inflected, or with a slip of the keys."""

import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator

from context_graph.embed.stems import STOP_WORDS
from context_graph.embed.wordpiece import vocabulary
from context_graph.names import name_key
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["NEGATING", "Names", "concept_key", "slips"]

MAX_NAME_WORDS = 6
"""Words of a name that are looked for in a text."""

SHORTEST_SLIP = 5
"""Letters from which on a slip is forgiven: of four, one wrong letter is mostly another word."""

TWO_SLIPS = 9
"""Letters from which on two are."""

LONGEST_SLIP = 64
"""Letters up to which one is: counting slips takes the product of two lengths."""

MAX_TEXT_WORDS, MAX_FUZZY_RUNS = 4_096, 256
"""Words of a text that are looked at; runs of them that are looked for with slips, each among names of its length."""

MAX_EXACT_WORDS, MAX_EXACT_CHARS = 64, 1_024
"""Words and letters of a text that are looked at for names without slips alone."""

SAME_START = 2
"""First letters that must be right: people rarely miss them, and other words differ in them."""

_WORD = regex(r"[^\W_]+(?:\+\+|#)?")  # C++ and C# are not C
NEGATING = frozenset("no not nor".split())
"""Stop words without which a name means the opposite."""

_PLURAL = regex(r"(?<=[^\W\d_]{3})(?<![su])s$")
_DOUBLED = regex(r"([^aeioulsz])\1$")


class Names:
    """Names, each of one or more things, and the search for them in texts.

    Spelling differs freely: "dead_letter_queue", "Dead-Letter Queue" and "deadLetterQueues" are one name. What is not a
    name, nor any word of English, may be a name with a slip in it.

    Examples
    --------
    >>> names = Names()
    >>> names.add("cluster", ["Kubernetes", "k8s"])
    >>> names.matches("where do kubernetse pods run?")
    {'cluster': 0.9}
    """

    def __init__(self) -> None:
        self._things: dict[str, dict[Hashable, None]] = {}
        self._names_of: dict[Hashable, list[str]] = {}
        self._starts: dict[tuple[str, int], dict[str, int]] = {}

    def __len__(self) -> int:
        return len(self._names_of)

    def add(self, thing: Hashable, names: Iterable[str]) -> None:
        """Let these be the names of a thing, in place of those it had."""
        self.remove(thing)
        keys = list(dict.fromkeys(key for name in names for key in _forms(_words(name)) if len(key) >= 2))
        self._names_of[thing] = keys
        for key in keys:
            self._things.setdefault(key, {})[thing] = None
            self._starts.setdefault(_start(key), {})[key] = _letters(key)

    def remove(self, thing: Hashable) -> None:
        """Forget a thing; one that is not known is no error."""
        for key in self._names_of.pop(thing, ()):
            del self._things[key][thing]
            if not self._things[key]:
                del self._things[key], self._starts[_start(key)][key]
                if not self._starts[_start(key)]:
                    del self._starts[_start(key)]

    def matches(self, text: str) -> dict[Hashable, float]:
        """The things that a text names, in reading order: 1 for a name as it is, 0.9 and 0.8 with one slip and two."""
        scores: dict[Hashable, float] = {}
        if not self._things:
            return scores
        words = _words(text)[:MAX_TEXT_WORDS]
        exact: set[int] = set()
        for start, run in _runs(words):
            for key in _forms(run):
                if things := self._things.get(key):
                    exact.update(range(start, start + len(run)))
                    scores |= dict.fromkeys(things, 1.0)
        strange = [i not in exact and not _known(word) for i, word in enumerate(words)]
        spellings: dict[str, None] = {}
        for start, run in _runs(words):
            span = range(start, start + len(run))
            if any(strange[i] for i in span) and exact.isdisjoint(span):
                if SHORTEST_SLIP <= sum(map(len, run)) <= LONGEST_SLIP:
                    spellings["".join(run)] = None
                if len(spellings) == MAX_FUZZY_RUNS:
                    break
        for letters in spellings:
            for thing, slipped in self._near(letters):
                scores[thing] = max(scores.get(thing, 0.0), 1.0 - slipped / 10)
        return scores

    def mentions(self, text: str) -> dict[Hashable, str]:
        """The things that the first words of a text name without a slip, each with the longest run that names it."""
        found: dict[Hashable, str] = {}
        for _, run in _runs(_words(text[:MAX_EXACT_CHARS])[:MAX_EXACT_WORDS]):
            for key in _forms(run):
                for thing in self._things.get(key, ()):
                    found[thing] = max(found.get(thing, ""), " ".join(run), key=len)
        return found

    def called(self, name: str) -> list[Hashable]:
        """The things of just this name."""
        return list(dict.fromkeys(thing for key in _forms(_words(name)) for thing in self._things.get(key, ())))

    def _near(self, query: str) -> Iterator[tuple[Hashable, int]]:
        """The things with a name that these letters are with a slip or two."""
        letters, start = _letters(query), query[:SAME_START]
        for length in range(max(SHORTEST_SLIP, len(query) - 2), len(query) + 3):
            most = 2 if min(len(query), length) >= TWO_SLIPS else 1
            if abs(len(query) - length) > most:
                continue
            for key, others in self._starts.get((start, length), {}).items():
                if (letters ^ others).bit_count() > 2 * most:
                    continue  # a slip takes one letter away and brings one in, at most: this spares most counting
                slipped = slips(query, key, most)
                if slipped <= most:
                    yield from ((thing, slipped) for thing in self._things[key])


def slips(a: str, b: str, most: int = LONGEST_SLIP) -> int:
    """Letters missed, added, wrong or swapped with the next, at least, between two words.

    Damerau's distance in its restricted form (optimal string alignment): what was swapped is not edited again.

    Parameters
    ----------
    most : int
        Of more than these, the count need not be right: any number above it is answered.

    Examples
    --------
    >>> slips("kubernetse", "kubernetes"), slips("reedis", "redis"), slips("cats", "dog")
    (1, 1, 4)
    """
    start, end, shorter = 0, 0, min(len(a), len(b))  # what both begin and end with costs nothing, and is most of a name
    while start < shorter and a[start] == b[start]:
        start += 1
    while end < shorter - start and a[-1 - end] == b[-1 - end]:
        end += 1
    a, b = a[start : len(a) - end], b[start : len(b) - end]
    before, row = list[int](), list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        if before and min(row) > most <= min(before):  # no way back: each row is at least one of the two before it
            return most + 1
        before, last, row = row, before, [i]
        for j, y in enumerate(b, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                best = min(best, last[j - 2] + 1)
            row.append(best)
    return row[-1]


@kept_for_texts(maxsize=16_384)
def concept_key(name: str) -> tuple[str, ...]:
    """The words of a name without articles, inflection and the like: names of one key mean one thing.

    Examples
    --------
    >>> concept_key("the database crashed") == concept_key("Database crash")
    True
    >>> concept_key("no sleep"), concept_key("expression")
    (('no', 'sleep'), ('expression',))
    """
    said = [word for word in _words(name) if word not in STOP_WORDS or word in NEGATING]
    return tuple(min(uninflected(word), key=len).removesuffix("e") for word in said) or (name_key(name),)


def _start(key: str) -> tuple[str, int]:
    """Where a name is looked for with slips: by its first letters and its length."""
    return key[:SAME_START], len(key)


def _letters(word: str) -> int:
    """The set of its letters, as bits; some share one."""
    found = 0
    for letter in word:
        found |= 1 << (ord(letter) & 63)
    return found


def _words(text: str) -> list[str]:
    """Lower-cased words without accents. Camel case stays whole: TSLint is neither TS nor lint."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'"))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter)).replace("'s ", " ")
    return [word.lower() for word in _WORD.findall(plain)]


def _runs(words: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Every run of at most `MAX_NAME_WORDS` words with its start."""
    for start in range(len(words)):
        for end in range(start + 1, min(start + MAX_NAME_WORDS, len(words)) + 1):
            yield start, words[start:end]


def _forms(run: list[str]) -> list[str]:
    """A run of words written as one, as it is and with the last word uninflected."""
    head = "".join(run[:-1])
    return [head + form for form in uninflected(run[-1])] if run else []


@kept_for_texts(maxsize=65_536)
def uninflected(word: str) -> tuple[str, ...]:
    """A word, and what it may be an inflection of: plural, -ing, -ed; never another part of speech.

    A stemmer would go on to join "expression" with "express".
    """
    forms = [word]
    if word.endswith("ies") and len(word) > 4:
        forms.append(word[:-3] + "y")
    elif _PLURAL.search(word):
        forms.append(word[:-1])
        if word.endswith(("ches", "shes", "xes", "zes", "sses")):
            forms.append(word[:-2])
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= 3 and re.search("[aeiouy]", stem):
            forms += [stem, stem + "e", *([stem[:-1]] if _DOUBLED.search(stem) else [])]
    return tuple(forms)


def _known(word: str) -> bool:
    """Whether it is a word of English in some form, or a number: then it was meant."""
    return any(form.isdigit() or form in vocabulary() for form in uninflected(word))
