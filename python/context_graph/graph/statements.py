"""Cause-effect and IS-A statements that a text makes, found by connectives."""

import re
from dataclasses import dataclass
from typing import Literal

from context_graph.embed.stems import STOP_WORDS

__all__ = ["Statement", "statements"]

MAX_STATEMENTS = 16
MAX_PHRASE_WORDS = 8
NEGATED = re.compile(r"\b(?:not|never|no longer|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|cannot|can't|won't|nor)\b", re.I)

Kind = Literal["causal", "is_a"]


@dataclass(frozen=True, slots=True)
class Statement:
    """`source` causes `target`, or `source` is a kind of `target`.

    Attributes
    ----------
    span : tuple of int
        Where the whole statement stands in the text.
    """

    kind: Kind
    source: str
    target: str
    span: tuple[int, int]


_PHRASE = r"[^.!?;:\n]{2,140}?"
_TAIL = r"(?=[.!?;\n]|,? (?:but|and|which|while|although|so that)\b|$)"
# (pattern, the group that is the cause, the group that is the effect)
_FORWARD = r"(?:caus(?:es?|ed|ing)|leads? to|led to|leading to|results? in|resulted in|resulting in|trigger(?:s|ed|ing)?|produc(?:es?|ed)|brings? about|brought about|gives? rise to|gave rise to|creates?|created|generat(?:es?|ed)|induc(?:es?|ed)|provok(?:es?|ed)|makes?|made|forc(?:es?|ed))"
_BACKWARD = r"(?:(?:is|are|was|were|been|being)? ?(?:caused|triggered|produced|induced|provoked|generated|created|brought about|driven|prompted) by|(?:is|are|was|were)? ?due to|results? from|resulted from|resulting from|stems? from|stemmed from|aris(?:es?|ing) from|arose from|comes? from|came from|originat(?:es?|ed|ing) from|because of|thanks to|owing to|as a result of)"
_CAUSAL = (
    (re.compile(rf"(?P<b>{_PHRASE}) {_BACKWARD} (?P<a>{_PHRASE}){_TAIL}", re.I), "a", "b"),
    (re.compile(rf"(?P<b>{_PHRASE}),? because (?!of\b)(?P<a>{_PHRASE}){_TAIL}", re.I), "a", "b"),
    (re.compile(rf"\b(?:because|since|as) (?!of\b)(?P<a>{_PHRASE}), (?P<b>{_PHRASE}){_TAIL}", re.I), "a", "b"),
    (re.compile(rf"(?P<a>{_PHRASE}),? (?:so that|therefore|thus|hence|consequently|as a result|which is why) (?P<b>{_PHRASE}){_TAIL}", re.I), "a", "b"),
    (re.compile(rf"(?P<a>{_PHRASE}), so (?P<b>{_PHRASE}){_TAIL}", re.I), "a", "b"),
    (re.compile(rf"(?P<a>{_PHRASE}) (?:(?:can|may|will|could|might|often|also|has|have|had|that|which) ){{0,2}}{_FORWARD} (?P<b>{_PHRASE}){_TAIL}", re.I), "a", "b"),
)  # fmt: skip
_KIND_OF = (
    re.compile(rf"(?P<a>{_PHRASE}) (?:is|are|was|were) (?:a|an) (?:kind|type|form|sort|class|species|example|instance|subclass) of (?P<b>{_PHRASE}){_TAIL}", re.I),
    re.compile(rf"(?:^|(?<=[.!?;\n] )|(?<=\n))(?P<a>(?:the |an? )?[\w'-]+(?: [\w'-]+){{0,3}}?) (?:is|are) an? (?P<b>(?:[\w'-]+ ){{0,3}}?[\w'-]+)(?=[.,;!?\n]| (?:that|which|who|in|of|for|with|used|from|to|on|at|by)\b|$)", re.I),
)  # fmt: skip
_SUCH_AS = re.compile(r"\b(?P<b>[\w-]+(?: [\w-]+){0,2}),? (?:such as|including|like|especially) (?P<list>[\w' -]+(?:, [\w' -]+){0,6}(?:,? (?:and|or) [\w' -]+)?)", re.I)  # fmt: skip
_PRONOUNS = frozenset("i you he she it we they this that these those there what which who here one something everything nothing someone everyone".split())  # fmt: skip
_MODIFIERS = frozenset("a an the my your his her its our their some any this that these those very really quite just".split())  # fmt: skip


def statements(text: str) -> list[Statement]:
    """Cause-effect and IS-A statements in a text, at most 16; a negated statement is none."""
    found: list[Statement] = []
    for sentence, start in _sentences(text[:16_384]):
        if NEGATED.search(sentence):
            continue
        found += _causal(sentence, start) or _is_a(sentence, start)
    return found[:MAX_STATEMENTS]


def _causal(sentence: str, start: int) -> list[Statement]:
    for pattern, cause, effect in _CAUSAL:
        if match := pattern.search(sentence):
            source, target = _phrase(match[cause], last=cause == "a" and effect == "b"), _phrase(match[effect])
            if source and target and source.lower() != target.lower():
                return [Statement("causal", source, target, (start + match.start(), start + match.end()))]
    return []


def _is_a(sentence: str, start: int) -> list[Statement]:
    found = []
    for pattern in _KIND_OF:
        if match := pattern.search(sentence):
            source, target = _phrase(match["a"]), _phrase(match["b"])
            if source and target and source.lower() not in _PRONOUNS and source.lower() != target.lower():
                found.append(Statement("is_a", source, target, (start + match.start(), start + match.end())))
                break
    if match := _SUCH_AS.search(sentence):
        parent = match["b"].split()[-1]
        if parent.lower() not in STOP_WORDS:
            for child in re.split(r",| and | or ", match["list"]):
                child = _phrase(child)
                if child and len(child.split()) <= 3:
                    found.append(Statement("is_a", child, parent, (start + match.start(), start + match.end())))
    return found


def _phrase(text: str, *, last: bool = False) -> str:
    """A clause as a short phrase: articles and pronouns at its ends are dropped; empty if nothing is left."""
    words = text.strip(" ,;:'\"()").split()
    while words and words[0].lower() in _MODIFIERS:
        words.pop(0)
    if len(words) > MAX_PHRASE_WORDS:
        words = words[-MAX_PHRASE_WORDS:] if last else words[:MAX_PHRASE_WORDS]
    while words and words[-1].lower() in STOP_WORDS and words[-1].lower() not in _PRONOUNS:
        words.pop()
    if not words or all(word.lower() in _PRONOUNS | STOP_WORDS for word in words):
        return ""
    return " ".join(words)


def _sentences(text: str) -> list[tuple[str, int]]:
    return [(match[0], match.start()) for match in re.finditer(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]?", text)]
