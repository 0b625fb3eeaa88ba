"""What is said around a statement to be polite, or to ask that it be remembered: it states nothing itself."""

import re

from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["without_preamble"]

_REMEMBER = (
    r"(?:(?:please )?(?:note|remember|memori[sz]e|keep in mind|bear in mind|write down|jot down|take down"
    r"|make a (?:mental )?note|take note|be aware|be advised|know|save|store)(?: (?:this|it|the following)(?=\s*:))?)"
)
_POLITELY = r"(?:please |kindly |be so kind (?:as )?to |mind |just |also )*"
_SMALL = r"(?:(?:just|only|also|a|an|another|one|quick|small|short|little|friendly|final|last|more|side) )*"

_BEFORE = regex(
    r"^(?:"
    r"(?:(?:by the way|btw|fyi|oh,? and|(?:hey|hi|hello|okay|ok|right|alright|well|oh),? so"
    r"|sorry (?:to bother you(?: again)?|for \w+(?: \w+){1,2}),? but|also,? please|übrigens|por cierto)"
    r"\b[\s,:;!.–-]+)"
    r"|(?:for the record|for (?:your|future|later) (?:information|reference)|for later|(?:just )?so (?:that )?you know"
    r"|(?:just )?so you(?:['’]re| are) aware|(?:just )?(?:letting|to let) you know|as (?:i said|mentioned|you may know)"
    r"|in case (?:you|it|that(?:['’]s| is)?)(?: \w+){1,4}|if (?:i|you) (?:may|don['’]t mind)"
    r"|just to (?:be (?:clear|sure)|confirm|recap|repeat|add)|to be clear|as a (?:quick |small )?reminder"
    r"|(?:oh|okay|ok|right|alright|well|so|anyway|also)(?:,? (?:and|so|well|yes))?"
    r"|thanks(?: a lot)?|thank you|thanks for \w+(?: \w+){1,3}|sorry"
    r"|(?:hi|hello|hey|dear \w+|good (?:morning|afternoon|evening))(?: there| again| everyone)?"
    r"|sorry to bother you(?: again)?|p\.?s\b"
    r"|(?:(?:one|another|a)(?: \w+)? thing|something) (?:to|worth) (?:remember|know|note|keep)(?:ing)?"
    r"|(?:also |it['’]s )?worth (?:noting|knowing|remembering)|good to know|important|just saying"
    rf"|(?:on )?{_SMALL}(?:thing|note|reminder|info|heads[- ]up|fyi|update)(?: to self| for you| for later)?"
    r"|news|memo|hinweis|notiz|nota|zur erinnerung|nur damit du es weißt|para que lo sepas|un recordatorio"
    r"|(?:please )?(?:save|store|remember|note|keep|bear) (?:this|the following)(?: in mind)?"
    r"|(?:please )?(?:take|make a(?: mental)?) note(?: of this)?"
    r"|(?:please )?(?:do not|don['’]t) forget|remember|nur zur info|zur info|denk dran|(?:bitte |please )?merke? dir)"
    r"\s*(?:[,:;!.]+|[–-]+(?=\s))\s*)+",  # "well-known" begins with no courtesy
    re.I,
)
_REQUEST = regex(
    rf"^(?:(?:could|can|would|will) you {_POLITELY}|(?:please|kindly),? |it (?:would|['’]d) be "
    r"(?:great|good|nice|lovely|helpful|useful|kind)(?: of you)? (?:if you (?:could|would|can) |to )"
    r"|i(?: would|['’]d)? (?:like|want|need|love)(?:ed)? you to |do "
    r"|i(?: would|['’]d) (?:be (?:glad|grateful|happy)|appreciate it) if you (?:could |would )?"
    r"|if you (?:could|would|can),? (?:please )?|when(?:ever)? you (?:get|have|find) (?:a |the )?"
    r"(?:chance|moment|time),? (?:please )?"
    r"|make sure (?:you |to )|(?:please )?(?:do not|don['’]t) forget(?: to)? )?"
    rf"(?:{_REMEMBER}(?:,? that\b|\s*:)|(?:noting|remembering|keeping in mind|writing down),? that\b"
    r"|(?<=forget )that\b|merke? dir,? dass\b|denk (?:daran|dran),? dass\b|vergiss nicht,? dass\b"
    r"|(?:te )?recuerd[ao] que\b|ten en cuenta que\b|que sepas que\b|no olvides que\b)\s*",
    re.I,
)
"""That something is to be remembered, which whoever stores it does: "could you note that ...?"."""

_TELLING = regex(
    r"^(?:i (?:just |only |also )?(?:wanted|want|have|would like|['’]d like) to "
    r"(?:let you know|tell you|mention|say|add|remind you|point out|inform you)"
    r"|(?:just |only )?(?:letting you know|to let you know|wanted to (?:say|mention|add|let you know)|to remind you)"
    r"|(?:let me|may i|allow me to|i (?:should|must|may)) (?:just |also )?(?:tell you|mention|add|say|note|remind you)"
    r"|i (?:just |also )?thought you (?:should|ought to|might want to) know"
    r"|(?:please )?you (?:should|ought to|must|need to|(?:may|might) want to) (?:know|note|remember)"
    rf"|{_SMALL}reminder|it (?:may|might|could) (?:help|be (?:good|useful|helpful)) to know"
    r"|it(?:['’]s| is) (?:worth (?:noting|knowing|mentioning|remembering)"
    r"|(?:good|important|useful|helpful) to (?:know|note|remember)))"
    r",? that\s+",
    re.I,
)
"""That something is told: "I wanted to let you know that ..."."""

_ASKED = regex(
    r"^(?:could|can|would|will) you (?:(?:please|kindly) (?P<one>(?!tell\b|say\b|explain\b).+)"
    r"|(?P<other>(?!tell\b|say\b|explain\b).+?),? please)\?*$",
    re.I,
)
"""What is to be done, asked for politely: "could you use metric units, please?". Without "please" it is a question."""

_PLEASE = regex(r"^please,? (?=\w)", re.I)
_AFTER = regex(
    r"[\s,;.!?–-]+(?:(?:many )?thanks(?: a lot| in advance| so much)?|thank you(?: so much| very much)?|thx|cheers"
    r"|please"
    r"|(?:ok|okay|(?<!the )(?<!my )(?<!your )right|alright)(?=\?)"
    r"|if you don['’]t mind|if that['’]s (?:ok|okay|all right|fine)|if possible"
    r"|(?:just )?so (?:that )?you(?:['’]re| are)? (?:know|aware)"
    r"|for (?:your information|the record|(?:your|future) reference)"
    r"|(?:just )?(?:fyi|saying)|btw|by the way|in case (?:you|it|that)(?: \w+){1,3}|(?:hope|if) (?:that|this|it) helps"
    r"|as (?:i (?:said|mentioned)|mentioned|you (?:may )?know)|got (?:it|that)(?=\?)|that['’]s all"
    r"|danke|bitte|gracias|por favor"
    r"|(?<=[.!?;–-]) ?(?:please )?(?:remember (?:that|this|it)|(?:keep|bear) (?:that|this|it) in mind"
    r"|(?:do not|don['’]t) forget(?: (?:that|this|it))?|note (?:that|this|it)(?: down)?))\s*[.!?]*$",
    re.I,
)

TAIL = 60
"""Characters at the end of a text among which thanks are looked for."""

MAX_THANKS = 8
"""Times that thanks are taken off a text."""

MIN_STATEMENT_WORDS = 3
"""Words of a statement that somebody asks to remember; "note that down" asks for none."""


@kept_for_texts(maxsize=256)  # a text is compared with others, and read for what it does
def without_preamble(text: str) -> str:
    """A text without what is said before and after it to be polite, or to have it remembered.

    Examples
    --------
    >>> without_preamble("By the way, Mia has two rabbits.")
    'Mia has two rabbits.'
    >>> without_preamble("Hi! I wanted to let you know that the boiler is serviced in May, thanks.")
    'the boiler is serviced in May'
    >>> without_preamble("Please use metric units.")
    'use metric units.'
    >>> without_preamble("Could you use metric units, please?")
    'use metric units'
    """
    plain = _BEFORE.sub("", text) or text
    if (errand := _ASKED.match(plain.rstrip())) is not None and not _REQUEST.match(plain):
        return errand["one"] or errand["other"]
    for _ in range(MAX_THANKS):
        shorter = _before_thanks(plain)
        if shorter == plain or len(shorter.split()) < MIN_STATEMENT_WORDS:
            break
        plain = shorter
    for opening in (_REQUEST, _TELLING):
        match = opening.match(plain)
        if match is not None and len(plain[match.end() :].split()) >= MIN_STATEMENT_WORDS:
            plain = plain[match.end() :].rstrip().removesuffix("?")
    return _PLEASE.sub("", _BEFORE.sub("", plain) or plain)


def _before_thanks(text: str) -> str:
    return text[:-TAIL] + _AFTER.sub("", text[-TAIL:])
