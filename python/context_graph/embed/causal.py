"""E5: what causes what, as a clause of cause and a clause of effect; only for memories that state both."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from context_graph.embed.inputs import MemoryInput, Pooled, QuestionInput
from context_graph.embed.semantic import static_sum, unit
from context_graph.embed.spaces import SpaceEncoder, space
from context_graph.embed.statistics import PieceStatistics
from context_graph.embed.wordpiece import pieces
from context_graph.regex import regex
from context_graph.texts import caseless, kept_for_texts

__all__ = [
    "CLAUSE_END", "DIMENSIONS", "HALVES", "Causal", "Clauses", "Pooled", "asks_for", "causes",
    "question_vector", "split_sentences", "vector",
]  # fmt: skip

DIMENSIONS = 768
HALVES = {"minilm": (slice(0, 384), slice(384, 768)), "base": (slice(0, 256), slice(256, 512))}
"""Cause and effect; in the base tier the last 256 numbers are both together."""

BOTH_SHARE = 0.5
"""What both clauses together count beside the one that is asked about, in the base tier."""

MAX_CAUSAL_CHARS = 16_384
MAX_PAIRS = 16


@dataclass(frozen=True, slots=True)
class Clauses:
    """A cause and its effect, as spans of a text.

    Attributes
    ----------
    stated : bool
        A connective says so ("because", "led to"); else order and form suggest it ("when", "pain from").
    """

    cause: tuple[int, int]
    effect: tuple[int, int]
    stated: bool


_SENTENCE = regex(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]?")
CLAUSE_END = regex(
    r",? (?:but|while|although|whereas|which|and (?:then|so|the|it|he|she|they|we|i)|so that)\b|[;:]", re.I
)
_AUXILIARY = r"(?:(?:can|may|will|could|might|would|often|also|usually|directly|that|which|has|have|had|to) ){0,2}"
_VERBS = (
    r"caus|trigger|provok|induc|produc|generat|creat|forc|spark|spawn|instigat|evok|elicit|fuel|inflict|unleash|yield"
)
_PAST = (
    rf"(?:{_VERBS})(?:ed|d)|brought about|driven|prompted|made|set off|kindled|ignited|initiated|delivered|left"
    "|given off"
)
_FROM = (
    "result|stem|aris|com|originat|ensu|emanat|radiat|deriv|emerg|develop|spring|proceed|flow|follow|evolv|suffer"
    "|benefit"
)
_FORWARD = regex(
    rf",? (?:{_AUXILIARY}(?:(?:{_VERBS})(?:e?s|ing|e?d|e)?(?! by\b)|leads? to|led to|leading to|results? in|resulted in"
    r"|resulting in|brings? about|brought about|bringing about|gives? rise to|gave rise to|gives? off|gave off"
    r"|sets? off"
    r"|contribut(?:es?|ed|ing) to|is responsible for|are responsible for|(?:is|are|was|were) (?:the |a |one of the )?"
    r"(?:\w+ ){0,2}(?:causes?|sources?) of|gives?(?= (?:an? |the )?(?:\w+ )?(?:impression|sense|feeling|buzz))"
    r"|turn(?:s|ed|ing)? into)"
    r"|therefore|thus|hence|consequently|as a result(?! of)|which is why|so that) |, (?:and )?so ",
    re.I,
)
_BACKWARD = regex(
    r",? (?:(?:which|that) )?(?:(?:can|may|will|could|has|have|had) )?"
    r"(?:(?:is|are|was|were|been|being|be|get|got) ){0,2}"
    rf"(?:\w+ly )?(?:(?:{_PAST}) by|due to"
    rf"|(?:{_FROM})(?:es|s|ed|ing|e|d)?(?: \w+ly)? from|arose from|came from|sprang from|because(?: of)?|thanks to"
    r"|owing to|as a result of|as a consequence of|(?:is|are|was|were) the (?:\w+ ){0,2}"
    r"(?:results?|effects?|consequences?|products?|outcomes?) of|on account of|in the wake of|at the hands of) ",
    re.I,
)
_OPENING = regex(
    r"\s*(?P<stated>because|since|due to|owing to|thanks to|as a result of|as a consequence of)?(?(stated)(?: of)?"
    r"|(?:when(?:ever)?|if|after)) (?P<cause>[^,]{4,160}), (?P<effect>.{4,200})",
    re.I,
)
_WEAK = regex(
    r"\b(?P<outcome>\w+)(?: \w+ed)? (?P<marker>from|after|following) (?P<first>(?:the |this |that |an? )?\w+)"
)
_OUTCOME = regex(
    r"(?:pain|ache|headache|discomfort|damage|injur(?:y|ie)|burn|scar|bruise|wound|death|los(?:s|se)|harm|irritation"
    r"|infection|disease|illness|nausea|fever|fatigue|exhaustion|swelling|inflammation|dehydration|wrinkle|extinction"
    r"|stress|tension|anxiety|grief|anger|rage|fear|panic|suffering|happiness|joy|pleasure|satisfaction|fulfil?lment"
    r"|relief|benefit|profit|pollution|contamination|noise|smell|smoke|heat|radiation|glow|flood|flooding|fire"
    r"|explosion|outage|crash|delay|error|failure|famine|evacuation|activation|setback|problem|crisis|shock)s?",
    re.I,
)
_FORWARD_MARKS = (
    *(f" {verb}" for verb in _VERBS.split("|")), "lead to", "leads to", "leading to", "led to", "result in",
    "results in", "resulted in", "resulting in", "as a result", "bring about", "brings about", "bringing about",
    "brought about", "give", "gave", "set off", "sets off", " contribut", "responsible", "cause of", "causes of",
    "source of", "sources of", "turn into", "turns into", "turned into", "turning into", "therefore", "thus", "hence",
    "consequently", "which is why", "so that", ", so ", ", and so ",
)  # fmt: skip
_BACKWARD_MARKS = (
    " by ", "due to", "from ", "because", "thanks to", "owing to", "result", "consequence", "effect", "product",
    "outcome", "account of", "wake of", "hands of",
)  # fmt: skip
_WEAK_MARKS = ("from ", "after ", "following ")
"""One of these stands in all that the expression matches: most sentences have none, and are not searched."""

_WHY = regex(
    r"\bwhy\b|\bhow come\b|\bwhat (?:\w+ ){0,2}(?:caused|causes|led to|made|triggered|brought)\b"
    r"|\bfor what reason\b|\breasons? (?:for|why|that)\b|\bwhat is the (?:cause|reason)\b",
    re.I,
)
_WHAT_THEN = regex(
    r"\bwhat (?:happen(?:s|ed)?|will happen|(?:did|does|will) (?=.{1,80} (?:cause|lead to|result in|trigger)\b))"
    r"|\b(?:consequence|result|effect)s? of\b",
    re.I,
)


@kept_for_texts(maxsize=128)  # those of a memory are read for causes, and then for kinds
def split_sentences(text: str) -> tuple[tuple[str, int], ...]:
    """Sentences and where each starts."""
    return tuple((match[0], match.start()) for match in _SENTENCE.finditer(text[:MAX_CAUSAL_CHARS]))


@kept_for_texts(maxsize=256)  # a memory is read for its vector and for its statements
def causes(text: str) -> tuple[Clauses, ...]:
    """Causes and effects that a text states, at most 16, in reading order.

    Examples
    --------
    >>> text = "The outage was caused by the migration."
    >>> [(text[slice(*c.cause)], text[slice(*c.effect)]) for c in causes(text)]
    [('the migration', 'The outage')]
    """
    pairs: list[Clauses] = []
    plain = caseless(text[:MAX_CAUSAL_CHARS])
    backward, forward = (tuple(mark for mark in marks if mark in plain) for marks in (_BACKWARD_MARKS, _FORWARD_MARKS))
    for sentence, start in split_sentences(text):
        pairs += _in_sentence(sentence, start, backward, forward)
        if len(pairs) >= MAX_PAIRS:
            break
    return tuple(pairs[:MAX_PAIRS])


def _in_sentence(
    sentence: str, start: int, backward_marks: Sequence[str], forward_marks: Sequence[str]
) -> list[Clauses]:
    """Causes and effects of one sentence; the marks are those that the whole text has."""
    if opening := _OPENING.match(sentence):
        effect = opening.start("effect"), _clause_end(sentence, opening.start("effect"))
        return _pair(sentence, start, opening.span("cause"), effect, stated=opening["stated"] is not None)
    plain = caseless(sentence)
    reversing = islice(_BACKWARD.finditer(sentence), MAX_PAIRS) if _has(plain, backward_marks) else ()
    marks = [(match.start(), match.end(), True) for match in reversing]
    taken = [(first, last) for first, last, _ in marks]
    forward = islice(_FORWARD.finditer(sentence), MAX_PAIRS) if _has(plain, forward_marks) else ()
    marks += [
        (match.start(), match.end(), False)
        for match in forward
        if all(match.end() <= first or last <= match.start() for first, last in taken)
    ]
    pairs: list[Clauses] = []
    marks.sort()
    for number, (first, last, backward) in enumerate(marks):
        end = _clause_end(sentence, last)
        if number + 1 < len(marks):
            end = min(end, max(marks[number + 1][0], last))
        before, after = (_clause_start(sentence, first), first), (last, end)
        cause, effect = (after, before) if backward else (before, after)
        pairs += _pair(sentence, start, cause, effect, stated=True)
    return pairs + _suggested(sentence, start)


def _has(text: str, marks: Sequence[str]) -> bool:
    return any(mark in text for mark in marks)


def _suggested(sentence: str, start: int) -> list[Clauses]:
    """An outcome and what it comes from: "pain from the injury", "grief after the loss", "happiness from giving"."""
    for match in _WEAK.finditer(sentence) if _has(sentence, _WEAK_MARKS) else ():
        doing = match["marker"] == "from" and match["first"].endswith("ing")
        if doing or _OUTCOME.fullmatch(match["outcome"]):
            effect = _clause_start(sentence, match.start("marker")), match.start("marker")
            cause = match.end("marker"), _clause_end(sentence, match.end("marker"))
            return _pair(sentence, start, cause, effect, stated=False)
    return []


def _pair(sentence: str, start: int, cause: tuple[int, int], effect: tuple[int, int], *, stated: bool) -> list[Clauses]:
    spans = [_trimmed(sentence, span) for span in (cause, effect)]
    if any(first >= last for first, last in spans):
        return []
    (a, b), (c, d) = spans
    return [Clauses((start + a, start + b), (start + c, start + d), stated)]


def _trimmed(sentence: str, span: tuple[int, int]) -> tuple[int, int]:
    first, last = span
    while first < last and not sentence[first].isalnum():
        first += 1
    while first < last and not sentence[last - 1].isalnum():
        last -= 1
    return first, last


def _clause_end(sentence: str, place: int) -> int:
    match = CLAUSE_END.search(sentence, place)
    return match.start() if match else len(sentence)


def _clause_start(sentence: str, place: int) -> int:
    return max((match.end() for match in CLAUSE_END.finditer(sentence, 0, place)), default=0)


def asks_for(text: str) -> str | None:
    """Whether a question wants a cause ("why ...?") or an effect ("what happened after ...?")."""
    if _WHY.search(text):
        return "cause"
    return "effect" if _WHAT_THEN.search(text) else None


def vector(pairs: tuple[Clauses, ...], text: str, statistics: PieceStatistics, passed: Pooled | None) -> np.ndarray:
    """[causes 384; effects 384] from MiniLM's pass over the text; else static [causes 256; effects 256; both 256].

    Blocks are of unit length, and so is the whole.

    Parameters
    ----------
    passed : callable, optional
        Spans of the text -> the mean of their token vectors, float32 (384,); None in the base tier.
    """
    spans = [clauses.cause for clauses in pairs], [clauses.effect for clauses in pairs]
    if passed is not None:
        return unit(np.concatenate([unit(passed(part)) for part in spans]))
    cause, effect = (_static(" ".join(text[slice(*span)] for span in part), statistics) for part in spans)
    return unit(np.concatenate([unit(cause), unit(effect), unit(cause + effect)]))


def question_vector(text: str, statistics: PieceStatistics, contextual: np.ndarray | None = None) -> np.ndarray | None:
    """A question for a cause looks among the effects, one for an effect among the causes; None for any other question.

    Parameters
    ----------
    contextual : float32 (384,), optional
        MiniLM's view of the question.

    Returns
    -------
    float32, shape (768,), unit length
    """
    wanted = asks_for(text)
    if wanted is None:
        return None
    block_vector = np.zeros(DIMENSIONS, np.float32)
    cause, effect = HALVES["base" if contextual is None else "minilm"]
    clause_vector = unit(
        _static(_WHAT_THEN.sub(" ", _WHY.sub(" ", text)), statistics) if contextual is None else contextual
    )
    block_vector[effect if wanted == "cause" else cause] = clause_vector
    if contextual is None:
        block_vector[effect.stop :] = BOTH_SHARE * clause_vector
    return unit(block_vector)


@space(id="E5", name="causal", dim=DIMENSIONS, kind="dense", metric="cosine", served=True)
class Causal(SpaceEncoder):
    """Memories that state a cause and its effect."""

    score_name = "cause"
    of_english = True
    experimental = True

    def has_content(self, text: str) -> bool:
        return bool(causes(text))

    def encode(self, memory: MemoryInput) -> np.ndarray | None:
        clauses = causes(memory.spoken)
        if not clauses:
            return None
        return vector(clauses, memory.spoken, memory.statistics, memory.parts() if memory.parts else None)

    def question(self, question: QuestionInput) -> np.ndarray | None:
        if asks_for(question.text) is None:
            return None
        return question_vector(question.text, question.statistics, question.whole() if question.whole else None)


def _static(text: str, statistics: PieceStatistics) -> np.ndarray:
    return static_sum(np.array(pieces(text), np.int32), statistics)
