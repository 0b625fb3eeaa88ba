"""Whether two statements cannot both hold: they say of one thing another value, or the opposite.

Rules, not weights: both sentences must be the same but for one value of a kind that a thing has once (a number, a time,
a name, a place, a price), or for a negation. Whatever else differs may be another thing, purpose or time, so both hold.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from context_graph.embed.chunks import sentences
from context_graph.embed.stems import stem_of
from context_graph.reading import cues
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["Contradiction", "contradiction", "may_contradict"]

Kind = Literal["value", "negation"]

NEGATION, NUMBER, NAME, PLACE = 0.9, 0.85, 0.8, 0.7
"""Confidence by what differs, set by hand in the order in which both could hold after all."""

MAX_SENTENCE_WORDS = 24
"""Of a sentence that is compared: longer ones say more than one thing."""

MAX_SENTENCES = 6
LONGEST_VALUE = 4
"""Words of a value."""

_TITLE = regex(r"\b(Mr|Mrs|Ms|Dr|Prof|St)\.\s")
_WORD = regex(r"[^\W_]+(?:['’.,:/-][^\W_]+)*[%€$£]?|[€$£]")
_ARTICLES = frozenset("the a an der die das dem den des ein eine einen einem einer".split())
_UNKNOWN = frozenset(
    "a an one some any another other both each every it it's this that that's these those there here he he's she "
    "she's they they're his her their its who what which someone somebody you you're your ein eine einer es er "
    "sie dies jemand man and but so".split()
)
"""Begin a sentence about something that is another thing each time."""

_OWN = cues.SELF | {"us", "our", "ours", "uns", "mir", "mich", "meine", "meinem", "meiner", "unserem", "unserer"}
_SEVERAL = cues.KIN - frozenset(
    "mother father mom mum dad wife husband partner boss manager girlfriend boyfriend mutter vater frau mann chef "
    "madre padre".split()
)
"""Kin of whom one may have several: what is said of "my sister" may be said of two."""

_NEGATIONS = frozenset("not no never cannot nicht nie niemals kein keine keinen keinem keiner".split())
_AUXILIARIES = frozenset("do does did".split())
_OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        "open/closed enabled/disabled allowed/forbidden allowed/prohibited possible/impossible married/single "
        "married/unmarried married/divorced alive/dead true/false legal/illegal required/optional mandatory/optional "
        "valid/invalid valid/expired public/private safe/dangerous available/unavailable free/paid with/without on/off "
        "full/empty locked/unlocked synchronous/asynchronous encrypted/unencrypted supported/unsupported "
        "offen/geschlossen geöffnet/geschlossen erlaubt/verboten möglich/unmöglich verheiratet/ledig "
        "verheiratet/geschieden aktiviert/deaktiviert mit/ohne voll/leer gültig/ungültig"
    ).split()
)
_FREE = frozenset("free gratis kostenlos frei umsonst".split())
_COSTS = frozenset("costs cost kostet kosten".split())
_CURRENCY = frozenset("euro euros dollar dollars pounds pound francs kronen crowns cents € $ £".split())
_PER = frozenset("per each month year week day pro im monat jahr woche tag monthly yearly".split())
_ENGLISH = frozenset(("is", "are"))
"""Of the copulas, those in whose language a capital letter tells a name."""

_COPULAS = _ENGLISH | {"ist", "sind"}
_PAST = frozenset("was were war waren wurde".split())
_TIMED = _COPULAS | frozenset(
    "starts start begins begin ends opens closes leaves arrives expires beginnt endet öffnet schließt fährt".split()
)
"""Verbs that a thing has one time of."""

_ONCE = (
    _TIMED
    | _PAST
    | frozenset(
        "live lives runs costs cost takes weighs measures belongs lasts reaches holds seats totals has have hat haben "
        "heißt heisst heiße wohnt "
        "wohne lebt lebe läuft kostet gehört dauert wiegt".split()
    )
)
"""Verbs that a thing has one value of."""

_COUNTED = frozenset("has have hat haben takes reaches holds seats totals dauert".split())
"""Of these, those of several things, but of one number of them."""

_USING = frozenset("uses use runs run requires require needs targets benutzt nutzt".split())
"""Verbs behind which a name and a number are one version of one thing."""

_VERBS = cues.VERBS | _ONCE | _USING
_PLACES = frozenset("in under on at behind above below beside inside next im am unter auf hinter neben".split())
_LINKS = _PLACES | frozenset("to by of with for until um bis ab zu bei mr mrs ms dr prof herr frau room raum".split())
"""Words between a verb and its value."""

_PARTICIPLES = frozenset(
    "owned managed run led called named born founded built set located hosted written kept made scheduled based "
    "due geboren gebaut gegründet gehostet geleitet".split()
)
_LASTING = frozenset("born founded built written made geboren gebaut gegründet".split())
"""What was so stays so: of other things that were, another time may be meant."""

_COLOURS = frozenset(
    "black white red green blue yellow brown grey gray orange purple pink silver golden beige schwarz weiß rot "
    "grün blau gelb braun grau lila rosa".split()
)
_NUMBERS = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty "
    "ninety hundred thousand noon midnight first second third fourth fifth null zwei drei vier fünf sechs sieben "
    "acht neun zehn elf zwölf zwanzig dreißig".split()
)
_MONTHS = frozenset(
    "january february march april may june july august september october november december januar februar märz "
    "mai juni juli oktober dezember".split()
)
_TIMES = _MONTHS | frozenset(
    "monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter morning afternoon "
    "evening night weekend easter christmas montag dienstag mittwoch donnerstag freitag samstag sonntag frühling "
    "sommer herbst morgen abend".split()
)
_RECURRING = regex(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:weekday|weekend|morning|evening|afternoon)s|\w+tags|every|each|"
    r"always|usually|sometimes|often|jeden|jede|immer|manchmal|oft|meistens"
)
_YEAR = regex(r"(?:19|20)\d\d")
_DAY = regex(r"\d{1,2}(?:st|nd|rd|th|\.)? [^\W\d_]+")
_UNSURE = regex(
    r"\b(?:today|tonight|currently|right now|at the moment|about|around|roughly|almost|nearly|up to|at least|at most|"
    r"between|or|if|unless|except|only|heute|gerade|etwa|ungefähr|circa|mindestens|höchstens|oder|wenn|außer|nur)\b|"
    r"[\"“”?]",
    re.I,
)
"""What makes a value one of several, of a day, of a condition, or of somebody else's words."""

_HOLDER = regex(
    r"(?P<who>[A-ZÀ-Þ][\w’'-]*(?: [A-ZÀ-Þ][\w’'-]*){0,2}) (?P<verb>is|are) "
    r"(?P<post>(?:the (?!(?:\w+est|most|least|same|one|kind|first|second|other)\b)"
    r"|(?:our|my|their|his|her) (?:main|primary|only|current|favou?rite|default|chief|head) )[^,;:]+?)(?P<end>[.!]?)"
)
"""Who, or what, has a post: it is the post of which there is one holder."""

_GENERIC = regex(
    r"an? (?=[\w -]{2,40} is (?:not )?an? (?:kind|type|sort|form) of\b)"
    r"|(?=[\w -]{2,60} (?:causes?|do(?:es)? not cause)\b)",
    re.I,
)
"""Opens what is said of all of a kind, or of a cause."""

_NO_END = frozenset(("leaves", "is off"))
"""No end of a state where the verb of a train, or beside "is on"."""


class Contradiction(NamedTuple):
    """
    Attributes
    ----------
    topic : str
        What both speak of.
    """

    kind: Kind
    confidence: float
    topic: str


class _Clause(NamedTuple):
    """A sentence as it is compared: lower-cased words without articles, negations, and the auxiliaries of these.

    Attributes
    ----------
    subject : tuple of str
        Before the verb; all of it where no verb is known.
    rest : tuple of str
        Behind the verb; a date is one word.
    own : bool
        It speaks of who says it.
    several : bool
        There may be several of which it says so.
    without_article : bool
        What it speaks of has no article and no owner: "Kai is Dutch" is no second answer to "Kai is a nurse".
    names : frozenset of str
        Its capitalised words, but for the first.
    """

    subject: tuple[str, ...]
    verb: str
    rest: tuple[str, ...]
    negated: bool
    own: bool
    several: bool
    without_article: bool
    names: frozenset[str]
    topic: str


def contradiction(first: str, second: str, *, one_speaker: bool = True) -> Contradiction | None:
    """Whether two texts hold sentences that cannot both be true, whichever was said first; None where both may hold.

    Parameters
    ----------
    one_speaker : bool
        Else what they say of themselves ("my", "we") is of two people.

    Examples
    --------
    >>> contradiction("The retro is in room Aspen.", "The retro is in room Birch.").kind
    'value'
    >>> contradiction("The office has parking.", "The office has no parking.").kind
    'negation'
    >>> contradiction("The retro in May is in Aspen.", "The retro in June is in Birch.")
    """
    for a in _clauses(first):
        for b in _clauses(second):
            if (one_speaker or not (a.own or b.own)) and (found := _compared(a, b)):
                return found
    return None


def may_contradict(text: str) -> bool:
    """Whether a text holds a sentence that could be compared with one of another; most articles hold none.

    Examples
    --------
    >>> may_contradict("The retro is in room Aspen."), may_contradict("Perhaps in room Birch?")
    (True, False)
    """
    return bool(_clauses(text))


def _compared(a: _Clause, b: _Clause) -> Contradiction | None:
    if a.negated != b.negated:
        same = [_bare(word) for word in _whole(a)] == [_bare(word) for word in _whole(b)]
        return Contradiction("negation", NEGATION, a.topic) if same else None
    if a.negated or not a.verb or a.subject != b.subject:  # that neither is so rules out nothing
        return None
    if _priced(a, b) or _priced(b, a):
        return Contradiction("value", NUMBER, a.topic)
    if a.verb != b.verb:
        return None
    changes = SequenceMatcher(None, a.rest, b.rest, autojunk=False).get_opcodes()
    changes = [code for code in changes if code[0] != "equal"]
    if len(changes) != 1 or changes[0][0] != "replace":
        return None
    _, start, end, other_start, other_end = changes[0]
    one, other = a.rest[start:end], b.rest[other_start:other_end]
    if len(one) == len(other) == 1 and frozenset(one + other) in _OPPOSITES:
        return Contradiction("negation", NEGATION, a.topic)
    both_names = all(
        clause.names.intersection(value) and (clause.names | _LINKS).issuperset(value)
        for clause, value in ((a, one), (b, other))
    )
    bare = a.verb in _COPULAS and start == 0
    both_names = both_names and not (bare and (a.without_article or b.without_article or a.verb not in _ENGLISH))
    versioned = start > 0 and a.rest[start - 1] in a.names & b.names
    confidence = 0.0 if a.several else _single(
        a.verb, a.rest[:start], a.rest[end:], one, other, both_names=both_names, versioned=versioned
    )  # fmt: skip
    return Contradiction("value", confidence, a.topic) if confidence else None


def _single(
    verb: str,
    before: Sequence[str],
    behind: Sequence[str],
    one: Sequence[str],
    other: Sequence[str],
    *,
    both_names: bool,
    versioned: bool,
) -> float:
    """Confidence that what differs are two values of which a thing has one; 0.0 where it may have both.

    Parameters
    ----------
    before, behind : sequence of str
        Words that are the same, between the verb and the value and behind it.
    both_names : bool
        Both values hold a name.
    versioned : bool
        What differs stands directly behind a name.
    """
    if verb in _USING and versioned and not behind:
        return NUMBER if all(len(value) == 1 and _is_number(value[0]) for value in (one, other)) else 0.0
    past = verb in _PAST and not _LASTING.intersection(before)
    if verb not in _ONCE or past or max(len(one), len(other)) > LONGEST_VALUE:
        return 0.0
    linked = all(word in _LINKS or word in _PARTICIPLES for word in before)
    timed = [any(map(_is_time, value)) for value in (one, other)]
    if all(timed) and any(a.endswith(f" {b}") or b.endswith(f" {a}") for a in one for b in other):
        return 0.0  # one has the year besides
    if any(timed):  # a time behind anything else says when that holds
        return NUMBER if all(timed) and linked and not behind and verb in _TIMED | _PAST else 0.0
    if all(any(map(_is_number, value)) for value in (one, other)):
        return NUMBER if len(one) == len(other) and not any(map(_is_number, before)) else 0.0
    if verb in _COUNTED or not linked or behind:
        return 0.0
    if both_names or _COLOURS.issuperset((*one, *other)):
        return NAME
    return PLACE if verb in _COPULAS and not before and one[0] in _PLACES and other[0] in _PLACES else 0.0


def _priced(free: _Clause, priced: _Clause) -> bool:
    """Whether one is free and the other has a price, both without a condition."""
    if free.verb not in _COPULAS or len(free.rest) != 1 or free.rest[0] not in _FREE:
        return False
    others = [word for word in priced.rest if not _is_number(word) and word not in _CURRENCY | _PER]
    amount = len(others) < len(priced.rest) and any(map(_is_number, priced.rest))
    return amount and not others and (priced.verb in _COSTS or bool(_CURRENCY.intersection(priced.rest)))


def _is_number(word: str) -> bool:
    return word in _NUMBERS or any(letter.isdigit() for letter in word)


def _is_time(word: str) -> bool:
    return word in _TIMES or word.rpartition(" ")[2] in _MONTHS or bool(re.fullmatch(r"\d{1,2}:\d\d", word))


def _whole(clause: _Clause) -> tuple[str, ...]:
    return (*clause.subject, clause.verb, *clause.rest) if clause.verb else clause.subject


def _bare(word: str) -> str:
    """A word without its ending: "eats" after "does not" is "eat"."""
    return {"has": "have", "hat": "haben"}.get(word) or stem_of(word) or word


@kept_for_texts(maxsize=1_024)
def _clauses(text: str) -> tuple[_Clause, ...]:
    """What the first sentences of a text state."""
    read = (_clause(sentence) for sentence in sentences(_TITLE.sub(r"\1 ", text))[:MAX_SENTENCES])
    return tuple(clause for clause in read if clause is not None)


def _clause(sentence: str) -> _Clause | None:
    """A sentence as it is compared; None for one that says nothing plain of one thing."""
    if holder := _HOLDER.fullmatch(sentence.strip()):
        sentence = f"{holder['post'][0].upper()}{holder['post'][1:]} {holder['verb']} {holder['who']}{holder['end']}"
    generic = _GENERIC.match(sentence)
    if generic is not None:
        sentence = sentence[generic.end() :]
    tokens = _WORD.findall(sentence)
    if not 3 <= len(tokens) <= MAX_SENTENCE_WORDS or _UNSURE.search(sentence):
        return None
    if any(pattern.search(sentence) for pattern in (cues.OPEN, cues.MORE, cues.CORRECTED)):
        return None
    if generic is None and cues.EVENT.search(sentence):
        return None
    if generic is None and any(match[0].lower() not in _NO_END for match in cues.ENDED.finditer(sentence)):
        return None
    words = [part for word in tokens for part in _parts(word.lower().replace("’", "'"))]
    if words[0] in _UNKNOWN or any(map(_RECURRING.fullmatch, words)):
        return None
    denied = [i for i, word in enumerate(words) if word in _NEGATIONS]
    if len(denied) > 1:
        return None
    gone = {i for i in denied} | {i - 1 for i in denied if i and words[i - 1] in _AUXILIARIES}
    kept = _dated([w for i, w in enumerate(words) if i not in gone and w not in _ARTICLES])
    place = next((i for i, word in enumerate(kept) if i and word in _VERBS), len(kept))
    subject, verb, rest = tuple(kept[:place]), "".join(kept[place : place + 1]), tuple(kept[place + 1 :])
    if not subject:
        return None
    own = bool(_OWN.intersection(words))
    several = subject[-1] in _SEVERAL and len(subject) > 1
    names = frozenset(word.lower().replace("’", "'") for word in tokens[1:] if word[0].isupper())
    meant = [word for word in subject if word not in cues.SELF] or [verb]
    without_article = words[0] not in _ARTICLES | cues.POSSESSIVE
    return _Clause(subject, verb, rest, bool(denied), own, several, without_article, names, " ".join(meant))


def _parts(word: str) -> tuple[str, ...]:
    """A word, or the two that it is a short form of: "doesn't", "can't"."""
    if word.endswith("n't"):
        return {"can't": "can", "won't": "will", "shan't": "shall"}.get(word, word[:-3]), "not"
    return ("can", "not") if word == "cannot" else (word,)


def _dated(words: Sequence[str]) -> list[str]:
    """Day and month as one word, with the year before them where there is one."""
    joined: list[str] = []
    for word in words:
        if joined and _YEAR.fullmatch(word) and _DAY.fullmatch(joined[-1]):
            joined[-1] = f"{word} {joined[-1]}"
            continue
        if joined and word in _MONTHS and joined[-1].rstrip("stndrh.").isdigit():
            joined[-1] += f" {word}"
        elif joined and joined[-1] in _MONTHS and word.rstrip("stndrh.").isdigit():
            joined[-1] = f"{word} {joined[-1]}"
        else:
            joined.append(word)
    return joined
