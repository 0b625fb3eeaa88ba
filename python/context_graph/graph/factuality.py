"""How a clause means what it says: as a fact, as a guess, or as nothing that is so."""

import re
from collections.abc import Mapping
from typing import Literal

from context_graph.regex import regex

__all__ = ["Meaning", "bare", "frame", "is_question", "of_adjunct", "of_verb", "remark", "weakest"]

Meaning = Literal["fact", "guess", "none"]

MAX_FRAME_CHARS = 400
"""Letters before a clause, and behind it, in which the words stand that say how it is meant."""

_HEDGE = (
    "perhaps|maybe|possibly|probably|presumably|supposedly|allegedly|apparently|seemingly|potentially|conceivably"
    "|reportedly|likely|possible|probable|potential|suspected|alleged|supposed"
)
_JUDGED_FALSE = (
    "false|untrue|wrong|incorrect|impossible|implausible|inconceivable|absurd|unlikely|doubtful|dubious|questionable"
    "|unclear|unknown|uncertain|unsure|unproven|debatable|disputed|nonsense|fake"
)
_FALSE_TALE = "myth|lie|misconception|fallacy|hoax|rumou?r|legend|superstition|wives['’] tale|fairy tale|prejudice"
_OPINION = rf"{_FALSE_TALE}|claim|allegation|accusation|idea|notion|belief|speculation|fear|hope|worry|doubt|concern"
_POSSIBILITY = (
    "theory|hypothesis|suspicion|assumption|guess|hunch|impression|possibility|risk|chance|danger|likelihood"
    "|probability"
)
_DENIES = (
    r"den(?:y|ies|ied|ying)|doubt(?:s|ed|ing)?|disput(?:es?|ed|ing)|disprov(?:es?|ed|ing)|refut(?:es?|ed|ing)"
    r"|debunk(?:s|ed|ing)?|reject(?:s|ed|ing)?|contest(?:s|ed|ing)?|disagree(?:s|d|ing)?|pretend(?:s|ed|ing)?"
    r"|dream(?:s|ed|t|ing)?|wish(?:es|ed|ing)?|hop(?:es?|ed|ing)|fear(?:s|ed|ing)?|worr(?:y|ies|ied|ying)|afraid"
    r"|claim(?:s|ed|ing)?|alleg(?:es?|ed|ing)|insist(?:s|ed|ing)?|argu(?:es?|ed|ing)|rumou?red|imagin(?:es?|ed|ing)"
    r"|rul(?:es?|ed|ing) out|convinced|ask(?:s|ed|ing)?|wonder(?:s|ed|ing)?|question(?:s|ed|ing)?"
)
_BELIEVES = (
    r"thinks?|thought|believ(?:es?|ed)|suspects?|suspected|assum(?:es?|ed)|guess(?:es|ed)?|suppos(?:es?|ed)"
    r"|reckon(?:s|ed)?|presum(?:es?|ed)|speculat(?:es?|ed)"
)
_TELLS = (
    r"says?|said|tells?|told|reports?|reported|explains?|explained|knows?|knew|shows?|showed|shown|finds?|found"
    r"|learn(?:s|ed|t)?|notic(?:es?|ed)|not(?:es?|ed)|confirm(?:s|ed)?|prov(?:es?|ed)|turn(?:s|ed) out|fact|evidence"
    r"|proof|discover(?:s|ed)?|realis(?:es?|ed)|realiz(?:es?|ed)|remember(?:s|ed)?|true|clear|certain|sure"
    r"|known|no doubt"
)
_NONE = regex(
    rf"\bwhether\b|(?<!no )\b(?:{_DENIES})(?: \w+)? (?:that|if)\b|\b(?:{_JUDGED_FALSE})(?: to \w+)? that\b"
    rf"|(?<!no )\b(?:{_OPINION})s?(?: (?:is|was|are|were))? that\b"
    r"|\b(?:no|little|insufficient|any) (?:\w+ ){0,2}(?:evidence|proof|sign|indication|reason) that\b"
    r"|\b(?:nobody|no one|none|few)(?: \w+){0,3} (?:that|if|how|why)\b"
    r"|\A\W*(?:suppose|supposing|imagine|assume|assuming|pretend|what if|unless|in case)\b"
    r"|\bin (?!my\b|our\b)[\w'’]+ (?:opinion|view|eyes)\b",
    re.I,
)
"""Words before a clause after which it is asked, doubted, denied, supposed or told as somebody's belief."""

_NONE_OF_VERB = regex(
    r"\bif (?!any\b)[^,]*\Z|\bwhat(?:ever)?\W*\Z"
    r"|(?<!no )\b(?:doubt|deny|denie|disput)\w* (?!it\b)(?:(?!as\b|when\b|after\b|since\b)[\w'’-]+ ){0,7}[\w'’-]* ?\Z"
    r"|\b(?:no|little|insufficient|any) (?:\w+ ){0,2}(?:evidence|proof|sign|indication)\b"
    r"|\b(?:nobody|no one|none|few)(?: \w+){0,2} (?:think|thought|believe|claim|say|said|suspect|assume)",
    re.I,
)
"""The same without a conjunction, before a verb of cause; before "because" they belong to what has the reason."""

_BELIEF = regex(
    rf"\b(?:{_BELIEVES}) (?:(?P<that>that) |(?!(?:of|in|about|on|for|from|with|to|and|or|by|at|it)\b)(?=\w))", re.I
)
_OURS = regex(r"\b(?:i|we)(?: \w+){0,2} \Z|\b(?:is|are|was|were|been|being) (?:\w+ )?\Z", re.I)
"""What stands before a verb of belief of whoever speaks, or of nobody in particular: "I", "it is"."""

MAX_BELIEVER_CHARS = 40
"""Letters before a verb of belief that say whose belief it is."""

_OUR_VIEW = r"\bin (?:my|our) (?:opinion|view|eyes)\b"
_SEEMS = "seems?|seemed|appears?|appeared"
_GUESS = regex(
    rf"\b(?:{_POSSIBILITY})s?(?: (?:is|was|are|were))? that\b|\b(?:{_HEDGE}) that\b|{_OUR_VIEW}|\A\W*(?:{_HEDGE})\b"
    rf"|\b(?:{_SEEMS}|suggest(?:s|ed)?)(?: \w+){{0,2}} that\b",
    re.I,
)
_LEAD_IN = regex(
    rf"\A.*\b(?:{_POSSIBILITY}|{_HEDGE}|{_BELIEVES}|{_TELLS}|{_SEEMS}|suggest(?:s|ed)?)(?: (?:is|was|me|us|him|her))?"
    rf" that |\A\W*(?:i|we)(?: \w+)?? (?:{_BELIEVES}) |\A\W*{_OUR_VIEW},? ",
    re.I | re.S,
)
"""What a sentence says before the clause that it is about."""

_HEAD = regex(rf"\A\W*(?:(?:{_HEDGE}|and|or|but|then|so|also|to),? )+", re.I)
_TAIL = regex(
    r"(?:,? \b(?:may|might|could|would|should|must|will|can|well|also|then|thereby|in turn|going|tend(?:s|ed)?"
    rf"|{_SEEMS}|(?:i|we) (?:{_BELIEVES})"
    rf"|(?:is|are|was|were|been) (?:\w+ )?(?:thought|believed|said|assumed|known|found|shown)"
    rf"|(?:(?:is|are|was|were) )?(?:{_HEDGE})))+\W*\Z",
    re.I,
)
"""What stands behind a phrase and belongs to the verb: "may well", "is thought"."""

_HEDGED = regex(
    rf"\b(?:may|might|could|would|should|must|{_HEDGE}|{_SEEMS}|thought|believed|said|assumed"
    rf"|(?:i|we) (?:{_BELIEVES}))\b",
    re.I,
)
_UNDONE = regex(
    r"\b(?:without|instead of|rather than|hardly|scarcely|barely|unlikely|fail(?:s|ed)?|refus(?:es?|ed)|wants?|wanted"
    r"|try|tries|tried|hop(?:es?|ed)|plan(?:s|ned)?|intend(?:s|ed)?|attempt(?:s|ed)?|threaten(?:s|ed)?)\W*\Z"
    r"|\b(?:prevent|stop|keep|kept|hinder|protect|block)\w*\b.{1,80} from\W*\Z",
    re.I,
)
"""Before a verb of something that is not, or that is only meant to be."""

_WOULD_HAVE = regex(r"\bwould have\b", re.I)
_NO_SUBJECT = regex(r"\A\W*(?:no|neither|none|nothing|nobody|few|hardly any)\b(?! (?:longer|doubt)\b)", re.I)
_MAY = regex(r"\b(?:may|might)\b")  # never the month

_IS_FALSE = (
    r"(?:is|was|are|were|has been|have been|remains?) (?:(?:a|an|just|simply|only|completely|probably) ){0,3}"
    rf"(?:{_JUDGED_FALSE}|{_FALSE_TALE})\b"
)
_REMARK_NONE = regex(
    rf", (?:which|this|that|it) {_IS_FALSE}"
    rf"|, (?:or )?(?:so |as )?(?!(?:i|we) )(?:\w+ ){{1,2}}(?:{_BELIEVES}|claims?|claimed|alleges?|alleged)\b",
    re.I,
)
_JUDGED = regex(rf" {_IS_FALSE}", re.I)
_SUBJECT_CLAUSE = regex(r"\A\W*that ", re.I)
"""How a sentence begins of which the clause is the subject: "That dust causes heat is false"."""

_REMARK_GUESS = regex(rf",? (?:or )?(?:so )?(?:i|we) (?:{_BELIEVES})\W*\Z|,? (?:{_HEDGE})\W*\Z", re.I)
_QUESTION = regex(
    r"\A\W*(?:(?:why|how|when|where|what|who|(?:what|which) \w+) )?(?:(?:does|did|do|can|could|would|will|should)"
    r" (?:\w+ ){1,6}?(?:cause|lead|trigger|result|create|produce|contribute|bring|give|force|induce|generate|make)\b"
    r"|(?:is|are|was|were|has|have) (?:the|an?|this|that|these|those|my|your|our|his|her|its|their|it|they|he|she|we"
    r"|you)\b.{1,60} (?:caused|triggered|due|because|the (?:cause|result))\b)",
    re.I,
)
"""A verb before its subject: most who write no mark of a question still turn them."""

_SAYING: Mapping[Meaning, int] = {"none": 0, "guess": 1, "fact": 2}


def is_question(sentence: str) -> bool:
    """Whether a sentence asks, by its mark or by a verb before the subject.

    Examples
    --------
    >>> is_question("Does stress cause insomnia"), is_question("Stress does harm.")
    (True, False)
    """
    return sentence.rstrip(" \"'”’)").endswith("?") or _QUESTION.match(sentence[:MAX_FRAME_CHARS]) is not None


def weakest(*meanings: Meaning) -> Meaning:
    """The one that says least."""
    return min(meanings, key=_SAYING.__getitem__)


def frame(before: str, *, of_verb: bool = True) -> Meaning:
    """How the words before a clause have it meant: "Tom thinks that", "it is possible that", "nobody knows whether".

    Parameters
    ----------
    of_verb : bool
        The clause has a verb of cause; before "because", only what a conjunction joins to the clause counts.

    Examples
    --------
    >>> frame("Tom thinks that dust "), frame("I think that dust "), frame("We found that dust ")
    ('none', 'guess', 'fact')
    """
    before = before[-MAX_FRAME_CHARS:]
    if _NONE.search(before) or (of_verb and _NONE_OF_VERB.search(before)):
        return "none"
    meaning: Meaning = "guess" if _GUESS.search(before) else "fact"
    for match in _BELIEF.finditer(before):
        if match["that"] is None and (not of_verb or "," in before[match.end() :]):
            continue  # what is believed ended before
        if not _OURS.search(before[max(0, match.start() - MAX_BELIEVER_CHARS) : match.start()]):
            return "none"
        meaning = "guess"
    return meaning


def of_verb(subject: str, connective: str) -> Meaning:
    """How a verb of cause is meant, by the words around it: "may", "is thought to", "no drug", "fails to".

    Parameters
    ----------
    subject : str
        What stands before the verb, auxiliaries included.
    connective : str
        The verb, with those auxiliaries that are not at the end of the subject.
    """
    subject = subject[-MAX_FRAME_CHARS:]
    if _NO_SUBJECT.match(bare(subject)) or _UNDONE.search(subject) or _WOULD_HAVE.search(connective):
        return "none"
    tail = _TAIL.search(subject)
    return "guess" if _HEDGED.search(f"{tail[0] if tail else ''} {connective}") else "fact"


def of_adjunct(effect: str, cause: str) -> Meaning:
    """How a reason is meant by the clauses that "because" or "so" joins: "may have failed", "perhaps because".

    Only "may" and "might" tell a guess within a clause: "could" mostly tells what somebody was able to do.
    """
    effect, cause = effect[-MAX_FRAME_CHARS:], cause[:MAX_FRAME_CHARS]
    clauses = (effect, cause)
    hedges = (*(match[0] for clause in clauses for match in (_HEAD.search(clause), _TAIL.search(clause)) if match),)
    guess = any(map(_HEDGED.search, hedges)) or any(map(_MAY.search, clauses))
    return "guess" if guess else "fact"


def remark(before: str, after: str) -> tuple[Meaning, int]:
    """How the words behind a statement have it meant, and where they begin: ", Tom thinks", "That ... is a myth".

    Examples
    --------
    >>> remark("Moonlight", "madness, Tom thinks."), remark("That sugar", "unrest is a myth.")
    (('none', 7), ('none', 6))
    """
    after = after[:MAX_FRAME_CHARS]
    if match := _REMARK_NONE.search(after) or (_SUBJECT_CLAUSE.match(before) and _JUDGED.search(after)):
        return "none", match.start()
    if match := _REMARK_GUESS.search(after):
        return "guess", match.start()
    return "fact", len(after)


def bare(phrase: str) -> str:
    """A phrase without what says how it is meant: "I think that dust may well" is "dust".

    Examples
    --------
    >>> bare("It is possible that the dust"), bare("Perhaps heat"), bare("and noise is thought")
    ('the dust', 'heat', 'noise')
    """
    phrase = phrase[-MAX_FRAME_CHARS:]
    if match := _LEAD_IN.match(phrase):
        phrase = phrase[match.end() :]
    if match := _HEAD.match(phrase):
        phrase = phrase[match.end() :]
    match = _TAIL.search(phrase)
    return phrase[: match.start()] if match else phrase
