"""The links of cause and effect that a sentence states: each with its own two ends, however many stand in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from context_graph.embed.causal import CLAUSE_END, Clauses
from context_graph.graph.factuality import Meaning, bare, frame, of_adjunct, of_verb, remark, weakest
from context_graph.regex import regex

__all__ = ["CausalLink", "causal_links", "first_clause", "last_clause"]

_CONTRAST = regex(r",? (?:but|while|although|whereas)\b|[;:]", re.I)
"""Where what is said of a clause, such as whose belief it is, ends."""

_CLAUSAL = regex(
    r"\W*(?:\w+ly )?(?:because(?! of)|so|therefore|thus|hence|consequently|as a result(?! of)|which is why)\b|\W*\Z",
    re.I,
)
"""A connective between two clauses; empty where the first of them opens with it: "Because the disk was full, ..."."""

_NOMINAL = regex(
    r"\W*(?:because of|due to|thanks to|owing to|as a (?:result|consequence) of|on account of|in the wake of"
    r"|at the hands of)\b",
    re.I,
)
_RELATIVE = regex(r"\W*(?:which|that)\b", re.I)
_DOING = regex(r"\W*(?:\w+ly )?\w+ing\b", re.I)
_DONE_BY = regex(r"\W*(?:\w+ly )?\w+(?: \w+)? by\b", re.I)
_PASSIVE = regex(r"\W*(?:is|are|was|were|been|being|be|get|got|has|have|had|can|may|will|could)\b", re.I)
_BEING = regex(r"\b(?:is|are|was|were|be|been|without|of|by|from|for)\W*\Z", re.I)
"""Before a form in -ing that is the verb of its clause, or a noun."""

_OPEN_END = regex(r"(?:,? (?:and|or|but)(?: then| also| thus)?|,)\s*\Z", re.I)
_NEXT_CLAUSE = regex(r", (?:and |but |then |or )?(?=\w)", re.I)
_NEXT_THING = regex(r" and (?=\w)", re.I)


@dataclass(frozen=True, slots=True)
class CausalLink:
    """A cause, its effect, and whether the text only holds it to be possible."""

    cause: str
    effect: str
    hedged: bool


@dataclass(slots=True)
class _Part:
    """A connective with what stands before and after it."""

    before: str
    mark: str
    after: str
    backward: bool
    meaning: Meaning = "fact"
    goes_on: "_Part | None" = None
    """The part whose outcome is what stands after this one: "because dust | causes | heat"."""

    @property
    def outcome(self) -> str:
        """What comes of the part: its effect."""
        return self.before if self.backward else self.end

    @property
    def end(self) -> str:
        """What stands after the connective."""
        return self.goes_on.outcome if self.goes_on else self.after


def causal_links(text: str, sentence: tuple[int, int], clauses: Sequence[Clauses]) -> list[CausalLink]:
    """What a sentence says to be the cause of what; nothing that it denies, doubts or tells as somebody's belief.

    Parameters
    ----------
    sentence : tuple of int
        Where it stands in the text.
    clauses : sequence of Clauses
        Those of the sentence, as `causes` finds them.

    Examples
    --------
    >>> text = "Dust may cause heat, which leads to crashes."
    >>> from context_graph.embed.causal import causes
    >>> for link in causal_links(text, (0, len(text)), causes(text)):
    ...     print(link.cause, "->", link.effect, link.hedged)
    Dust -> heat True
    heat -> crashes False
    """
    parts: list[_Part] = []
    place = 0  # where the connective before ends
    for one in sorted(clauses, key=lambda one: min(one.cause, one.effect)[1]):
        first, second, backward = min(one.cause, one.effect), max(one.cause, one.effect), one.effect < one.cause
        part = _Part(text[slice(*first)], text[first[1] : second[0]], text[slice(*second)], backward)
        if parts and first[0] < place <= first[1]:
            _join(parts[-1], part, text[place : first[1]])
        before, after = text[sentence[0] : first[1]], text[second[0] : sentence[1]]
        before = before[max((match.end() for match in _CONTRAST.finditer(before)), default=0) :]
        meaning, length = remark(before, _CONTRAST.split(after, maxsplit=1)[0])
        part.after = part.after[:length]
        adjunct = _CLAUSAL.match(part.mark) or _NOMINAL.match(part.mark)
        if adjunct:
            meaning = weakest(meaning, of_adjunct(part.before, part.after))
        else:
            meaning = weakest(meaning, of_verb(part.before, part.mark))
        if part.mark.strip(" ,"):
            meaning = weakest(meaning, frame(before, of_verb=not adjunct and not _is_reduced(part)))
        part.meaning = weakest(part.meaning, meaning)
        parts.append(part)
        place = second[0]
    return [CausalLink(*_ends(part), part.meaning == "guess") for part in parts if part.meaning != "none"]


def _join(previous: _Part, part: _Part, between: str) -> None:
    """Give two parts that overlap their own ends, by what stands between their connectives.

    "Dust causes heat and | noise causes stress": the second begins after "and". "which causes", "causing" and "because"
    go on from what stands between; a verb without a subject of its own has that of the first.
    """
    open_end = _OPEN_END.search(between)
    whole = between[: open_end.start()] if open_end else between
    if _RELATIVE.match(part.mark) or _CLAUSAL.match(part.mark) or _NOMINAL.match(part.mark) or _is_reduced(part):
        previous.after, part.before = whole, whole
    elif open_end or part.mark.lstrip().startswith(","):
        previous.after, part.before = whole, previous.before
        part.meaning = previous.meaning
    elif _CLAUSAL.match(previous.mark):
        part.before, previous.goes_on = between, part
    elif (_is_reduced(previous) or _NOMINAL.match(previous.mark)) and not _RELATIVE.match(previous.mark):
        previous.after, part.before = between, previous.before
    elif cut := _last(_NEXT_CLAUSE, between) or _last(_NEXT_THING, between):
        previous.after, part.before = between[: cut.start()], between[cut.end() :]
    else:
        previous.after, part.before = between, between


def _is_reduced(part: _Part) -> bool:
    """Whether the connective says more of a thing: "the flood caused by", "timeouts, leading to"."""
    if part.backward:
        return (
            _DONE_BY.match(part.mark) is not None and not _PASSIVE.match(part.mark) and not _BEING.search(part.before)
        )
    return _DOING.match(part.mark) is not None and not _BEING.search(part.before)


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    last = None
    for match in pattern.finditer(text):
        last = match
    return last


def _ends(part: _Part) -> tuple[str, str]:
    """Cause and effect of a part, without the words that say how it is meant."""
    before, after = last_clause(bare(part.before)), first_clause(part.end)
    return (after, before) if part.backward else (before, after)


def first_clause(text: str) -> str:
    return CLAUSE_END.split(text, maxsplit=1)[0]


def last_clause(text: str) -> str:
    return CLAUSE_END.split(text)[-1].rsplit(", ", 1)[-1]
