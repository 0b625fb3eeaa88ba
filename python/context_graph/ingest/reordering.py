"""Texts of the same words in another order that say the same: a phrase moved, active and passive, whose it is."""

from collections.abc import Iterator, Sequence

from context_graph.ingest.wordings import past_of

__all__ = ["reordered", "turned"]

_OPENERS = frozenset(
    "after at because before by during for from if in near on since to until unless under when while with"
    " without although though once whenever"
    " every last next this today tomorrow tonight yesterday currently usually"
    " am im an bei beim durch für gegen mit nach nachts ohne seit trotz um unter vor wegen während zu zum zur"
    " heute morgen gestern abends mittags morgens jeden jede jedes nächsten nächste nächstes montags dienstags"
    " mittwochs donnerstags freitags samstags sonntags"
    " a al antes cada con desde después durante en hasta hoy mañana ayer los sin".split()
)
"""What a phrase begins with that may stand first or last."""

_GERMAN_SUBJECTS = frozenset("ich du er sie es wir ihr man".split())
MAX_PHRASE = 5
"""Words of a phrase that moves within a clause."""

_ADVERBS = frozenset(
    "usually often rarely sometimes always currently recently already still now today tomorrow yesterday soon finally "
    "maybe probably immediately meanwhile also too".split()
)
"""Adverbs that say the same of a clause wherever they stand in it; "only" and "not" do not."""

MAX_IDENTIFIED = 8
"""Words of a text that says who somebody is, and nothing else."""

MAX_CLAUSE = 20
"""Words of a text in which an adverb may move: in a longer one it may belong to another clause."""

_OWNERS = frozenset("my our his her their your its".split())
_AS_SUBJECT = {"us": "we", "me": "i", "him": "he", "her": "she", "them": "they"}

_GIVING = frozenset(
    "give gives gave given lend lends lent send sends sent show shows showed sell sells sold bring brings brought "
    "hand hands handed offer offers offered owe owes owed pay pays paid write writes wrote teach teaches taught "
    "read reads promise promised".split()
)
"""Verbs of which somebody gets something: "gave Mia the desk", "gave the desk to Mia"."""


def turned(tokens: Sequence[str], others: Sequence[str]) -> bool:
    """Whether one says of the other's subject, object or owner the same the other way round.

    Examples
    --------
    >>> turned("report was written by Mia".split(), "Mia wrote report".split())
    True
    >>> turned("Ben gave Mia desk".split(), "Ben gave desk to Mia".split())
    True
    >>> turned("Mia called Ben".split(), "Ben called Mia".split())
    False
    """
    one, other = _owned(tokens), _owned(others)
    if _identified(tokens) == _identified(others):
        return True
    turns = [(one, other)]
    for first, second in ((one, other), (other, one)):
        turns += [(turn, second) for turn in (*_active(first), *_given(first))]
    opening = {word.lower() for word in (*tokens[:1], *others[:1])}
    return any(_alike(first, second, opening) for first, second in turns)


def _identified(tokens: Sequence[str]) -> tuple[frozenset[tuple[str, ...]], ...]:
    """Who or what is said to be whom, in whatever order: "Nina is my sister", "my sister is Nina"."""
    if tokens.count("is") != 1 or not 3 <= len(tokens) <= MAX_IDENTIFIED:
        return (frozenset([tuple(tokens)]),)
    at = tokens.index("is")
    one, other = tokens[:at], tokens[at + 1 :]
    for owned, named in ((one, other), (other, one)):
        if owned and named and owned[0].lower() in _OWNERS and (len(named) == 1 or all(map(_capital, named))):
            return (frozenset([tuple(map(str.lower, owned)), tuple(map(str.lower, named))]),)
    return (frozenset([tuple(tokens)]),)


def _capital(word: str) -> bool:
    return word[:1].isupper()


def _alike(tokens: Sequence[str], others: Sequence[str], opening: set[str]) -> bool:
    """Whether two texts are the same but for the case of words that open one."""
    return len(tokens) == len(others) and all(
        one == other or (one.lower() == other.lower() and one.lower() in opening and not {one, other} & {one.upper()})
        for one, other in zip(tokens, others, strict=True)
    )


def _owned(tokens: Sequence[str]) -> list[str]:
    """With "sister of Anna" as "Anna's sister"."""
    owned = list(tokens)
    for i in range(len(owned) - 2, 0, -1):
        named = owned[i + 1][:1].isupper() and "'" not in owned[i + 1]
        follows = owned[i + 2 : i + 3]
        if owned[i] == "of" and named and owned[i - 1].islower() and not (follows and follows[0][:1].isupper()):
            owned[i - 1 : i + 2] = [f"{owned[i + 1]}'s", owned[i - 1]]
    return owned


def _active(tokens: Sequence[str]) -> Iterator[list[str]]:
    """What a passive says with who did it as the subject, for each way to read who that is."""
    for i in range(1, len(tokens) - 3):
        if tokens[i] not in ("was", "were") or "by" not in tokens[i + 2 : i + 4]:
            continue
        by = tokens.index("by", i + 2)
        behind, done = tokens[by + 1 :], [past_of(tokens[i + 1]), *tokens[i + 2 : by]]
        for end in range(1, min(MAX_PHRASE, len(behind)) + 1):
            doer = [_AS_SUBJECT.get(behind[0], behind[0]), *behind[1:end]]
            yield [*doer, *done, *tokens[:i], *behind[end:]]


def _given(tokens: Sequence[str]) -> Iterator[list[str]]:
    """With who gets something before what they get."""
    for i, verb in enumerate(tokens):
        if verb in _GIVING and "to" in tokens[i + 2 :]:
            to = tokens.index("to", i + 2)
            for end in range(to + 2, min(to + 2 + MAX_PHRASE, len(tokens) + 1)):
                yield [*tokens[: i + 1], *tokens[to + 1 : end], *tokens[i + 1 : to], *tokens[end:]]


def reordered(tokens: Sequence[str], others: Sequence[str]) -> bool:
    """Whether one is the other with a phrase of time, place or reason moved from its beginning to its end.

    Examples
    --------
    >>> reordered("in 2019 we founded it".split(), "we founded it in 2019".split())
    True
    >>> reordered("Anna likes Ben".split(), "Ben likes Anna".split())
    False
    """
    if len(tokens) != len(others) or not all(token[:1].isalnum() for token in (*tokens, *others)):
        return False
    if sorted(word.lower() for word in tokens) != sorted(word.lower() for word in others):
        return False
    both = ((tokens, others), (others, tokens))
    return (
        any(_moved(first, last, i) for first, last in both for i in range(1, len(first)))
        or any(_inverted(first, other) for first, other in both)
        or _adverb_moved(tokens, others)
        or _phrases_moved(tokens, others)
    )


def _moved(first: Sequence[str], last: Sequence[str], length: int) -> bool:
    """Whether the first `length` words of one are the last of the other; the case of a word that opens says nothing."""
    if first[0].lower() not in _OPENERS or len(first) - length < 2:
        return False
    turned = [*first[length:], *first[:length]]
    opens = {0, len(first) - length}
    return all(
        a == b or (i in opens and a.lower() == b.lower()) for i, (a, b) in enumerate(zip(turned, last, strict=True))
    )


def _inverted(first: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one opens with a phrase that the other has behind verb and subject, as German has it: "am Freitag habe
    ich frei", "ich habe am Freitag frei".
    """
    low, others = [word.lower() for word in first], [word.lower() for word in other]
    if low[0] not in _OPENERS:
        return False
    for length in range(1, min(MAX_PHRASE, len(low) - 2) + 1):
        phrase, verb, subject, rest = low[:length], low[length], low[length + 1], low[length + 2 :]
        if subject in _GERMAN_SUBJECTS and others[:2] == [subject, verb]:
            tail = others[2:]
            return any(tail == [*rest[:i], *phrase, *rest[i:]] for i in range(len(rest) + 1))
    return False


def _adverb_moved(tokens: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the two differ in where an adverb stands; both have the same words."""
    if len(tokens) > MAX_CLAUSE:
        return False
    rest, other = ([word for word in each if word.lower() not in _ADVERBS] for each in (tokens, others))
    return len(rest) < len(tokens) and _alike(rest, other, {word.lower() for word in (*rest[:1], *other[:1])})


def _phrases_moved(tokens: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the phrases of time and place at the end stand in another order."""
    (head, phrases), (other, others_phrases) = _phrases(tokens), _phrases(others)
    return bool(phrases) and head == other and phrases == others_phrases


def _phrases(tokens: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """What comes before the phrases of time and place at the end of a text, and those in the order of the alphabet."""
    end = len(tokens)
    phrases: list[list[str]] = []
    for start in range(len(tokens) - 2, 0, -1):
        if tokens[start] in _OPENERS and 2 <= end - start <= MAX_PHRASE:
            phrases.append([*tokens[start:end]])
            end = start
        elif end - start > MAX_PHRASE:
            break
    return [*tokens[:end]], sorted(phrases)
