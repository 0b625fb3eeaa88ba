"""How likely a later statement takes the place of an earlier one, by what the two say.

A logistic regression over what they share, what differs, and words that tell of change. It is fitted by
benchmarks/quality/supersession.py; docs/research/supersession.md says on what, and how far it can be trusted.
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from context_graph.embed.chunks import clauses
from context_graph.embed.languages import ENGLISH, in_english, language_of, small_words
from context_graph.embed.static_table import DIMENSIONS, prior_idf, weighted_sum
from context_graph.embed.stems import stem_of
from context_graph.embed.wordpiece import UNKNOWN, pieces
from context_graph.reading import attributes, cues
from context_graph.reading.alignment import changed_places, matching_blocks, places_of
from context_graph.reading.cue_search import CueSearch
from context_graph.reading.news import news_odds
from context_graph.reading.subjects import SELF, WORD, subject_of
from context_graph.reading.themes import of_other_things
from context_graph.reading.titles import without_titles
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = [
    "FEATURES", "MAX_STATEMENT_CHARS", "NUMBERS", "Change", "Statement", "apart", "change_of", "differing", "features",
    "fitted", "former_values", "logit", "reason", "related", "statement", "two_of_a_kind",
]  # fmt: skip

SUPERSESSION_WEIGHTS = Path(__file__).parent.parent / "data" / "supersession.json"

MAX_STATEMENT_CHARS = 600
"""Characters of a statement that are compared: what is said later takes the place of a sentence, hardly of a page."""

ALIKE = 0.4
"""Share of words in the same order from which two statements are compared place by place."""

SAME = 0.2
"""Probability that two statements have one attribute, from which they may be about one thing."""

ELLIPTICAL = 4
"""Content words up to which a statement may leave out which of several things it is about: "They only pay 200 now"."""

COMMON = 10.3
"""`prior_idf` of a rare word piece: rarities are told in (0, 1]."""

REASONED = 3
"""Words that a reason names."""

_NAME = regex(r"(?=[A-ZÄÖÜ])(?<![.!?:]\s)(?<!^)\b[A-ZÄÖÜ][\w'’-]+")
_DAY = regex(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?$", re.I)

_LABEL = regex(
    r"^\W*(?:(?:the|our|my)\s+)?([^\W\d_]+)\s+#?(\d[\w.-]*|[A-Z])"
    r"(?=\s*[,;:(]\s|\s+(?:is|are|was|has|had|will|[^\W\d_]+s)\b)",
    re.I,
)
"""A thing of many of its kind: "Box 17, ...", "Ticket 451 is ..."."""

_KIN = "|".join(sorted({*cues.KIN, *cues.KIN_CALLED}))
_NAMED_KIN = regex(rf"^\W*(?:(?:my|our)\s+)?((?i:{_KIN}))\s+([A-ZÀ-Þ][\w-]+)")
"""One of several of the family who are called alike: "Aunt Greta"."""

_TIMED = regex(cues.TIMED.pattern, cues.TIMED.flags & ~re.IGNORECASE)

NUMBERS = frozenset(
    stem_of(word)
    for word in """two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy
    eighty ninety hundred""".split()
)
_NO_SUBJECT = NUMBERS | {
    stem_of(word)
    for word in """bring brought came come gave get gets give gives given go goes going gone got keep keeps kept let
    made make makes put puts set take takes taken took turn turned went
    heißt heiße heißen hat habe haben hatte fahre fährt fahren fuhr gehe geht gehen ging komme kommt kommen kam mache
    macht machen nehme nimmt nehmen gebe gibt geben bringe bringt bringen steht stehen liegt liegen
    llama llaman llamo tiene tienen tengo tenemos va van voy vamos viene vienen hace hago hacen pone pongo lleva llevo
    trae da doy dan""".split()
}
"""Verbs that go with anything ("gave a raise", "gave up the guitar") and numbers: two statements that share but these
have no common subject."""

_ENDED_THING = regex(
    r"\b(stopped|no longer|gave up|given up|quit|dropped|removed|sold|traded|paused|suspended|cancell?ed|halved|doubled"
    r"|scrapped|ditched|threw out|thrown out|got rid of|fired|sacked|felled|instead of|in place of)"
    r"((?: (?!(?:after|and|as|at|because|before|but|by|during|for|from|if|in|on|since|so|then|to|until|when|while"
    r"|with)\b)[\w'’-]+){1,5})",
    re.I,
)
"""What is ended, behind the word for it."""

_NOT_ANY_MORE = regex(
    r"(?:n['’]t|\bnot)((?: (?!(?:and|but|if|since|so|then|when|while)\b)[\w'’-]+){1,6}?) (?:any ?more|any longer)\b",
    re.I,
)
"""What is no more: "I don't like teal any more"."""

_WHAT = (
    r"((?: (?!(?:after|and|as|at|because|before|but|by|during|for|from|if|in|into|on|onto|over|since|so|then|to|until"
    r"|when|while|with)\b)[\w'’.-]++){1,5})"
)

_OLD_VALUE = [
    regex(pattern, re.I)
    for pattern in (
        r"\b(?:chang|convert|cut|downgrad|dropp|lower|migrat|mov|port|rais|renam|shift|switch|transferr|upgrad)(?:ed|e|ing|s)?"
        rf"(?: [\w'’.-]+){{0,4}}? from{_WHAT}(?= (?:over |back )?(?:to|onto|into)\b)",
        rf"\b(?:swapp|trad|exchang|replac|switch)(?:ed|ing){_WHAT}(?= (?:for|with|by)\b)",
        rf"\b(?:took|taken|takes|taking)(?: [\w'’.-]+){{0,4}}? (?:over|back)(?: [\w'’.-]+){{0,4}}? from{_WHAT}",
        rf"\b(?:instead of|in place of|rather than|away from|no longer (?:with|at|in|on|by)){_WHAT}",
        rf"\b(?:replaced|replaces|succeeds|succeeded){_WHAT}",
        r"\bvo[nm]((?: [\w'’.-]+){1,3}?)(?= (?:zu|zum|zur|auf|nach) (?:[\w'’.-]+ ){1,4}"
        r"(?:gewechselt|umgestiegen|umgezogen|gezogen|umgestellt|migriert|geändert)\b)",
        r"\b(?:cambi|pas|migr|mud|traslad)(?:é|ó|amos|aron|ado)(?: [\w'’.-]+){0,3}?"
        r" del?((?: [\w'’.-]+){1,3}?)(?= al? )",
        rf"\bchanged? (?:my|our|his|her|their) minds? (?:about|on){_WHAT}",
        r"^\W*(?:the |our |my )?((?:[\w'’.-]+ ){1,3}?)"
        r"(?:(?:is|are|was|were|got|has been|have been) (?:off|out|cancell?ed|called off)\b|(?:is|are)(?: not|n['’]t)"
        r" (?:happening|going to happen|working out|possible)\b|(?:fell|falls|has fallen) through\b)(?=.*\binstead\b)",
    )
]
"""What is named as how it was before: "moved staging from Hetzner to Fly", "swapped Arch for Fedora"."""

_CEASING = ("stopped", "no longer", "gave up", "given up", "quit")
"""Who does so may end more than that: "Kerstin stopped taking clients" of "my adviser is Kerstin"."""

ABOUT_ONE_THING = 0.45
"""Cosine of two words from which what is ended may be a thing that the earlier statement has another word for; set by
hand on a few pairs."""

_POSSESSIVE = regex(r"['’]s$")

_FLAGS = CueSearch([
    cues.ENDED, cues.CHANGED, cues.CORRECTED, cues.NEGATED, cues.MORE, cues.OPEN, cues.EVENT, cues.MANY,
    cues.CALLED, cues.STAYS, *(due for due, _ in cues.SETTLED), *(done for _, done in cues.SETTLED),
])  # fmt: skip


@dataclass(frozen=True, eq=False)
class Statement:
    """One text, read once; what few comparisons need is read when one first does.

    Attributes
    ----------
    stems : dict
        Content words and their rarity in English, in (0, 1].
    places : dict
        Where each stands in `vectors`.
    vectors : float32 (k, 256)
        Of unit length.
    sum : float32 (256,)
        Of the vectors, each times its rarity.
    subject : frozenset of str
        Content words before the first verb; "self" where it speaks of who says it, empty where it names nobody.
    spoken : bool
        It has a word for who says it.
    """

    text: str
    words: tuple[str, ...]
    stems: dict[str, float]
    places: dict[str, int]
    vectors: np.ndarray
    sum: np.ndarray
    subject: frozenset[str]
    spoken: bool
    kin: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    times: frozenset[str]

    @cached_property
    def attributes(self) -> np.ndarray:
        """Probability of each: float32 (k,)."""
        return attributes.of_text(self.text)

    @cached_property
    def of_one_value(self) -> np.ndarray:
        """The same of those that have one value, or one for each of several things, else 0."""
        one, each, _ = _kinds()
        return self.attributes * (one + each)

    @cached_property
    def by_kind(self) -> tuple[np.ndarray, ...]:
        """The same of those of each of `_kinds`, else 0."""
        return tuple(self.attributes * kind for kind in _kinds())

    @cached_property
    def attributed(self) -> np.float32:
        """Probability that it has one of them."""
        return self.attributes.sum()

    @cached_property
    def square(self) -> np.float32:
        """Of the length of `sum`."""
        return self.sum @ self.sum

    @cached_property
    def rarity(self) -> float:
        """The sum over its content words."""
        return sum(self.stems.values())

    @cached_property
    def word_places(self) -> dict[str, list[int]]:
        """Where each of its words stands."""
        return places_of(self.words)

    @cached_property
    def clause_subjects(self) -> frozenset[str]:
        """Content words that it or one of its clauses opens with, before the first verb."""
        parts = (self.text, *clauses(self.text))
        return frozenset().union(*(subject_of(_lower_words(part)) for part in parts)) - {SELF}

    @cached_property
    def plain(self) -> str:
        """Its text without titles, whose words are no cues: "The Left Hand of Darkness"."""
        return without_titles(self.text)

    @cached_property
    def ended_things(self) -> list[tuple[frozenset[str], list[str]]]:
        """What it says has ended, content words of the object each, and before them those of who may have ended more;
        empty where anything else may have ended.
        """
        if not self.flags[0]:
            return []
        if cues.ENDED.search(_NOT_ANY_MORE.sub(" ", _ENDED_THING.sub(" ", self.plain))):
            return []
        things = []
        for match in _NOT_ANY_MORE.finditer(self.text):
            thing = [stem for word in WORD.findall(match[1].lower()) if (stem := stem_of(word)) in self.stems]
            if not thing:
                return []
            who = frozenset(map(stem_of, WORD.findall(self.text[: match.start()].lower())))
            things.append((who & self.stems.keys(), thing))
        for match in _ENDED_THING.finditer(self.text):
            words = WORD.findall(match[2].lower())
            thing = [stem for word in words if (stem := stem_of(word)) in self.stems]
            if not thing or not cues.UNNAMED.isdisjoint(words):
                return []
            before = WORD.findall(self.text[: match.start()].lower()) if match[1].lower() in _CEASING else ()
            things.append((frozenset(map(stem_of, before)), thing))
        return things

    @cached_property
    def old_values(self) -> frozenset[str]:
        """Content words of what it names as how things were before."""
        named = [match[1] for value in _OLD_VALUE for match in value.finditer(self.text)]
        words = {stem_of(word) for text in named for word in WORD.findall(text.lower())}
        return frozenset(words & self.stems.keys())

    @cached_property
    def ended_plainly(self) -> bool:
        """Whether a clause of it says that something has ended, and only another one wishes or asks: "I gave up the
        piano, I want to learn the drums"."""
        parts = clauses(self.plain)
        return len(parts) > 1 and any(cues.ENDED.search(part) and not cues.OPEN.search(part) for part in parts)

    @cached_property
    def flags(self) -> tuple[float, ...]:
        """Which cues it has, 0 or 1 each, in the order of `_FLAGS`."""
        return _flags(self.text)


class Change(NamedTuple):
    """Whether a statement has words that tell of a change, 0 or 1 each."""

    changed: float
    corrected: float
    denied: float
    open: float
    event: float


FEATURES = (
    "kept", "held", "rarest", "order", "like", "rest_like", "rest_best",
    "ended", "changed", "corrected", "negation", "more", "open_later", "open_earlier", "event", "many",
    "subject_same", "subject_differs", "subject_near", "kin_differs", "kin_same",
    "names_differ", "names_new", "numbers_differ", "times_differ", "one_value", "adds_only",
    "one_change", "one_change_at_end", "one_change_at_start", "one_change_many", "one_change_same", "two_changes",
    "apart", "apart_same", "value_gone", "value_gone_plain", "kind_differs",
    "one", "each", "many_values", "one_ended", "one_changed", "each_ended", "each_changed", "one_self", "many_self",
    "ended_kept", "ended_rarest", "changed_kept", "corrected_kept", "negation_kept", "negation_rarest", "ended_like",
    "numbers_kept", "times_kept", "subject_kept", "differs_kept", "short", "earlier_ended", "negated_later",
    "settled", "settled_kept", "renamed", "open_kept",
    "old_named", "other_named",
    "news", "news_kept", "news_rarest", "mentioned_ended", "mentioned_news",
    "stays", "stays_kept", "stays_rarest",
)  # fmt: skip


@kept_for_texts(maxsize=16_384)
def logit(earlier: str, later: str) -> float:
    """Log odds that `later` takes the place of `earlier`, both said by the same person and of the first 600 characters.

    Examples
    --------
    >>> logit("The retro is in room Aspen.", "The retro moved to room Birch.") > 0
    True
    >>> logit("Our dentist is Dr. Weiss.", "Our vet is Dr. Braun.") > 0
    False
    """
    intercept, weights = fitted(FEATURES, "statements")
    return float(intercept + features(earlier, later) @ weights)


def reason(earlier: str, later: str) -> str:
    """Why `later` may take the place of `earlier`, in words: its own words of change, what is new, what both share.

    Examples
    --------
    >>> reason("The choir meets on Mondays.", "The choir has moved to Thursdays.")
    "the later one says 'moved'; both speak of choir; 'Thursdays' for 'Mondays'"
    """
    reasons = []
    change = next((found for cue in (cues.CORRECTED, cues.ENDED, cues.CHANGED) if (found := cue.search(later))), None)
    if change:
        reasons.append(f"the later one says {change[0]!r}")
    elif bool(cues.NEGATED.search(earlier)) != bool(cues.NEGATED.search(later)):
        reasons.append("one of them denies what the other says")
    o, n = statement(earlier[:MAX_STATEMENT_CHARS]), statement(later[:MAX_STATEMENT_CHARS])
    shared = [word for word in WORD.findall(later[:MAX_STATEMENT_CHARS]) if stem_of(word.lower()) in o.stems]
    if shared:
        reasons.append(f"both speak of {', '.join(dict.fromkeys(shared[:REASONED]))}")
    else:
        likeliest = int((o.attributes * n.attributes).argmax())
        if "self" in o.subject & n.subject or o.attributes[likeliest] * n.attributes[likeliest] >= SAME:
            reasons.append(f"both seem to be about {attributes.model().names[likeliest]}")
    values = [
        [word for word in WORD.findall(text[:MAX_STATEMENT_CHARS]) if _valued(word, of) and word not in beside]
        for text, of, beside in ((earlier, o, later), (later, n, earlier))
    ]
    if all(values):
        reasons.append(f"{values[1][0]!r} for {values[0][0]!r}")
    return "; ".join(reasons) or "they are worded alike, and the other was said later"


def change_of(text: str) -> Change:
    """What a statement says of a change.

    Examples
    --------
    >>> change_of("We moved to Ghent.").changed, change_of("We rent a flat in Ghent.").changed
    (1.0, 0.0)
    """
    ended, changed, corrected, denied, _, left_open, event, *_ = _flags(text[:MAX_STATEMENT_CHARS])
    return Change(max(ended, changed), corrected, denied, left_open, event)


def former_values(text: str) -> frozenset[str]:
    """Stems of what a statement names as how it was before.

    Examples
    --------
    >>> former_values("We moved staging from Hetzner to Fly.")
    frozenset({'hetzner'})
    >>> former_values("Wir sind von MySQL auf Postgres umgestiegen."), former_values("He pasado de Orange a Yoigo.")
    (frozenset({'mysql'}), frozenset({'orang'}))
    """
    return statement(text[:MAX_STATEMENT_CHARS]).old_values


@kept_for_texts(maxsize=16_384)
def related(earlier: str, later: str) -> bool:
    """Whether two statements may be about one thing: they have a word in common, or an attribute of which there is one
    value at a time, or are both about who says them, and are not `apart`. Of what each of several things has, such as
    a price, a long later statement names whose it is.
    """
    o, n = statement(earlier[:MAX_STATEMENT_CHARS]), statement(later[:MAX_STATEMENT_CHARS])
    if two_of_a_kind(earlier, later):
        return False
    if (o.stems.keys() & n.stems.keys()) - _NO_SUBJECT or (SELF in o.subject and SELF in n.subject):
        return True
    kind = n.of_one_value if len(n.stems) <= ELLIPTICAL else n.by_kind[0]
    return not _of_others(o, n) and float(o.attributes @ kind) >= SAME


def apart(earlier: str, later: str) -> bool:
    """Whether two statements are about two things of one kind, or one about who says it and one about somebody else."""
    o, n = statement(earlier[:MAX_STATEMENT_CHARS]), statement(later[:MAX_STATEMENT_CHARS])
    named = bool(o.subject and n.subject) and (SELF in o.subject) != (SELF in n.subject)
    return named or two_of_a_kind(earlier, later) or _of_others(o, n)


def differing(earlier: str, later: str) -> tuple[float, float]:
    """Whether two statements have different subjects, and different words for somebody close, as `FEATURES` have it."""
    o, n = statement(earlier[:MAX_STATEMENT_CHARS]), statement(later[:MAX_STATEMENT_CHARS])
    return _subjects_differ(o, n), float(bool(o.kin ^ n.kin))


def _subjects_differ(o: Statement, n: Statement) -> float:
    return float(bool(o.subject) and bool(n.subject) and not (o.subject & n.subject))


def two_of_a_kind(earlier: str, later: str) -> bool:
    """Whether both open with a thing or a relative of one kind, of which they name two, or are about two things.

    Examples
    --------
    >>> two_of_a_kind("Box 17 is on the shelf.", "Box 3 is in the cellar.")
    True
    >>> two_of_a_kind("Aunt Bea sings.", "Aunt Bea's left."), two_of_a_kind("Aunt Bea sings.", "Aunt Ida swims.")
    (False, True)
    """
    for of, beside in zip(_labels(earlier), _labels(later), strict=True):
        if of and beside and of[0] == beside[0] and of[1] != beside[1]:
            return True
    return of_other_things(earlier, later)


@kept_for_texts(maxsize=1_024)
def _labels(text: str) -> tuple[tuple[str, str] | None, ...]:
    """Kind, in small letters, and name of what a statement opens with: a thing, a relative."""
    matches = (label.match(text) for label in (_LABEL, _NAMED_KIN))
    return tuple((match[1].lower(), match[2]) if match else None for match in matches)


def _of_others(o: Statement, n: Statement) -> bool:
    return bool((o.spoken and n.subject and not n.spoken) or (n.spoken and o.subject and not o.spoken))


def _valued(word: str, of: Statement) -> bool:
    """Whether a word of a statement is a number, a time, or a name that is not its subject."""
    stem = stem_of(word.lower())
    named = stem in of.names and stem not in of.subject
    return named or word in of.numbers or bool(cues.TIMED.fullmatch(word))


@lru_cache(maxsize=1)
def _kinds() -> tuple[np.ndarray, ...]:
    """Which attributes have one value, one for each of several things, or many: float32 (k,) each."""
    values = attributes.model().values
    return tuple((values == kind).astype(np.float32) for kind in ("one", "each", "many"))


@lru_cache(maxsize=8)
def fitted(names: tuple[str, ...], *keys: str) -> tuple[float, np.ndarray]:
    """Intercept and weights of one of the package's models that judge what takes the place of what.

    Parameters
    ----------
    names : tuple of str
        The features, in the order of the weights: float64 (f,).
    keys : str
        Which model: "statements", "asked", or "notes" and a tier.
    """
    model: dict[str, Any] = json.loads(SUPERSESSION_WEIGHTS.read_text("utf-8"))
    for key in keys:
        model = model[key]
    return model["intercept"], np.array([model["weights"][name] for name in names])


def features(earlier: str, later: str) -> np.ndarray:
    """What the likelihood is judged by: float64 (f,), in the order of `FEATURES`.

    Feature `kept` is the share of the earlier statement's words, by idf, that the later one has, `held` the reverse,
    and `rarest` the rarest of them. `order` is the share of words in the same order; `rest_*` compare what one alone
    has. `mentioned` is the rarest word of what the later one is about that the earlier one mentions: "Declan has left"
    is about one of "Physio on Tuesdays at 11, a young man, Declan". `stays`: it says that something stays as it was.
    """
    o, n = statement(earlier[:MAX_STATEMENT_CHARS]), statement(later[:MAX_STATEMENT_CHARS])
    # in the order of the text: sums over a set differ in the last bit from one process to the next
    shared = [stem for stem in o.stems if stem in n.stems]
    only_o, only_n = ([stem for stem in of.stems if stem not in than.stems] for of, than in ((o, n), (n, o)))
    earlier_share, later_share = (sum(of.stems[s] for s in shared) / max(of.rarity, 1e-9) for of in (o, n))
    rarest = max((o.stems[stem] for stem in shared), default=0.0)
    order, changes = _aligned(o, n) if shared else (0.0, [])
    one = float(len(changes) == 1 and changes[0][0] == "replace")
    at_end = one * float(one and changes[0][2] >= len(o.words) - 1)
    at_start = one * float(one and changes[0][1] <= 1)
    like, rest_like, rest_best = float(o.sum @ n.sum) / max(float(np.sqrt(o.square * n.square)), 1e-9), 0.0, 0.0
    if only_o and only_n:
        rest_like = _cosine(*((of.sum - _part(of, shared) for of in (o, n)) if shared else (o.sum, n.sum)))
        rest_best = float((_vectors(o, only_o) @ _vectors(n, only_n).T).max())
    ended, changed, corrected, negated, more, open_later, event, many, called, stays, *done = n.flags
    ended *= float(not n.ended_things or _ends(o, n))
    if open_later and n.ended_plainly:
        open_later = 0.0
    earlier_ended, _, _, earlier_negated, _, open_earlier, _, earlier_many, earlier_called, _, *due = o.flags
    kinds = len(cues.SETTLED)
    settled = float(any(map(all, zip(due[:kinds], done[kinds:], strict=True)))) * (1 - open_later)
    renamed = called * earlier_called * float(bool(shared))
    negation, many = float(negated != earlier_negated), max(many, earlier_many)
    one_of, each_of, many_of = (float(o.attributes @ kind) for kind in n.by_kind)
    apart = float(o.attributed * n.attributed - np.sqrt(o.attributes * n.attributes).sum() ** 2)
    same = float(bool(o.subject) and o.subject == n.subject)
    near = float(bool(o.subject & n.subject) and o.subject != n.subject)
    differs = _subjects_differ(o, n)
    of_self = float(SELF in o.subject and (not n.subject or SELF in n.subject))
    names = float(bool(o.names - n.names) and bool(n.names - o.names))
    numbers = float(bool(o.numbers - n.numbers) and bool(n.numbers - o.numbers))
    times = float(bool(o.times - n.times) and bool(n.times - o.times))
    o_values, n_values = (bool(of.times or of.numbers or of.names - of.subject) for of in (o, n))
    gone = float(o_values and not n_values)
    plain = gone * (1 - max(ended, changed, corrected, negated))
    kind_differs = float(bool(o.times) != bool(n.times) and bool(o.times or o.numbers) and not plain)
    news = news_odds(n.text)
    mentioned = max((o.stems[stem] for stem in n.clause_subjects - o.subject if stem in o.stems), default=0.0)
    old_named = float(not n.old_values.isdisjoint(o.stems.keys() - o.subject))
    other_named = float(bool(n.old_values) and n.old_values.isdisjoint(o.stems))
    return np.array([
        earlier_share, later_share, rarest, order, like, rest_like, rest_best,
        ended, changed, corrected, negation, more, open_later, open_earlier, event, many,
        same, differs, near, float(bool(o.kin ^ n.kin)), float(bool(o.kin & n.kin)),
        names, float(bool(n.names - o.names)), numbers, times, one * max(numbers, times, names),
        float(not only_o and not (o.numbers - n.numbers)),
        one, at_end, at_start, one * many, one * same, float(len(changes) == 2),
        apart, apart * same, gone, plain, kind_differs,
        one_of, each_of, many_of, one_of * ended, one_of * changed, each_of * ended, each_of * changed,
        one_of * of_self, many_of * of_self,
        ended * earlier_share, ended * rarest, changed * earlier_share, corrected * earlier_share,
        negation * earlier_share, negation * rarest,
        ended * like, numbers * earlier_share, times * earlier_share, same * earlier_share, differs * earlier_share,
        1.0 / (1 + min(len(o.words), len(n.words))), earlier_ended, negated * (1 - earlier_negated),
        settled, settled * earlier_share, renamed, open_earlier * (1 - open_later) * earlier_share,
        old_named, other_named,
        news, news * earlier_share, news * rarest, mentioned * max(ended, changed), mentioned * max(news, 0.0),
        stays, stays * earlier_share, stays * rarest,
    ])  # fmt: skip


@kept_for_texts(maxsize=512)
def _flags(text: str) -> tuple[float, ...]:
    return _FLAGS.flags(without_titles(text))


@kept_for_texts(maxsize=512)
def statement(text: str) -> Statement:
    """A text as it is compared."""
    tokens = WORD.findall(text)
    lower = text.lower().replace("’", "'")
    words = [_by_kin(token.lower().replace("’", "'")) for token in tokens]
    plain = [word.removesuffix("'s") for word in words] if "'s" in lower else words
    content = [word for word in plain if not word.endswith(cues.CONTRACTED)] if "'" in lower else plain
    language = language_of(text)
    small = small_words(language) | cues.TELLING_WHEN
    meant = {stem: _meaning(word, language) for word in content if word not in small and (stem := stem_of(word))}
    stems = {stem: weight for stem, (weight, _) in meant.items()}
    vectors = np.array([vector for _, vector in meant.values()], np.float32).reshape(-1, DIMENSIONS)
    total = np.array([*stems.values()], np.float32) @ vectors
    named = (stem_of(_POSSESSIVE.sub("", name.lower())) for name in _NAME.findall(text) if not _DAY.match(name))
    return Statement(
        text, tuple(plain), stems, {stem: i for i, stem in enumerate(stems)}, vectors, total, subject_of(words),
        not cues.SELF.isdisjoint(words),
        cues.KIN.intersection(plain), frozenset(named) - {""},
        frozenset(word for word in tokens if not word.isalpha() and any(map(str.isdigit, word))),
        frozenset(_TIMED.findall(lower) if text.isascii() else map(str.lower, cues.TIMED.findall(text))),
    )  # fmt: skip


def _lower_words(text: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in WORD.findall(text)]


def _by_kin(word: str) -> str:
    """A word for one of the family or the household as others call them: "mum's" is "mother's"."""
    bare = word.removesuffix("'s")
    return cues.KIN_CALLED[bare] + word[len(bare) :] if bare in cues.KIN_CALLED else word


@kept_for_texts(maxsize=16_384)
def _meaning(word: str, language: str = ENGLISH) -> tuple[float, np.ndarray]:
    """Rarity and unit vector of a word. One of another language that is not known in English is like itself alone: its
    pieces are like those of any other word of that language.
    """
    known = word if language == ENGLISH else in_english(word, language)
    rows = np.array(pieces(known) or (UNKNOWN,), np.int64)
    idf = prior_idf(rows)
    vector: np.ndarray = weighted_sum(rows, idf)
    if language != ENGLISH and known == word:
        vector = _of_itself(stem_of(word))
    return min(1.0, float(idf.max()) / COMMON + 0.1 * (len(rows) > 1)), vector / max(np.linalg.norm(vector), 1e-9)


def _of_itself(stem: str) -> np.ndarray:
    """A vector that hardly resembles that of any other stem."""
    return np.random.default_rng(crc32(stem.encode())).standard_normal(DIMENSIONS, np.float32)


def _aligned(o: Statement, n: Statement) -> tuple[float, list[tuple[str, int, int, int, int]]]:
    """The share of words in the same order and, where it is large, the places where two statements differ."""
    blocks = matching_blocks(o.words, n.word_places, len(n.words))
    order = 2.0 * sum(block.size for block in blocks) / (len(o.words) + len(n.words))
    return order, changed_places(blocks, len(o.words), len(n.words)) if order >= ALIKE else []


def _ends(o: Statement, n: Statement) -> bool:
    """Whether what the later statement ends may be in the earlier one: "I no longer drink coffee" ends no "aspirin"."""
    for ceasing, thing in n.ended_things:
        if not o.stems.keys().isdisjoint(ceasing.union(thing)):
            return True
        rarest = max(thing, key=n.stems.__getitem__)  # "coffee" of "drink coffee": verbs are near to many
        if o.stems and float((_vectors(o, o.stems) @ _vectors(n, [rarest]).T).max()) >= ABOUT_ONE_THING:
            return True
    return False


def _vectors(of: Statement, which: Collection[str]) -> np.ndarray:
    return of.vectors[[of.places[stem] for stem in which]]


def _part(of: Statement, which: Collection[str]) -> np.ndarray:
    """The sum of some of its words."""
    return np.array([of.stems[stem] for stem in which], np.float32) @ _vectors(of, which)


def _cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b) / max(float(np.sqrt((a @ a) * (b @ b))), 1e-9)
