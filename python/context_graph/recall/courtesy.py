"""What stands around a question and asks for nothing: greetings, "remind me", "these days", "as I said before"."""

import re
from itertools import takewhile

from context_graph.embed.stems import STOP_WORDS
from context_graph.reading.keyword_queries import ASKING, AUXILIARY
from context_graph.regex import regex

__all__ = ["without_courtesy"]

LONGEST = 300
"""Characters of talk before a question, and after it, that are looked at."""

_BEGINS = (
    rf"(?=[¿\s]*+(?:(?:(?:about|at|by|for|from|in|of|on|since|to|under|until|with) )?{ASKING}|{AUXILIARY}"
    r"|(?:am|must|(?:what|who|where|when|how)['’]?s)\b"
    r"|(?:(?:auf|aus|bei|für|in|mit|seit|von|zu) )?(?:we[rnm]|was|wann|wo\w*|welche\w*|warum|wieso|wie)\b"
    r"|(?:qui[eé]n\w*|qu[eé]|cu[aá]\w+|d[oó]nde|c[oó]mo)\b))"
)
"""What follows begins a question."""

_GREETINGS = r"hey|hi|hello|okay|ok|please|kindly|hallo|hola|(?:claude|chatgpt|copilot|gemini|assistant)(?=,)"
_HESITATION = (
    r"so|and|but|actually|well|um+|uh|oh|sorry|btw|by the way|just (?:wondering|curious|checking)"
    r"|first(?:ly| of all| off)|(?:last|final)ly|to (?:start|begin) with|for the record|anyways?|alright|seriously"
    r"|in (?:short|general|any case)|(?:just )?(?:an? )?test(?:ing)?|on (?:another|a different) note"
    r"|i wonder|i(?:['’]ve| have)? forg[eo]t(?:ten)?|i can(?:not|['’]t| not) remember|sag mal|ich habe? vergessen"
)
_REQUEST = (
    r"(?:(?:can|could|would|will) you (?:please |kindly )?)?(?:tell|remind) me(?: again)?"
    r"|do you (?:happen to )?(?:know|remember|recall)|i(?: would|['’]d) like to know"
    r"|(?:my|our|the) \w+ (?:asks|is asking|wants to know)"
    r"|weißt du(?: noch)?|kannst du mir sagen|erinner\w* mich|sabes|recuérdame"
)
_OPENING = regex(
    rf"^(?:(?:{_GREETINGS})\b[\s,]*+)*(?:(?:(?:{_HESITATION}|{_REQUEST})\b[\s,:;.!–-]*+)+{_BEGINS})?",
    re.I,
)
_BEFORE_QUESTION = regex(
    rf"(?:(?<!\s)\s*+[,:;.!–—]{{1,9}}+|\s-)\s++(?:(?:and|but|so)\s++)?{_BEGINS}|[:.!]\s++(?=[^?]{{1,200}}\?\W{{0,20}}$)",
    re.I,
)
_AFTER_QUESTION = regex(r"(?<=\?)\s+(?=[^?]*$)|,\s*+(?=(?:do|did|can|could|if|as far as)\s[^?,]*\?\s*$)", re.I)
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
    r"|(?<=\w)(?<!what),?\s+(?:now|these days|nowadays|at the moment|at present|right now|as of (?:today|now)"
    r"|at this (?:point|time|stage)|as (?:things|it) stands?|jetzt"
    r"|zurzeit|derzeit|momentan|im moment|heutzutage|ahora|actualmente|hoy en día)(?=[\s?.!]*$)",
    re.I,
)
"""What any question of the present asks for, first or last in it."""

_OF_THE_PAST = regex(
    r"\b(?:did|(?<=\w )was|were|had|hatte\w*|war(?:en)?|wurde\w*|fue|era|había|hemos)\b"
    r"|\b(?:have|has) (?:i|we|you|he|she|it|they|been|done|gone|\w+e[dn])\b|\bhab\w* (?:ich|wir|du|er|sie)\b",
    re.I,
)

_TALK = frozenset(
    """answer answered ask asked asking asks chat chats chatted check checking clarification clarify confirm
    conversation conversations curiosity curious discuss discussed discussion discussions forget forgetting forgot
    forgotten fyi know known knows latest look memories memory mention mentioned mentioning message messages notes query
    question questions quick quickly recall recap record records remember remembered remind reminder said saved
    say saying says sentence shared speak speaking spoke subject switching talk talked talking talks tell telling
    thing things told topic wonder wondered wondering
    frage fragen gefragt gesagt erzählt weißt wissen erinnern erinnerst vergessen thema pregunta dije sabes
    recuerdas tema""".split()
)
"""Words of talk about the talk itself."""

_BESIDE_TALK = STOP_WORDS | frozenset(
    """able above according again ago all already also always another anything apart back based because before believe
    bit briefly change changing checked come consult couldn didn different don earlier else ever everything final
    first friend further get give given go going got happen haven he hello help hey hi ignore judging kind last
    later less let lets like long lot many may maybe mean mind much need never new next notes now obviously ok
    okay one originally out per perhaps person please possible previous previously probably real really recent
    recently record refer refresh saved second see seem since small something still stored sure thank thanks think
    time times today tonight totally trying two use user using want wanted wants week well without won yes
    yesterday yet
    das dich dir du eine einen habe hast heute ich kurz kurze letzte mal mir noch schon was wie zu für como hoy lo
    otra para te última una ya""".split()
)
"""Words that talk about the talk may have beside them."""

_WORD = regex(r"[^\W_]+")
_TALKED_THEN = regex(
    r"\b(?:last (?:chat|conversation|time|week|(?:\w+ )?talked)|yesterday|ago|today|recent\w*)\b", re.I
)
_ASKS_OF_TALK = regex(
    r"\b(?:(?:did|have|had) (?:i|we|you|\w+) (?:\w+ )?(?:say|said|tell|told|ask(?:ed)?|mention(?:ed)?|talk(?:ed)?"
    r"|discuss(?:ed)?|decided?)|(?:is|was|were) (?:said|agreed|decided|discussed|mentioned))\b",
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
    >>> without_courtesy("As I said before, who sings?"), without_courtesy("Before the move, where did we live?")
    ('who sings?', 'Before the move, where did we live?')
    >>> without_courtesy("Where do I live? I need it for a form."), without_courtesy("I forgot my umbrella")
    ('Where do I live?', 'I forgot my umbrella')
    """
    inner = _HOW_TO_ANSWER.sub("", question) if "?" in question else question
    inner = _without_talk(inner)
    inner = inner if _OF_THE_PAST.search(inner) else _NOW.sub("", inner)
    inner = _CLOSING.sub("", _OPENING.sub("", inner, count=1))
    if not inner.strip():
        return question
    return _ONCE_MORE.sub(r"\1", f"{inner}?" if "?" in question and "?" not in inner else inner)


def _without_talk(question: str) -> str:
    """A question without clauses and sentences around it that are about the conversation alone."""
    ends = takewhile(lambda end: end.start() <= LONGEST, _BEFORE_QUESTION.finditer(question))
    for end in reversed([*ends]):
        talk, asked = question[: end.start()], question[end.end() :]
        if _of_talk(talk):
            question = question if _TALKED_THEN.search(talk) and _ASKS_OF_TALK.search(asked) else asked
            break
    for begin in _AFTER_QUESTION.finditer(question, max(0, len(question) - LONGEST)):
        if _of_talk(question[begin.end() :]):
            return question[: begin.start()]
    return question


def _of_talk(text: str) -> bool:
    """Whether a text is about the conversation alone: "As I said before", "Next question", "You told me earlier."."""
    words = {word.lower() for word in _WORD.findall(text)}
    return not words.isdisjoint(_TALK) and words <= _TALK | _BESIDE_TALK
