"""What a question says once courtesy, contractions and punctuation are left out, so that equal questions look equal."""

import re
from collections import Counter

from context_graph.embed.causal import asks_for
from context_graph.embed.languages import in_full
from context_graph.embed.stems import STOP_WORDS, split_identifier
from context_graph.reading.intent import parse
from context_graph.reading.third_person import asked_of_user
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["as_asked", "canonical", "normalize", "signature", "without_courtesy"]

_PROSE = regex(r"[\w\s.,;:!?'’\"“”()-]*")
"""Text without a sign that means something by itself; what holds another one (code, paths, sums) stays as it is."""

_MEANING_SIGN = regex(r"_|\w[(]|[a-z][.:][A-Za-z]")
_TOKEN = regex(r"(?<![\w-])-?\d+(?:[.,:/-]\d+)*\b(?!-)|[^\W_]+(?:['’.-][^\W_]+)*")
_ASKING = r"(?:who|whom|whose|what|when|where|which|why|how)\b"
_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might)\b"
_WORD_ASKING = regex(_ASKING)
_OPENS = regex(rf"(?:{_ASKING}|{_AUXILIARY})", re.I)
_BEGINS = (
    rf"(?=[¿\s]*(?:(?:(?:at|by|for|from|in|of|on|since|to|until|with) )?{_ASKING}|{_AUXILIARY}|(?:we[rnm]|was|wann|wo\w*|welche\w*|warum|wieso|wie|qui[eé]n\w*|qu[eé]"
    r"|cu[aá]\w+|d[oó]nde|c[oó]mo|por qu[eé])\b))"
)
_OPENING = regex(
    r"^(?:(?:hey|hi|hello|okay|ok|please|kindly|hallo|hola)\b[\s,]*"
    r"|(?:before i forget|(?:just )?(?:a |one )?(?:quick|short) question|remind me)\s*[,:–-]\s*)*"
    r"(?:(?:(?:so|well|um+|uh|oh|sorry|btw|by the way|(?:just )?(?:a |one )?(?:more |quick |short )*(?:question|thing)"
    r"|just (?:wondering|curious|checking)|before i forget|i(?:['’]ve| have)? forg[eo]t(?:ten)?"
    r"|i can(?:not|['’]t| not) remember|(?:kurze )?frage|sag mal|ich habe? vergessen|una pregunta)\b[\s,:;.!–-]*)*"
    r"(?:(?:(?:(?:can|could|would|will) you (?:please |kindly )?)?(?:tell|remind) me(?: again)?"
    r"|do you (?:know|remember|recall)|i(?: would|['’]d) like to know|weißt du(?: noch)?|kannst du mir sagen"
    rf"|erinner\w* mich|sabes|recuérdame)\b[\s,:]*)?{_BEGINS})?",
    re.I,
)
_CLOSING = regex(
    r"(?<![\s,])[\s,]*+\b(?:please|thanks|thank you|thx|cheers|danke|bitte|gracias|por favor)[\s.!?]*$"
    r"|(?<=\?)\s+(?:i need (?:it|this|that)|it(?:['’]s| is) for|(?:i['’]m |i am )?(?:just )?(?:asking|curious|checking)"
    r"|no (?:rush|hurry))\b[^?]*$",
    re.I,
)
_ONCE_MORE = regex(
    r"^(\W*(?:what|who|whose|which|how|(?:when|where)(?: is| are| was|['’]s))\b[^?.!]*?),?\s+again(?=[\s?.!]*$)", re.I
)
"""Who asks "what was it again?" has forgotten it."""

_FRONTED = regex(
    rf"^((?:in|on|at|after|before|during|since|for|with)\b[^,?.!:;]*?),\s*((?:{_ASKING}|{_AUXILIARY})[^,?.!:;]*+)\W*+$",
    re.I,
)
"""A clause of time or place before the question: "In May, where ..." is read as "where ... in May"."""

_SHORT = tuple(
    (regex(pattern, re.I), plain)
    for pattern, plain in (
        (r"\bcan['’]t\b", "can not"),
        (r"\bwon['’]t\b", "will not"),
        (r"\b(\w+)n['’]t\b", r"\1 not"),
        (r"\b(what|who|where|when|why|how|that|there|it|he|she)['’]s\b", r"\1 is"),
        (r"\b(what|who|where|when|why|how)['’]d\b", r"\1 did"),
        (r"\b(\w+)['’]re\b", r"\1 are"),
        (r"\b(\w+)['’]ve\b", r"\1 have"),
        (r"\b(\w+)['’]ll\b", r"\1 will"),
        (r"\b(i)['’]m\b", r"\1 am"),
    )
)
_SAME = regex(
    r"\b(?:(?P<kind>(?:what|which) (?:sort|type|kind)s? of)|(?P<many>what number of)|(?P<about>regarding|concerning)"
    r"|(?P<before>prior to)|(?P<cannot>cannot))\b",
    re.I,
)
"""Function words that ask for the same thing, by what they are read as."""

_READ_AS = {"kind": "what kind of", "many": "how many", "about": "about", "before": "before", "cannot": "can not"}


def as_asked(question: str) -> str:
    """A question as it is usually written, and of the user as the user would ask it.

    Examples
    --------
    >>> as_asked("hi, where does the user live, whats the address")
    "where do I live, what's the address"
    """
    return asked_of_user(without_courtesy(in_full(question)))


def without_courtesy(question: str) -> str:
    """A question without the words around it that ask for nothing.

    Examples
    --------
    >>> without_courtesy("Before I forget: who sings?"), without_courtesy("Hey, quick question: Who sings? Thanks!")
    ('who sings?', 'Who sings?')
    >>> without_courtesy("What was the code again?"), without_courtesy("When do we meet again?")
    ('What was the code?', 'When do we meet again?')
    >>> without_courtesy("Where do I live? I need it for a form."), without_courtesy("I forgot my umbrella")
    ('Where do I live?', 'I forgot my umbrella')
    """
    inner = _CLOSING.sub("", _OPENING.sub("", question, count=1))
    if not inner.strip():
        return question
    return _ONCE_MORE.sub(r"\1", f"{inner}?" if "?" in question and "?" not in inner else inner)


@kept_for_texts(maxsize=256)
def normalize(text: str) -> str:
    """A question without courtesy, contractions and punctuation; text that is more than prose is left as it is.

    Numbers, names, negations and the order of words stay.

    Examples
    --------
    >>> normalize("Could you please tell me what's Anna's dog called, please?")
    "what is Anna's dog called?"
    >>> normalize("In May 2024, where did Bob live?")
    'where did Bob live In May 2024?'
    >>> normalize("What does parse(x) return?")
    'What does parse(x) return?'
    """
    text = " ".join(as_asked(text).split())
    if not _PROSE.fullmatch(text) or _MEANING_SIGN.search(text):
        return text
    fronted = _FRONTED.match(text)
    plain = f"{fronted[2]} {fronted[1]}" if fronted else text
    if "'" in plain or "’" in plain:
        for pattern, full in _SHORT:
            plain = pattern.sub(full, plain)
    plain = _SAME.sub(lambda found: _READ_AS[str(found.lastgroup)], plain)  # each of its ways is a group
    words = " ".join(_TOKEN.findall(plain)).replace("’", "'")
    asks = text.endswith("?") or _OPENS.match(words)
    return f"{words}?" if words and asks else words or text


@kept_for_texts(maxsize=256)
def canonical(text: str) -> str:
    """What `normalize` gave, in lower case but for words that capitals split (parseHTML): one for equal questions."""
    return " ".join(word if len(split_identifier(word)) > 1 else word.lower() for word in text.split(" "))


def signature(text: str) -> tuple[object, ...]:
    """What two questions that `normalize` gave must share to be near: every word, phrases whole, what is asked for.

    Only the order of phrases may differ; a number, a name, a negation or another question word makes another question.
    """
    words = canonical(text).rstrip("?").split(" ")
    runs, run = [], []
    for word in [*words, "the"]:
        if word not in STOP_WORDS:
            run.append(word)
        elif run:
            runs.append(" ".join(run))
            run = []
    asking = next((word for word in words if _WORD_ASKING.fullmatch(word)), "")
    between = Counter(word for word in words if word in STOP_WORDS)
    kind = (asking, asks_for(text), parse(text).several, text.endswith("?"))
    return (tuple(sorted(runs)), frozenset(between.items()), *kind)
