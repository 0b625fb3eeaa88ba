"""Allergies, intolerances and fears, and what says that they are over: an accident does not."""

import re

from context_graph.embed.chunks import clauses
from context_graph.reading import cues
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["avoided", "tells_diet", "tells_exposure"]

READ = 300
"""Characters of a statement that are looked at."""

_AVERSION = regex(
    r"\b(?:allerg(?:ic|y|ies)|intoleran(?:t|ce)|scared|afraid|terrified|frightened|phobi[ac]|fear of"
    r"|panics? (?:at|about)"
    r"|(?:can(?:not|['’]t)|(?:is|am|are)(?: not|n['’]t) allowed to) (?:eat|have|drink|tolerate|digest))\b(?P<what>.*)",
    re.I | re.S,
)
_UNABLE = regex(r"\bcan(?:not|['’]t)\b|\b(?:is|am|are)(?: not|n['’]t) allowed\b", re.I)
_DIET = regex(r"\b(?:vegetarian|vegan|pescatarian|keto|paleo|halal|kosher|low[- ]carb|diet)\b", re.I)
_OVER = regex(
    r"\b(?:no longer|any ?more|any longer|outgr(?:ew|ows?|own|owing)|gr(?:ew|own|owing) out of|got(?:ten)? over"
    r"|over (?:it|his|her|the|their|my)|allowed|tolerates?|tolerated|cured|healed|gone|desensiti[sz]\w+|misdiagnos\w+"
    r"|(?:can|could|may|able to)(?: \w+){0,2}? (?:eat|have|take|drink|touch|pet|stroke|use|handle|be near)"
    r"|(?:fine|ok|okay|good|all right|comfortable|cool) with|negative|nothing happened|not the"
    r"|(?:is|are|was|were) (?:fine|ok|okay|safe)"
    r"|(?:is|was|are|were|am)(?: not|n['’]t)|never (?:was|were|had)"
    r"|no (?:more )?(?:reactions?|problems?|fear|allerg\w+)"
    r"|without (?:an?y? )?(?:\w+ )?(?:reactions?|problems?|fear|rash)"
    r"|(?:loves|likes|enjoys|eats|drinks|pets|strokes|adores))\b|['’][sm] not\b",
    re.I,
)
"""Says that it is over, or never was; or does what one who bears it does not."""

_MISHAP = regex(
    r"\b(?:nearly|almost|by (?:accident|mistake)|accident\w*|rash|reaction|hospital|epipen|swell\w*|swollen|hives"
    r"|itch\w*|vomit\w*|threw up|sick|stung|bit|bitten|cried|crying|screamed|panick\w*|ambulance|emergency|sneez\w*"
    r"|wheez\w*)\b",
    re.I,
)
"""What becomes of somebody who meets what they do not bear."""

_EXPOSED = regex(
    r"\b(?:ate|had|drank|met|saw|swallowed|touched|gave|given|took|taken|tried|brought|served|offered|licked|passed|climbed"
    r"|ran into|came across|walked (?:past|by))\b",
    re.I,
)
"""Somebody met something, once."""

_NOT_SO = regex(
    r"\b(?:not|\w+n['’]t|never|no longer)(?: \w+){0,2}? (?:allergic|scared|afraid|intolerant)\b|\boutgr\w+|\bcured\b",
    re.I,
)
_NO_MISHAP = regex(r"\b(?:no|not|without|never|\w+n['’]t)(?: \w+){0,3}$", re.I)


@kept_for_texts(maxsize=1_024)
def avoided(text: str) -> frozenset[str]:
    """Stems of what somebody does not bear, or is afraid of; empty where a statement tells of no such thing.

    Examples
    --------
    >>> sorted(avoided("Rosa's allergic to strawberries")), avoided("Rosa likes strawberries")
    (['strawberri'], frozenset())
    >>> sorted(avoided("Tom can't have lactose."))
    ['lactos']
    """
    for clause in clauses(text[:READ]):
        aversion = _AVERSION.search(clause)
        if aversion is not None and not cues.NEGATED.search(_UNABLE.sub(" ", clause)):
            return content_stems(aversion["what"]) or content_stems(clause[: aversion.start()])
    return frozenset()


@kept_for_texts(maxsize=1_024)
def tells_exposure(text: str) -> bool:
    """Whether a statement tells that somebody met something once, or nearly, and what came of it, but not that they
    bear it.

    Examples
    --------
    >>> tells_exposure("Rosa ate a strawberry and got a rash again"), tells_exposure("Rosa can eat strawberries now")
    (True, False)
    >>> tells_exposure("Strawberries are fine"), tells_exposure("Rosa got a rash, but the test says she's not allergic")
    (False, False)
    """
    text = text[:READ]
    mishap = _MISHAP.search(text)
    if mishap is not None and not _NO_MISHAP.search(text[: mishap.start()].rstrip()):
        return not (cues.CORRECTED.search(_MISHAP.sub(" ", text)) or _NOT_SO.search(text))
    if not _EXPOSED.search(text):
        return False
    return not any(cue.search(text) for cue in (_OVER, cues.CORRECTED, _AVERSION))


def tells_diet(text: str) -> bool:
    """Whether a statement says how somebody eats in general.

    Examples
    --------
    >>> tells_diet("Tom is vegan since May."), tells_diet("Tom eats nuts again.")
    (True, False)
    """
    return bool(_DIET.search(text[:READ]))
