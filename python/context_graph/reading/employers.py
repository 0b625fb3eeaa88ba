"""That somebody works for another company now, in whatever words they say that they began there."""

import re

from context_graph.regex import regex

__all__ = ["asks_for_employer", "new_employer"]

READ = 300
"""Characters of a statement that are looked at."""

_ASKS = regex(
    r"^\W*(?:where [a-z]+ works?(?=\W*$)|where (?:do|does|am|is|are) .{1,40}\b(?:work|working|employed)\b"
    r"|(?:who|(?:which|what) (?:company|firm|employer|business|place)) (?:do|does|am|is|are) .{1,40}"
    r"\b(?:work(?:ing)? (?:for|at)|with|at|employed (?:by|at))(?=\W|$)"
    r"|(?:who|what) (?:is|['’]s) .{1,40}\b(?:employer|company)\b|(?:who|which company) employs\b"
    r"|do(?:es)? .{1,40}\bstill work (?:at|for|with)\b)",
    re.I,
)
_NAME = r"(?-i:[A-Z0-9])[\w&.'’-]*"
_COMPANY = rf"(?P<company>(?:the )?{_NAME}(?: (?:{_NAME}|&|(?:and|of)(?= (?-i:[A-Z]))))*)"
_JOB = r"(?:an?|the|my|his|her|their)(?: new)?(?: [\w-]+)? (?:job|position|role|post)"
_EMPLOYED = regex(
    rf"\b(?:works?|working|employed|(?:have|has) {_JOB}) (?:at|for|with|by|in) {_COMPANY}"
    r"|(?:\bam|\bis|\bare|['’](?:m|s|re)) (?:now |currently )?(?:(?:a|an|the) )?(?:[a-z-]+ ){0,2}(?:at|with) "
    + _COMPANY.replace("company", "place"),
    re.I,
)
_BEGUN = regex(
    rf"\b(?:joined|start(?:s|ed|ing)?(?: {_JOB})? (?:at|with|for)|(?:first|1st|second) (?:day|week) at"
    rf"|(?:got|took|accepted|landed) {_JOB} (?:at|with|from)|(?:was|were|got|been) hired (?:by|at)"
    r"|signed (?:(?:a|my|the) contract )?with|began(?: to)?(?: work(?:ing)?)? (?:at|for|with)"
    r"|now (?:works?|working|employed) (?:at|for|with|by)) " + _COMPANY,
    re.I,
)
_OF_NOW = regex(r"\b(?:now|since|these days|nowadays|as of|new job)\b", re.I)
_FORMER = regex(
    r"\b(?:used to|before that|previously|formerly|back then|until \d|years? ago|ex-|former"
    r"|interview\w*|appl(?:y|ied|ying)|want(?:s|ed)?|would|might|if|dream\w*|visit\w*)\b",
    re.I,
)
_BESIDE = regex(
    r"\b(?:also|too|as well|besides|second job|side (?:job|gig|project)|part[- ]time|on the side|weekends?|freelanc\w*"
    r"|volunteer\w*|intern(?:ship)?|gym|club|choir|band|course|class|yoga)\b",
    re.I,
)
"""Says that it is done beside the job, or is none."""

_SUBJECT = regex(
    r"(?:^|[.!?;,:]\s*|\b(?:and|but|so) )(?P<who>(?:[Mm]y \w+|(?-i:[A-Z])[a-zà-ÿ]+|[Hh]e|[Ss]he|[Ii]|[Ww]e))(?=['’ ])"
)
_SELF = frozenset({"i", "we"})
_VERBS = frozenset("began first got hired joined landed now second signed started took".split())
"""With a capital at the beginning of what has no subject."""


def asks_for_employer(question: str) -> bool:
    """Whether a question asks for whom somebody works.

    Examples
    --------
    >>> asks_for_employer("Where do I work?"), asks_for_employer("Which company is Ben with?")
    (True, True)
    >>> asks_for_employer("What do I work on?"), asks_for_employer("Where do I live?")
    (False, False)
    """
    return bool(_ASKS.match(question))


def new_employer(earlier: str, later: str) -> bool:
    """Whether one statement says for whom somebody works, and the later one that the same one began elsewhere, or works
    elsewhere now.

    Examples
    --------
    >>> job = "I work at Delta Bank."
    >>> new_employer(job, "First day at Rosen Insurance!"), new_employer(job, "I joined Rosen in May.")
    (True, True)
    >>> [new_employer(job, text) for text in ("I joined a choir.", "Ben started at Rosen.", "I also work at Rosen.")]
    [False, False, False]
    >>> new_employer("Ben works for Delta.", "Ben was hired by Rosen."), new_employer(job, "I used to work at Rosen.")
    (True, False)
    """
    earlier, later = earlier[:READ], later[:READ]
    before = _EMPLOYED.search(earlier) or _BEGUN.search(earlier)
    after = _BEGUN.search(later) or _EMPLOYED.search(later)
    if after is not None and after.groupdict().get("place") and not _OF_NOW.search(later):
        return False  # "I'm at Lisbon airport"
    if before is None or after is None or _FORMER.search(later) or _BESIDE.search(later) or _FORMER.search(earlier):
        return False
    if _who(earlier, before.start()) != _who(later, after.start()):
        return False
    old, new = _company(before), _company(after)
    return not (old.startswith(new) or new.startswith(old))


def _company(match: re.Match[str]) -> str:
    groups = match.groupdict()
    return (groups["company"] or groups.get("place") or "").lower().removeprefix("the ").rstrip(".,!")


def _who(text: str, end: int) -> str:
    """Of whom a statement speaks up to some place: the last subject before it; who tells where there is none."""
    subjects = [match["who"].lower() for match in _SUBJECT.finditer(text[: end + 1])]
    named = [who for who in subjects if who not in _VERBS]
    return "i" if not named or named[-1] in _SELF else named[-1]
