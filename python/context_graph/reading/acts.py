"""What a statement does (instructs, prefers, decides, leaves open), and the questions that ask for all of one kind.

"What are my standing instructions?" shares no word with any of them; the form of the statements answers it.
"""

import re
from typing import NamedTuple

from context_graph.embed.stems import stem_of, words
from context_graph.texts import kept_for_texts

__all__ = ["ACTS", "AskedFor", "acts_of", "asked_for", "cue_stems"]

ACTS = ("instruction", "preference", "decision", "open")

_VERBS = (
    "answer ask always avoid be book bring call check cite close commit convert correct count create delete do"
    " don't draft "
    "explain export fill find fix follow format give include indent keep leave let limit list log mail make mark"
    " mention move "
    "name never no note only order pay plan please prefer print pull push put quiz quote read remember remind"
    " repeat reply "
    "report review round run save say schedule send set show sign sort speak spell start stop store suggest"
    " summarize summarise "
    "talk tell test translate treat try update use wait warn wrap write"
)
_OPENING = r"^\W*(?:(?:please|from now on|as a rule|in general|remember|rule|note)\b[\s,:]*)*"
_FORMS = {
    "instruction": re.compile(
        rf"{_OPENING}(?:(?:for|in|on|at|when|if|before|after)\b[^,.]{{1,60}},\s*)?"
        rf"(?:{'|'.join(_VERBS.split())})\b(?!\s*\?)"
        r"|\bi want (?!to\b)|\b(?:i['’]d like|i need|i expect|i ask) (?:you|it|them|my|every|all)\b"
        r"|\bthat['’]s (?:how i want|my style)\b"
        r"|\bonly[.!]?$"
        r"|\b(?:you (?:should|must|may not|can skip)|max(?:imum)? line length|in my (?:repos?|code|mails?|texts?))\b"
        r"|^(?:bitte|immer|nie|niemals|schreib|antworte|nenn|verwende|benutze)\b|^(?:por favor|siempre|nunca|usa"
        r"|escribe)\b",
        re.I,
    ),
    "preference": re.compile(
        r"\bi (?:really |much |don['’]t |do not |never |can['’]t |always )?(?:like|love|prefer|hate|dislike|enjoy"
        r"|stand|favou?r)\b"
        r"|\b(?:i['’]m fond of|my favou?rites?|i['’]d rather|can['’]t (?:stand|eat|bear|tolerate)"
        r"|works best for me|not my thing|please me|annoys me|bores? me)\b"
        r"|\bich (?:mag|bevorzuge|liebe|hasse)\b|\bprefiero\b|\bme (?:gusta|encanta)n?\b",
        re.I,
    ),
    "decision": re.compile(
        r"\b(?:decided|decision|decisions|agreed|agreement|settled (?:on|for)|chose|chosen|went with"
        r"|go(?:ing)? with|resolved to"
        r"|verdict|vote result|voted|signed off|approved|we['’]ll (?:use|go|take|keep|stay|drop)|we (?:dropped"
        r"|picked|opted)"
        r"|entschieden|beschlossen|entscheidung|decidimos|acordamos|decisión)\b",
        re.I,
    ),
    "open": re.compile(
        r"^\W*open\b|\b(?:open (?:question|issue|point)s?|unclear|undecided|unresolved|unanswered|not sure|unsure"
        r"|not (?:yet )?(?:answered|decided|settled|clear)"
        r"|to be (?:decided|clarified|confirmed|discussed)|tbd|todo|question for|(?:have|need) to (?:find out"
        r"|decide|clarify|check|ask)"
        r"|(?:have|has)n['’]t (?:\w+ )?(?:found|decided|heard|answered|sent|replied|settled|chosen|agreed)"
        r"|still (?:open|unclear|undecided|to|need|waiting|missing|no)|waiting (?:for|on)|nobody (?:could|can"
        r"|knows)|no idea (?:yet|whether|who|how)"
        r"|don['’]t know\b|unknown|unconfirmed|(?:is|are)(?:n['’]t| not) (?:yet )?(?:confirmed|decided|settled"
        r"|clear|known)"
        r"|missing|offene frage|noch offen|unklar|pendiente|sin decidir)\b|\?",
        re.I,
    ),
}  # fmt: skip

_ASKED = {
    "instruction": re.compile(
        r"\b(?:(?:standing )?instructions?|ground rules|guidelines|house rules|my rules"
        r"|rules (?:for|about|on|do|must|should|apply)"
        r"|how (?:do|would|did|should) (?:i|we|you) (?:like|want|prefer|write|answer|format|talk|reply|help"
        r"|behave|address|code)"
        r"|how should (?:you|your|my)|what (?:did|do|have) i (?:ask|asked|tell|told|want) you to|ask(?:ed)? of you"
        r"|what must (?:i|you|we) (?:watch|remember|keep|mind|avoid)|what should you (?:always|never|avoid|watch"
        r"|remember))\b",
        re.I,
    ),
    "preference": re.compile(
        r"\b(?:preferences?|my tastes?|how (?:do|would) i (?:like|prefer|want)|what (?:do|would"
        r"|don['’]t) i (?:like|prefer|enjoy|hate|love|dislike)"
        r"|likes and dislikes|what must (?:i|you|we) (?:watch|avoid))\b",
        re.I,
    ),
    "decision": re.compile(
        r"\b(?:what|which|how|list|all)\b.{0,40}\b(?:decid\w+|decisions?|agreed?|settled?|chosen|choose|chose"
        r"|resolved)\b|\bour decisions?\b",
        re.I,
    ),
    "open": re.compile(
        r"\b(?:(?:is|are|what['’]s|what|which|anything|questions?|points?|issues?)\b.{0,40}\b(?:open|unresolved"
        r"|undecided|unanswered|unclear|pending|outstanding)"
        r"|still (?:needs?|open|unclear|to be|undecided|missing)|open (?:questions?|issues?|points?)"
        r"|left to (?:decide|clarify|answer))\b",
        re.I,
    ),
}  # fmt: skip
_ABOUT = re.compile(
    r"\b(?:what(?:['’]s| is) (?:planned|known|new|going on) (?:for|about|with|on|at|in)|what (?:do|did"
    r"|have) (?:you|we) (?:know|remember|have|got) (?:about|of|on|for)|(?:give|show) me (?:\w+ )?(?:notes|facts"
    r"|background) (?:on|about|of)"
    r"|(?:sum up|summari[sz]e|recap)|everything (?:concerning|regarding)|notes (?:on|about)|what (?:have i"
    r"|did i) (?:told|tell) you (?:about|of)"
    r"|(?:have i|did i) (?:ever )?(?:told?|tell|say|said) (?:you )?anything (?:about|of|on)"
    r"|tell me (?:more )?(?:all |everything )?about"
    r"|fill me in on|catch me up on|brief me on|bring me up to speed on|everything (?:about|on)|all (?:about"
    r"|you know (?:about|of))"
    r"|what should i (?:know|keep in mind|remember) (?:about|with|of|on)|remind me (?:about|of|who)|who (?:is|was"
    r"|are)|know (?:about|of)|remind me of (?:everything|all) (?:concerning|about|on)"
    r"|was weißt du über|erzähl mir (?:von|über)|qué sabes (?:de|sobre))\s+(.+)$",
    re.I,
)
_GOING = re.compile(
    r"^\W*how(?:['’]s| is| are| was| were| did)\s+(?:it with )?(?:the |my |our )?(.+?)\s+"
    r"(?:going|coming (?:along|on)|looking|doing|progressing|getting on|go)\b"
    r"|^\W*(?:which|what)\s+((?:\w+ ){0,2}\w+s)\s+(?:do|have)\s+(?:we|i)\s+(?:have|got)\b",
    re.I,
)
"""Questions for how something stands, or which of a kind there are: all that is known of it answers them."""

_WHOLE = frozenset(
    "about all anything background details everything facts got heard info information know known learned news"
    " notes overview recall remember saved stored summary tell told update".split()
)
"""Words of which a question for all that is known of something has one, and beside them only what it is about."""

_BESIDE = _WHOLE | {"have"}
"""Words that are no topic of such a question; "have" alone makes none: "what did I have for lunch?" asks for one."""

_ONE = re.compile(r"^\W*(?:who|whom|whose|when|where|why|which|how|is|are|was|were|does|did)\b", re.I)
"""Openings of questions for one thing."""

WHOLE_TOPIC = 2
"""Most words of what such a question is about."""

_TOPIC = re.compile(r"\b(?:about|on|with|for|in|of|over|at|regarding|concerning|as)\s+([^?.!,]+)[?.!]*\s*$", re.I)
_EMPTY = frozenset(
    "please now today so far general all again moment me you us them it everyone everybody instruction"
    " instructions standing "
    "question questions open decision decisions rule rules thing things anything everything family home".split()
)


class AskedFor(NamedTuple):
    """What a question asks for as a whole.

    Attributes
    ----------
    acts : frozenset of str
        Of `ACTS`; empty where it asks for all that is known of something.
    topic : tuple of str
        Stems of what it is about; empty where it asks for everything.
    named : bool
        The topic has a name: what does not mention it is about something else.
    """

    acts: frozenset[str]
    topic: tuple[str, ...]
    named: bool = False


@kept_for_texts(maxsize=1_024)
def acts_of(text: str) -> frozenset[str]:
    """What a statement does.

    Examples
    --------
    >>> sorted(acts_of("Never schedule anything before nine.")), sorted(acts_of("We agreed on oak for the floor."))
    (['instruction'], ['decision'])
    >>> sorted(acts_of("Unclear: who orders the paint?")), sorted(acts_of("Lena has two cats."))
    (['open'], [])
    """
    return frozenset(act for act, form in _FORMS.items() if form.search(text))


def asked_for(question: str) -> AskedFor | None:
    """What a question asks for as a whole; None where it asks for one thing, as most do.

    Examples
    --------
    >>> asked_for("What did we decide about the floor?")
    AskedFor(acts=frozenset({'decision'}), topic=('floor',), named=False)
    >>> asked_for("Tell me about Lena.").topic, asked_for("The roof: what have you got?").topic
    (('lena',), ('roof',))
    >>> asked_for("Where does Lena live?") is None
    True
    """
    question = question.strip()
    acts = frozenset(act for act, form in _ASKED.items() if form.search(question))
    if acts:
        found = _TOPIC.search(question)
        return AskedFor(acts, _stems(found[1]) if found else ())
    found = _ABOUT.search(question) or _GOING.search(question)
    if found is None:
        return _about_all(question)
    about = found[found.lastindex or 1]
    topic = _stems(about)
    named = any(word[:1].isupper() for word in about.split())
    return AskedFor(frozenset(), topic, named) if topic else None


def _about_all(question: str) -> AskedFor | None:
    """What "the publisher: what have you got?" asks for: beside words for all that is known, it has only a topic."""
    asked_words = words(question)
    topic = _stems(" ".join(word for word in asked_words if word not in _BESIDE))
    if _ONE.match(question) or _WHOLE.isdisjoint(asked_words) or not 0 < len(topic) <= WHOLE_TOPIC:
        return None
    return AskedFor(frozenset(), topic)


def cue_stems(acts: frozenset[str]) -> frozenset[str]:
    """Stems of which a statement that does one of these has one: where to look first."""
    return frozenset(stem for act in acts for stem in _CUES[act])


def _stems(phrase: str) -> tuple[str, ...]:
    found = (stem_of(word) for word in words(phrase) if word not in _EMPTY)
    return tuple(dict.fromkeys(stem for stem in found if stem))


_PIECE = re.compile(r"(?:[a-zà-ÿ]\??){3,}")


def _spellings(piece: str) -> list[str]:
    """The words that a piece of a pattern stands for: "favou?rites?" for four."""
    found = [""]
    for letter, optional in re.findall(r"(.)(\??)", piece):
        found = [word + letter for word in found] + (found if optional else [])
    return found


def _stems_in(pattern: str) -> frozenset[str]:
    pieces = _PIECE.findall(re.sub(r"\\.", " ", pattern))
    return frozenset(stem for piece in pieces for word in _spellings(piece) if (stem := stem_of(word)))


_CUES = {act: _stems_in(form.pattern) for act, form in _FORMS.items()}
