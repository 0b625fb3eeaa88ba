"""What a user's message to an assistant does beside asking.

It may say how to answer from now on, what its writer prefers, or go on with what was said before.
"""

import re
from typing import NamedTuple

import numpy as np

from context_graph.embed.stems import stems
from context_graph.reading import attributes
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["asks_to_forget", "continues", "occasions", "only_asks", "prefers", "seeks", "wish_fit", "wishes"]

STANDING_WISH = 0.25
"""What a standing wish counts for any question; how near its occasion is to the question is added."""

PREFERENCE = 0.5
"""What a preference counts beside a standing wish, by how near it is to the question."""

MAX_QUESTION_CHARS = 200
"""Characters of a message that is but a question: a longer one tells what it is about."""

_SENTENCE = regex(r"[^.!?\n]+(?:[.!?\n](?!\s|$)[^.!?\n]*)*[.!?]*")
_STANDING = regex(
    r"^\W*(?:(?:please|and|also|but|so|from now on|remember to|remember|make sure (?:to|you)|be sure to"
    r"|you (?:should|must)|i(?:['’]d like| want| need) you to|bitte|por favor|ab (?:jetzt|sofort))[\s,:]+)*"
    r"(?:always|never(?! mind\b| (?:ever )?again\b)|immer|nie(?:mals)?|siempre|nunca)\b(?! been\b)",
    re.I,
)
_PREFERRED = regex(
    r"\bi(?:['’]d| would)? (?:\w+ly |much |always )?prefer\b|\bi['’]d rather\b|\bmy preference\b|\bich bevorzuge\b"
    r"|\bprefiero\b",
    re.I,
)
_OCCASION = regex(r"\b(?:when(?:ever)?|if|every time|wenn|falls|cuando|si)\b(.*)$", re.I | re.S)
_ASKING = regex(
    r"\b(?:i|we|you|me|my|any|the|ask|asks|asked|asking|about|for|talk|talking|discuss|inquire|questions?|ich|nach|frage"
    r"|pregunto|por|sobre)\b",
    re.I,
)
"""Words of an occasion that every one of them may have: "when I ask about ..."."""

_REFERRING = regex(r"\b(?:there|here|it|them|that|those|these|dort|da|hier|allí|ahí)[.!]*$", re.I)
"""Ends a wish that is about what was named before."""

_SEEKS = regex(
    r"\?|\bi(?:['’]m| am) (?:(?:still|really|kinda|currently|just) )?(?:trying|struggling|having trouble|wondering"
    r"|not sure|worried)\b|\b(?:can|could|would) you\b|\bhelp me\b",
    re.I,
)

_TELLS_FIRST = regex(
    r"^\W*(?!(?:what|which|who|whose|whom|when|where|why|how|is|are|am|was|were|do|does|did|can|could|should|shall|would"
    r"|will|may|might|must|has|have|had|any|if|and|but|so|hey|hi|hmm|ok|okay|please|thanks)\b)"
    r"[a-zà-þ'’]+ [^?]{15,180}, (?:so |and |but )?(?:is|are|was|were|isn['’]t|do|does|did|don['’]t|can|could|should"
    r"|would|will|what|how|which|where|when|who|why|any|right)\b",
    re.I,
)
"""Tells something before it asks: "Ole raised the rent to 900 euros, is that usual?"."""

_FORGETS = regex(
    r"^\W*(?:(?:ok(?:ay)?|hey|please|pls|can you|could you|you can|bitte|por favor)[\s,:]+)*"
    r"(?:(?:forget|delete|erase|unlearn) (?:that|what|everything|all|anything|my|the (?:fact|memory|note|entry))\b"
    r"|(?:vergiss|lösche?) (?:bitte )?(?:dass|was|alles|meine?n?|das)\b"
    r"|(?:olvida|borra) (?:que|lo que|todo|mis?|lo de)\b)",
    re.I,
)

_GOES_ON = regex(
    r"^\W*(?:thanks?|thank you|ok(?:ay)?|yes|yeah|yep|sure|sounds|great|perfect|awesome|cool|nice|all ?right|got it"
    r"|that|this|these|those|it|and|but|also|so|hmm+|right|absolutely|definitely|let['’]?s|i['’]ll|i think"
    r"|i appreciate|no|well|wow|oh|understood|agreed|good"
    r"|danke|gut|genau|super|klar|ja|nein|gracias|vale|bien|claro|sí)(?!\w)",
    re.I,
)


def wishes(text: str) -> list[str]:
    """The sentences that say what is wanted always or never: as an order, not of what somebody does.

    Examples
    --------
    >>> wishes("I have never asked. Always name the price when I ask about tools.")
    ['Always name the price when I ask about tools.']
    """
    return [sentence for sentence in _sentences(text) if _STANDING.match(sentence) and not sentence.endswith("?")]


def occasions(text: str) -> list[frozenset[str]]:
    """Stems of when each wish of a text counts; none for one that always does.

    Examples
    --------
    >>> [sorted(one) for one in occasions("Always name the price when I ask about tools. Never use capitals.")]
    [['tool'], []]
    """
    matches = [_OCCASION.search(one) for one in wishes(text)]
    return [frozenset(stems(_ASKING.sub(" ", match[1]))) if match else frozenset() for match in matches]


def prefers(text: str) -> list[str]:
    """The sentences that say what is preferred."""
    return [sentence for sentence in _sentences(text) if _PREFERRED.search(sentence)] if _PREFERRED.search(text) else []


@kept_for_texts(maxsize=1_024)
def seeks(text: str) -> bool:
    """Whether a message asks for something or tells of an attempt: it states nothing that could end, and ends nothing.

    Examples
    --------
    >>> seeks("I'm trying to test my core modules, which tool fits?"), seeks("The core modules are tested.")
    (True, False)
    """
    return bool(_SEEKS.search(text))


@kept_for_texts(maxsize=1_024)
def only_asks(text: str) -> bool:
    """Whether a message is a short question and nothing else: it answers nothing.

    Examples
    --------
    >>> only_asks("Which colours does the logo have?"), only_asks("I'm in Kiel on Friday. Any tips?")
    (True, False)
    >>> only_asks("Ole raised the rent to 900 euros, is that usual?"), only_asks("How does Ole do it, is it usual?")
    (False, True)
    """
    return len(text) <= MAX_QUESTION_CHARS and all(
        sentence.endswith("?") and not _TELLS_FIRST.match(sentence.strip()) for sentence in _sentences(text)
    )


def continues(text: str) -> bool:
    """Whether a message goes on with what was said: "Thanks, I'll do that", "Hmm, and if it rains?"."""
    return bool(_GOES_ON.match(text))


class _Occasions(NamedTuple):
    """When the wishes of a message count.

    Attributes
    ----------
    standing, matters, preferred : float32 (a, 256), (b, 256), (c, 256)
        Vectors of the occasions of standing wishes, of messages that end with a wish about what they name ("the disk is
        read only, never write there"), and of preferences.
    """

    standing: np.ndarray
    matters: np.ndarray
    preferred: np.ndarray


@kept_for_texts(maxsize=2_048)
def _occasions(text: str) -> _Occasions:
    standing = [one for one in wishes(text) if not _REFERRING.search(one)]
    matters = [text] if len(standing) < len(wishes(text)) else []
    occasions = [_ASKING.sub(" ", match[1]) if (match := _OCCASION.search(one)) else one for one in standing]
    return _Occasions(*(
        np.array([attributes.vector(one) for one in of], np.float32).reshape(-1, 256)
        for of in (occasions, matters, prefers(text))
    ))  # fmt: skip


def wish_fit(text: str, question_vector: np.ndarray) -> float:
    """How far a message says how to answer a question: 0 where it has no wish, up to 1.25.

    Parameters
    ----------
    question_vector : float32 (256,)
        `attributes.vector` of the question.
    """
    of = _occasions(text)
    fits = (
        STANDING_WISH + of.standing @ question_vector, of.matters @ question_vector,
        PREFERENCE * (of.preferred @ question_vector),
    )  # fmt: skip
    return float(max(0.0, *(fit for each in fits for fit in each.tolist())))


def asks_to_forget(text: str) -> bool:
    """Whether a message asks that something be deleted; who stores it forgets nothing.

    Examples
    --------
    >>> asks_to_forget("Please forget that Olli got engaged."), asks_to_forget("I forget what that was.")
    (True, False)
    """
    return bool(_FORGETS.match(text))


def _sentences(text: str) -> list[str]:
    return [found for one in _SENTENCE.findall(text) if (found := one.strip())]
