"""What stands around a question and asks for nothing: greetings, "remind me", "these days", "according to my notes"."""

import re

from context_graph.regex import regex

__all__ = ["ASKING", "AUXILIARY", "without_courtesy"]

ASKING = r"(?:who|whom|whose|what|when|where|which|why|how)\b"
AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might)\b"

_BEGINS = (
    rf"(?=[¿\s]*(?:(?:(?:at|by|for|from|in|of|on|since|to|until|with) )?{ASKING}|{AUXILIARY}|(?:am|must)\b"
    r"|(?:we[rnm]|was|wann|wo\w*|welche\w*|warum|wieso|wie|qui[eé]n\w*|qu[eé]|cu[aá]\w+|d[oó]nde|c[oó]mo)\b))"
)
"""What follows begins a question."""

_GREETINGS = r"hey|hi|hello|okay|ok|please|kindly|hallo|hola|(?:claude|chatgpt|copilot|gemini|assistant)(?=,)"
_ANNOUNCED = (
    r"before i forget|(?:just )?(?:an? |one )?(?:more |another |quick |short )*question|remind me(?: again)?"
    r"|(?:user )?(?:question|query|q)|(?:please )?(?:check|search|consult) (?:your|my|the) (?:memory|memories|notes)"
    r"|(?:kurze )?frage|una pregunta"
)
_HESITATION = (
    r"so|and|but|actually|well|um+|uh|oh|sorry|btw|by the way|just (?:wondering|curious|checking)|one more thing"
    r"|i wonder|i(?:['’]ve| have)? forg[eo]t(?:ten)?|i can(?:not|['’]t| not) remember|sag mal|ich habe? vergessen"
)
_REQUEST = (
    r"(?:(?:can|could|would|will) you (?:please |kindly )?)?(?:tell|remind) me(?: again)?"
    r"|do you (?:know|remember|recall)|i(?: would|['’]d) like to know"
    r"|(?:my|our|the) \w+ (?:asks|is asking|wants to know)"
    r"|weißt du(?: noch)?|kannst du mir sagen|erinner\w* mich|sabes|recuérdame"
)
_SOURCE = (
    r"(?:based on|according to|from|given|judging by|going by) (?:(?:all |everything )?(?:that |what )?(?:i|we|you)"
    r"(?:['’]ve| have)? (?:already )?(?:know|told|said|saved|stored|mentioned|shared|discussed|wrote|noted|remember)"
    r"|(?:(?:my|our|your|the|all|these|those|any|past|previous|earlier|last|stored|saved) )+"
    r"(?:notes?|conversations?|chats?|discussions?|memor(?:y|ies)|messages?|records?|talks?|history))\b[^,:?]{0,40}"
)
_OPENING = regex(
    rf"^(?:(?:{_GREETINGS})\b[\s,]*|(?:{_ANNOUNCED})\s*[,:–-]\s*|(?:{_SOURCE})[,:]\s*)*"
    rf"(?:(?:(?:{_ANNOUNCED}|{_HESITATION}|{_REQUEST})\b[\s,:;.!–-]*)+{_BEGINS})?",
    re.I,
)
_CLOSING = regex(
    r"(?<![\s,])[\s,]*+\b(?:please|thanks|thank you|thx|cheers|danke|bitte|gracias|por favor)[\s.!?]*$"
    r"|(?<=\?)\s+(?:i need (?:it|this|that)|it(?:['’]s| is) for|(?:i['’]m |i am )?(?:just )?(?:asking|curious|checking)"
    r"|no (?:rush|hurry))\b[^?]*$",
    re.I,
)
_HOW_TO_ANSWER = regex(
    r"(?:^|(?<=[?.!])\s+)(?:please )?(?:(?:answer|reply|respond)(?=\s*:| (?:in|with|only|briefly|as|using|just)\b)"
    r"|be (?:brief|short|concise|precise)|keep it (?:short|brief)"
    r"|(?:use|check|search|consult|look (?:in|at|up)) (?:(?:my|your|the) (?:\w+ )?(?:memory|memories|notes)"
    r"|what you know)"
    r"|think (?:step by step|carefully|hard))\b[^?.!:]*(?:[.!:]+\s*|$)",
    re.I,
)
"""A sentence beside the question that says how to answer."""

_ONCE_MORE = regex(
    r"^(\W*(?:what|who|whose|which|how|(?:when|where)(?: is| are| was|['’]s))\b[^?.!]*?),?\s{1,4}again(?=[\s?.!]*$)",
    re.I,
)
"""Who asks "what was it again?" has forgotten it."""

_NOW = regex(
    r"^(?:currently|presently|nowadays|these days|as of (?:today|now)|at the moment|right now|zurzeit|derzeit|momentan"
    r"|aktuell|actualmente)\s*,\s*"
    r"|(?<=\w)(?<!what),?\s+(?:now|these days|nowadays|at the moment|at present|right now|as of (?:today|now)|jetzt"
    r"|zurzeit|derzeit|momentan|im moment|heutzutage|ahora|actualmente|hoy en día)(?=[\s?.!]*$)",
    re.I,
)
"""What any question of the present asks for, first or last in it."""

_OF_THE_PAST = regex(
    r"\b(?:did|(?<=\w )was|were|had|hatte\w*|war(?:en)?|wurde\w*|fue|era|había|hemos)\b"
    r"|\b(?:have|has) (?:i|we|you|he|she|it|they|been|done|gone|\w+e[dn])\b|\bhab\w* (?:ich|wir|du|er|sie)\b",
    re.I,
)


def without_courtesy(question: str) -> str:
    """A question without the words around it that ask for nothing.

    Examples
    --------
    >>> without_courtesy("Before I forget: who sings?"), without_courtesy("Hey, quick question: Who sings? Thanks!")
    ('who sings?', 'Who sings?')
    >>> without_courtesy("According to my notes, where do I live?"), without_courtesy("Where do I live these days?")
    ('where do I live?', 'Where do I live?')
    >>> without_courtesy("Where do I live? Answer in one word."), without_courtesy("And where do I live?")
    ('Where do I live?', 'where do I live?')
    >>> without_courtesy("What was the code again?"), without_courtesy("When do we meet again?")
    ('What was the code?', 'When do we meet again?')
    >>> without_courtesy("Where do I live? I need it for a form."), without_courtesy("I forgot my umbrella")
    ('Where do I live?', 'I forgot my umbrella')
    """
    inner = _HOW_TO_ANSWER.sub("", question) if "?" in question else question
    inner = inner if _OF_THE_PAST.search(inner) else _NOW.sub("", inner)
    inner = _CLOSING.sub("", _OPENING.sub("", inner, count=1))
    if not inner.strip():
        return question
    return _ONCE_MORE.sub(r"\1", f"{inner}?" if "?" in question and "?" not in inner else inner)
