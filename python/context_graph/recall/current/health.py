"""What a body does not bear: nothing ends it but what is surely about it."""

import re

from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["UNBEARABLE", "is_about_health"]

UNBEARABLE = r"allerg(?:y|ies|ic)|intoleran(?:t|ce)|co?eliac|diabet(?:es|ic)"
"""Words for what a body does not bear, as a pattern."""

_HEALTH = regex(
    rf"\b(?:{UNBEARABLE}|type (?:1|2|one|two)|asthma(?:tic)?"
    r"|epilep(?:sy|tic)|pregnant|epipens?|anaphyla(?:xis|ctic)"
    r"|(?:can['’]?t|cannot|must not|mustn['’]t|not allowed to) (?:eat|have|drink|take)"
    r"|allergi(?:sch\w*|e|que|ques|ker\w*)|(?:un|in)verträglich\w*|vertr(?:ägt|age|agen) (?:\w+ )?(?:kein\w*|nicht)"
    r"|(?:darf|dürfen) (?:\w+ ){0,2}?(?:kein\w*|nicht) (?:\w+ )?(?:essen|trinken)|alérgic[oa]s?|celíac[oa]s?"
    r"|no (?:puede[ns]?|puedo) (?:comer|beber|tomar))\b",
    re.I,
)


@kept_for_texts(maxsize=1_024)
def is_about_health(text: str) -> bool:
    """Whether a statement tells of an allergy, an illness or what somebody must not eat.

    Examples
    --------
    >>> is_about_health("Rowan is allergic to sesame."), is_about_health("Rowan's party is on the 24th.")
    (True, False)
    >>> is_about_health("Mia verträgt keine Laktose."), is_about_health("Mia hat Sahne gegessen.")
    (True, False)
    """
    return bool(_HEALTH.search(text))
