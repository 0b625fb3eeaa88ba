"""The newest holds: which results of a question a later one has taken the place of, and in which order they are told.

Nothing is written: what a statement replaces is judged anew by each question, so a wrong judgement loses nothing.
"""

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from context_graph.embed.chunks import sentences
from context_graph.embed.languages import language_of
from context_graph.embed.stems import stems, words
from context_graph.models import Node
from context_graph.reading import attributes, cues, supersession
from context_graph.reading.acts import asked_for
from context_graph.reading.contradiction import contradiction
from context_graph.reading.fingerprints import given_name
from context_graph.reading.intent import parse
from context_graph.reading.metadata import stand_beside
from context_graph.reading.utterance import USERS

__all__ = [
    "ASKED", "ATTRIBUTE", "LEAST", "LIKELY", "LOOKED_AT", "PLAIN", "SURE", "Replacement", "answering", "asked_features",
    "asks_for_the_past", "both_asked", "comparable", "current_first", "ordered", "replacements", "said_anew",
]  # fmt: skip

LOOKED_AT = 10
"""Results that are compared with each other."""

LIKELY = 0.2
"""Probability from which a result counts as replaced: to tell the later first where both hold does little harm, to tell
first what holds no more does much."""

SURE, PLAIN, LEAST = 0.0, -1.0, -2.5
"""Log odds of the two statements from which on the earlier one is told with its end; from which on it is told after the
later one, as earlier; and from which on so where the later one has a word of the question or its attribute."""

SENTENCE = 300
"""Characters of a memory that is compared whole; of a longer one, the sentence that answers best."""

ATTRIBUTE = 0.15
"""Probability that a question of the user and two statements are about one attribute of which a person has one value,
from which these are compared as if they had a word of the question."""

ASKED = ("statements", "several", "rank", "alone", "asked", "attribute")
"""What a judgement rests on: the log odds of the two statements; whether several answers are expected; the logarithm of
the lower rank; that of the lower relevance; the share of the question's words that the earlier statement has; and
`_one_attribute`."""


READ = 20
"""Requests that are compared with each other: what is said anew is often said in passing."""

SHARED = 2
"""Words of the question that two requests must both have, from which one may say anew what the other said."""

_ASKED_VALUE = re.compile(
    r"\b(?:how (?:many|much|long|often|far|old)|when|what(?:['’]s|time)?|which)\b(.*)$", re.I | re.S
)
_BEHIND = frozenset("for to of in on at with by from should do does did have has had can could will would that".split())
"""Words at which what is asked for ends."""

_RENEWED = re.compile(
    r"\b(?:now|new|newly|recent(?:ly)?|currently|already|since|adjust\w*|chang\w+|increas\w+|decreas\w+|reduc\w+|rais\w+"
    r"|lower\w+|extend\w+|improv\w+|updat\w+|mov(?:ed|ing)|postpon\w+|reschedul\w+|revis\w+|(?:down|up) (?:to|from)"
    r"|grew|grown|risen|rose|dropped|went (?:up|down)|switch\w+|instead|no longer|managed to|just found out)\b",
    re.I,
)
"""A value is not what it was."""

_REQUEST = re.compile(
    r"\?|\b(?:can|could|would|will) you\b|\bhow (?:can|do|should|could|would) (?:i|we)\b|\bshould (?:i|we)\b"
    r"|\bwhat (?:should|can|could|do) (?:i|we)\b|\b(?:i['’]?m|we['’]?re) (?:\w+ )?(?:not sure|wondering|unsure)\b",
    re.I,
)
_NUMBER_OF = re.compile(r"\bnumber of\b", re.I)
_VALUE = re.compile(
    r"(?P<money>[$€£]\s?\d[\d.,]*)|(?P<share>\d[\d.,]*\s?%)|(?P<clock>\d{1,2}(?::\d\d\s?(?:[ap]m)?|\s?[ap]m)\b)"
    r"|(?P<date>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\d{4}-\d\d-\d\d)"
    r"|(?P<count>\b\d[\d.,]*\b)",
    re.I,
)


class Replacement(NamedTuple):
    """A result of which a later one says how it is now."""

    by: int
    """Place of the later one."""

    likely: float
    sure: bool = True
    """What the two say is enough; else the question makes it likely, and only their order is told."""

    others: tuple[int, ...] = ()
    """Places of further ones that are later, too."""


def replacements(question: str, nodes: Sequence[Node], alone: Sequence[float]) -> dict[int, Replacement]:
    """Which of the first results are replaced, by which of the others: place -> replacement.

    A question for all that is known of something names no attribute that two statements could share: there the
    statements alone decide.

    Parameters
    ----------
    nodes : sequence of Node
        In the order of their ranks.
    alone : sequence of float
        Relevance of each by itself.
    """
    asked, whole = frozenset(stems(question)), asked_for(question) is not None
    said = [answering(cues.readable(node.content), asked) for node in nodes[:READ]]
    found = _requests_anew(question, nodes[:READ], said)
    known = [language_of(node.content) in cues.LANGUAGES for node in nodes[:LOOKED_AT]]
    for i, earlier in enumerate(nodes[:LOOKED_AT]):
        for j, later in enumerate(nodes[:LOOKED_AT]):
            if not comparable(earlier, later):
                continue
            if _asks(earlier) or _asks(later) or not supersession.related(said[i], said[j]):
                continue
            if both_asked(question, said[i], said[j]):
                continue
            statements = supersession.logit(said[i], said[j])
            given = asked_features(question, (said[i], said[j]), statements, (i, j), (alone[i], alone[j]))
            meant = asked.intersection(stems(said[j])) or given[ASKED.index("attribute")] >= ATTRIBUTE
            if statements < (LEAST if known[i] and known[j] and meant else PLAIN):
                continue
            likely = _probability(statements if whole else _asked_logit(given))
            before = found.get(i)
            if earlier.occurred_at == later.occurred_at and contradiction(said[i], said[j]):
                continue  # of one moment: that one was stored after the other says nothing
            if likely >= LIKELY and (before is None or later.occurred_at > nodes[before.by].occurred_at):
                found[i] = Replacement(j, likely, statements >= SURE)
    return found


def _requests_anew(question: str, nodes: Sequence[Node], said: Sequence[str]) -> dict[int, Replacement]:
    """Which requests a later one takes the place of: first the one that has most words of the question, of these the
    latest.
    """
    found: dict[int, Replacement] = {}
    for i, earlier in enumerate(nodes):
        if not _asks(earlier):
            continue
        later = [j for j, other in enumerate(nodes) if comparable(earlier, other)]
        shared = {j: words_shared for j in later if (words_shared := said_anew(question, said[i], said[j]))}
        if shared:
            first, *others = sorted(shared, key=lambda j: (shared[j], nodes[j].occurred_at), reverse=True)
            found[i] = Replacement(first, LIKELY, False, tuple(others))
    return found


def _asks(node: Node) -> bool:
    """Whether it is a request: what a user tells an assistant beside asking it something."""
    return (node.speaker or "").lower() in USERS and bool(_REQUEST.search(node.content))


def current_first(count: int, replaced: dict[int, Replacement]) -> list[int]:
    """Places in the order in which they are told: what holds now directly before the first that it replaces.

    Examples
    --------
    >>> current_first(4, {1: Replacement(3, 0.9)})
    [0, 3, 1, 2]
    """
    order: list[int] = []
    for place in range(count):
        now, passed = place, [place]
        while now in replaced:  # each is later than the one before: this ends
            passed[:0] = [*sorted(replaced[now].others)]
            now = replaced[now].by
        order += [each for each in dict.fromkeys((now, *passed)) if each not in order]
    return order


def asked_features(
    question: str, said: Sequence[str], statements: float, ranks: Sequence[int], alone: Sequence[float]
) -> np.ndarray:
    """What a judgement rests on, in the order of `ASKED`: float64 (6,).

    Parameters
    ----------
    said, ranks, alone : (str, str), (int, int), (float, float)
        Of the earlier and the later one.
    statements : float
        `supersession.logit` of the two.
    """
    asked = set(stems(question))
    share = len(asked.intersection(stems(said[0]))) / max(len(asked), 1)
    several, rank, least = parse(question).several, np.log1p(max(ranks)), np.log(min(alone) + 1e-3)
    return np.array([statements, several, rank, least, share, _one_attribute(question, *said)])


def said_anew(question: str, earlier: str, later: str) -> int:
    """How many words of the question two requests share, of which the later one gives another value to what is asked
    for; 0 where it does not.

    A request tells and asks at once ("I have got 12 of them now, how do I go on?"), so it is no statement that the
    likelihoods of `supersession` were fitted on.

    Examples
    --------
    >>> said_anew("What is my snack budget?", "My snack budget is $60, what fits?", "I raised the snack budget to $75.")
    2
    >>> said_anew("What is my snack budget?", "My snack budget is $60, what fits?", "My new car costs $9,000.")
    0
    """
    found = _ASKED_VALUE.search(question)
    if found is None or not _RENEWED.search(later):
        return 0
    of_earlier, of_later = (frozenset(stems(text)) for text in (earlier, later))
    shared = of_earlier & of_later & frozenset(stems(question))
    named = _NUMBER_OF.search(later) or not shared.isdisjoint(_head(found[1]))
    if len(shared) < SHARED or not named:
        return 0
    was, now = _values(earlier), _values(later)
    return len(shared) if any(now[kind] - was[kind] and was[kind] - now[kind] for kind in was.keys() & now) else 0


def _head(asked: str) -> frozenset[str]:
    """Stems of what is asked for: the words up to the next that leads on from them."""
    head: list[str] = []
    for word in words(asked):
        if word in _BEHIND and stems(" ".join(head)):
            break
        head.append(word)
    return frozenset(stems(" ".join(head)))


def _values(text: str) -> dict[str, set[str]]:
    """The values that a text names, by their kind."""
    values: dict[str, set[str]] = {}
    for found in _VALUE.finditer(text):
        values.setdefault(str(found.lastgroup), set()).add(found[0].lower().rstrip(".,"))
    return values


def _one_attribute(question: str, earlier: str, later: str) -> float:
    """Probability that a question of the user and two statements are about one attribute that has one value."""
    if not cues.USER.search(question):
        return 0.0
    asked, o, n = (attributes.of_text(text) for text in (question, earlier, later))
    return float((asked * np.sqrt(o * n))[attributes.model().values == "one"].sum())


def both_asked(question: str, earlier: str, later: str) -> bool:
    """Whether a question joins what only one statement tells of and what only the other does.

    Examples
    --------
    >>> both_asked("When do the choir and the band meet?", "The choir meets on Mondays.", "The band meets on Fridays.")
    True
    """
    asked = set(stems(question))
    o, n = asked.intersection(stems(earlier)), asked.intersection(stems(later))
    return bool(cues.JOINED.search(question) and o - n and n - o)


def asks_for_the_past(question: str) -> bool:
    """Whether a question wants to know how things were."""
    return bool(cues.PAST.search(question))


def comparable(earlier: Node, later: Node) -> bool:
    """One person's words, later than the other: an entry with a title has a subject of its own, a file is kept up by
    `seed`, and what an assistant said is no statement about its user.
    """
    when = (earlier.occurred_at, earlier.created_at) < (later.occurred_at, later.created_at)
    if not when or earlier.speaker != later.speaker or earlier.speaker == "assistant" or stand_beside(earlier, later):
        return False
    return not any(
        given_name(node) or "source" in node.metadata or node.modality != "text" for node in (earlier, later)
    )


def ordered(one: Node, other: Node) -> bool:
    """Whether one person said both, at two times."""
    return one.speaker == other.speaker and one.occurred_at != other.occurred_at


def _asked_logit(given: np.ndarray) -> float:
    intercept, weights = _weights()
    return float(intercept + given @ weights)


def _probability(logit: float) -> float:
    return float(1.0 / (1.0 + np.exp(-logit)))


@lru_cache(maxsize=1)
def _weights() -> tuple[float, np.ndarray]:
    fitted = json.loads(supersession.WEIGHTS.read_text("utf-8"))["asked"]
    return fitted["intercept"], np.array([fitted["weights"][name] for name in ASKED])


def answering(text: str, asked: frozenset[str]) -> str:
    """A text, or where it is long the sentence of it that has most of the question's words."""
    if len(text) <= SENTENCE:
        return text
    return max(sentences(text), key=lambda sentence: len(asked.intersection(stems(sentence))), default=text)
