"""Cause-effect and IS-A statements that a text makes, found by connectives."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from context_graph.embed.causal import CLAUSE_END, causes, split_sentences
from context_graph.embed.stems import STOP_WORDS
from context_graph.graph.causal_links import causal_links, first_clause, last_clause
from context_graph.graph.factuality import is_question
from context_graph.regex import regex
from context_graph.texts import caseless

__all__ = ["Statement", "statements"]

MAX_STATEMENTS = 16
MAX_PHRASE_WORDS = 8
NEGATED = regex(
    r"\b(?:not|never|no longer|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|cannot|can't|won't|nor)\b", re.I
)
_NEGATIONS = ("not", "never", "no longer", "n't", "nor")
"""One of these stands in all that the expression matches."""

Kind = Literal["causal", "is_a"]


@dataclass(frozen=True, slots=True)
class Statement:
    """`source` causes `target`, or `source` is a kind of `target`.

    Attributes
    ----------
    span : tuple of int
        Where the whole statement stands in the text.
    hedged : bool
        The text holds it to be possible, and no more: "may cause", "I think that ...".
    """

    kind: Kind
    source: str
    target: str
    span: tuple[int, int]
    hedged: bool = False


_KIND = "kind|type|form|sort|class|species|example|instance|subclass"
_KIND_MARKS = tuple(f"{kind} of " for kind in _KIND.split("|"))
_SUCH_MARKS = ("such as ", "including ", "especially ")
"""One of these stands in all that the expressions of kinds match, so that most texts need not be searched."""

_KIND_OF = regex(rf" (?:is|are|was|were) an? (?:{_KIND}) of ", re.I)
_IS_A = regex(
    r"\s*(?P<a>(?:the |an? )?[\w'-]{1,40}(?: [\w'-]{1,40}){0,3}?) (?:is|are) an? "
    r"(?P<b>(?:[\w'-]{1,40} ){0,3}?[\w'-]{1,40})"
    r"(?=[.,;!?]| (?:that|which|who|in|of|for|with|used|from|to|on|at|by)\b|$)",
    re.I,
)
_SUCH_AS = regex(r",? (?:such as|including|especially) (.{2,160})", re.I)
_PRONOUNS = frozenset(
    "i you he she it we they this that these those there what which who here one something everything nothing someone "
    "everyone".split()
)
_MODIFIERS = frozenset(
    "a an the my your his her its our their some any this that these those very really quite just".split()
)
_PARTICLES = frozenset("up out off down in on over through".split())
"""Stop words that belong to the verb before them: "timed out", "filled up"."""

_JOINING = frozenset("and or but".split())


def statements(text: str) -> list[Statement]:
    """Cause-effect and IS-A statements in a text, at most 16; what is negated, asked, doubted or believed is none."""
    extracted: list[Statement] = []
    stated = [clauses for clauses in causes(text) if clauses.stated]
    plain = caseless(text)
    negations = any(word in plain for word in _NEGATIONS)
    kinds, such = (any(mark in plain for mark in marks) for marks in (_KIND_MARKS, _SUCH_MARKS))
    for sentence, start in split_sentences(text):
        if (negations and NEGATED.search(sentence)) or is_question(sentence):
            continue
        own = [clauses for clauses in stated if start <= clauses.cause[0] < start + len(sentence)]
        links = causal_links(text, (start, start + len(sentence)), own) if own else []
        causal = [
            statement
            for link in links
            for statement in _pair("causal", link.cause, link.effect, start, sentence, hedged=link.hedged)
        ]
        extracted += causal or _is_a(sentence, start, kinds=kinds, such=such)
    return extracted[:MAX_STATEMENTS]


def _is_a(sentence: str, start: int, *, kinds: bool, such: bool) -> list[Statement]:
    """What a sentence says is a kind of what; whether its text may name kinds, and things such as others."""
    pairs = []
    if kinds and (match := _KIND_OF.search(sentence)):
        pairs += _pair(
            "is_a", last_clause(sentence[: match.start()]), first_clause(sentence[match.end() :]), start, sentence
        )
    elif (match := _IS_A.match(sentence)) and not _PRONOUNS & set(match["a"].lower().split()):
        pairs += _pair("is_a", match["a"], match["b"], start, sentence)
    if such and (match := _SUCH_AS.search(sentence)):
        before = sentence[: match.start()].split()
        if before and before[-1].lower() not in STOP_WORDS:
            for child in re.split(r", (?:and |or )?| and | or ", CLAUSE_END.split(match[1])[0]):
                if 0 < len(child.split()) <= 3:
                    pairs += _pair("is_a", child, before[-1], start, sentence)
    return pairs


def _pair(kind: Kind, source: str, target: str, start: int, sentence: str, *, hedged: bool = False) -> list[Statement]:
    """One statement, if both its phrases say something and are not the same."""
    source, target = _phrase(source, last=kind == "causal"), _phrase(target)
    if not source or not target or source.lower() == target.lower():
        return []
    return [Statement(kind, source, target, (start, start + len(sentence)), hedged)]


def _phrase(text: str, *, last: bool = False) -> str:
    """A clause as a short phrase: articles and pronouns at its ends are dropped; empty if nothing is left."""
    words = text.strip(" ,;:.!?'\"()").split()
    while words and words[0].lower() in _MODIFIERS:
        words.pop(0)
    is_whole = last or len(words) <= MAX_PHRASE_WORDS
    if len(words) > MAX_PHRASE_WORDS:
        words = words[-MAX_PHRASE_WORDS:] if last else words[:MAX_PHRASE_WORDS]
    while words and _dangles(words, is_whole=is_whole):
        is_whole &= words.pop().lower() in _JOINING
    if not words or all(word.lower() in _PRONOUNS | STOP_WORDS for word in words):
        return ""
    return " ".join(words)


def _dangles(words: Sequence[str], *, is_whole: bool) -> bool:
    """Whether the last word of a phrase leads on to what was cut off; the particle of a verb at its end does not."""
    word = words[-1].lower()
    if word not in STOP_WORDS or word in _PRONOUNS:
        return False
    return not (is_whole and word in _PARTICLES and len(words) > 1)
