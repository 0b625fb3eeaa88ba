"""Sentences built otherwise that say the same: "it was Ann who called", "made the decision to", "unless it rains"."""

import re
from collections.abc import Iterator, Sequence

from context_graph.ingest.wordings import forms
from context_graph.regex import regex

__all__ = ["MAX_BUILT_WORDS", "in_one_construction"]

MAX_BUILT_WORDS, MAX_BUILT = 40, 400
"""Words and characters of a text that is looked at: longer ones have several sentences, which are not parted here."""

_NAME = r"[^\W\d_][\w'-]*"
_SUBJECT = rf"(?:i|you|he|she|it|we|they|(?:(?:my|your|his|her|its|our|their) )?{_NAME}(?: {_NAME})?)"
_PREPOSITION = "(?:in|on|at|from|to|with|for|by|before|after|during|since|until|about|near|under)"

_OPPOSITES = {
    "open": "closed", "locked": "unlocked", "possible": "impossible", "available": "unavailable",
    "finished": "unfinished", "valid": "invalid", "legal": "illegal", "known": "unknown", "complete": "incomplete",
    "correct": "incorrect", "safe": "unsafe", "able": "unable", "willing": "unwilling", "necessary": "unnecessary",
    "paid": "unpaid", "used": "unused", "true": "false", "alive": "dead", "present": "absent", "stable": "unstable",
    "offen": "geschlossen", "möglich": "unmöglich", "gültig": "ungültig", "abierto": "cerrado", "abierta": "cerrada",
}  # fmt: skip
"""Of two opposites that leave nothing between them one is what the other is not."""
_BOTH_WAYS = {**_OPPOSITES, **{other: one for one, other in _OPPOSITES.items()}}

_LIGHT = (
    ("make", "decision", "decide"), ("take", "decision", "decide"), ("make", "payment of", "pay"),
    ("make", "choice", "choose"), ("make", "suggestion", "suggest"), ("make", "complaint", "complain"),
    ("make", "offer", "offer"), ("make", "promise", "promise"), ("make", "plan", "plan"), ("make", "plans", "plan"),
    ("make", "request for", "request"), ("make", "purchase of", "buy"), ("make", "use of", "use"),
    ("take", "walk", "walk"), ("take", "nap", "nap"), ("take", "shower", "shower"), ("take", "look", "look"),
    ("have", "talk", "talk"), ("have", "chat", "chat"), ("have", "look", "look"), ("have", "argument", "argue"),
    ("have", "preference for", "prefer"), ("have", "need for", "need"), ("have", "intention to", "intend to"),
    ("pay", "visit to", "visit"), ("hold", "meeting", "meet"), ("have", "meeting", "meet"),
    ("do", "cooking", "cook"), ("do", "driving", "drive"), ("do", "shopping", "shop"), ("give", "answer", "answer"),
    ("give", "lecture", "lecture"), ("go", "for walk", "walk"), ("go", "for run", "run"), ("go", "for swim", "swim"),
    ("go", "for ride", "ride"), ("give", "permission to", "allow"), ("be", "owner of", "own"),
)  # fmt: skip
"""A verb that says little, the noun that says what is done, and the verb for it."""

_TO_SOMEBODY = (("give", "call", "call"), ("give", "ring", "call"), ("give", "hug", "hug"), ("pay", "visit", "visit"))
"""The same with whom it is done to between the two: "gave me a call"."""

_INTENDED = {
    "decision": "decide", "recommendation": "recommend", "suggestion": "suggest", "plan": "plan", "wish": "wish",
    "advice": "advise", "hope": "hope", "preference": "prefer", "promise": "promise",
}  # fmt: skip


def _light_verbs() -> Iterator[tuple[str, str]]:
    for verb, noun, other in _LIGHT:
        head, _, rest = other.partition(" ")
        for light, heavy in zip(forms(verb), forms(head), strict=True):
            yield rf"{light} (?:some |of )?{noun}", f"{heavy} {rest}".strip()
    for verb, noun, other in _TO_SOMEBODY:
        for light, heavy in zip(forms(verb), forms(other), strict=True):
            yield rf"{light} ({_NAME}) {noun}", rf"{heavy} \1"


_BUILT: tuple[tuple[str, str], ...] = (
    # what is set apart: "it was Ann who called", "it is on Thursday that we meet"
    (rf"^(?:it|that) (?:is|was) ({_PREPOSITION}(?: \S+){{1,4}}?) that (\S.*)$", r"\2 \1"),
    (r"^(?:it|that) (?:is|was) (\S+(?: \S+){0,3}?) (?:who|that|which) (\S.*)$", r"\1 \2"),
    (r"^what (\S+) (me|us|him|her|them)( most)? (?:is|was|are|were) (.+)$", r"\4 \1 \2\3"),
    (rf"^what ({_SUBJECT}) (\S+) ({_PREPOSITION} .+?) (?:is|was|are|were) (.+)$", r"\1 \2 \4 \3"),
    (rf"^what ({_SUBJECT}) (\S+(?: most)?) (?:is|was|are|were) (.+)$", r"\1 \2 \3"),
    (rf"^(?:thing|person|1) (?:that |who )?({_SUBJECT}) (\S+) (most|best|least) (?:is|was) (.+)$", r"\1 \2 \4 \3"),
    (rf"^all ({_SUBJECT}) (need|needs|needed|want|wants|wanted) is (.+)$", r"\1 only \2 \3"),
    (r"^reason (?:why |that |for which )?(.+?) is that (.+)$", r"\1 because \2"),
    (rf"^(?:only|1) who (\S+) (.+) is ({_NAME})$", r"only \3 \1 \2"),
    # what is so because, unless, or although something else is
    (r"^(.+?) and (?:is|that is|this is) why (.+)$", r"\2 because \1"),
    (rf"^(.+?) so ((?:{_SUBJECT}) (?!far|long|much|many|that\b).+)$", r"\2 because \1"),
    (r"\b(?:on account of|owing to|due to|thanks to)\b", "because of"),
    (rf"\bif ({_SUBJECT}) (?:do|does) not (\S+)", r"unless \1 \2"),
    (rf"\bif ({_SUBJECT}) (is|are|am|can|has|have|will) not\b", r"unless \1 \2"),
    (rf"\bunless ({_SUBJECT}) (\w+[^s\W])s\b", r"unless \1 \2"),
    (r"\beven though\b", "although"),
    # parts
    (r"\bhalf of\b", "50 % of"), (r"\b(?:1 )?quarter of\b", "25 % of"), (r"\bthree quarters of\b", "75 % of"),
    # what somebody is, has, or is called
    (
        r"^(?:name of )?((?:my|your|his|her|our|their) \S+)(?:'s name)? is (?:called |named )?([A-Z]\S*)$",
        r"\1 is \2",
    ),
    (rf"^({_NAME})'s name is (.+)$", r"\1 is \2"),
    (r"^i (?:have|own) (\S+) (?:is|called|named|by name of) ([A-Z]\S*)$", r"my \1 is \2"),
    (r"^we (?:have|own) (\S+) (?:is|called|named|by name of) ([A-Z]\S*)$", r"our \1 is \2"),
    (r"^(?:color|colour) of (.+?) is (\S+)$", r"\1 is \2"),
    (r"\b(?:is|are) (?:that|those|thing|things) of\b", "belong to"),
    # who may, can, must
    (r"\b(?:am|is|are) (?:not able|unable) to\b", "can not"), (r"\b(?:am|is|are) able to\b", "can"),
    (r"\b(?:was|were) (?:not able|unable) to\b", "could not"), (r"\b(?:was|were) able to\b", "could"),
    (r"^it is (?:necessary|required|mandatory|compulsory) to (.+)$", r"you must \1"),
    (r"\b(?:am|is|are) (?:required|obliged) to\b", "must"), (r"^it is possible to (.+)$", r"you can \1"),
    (r"^it is (?:impossible|not possible) to (.+)$", r"you can not \1"),
    (r"^you (?:is|are|must not be) forbade to (\w+)", r"it is forbade to \1"),
    (r"\b(?:am|is|are) not (attending|coming|going|joining|leaving|staying)\b", r"will not \1"),
    (r"\bwill not (attend|com|go|join|leav|stay)e?\b(?!ing)", r"will not \1ing"),
    (r"^it takes (me|us|him|her|them) (.+?) to (.+)$", r"\1 need \2 to \3"),
    (r"^(?:i|we) need (\d.*?) to (.+)$", r"me need \1 to \2"),
    (r"\bthere (?:is|are|was|were) no (.+)$", r"no \1"),
    (r"^(.+) (?:does|do) not exist(.*)$", r"no \1\2"),
)  # fmt: skip

_RULES = tuple((regex(pattern), other) for pattern, other in _BUILT)
_LIGHT_RULES = tuple((regex(rf"\b{pattern}\b"), other) for pattern, other in _light_verbs())
_INTENT = regex(rf"^(my|our|his|her|their|{_NAME}'s) ({'|'.join(_INTENDED)}) (?:is|was) (to|that|not to) (.+)$")
_GOING = ("go", "goes", "went", "went", "going")
_TAKING = dict(zip(_GOING, ("take", "takes", "took", "took", "taking"), strict=True))
_MOVING = (("drive", "car"), ("cycle", "bike"), ("bike", "bike"))
_BY = regex(
    r"\b(go|goes|went|going) to (\w+(?: \w+)?) by (bus|train|tram|subway|metro|bike|car|ferry|plane|taxi|bicycle)\b"
)
_MOVED = regex(rf"\b({'|'.join(form for verb, _ in _MOVING for form in forms(verb))}) to(?= \w)")
_BEGUN = regex(
    r"\b((?:start|begin|love|like|hate|prefer|continue)(?:s|ed|d)?|began|started|enjoys?) to "
    r"(?!be\b|the\b)([a-z]{3,})\b"
)
_OWNED_BY = {"my": "i", "our": "we", "his": "he", "her": "she", "their": "they"}
_NOT = regex(rf"\b(is|are|am|was|were|ist|sind|war|está|es) (?:not|nicht|kein) ({'|'.join(_BOTH_WAYS)})\b")
_SPANISH_NOT = regex(rf"\bno (está|es|estaba) ({'|'.join(_BOTH_WAYS)})\b")


def in_one_construction(tokens: Sequence[str]) -> list[str]:
    """Tokens in plain wordings (`phrasing.plainly`) with the sentence built in one way.

    Examples
    --------
    >>> in_one_construction("it was Ann who called me".split())
    ['Ann', 'called', 'me']
    >>> in_one_construction("we made decision to sell boat".split())
    ['we', 'decided', 'to', 'sell', 'boat']
    >>> in_one_construction("shop is not open".split())
    ['shop', 'is', 'closed']
    """
    text = " ".join(tokens)
    if len(tokens) > MAX_BUILT_WORDS or len(text) > MAX_BUILT:
        return list(tokens)
    text = _NOT.sub(lambda found: f"{found[1]} {_BOTH_WAYS[found[2]]}", text)
    text = _SPANISH_NOT.sub(lambda found: f"{found[1]} {_BOTH_WAYS[found[2]]}", text)
    text = _MOVED.sub(_moving, _BY.sub(_by, _BEGUN.sub(_going_on, _INTENT.sub(_intended, text))))
    for rule, other in (*_LIGHT_RULES, *_RULES):
        text = rule.sub(other, text)
    return text.split()


def _going_on(found: re.Match[str]) -> str:
    """ "Started to work" as "started working"."""
    return f"{found[1]} {forms(found[2])[4]}"


def _by(found: re.Match[str]) -> str:
    """ "Go to work by bus" as "take bus to work"."""
    return f"{_TAKING[found[1]]} {found[3]} to {found[2]}"


def _moving(found: re.Match[str]) -> str:
    """ "Drive to work" as "take car to work"."""
    verb, taken = next(pair for pair in _MOVING if found[1] in forms(pair[0]))
    return f"{_TAKING[_GOING[forms(verb).index(found[1])]]} {taken} to"


def _intended(found: re.Match[str]) -> str:
    """ "our decision was to sell" as "we decided to sell"."""
    owner = _OWNED_BY.get(found[1], found[1].removesuffix("'s"))
    return f"{owner} {_INTENDED[found[2]]} {found[3]} {found[4]}"
