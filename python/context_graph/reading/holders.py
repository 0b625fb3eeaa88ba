"""Whose a statement or a question is: the speaker's own, a relative's, the neighbours', somebody's with a name."""

import re
from typing import Literal, NamedTuple

from context_graph.embed.stems import stems
from context_graph.reading import cues
from context_graph.reading.first_names import may_be_a_first_name
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["Holder", "asked_holder", "holder", "may_be_one", "mentions_self", "relative_of", "tells_of_own"]

READ = 300
"""Characters of a statement that are looked at."""

_KINDS = {
    "mother": "mother mum mom mama mummy mommy",
    "father": "father dad papa daddy",
    "parents": "parents folks",
    "grandmother": "grandmother grandma granny gran nan nana oma",
    "grandfather": "grandfather grandpa granddad grandad opa",
    "grandparents": "grandparents",
    "sister": "sister sis",
    "brother": "brother bro",
    "siblings": "siblings",
    "partner": "wife husband partner girlfriend boyfriend fiancé fiancée fiance fiancee hubby missus spouse",
    "son": "son",
    "daughter": "daughter",
    "children": "child children kid kids sons daughters boys girls twins",
    "aunt": "aunt auntie",
    "uncle": "uncle",
    "cousin": "cousin cousins",
    "niece": "niece nieces",
    "nephew": "nephew nephews",
    "grandson": "grandson",
    "granddaughter": "granddaughter",
    "friend": "friend mate buddy bestie friends mates",
    "colleague": "colleague coworker co-worker deskmate colleagues coworkers",
    "neighbour": "neighbour neighbor neighbours neighbors",
    "flatmate": "flatmate roommate housemate flatmates roommates housemates",
    "boss": "boss manager",
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_WITHIN = {
    "parents": ("mother", "father"), "grandparents": ("grandmother", "grandfather"), "siblings": ("sister", "brother"),
    "children": ("son", "daughter"),
}  # fmt: skip
"""Of whom several are spoken of in one word."""

_FAMILY = frozenset(
    "mother father parents grandmother grandfather grandparents sister brother siblings son daughter aunt uncle cousin"
    " niece nephew grandson granddaughter".split()
)
"""Of whom two kinds are two persons."""

_HOUSEHOLD = frozenset("partner son daughter children flatmate".split())
"""Who may be meant with "we"."""

_CALLED_BARE = "mum|mom|mama|mummy|mommy|dad|papa|daddy|grandma|granny|gran|nan|nana|oma|grandpa|granddad|grandad|opa"
_RELATIVES = "|".join(sorted(_KIND_OF, key=len, reverse=True))
_LEAD = (
    r"^\W*(?:(?:(?:it )?turns out|apparently|actually|so|btw|by the way|oh|ok|okay|well|fyi|update|good news|bad news"
    r"|also|and|but|finally|today|yesterday|now|looks like|seems|i think|(?:i )?(?:just )?heard|guess what|luckily"
    r"|sadly)(?: that)?[,:]? ){0,3}"
)
_ADVISED = r"(?:(?:the |my |our )?[a-z.]{2,12} (?:told|advised|wants|asked) )?"
"""Somebody told the holder to do something: "the doctor told mum to"."""

_NAME = r"(?-i:[A-ZÀ-Þ][\wÀ-ÿ-]+)"
_SELF_OPENS = regex(rf"{_LEAD}(?P<who>(?:{_NAME} (?:and|&) )?i|we)(?:['’](?:m|re|ve|ll|d))?\b", re.I)
_RELATIVE_OPENS = regex(
    rf"{_LEAD}{_ADVISED}"
    rf"(?:(?P<whose>my|our|the) (?:(?!(?:{_RELATIVES})\b)[a-zà-ÿ-]{{2,12}} )?(?P<relative>{_RELATIVES})"
    rf"|(?P<bare>{_CALLED_BARE}))(?P<law>[ -]in[ -]law)?(?P<more> (?:and|&) (?:his|her|my) \w+)?\b(?P<behind>.*)",
    re.I | re.S,
)
_THING_OPENS = regex(rf"{_LEAD}(?P<whose>my|our)\b", re.I)
_NAME_OPENS = regex(
    rf"{_LEAD}{_ADVISED}(?P<name>{_NAME})(?P<other> (?:and|&) (?:{_NAME}|(?:his|her) \w+))?(?P<behind>['’ ].*)",
    re.I | re.S,
)

_HAS_A_THING = regex(
    r"^['’]?s['’]? (?!(?:got|been|not|an?|the|now|gone|going|moved|in|at|on|off|out|back|still)\b)"
    r"(?P<thing>(?:[\w-]+ ){1,3}?)(?:is|isn['’]t|are|aren['’]t|was|were|has|had|gets|got|moved|lives|works|starts|ends"
    r"|quit|left|changed|goes|comes|costs|drives|drinks|eats|likes)\b"
    r"|^['’]s [a-z-]+ [A-ZÀ-Þ][\w-]+\b"
)
"""Behind the holder: a thing or somebody of theirs, "Tom's boss is"."""

_NAMED = regex(rf" {_NAME}")
_IS_OURS = regex(rf"(?:['’]s| is| are)(?: now| still)? (?:my|our) (?:[a-z-]+ ){{0,2}}?({_RELATIVES})\b(?!['’]s)", re.I)
"""Behind a name: whose relative that is, "Ines is my boss"."""

_RELATIVE_OF = regex(rf"['’]s (?:\w+ )?({_RELATIVES})\b", re.I)
_CALLED = regex(r"^(?:['’]s name)?(?: is|['’]s)(?: called| named)? (?:[A-ZÀ-Þ][\wÀ-ÿ.-]+|(?:Herr|Frau|Mr|Mrs|Ms)\b)")
"""Behind a relative: who that is, which says something of the speaker too."""

_ADVERB = r" (?:not|actually|really|also|too|just|now|still|never|always|only|both|all|no longer|finally|recently)\b"
_BETWEEN = rf"(?:{_ADVERB})*(?!{_ADVERB})"
_SOME = r"(?:an?|two|three|four|five|no|some|another|[1-9]) "
_PERSONAL = regex(
    rf"^(?:(?:['’](?:s|re|m|ve)| (?:is|are|am|was|were|has|have|had))(?:n['’]t)?{_BETWEEN}"
    r" (?:allergic|intolerant|lactose|gluten|vegan|vegetarian|pescatarian|teetotal|scared|afraid|terrified|pregnant"
    rf"|married|engaged|single|divorced|getting (?:married|divorced)|diabetic|co?eliac|{_SOME}|got {_SOME}|quit\b"
    r"|stopped|moved|given up)"
    r"|(?: (?:has|have|had))?"
    rf"{_BETWEEN}(?: (?:do|does|did|can|could|will|would)(?:n?['’]t| not)?| cannot)?{_BETWEEN}"
    r" (?:(?:likes?|loves?|hates?|prefers?|enjoys?)\b(?! to\b)|(?:stand|drinks?|eats?|smokes?|wears?|weighs?|earns?"
    rf"|sleeps?|lives?|owns?|turns|turned"
    r"|go(?:es)? to (?:bed|sleep|school|work|church|college|uni|kindergarten|nursery|therapy|the gym)"
    r"|to (?:stop|quit|take|avoid)|cut out)\b"
    rf"|(?:drives?|got|gets|found|bought|adopted) {_SOME}"
    r"|(?:moved|moves|moving)(?: (?:back|over|out|in|house|home|up|down))?(?= (?:to|into|in|from|with)\b|\W*$)"
    r"|(?:start(?:s|ed)?|stop(?:s|ped)?|quit|gave up|given up|took up)"
    r" (?:smok|drink|eat|runn|jogg|swimm|climb|cycl|danc|vap)\w*)"
    rf"|(?: (?:has|have|had)) {_SOME})",
    re.I,
)
"""Behind the holder: what is true of nobody else by it, what somebody is, likes, eats, bears, where they live."""

_OF_THEIRS = regex(r"^(?: (?:[\w'’-]+)){1,4} (?:his|her|their|my|our)(?: own)? (?!(?:way|mind|mum|dad)\b)[\w-]+", re.I)
"""Behind the holder: what they did with a thing of their own, "Ole cancelled his Spotify"."""

_SELF_WORD = regex(r"\b(?:i|me|we|us|my|our|mine|ours|myself|ourselves)\b", re.I)
_RELATIVE_OR_COUNTRY = regex(rf"\b(?i:my|our) (?:[a-z]+ )?(?i:{_RELATIVES})\b|\bUS\b")
"""What is no word for the speaker: "like my dad"."""

_ASKED = regex(
    r"^\W*(?:(?:so|and|hey|ok),? )?(?:(?:who|what|where|when|how|which|why)(?:['’](?:s|re))?(?: [\w-]+){0,3}? )??"
    r"(?:(?:am|are|do|did|does|is|was|have|has|had|can) )?(?:still )?"
    rf"(?:(?P<self>i|we)\b|(?P<own>my|our) (?P<noun>(?:[\w-]+ )?(?:{_RELATIVES})(?P<law>[ -]in[ -]law)?(?:['’]s)?|\w+)"
    rf"|(?P<bare>{_CALLED_BARE})\b"
    rf"|(?!(?:who|what|where|when|how|which|why|am|are|do|did|does|is|was|have|has|had|can)\b)(?P<name>{_NAME})(?:['’]s)?\b)",
    re.I,
)
_WORD = regex(r"[\w-]+")
_WHO = regex(r"^\W*who(?:m|se)?\b", re.I)
_OF_ANYBODY = regex(r"\b(?:should|could|shall|may|might|any(?:one|body)|some(?:one|body)|else|besides)\b", re.I)
"""Asks for advice, or for somebody else."""


class Holder(NamedTuple):
    """Whose something is.

    Attributes
    ----------
    kind : str
        "self" for the speaker, else "relative" or "named".
    group : bool
        The speaker and others: "we", "our".
    words : frozenset of str
        Stems of the words for another.
    relation : str
        What kind of relative it is; of the speaker's own, who is said to be that: "my boss is Ines".
    behind : str
        The statement behind the words for the holder.
    """

    kind: Literal["self", "relative", "named"]
    group: bool = False
    words: frozenset[str] = frozenset()
    relation: str = ""
    behind: str = ""


@kept_for_texts(maxsize=1_024)
def holder(text: str) -> Holder | None:
    """Whose a statement in English is, by what it opens with; None where that is not plain.

    Examples
    --------
    >>> holder("We live in Graz.").kind, holder("My landlord is Mr. Busch.").kind, holder("The rent is due.")
    ('self', 'self', None)
    >>> holder("Turns out my aunt isn't allergic.").relation, sorted(holder("Pia's dog is old.").words)
    ('aunt', ['pia'])
    """
    text = text[:READ]
    relative = _RELATIVE_OPENS.match(text)
    if relative is not None:
        return _of_relative(relative)
    speaker = _SELF_OPENS.match(text)
    if speaker is not None:
        return Holder("self", speaker["who"].lower() != "i", behind=text[speaker.end("who") :])
    thing = _THING_OPENS.match(text)
    if thing is not None:
        return Holder("self", thing["whose"].lower() == "our", behind=text[thing.end() :])
    name = _NAME_OPENS.match(text)
    if name is None or not _is_name(name["name"]):
        return None
    if ours := _IS_OURS.match(name["behind"]):
        return Holder("self", relation=_KIND_OF[ours[1].lower()], behind=name["behind"])
    words = _words(name["name"] + (name["other"] or ""))
    return Holder("named", words=words, behind=name["behind"]) if words else None


def _of_relative(match: re.Match[str]) -> Holder | None:
    """Whose a statement is that opens with one close to the speaker."""
    word = (match["relative"] or match["bare"]).lower()
    relation = _KIND_OF[word] + (" in law" if match["law"] else "")
    if (match["whose"] or "").lower() == "the" and relation != "neighbour":
        return None
    if _CALLED.match(match["behind"]):
        return Holder("self", relation=relation, behind=match["behind"])
    named = _NAMED.match(match["behind"])
    behind = match["behind"][named.end() :] if named else match["behind"]
    return Holder("relative", words=_words(word + (named[0] if named else "")), relation=relation, behind=behind)


def _is_name(word: str) -> bool:
    return not cues.TIMED.fullmatch(word) and word.lower() not in cues.VERBS and may_be_a_first_name(word)


def _words(text: str) -> frozenset[str]:
    return frozenset(stems(text))


@kept_for_texts(maxsize=1_024)
def tells_of_own(text: str) -> bool:
    """Whether a statement tells what is true of its holder alone: what they are, like, eat or bear, where they live, a
    thing of theirs or what they did with it; no task, date or thing that others have a part in.

    Examples
    --------
    >>> tells_of_own("Jonas doesn't drink coffee anymore."), tells_of_own("Dad sold his car.")
    (True, True)
    >>> tells_of_own("Karim does billing now."), tells_of_own("Dad sold the car."), tells_of_own("Ana moved standup.")
    (False, False, False)
    """
    of = holder(text)
    if of is None:
        return False
    personal = any(form.match(of.behind) is not None for form in (_HAS_A_THING, _PERSONAL, _OF_THEIRS))
    return personal or (of.kind == "named" and bool(relative_of(of)))


@kept_for_texts(maxsize=1_024)
def mentions_self(text: str) -> bool:
    """Whether a statement about another speaks of who says it too, and not just of a relative.

    Examples
    --------
    >>> mentions_self("My sister lives with us."), mentions_self("My sister lives in Graz.")
    (True, False)
    """
    of = holder(text)
    rest = of.behind if of is not None and of.kind != "self" else text
    return _SELF_WORD.search(_RELATIVE_OR_COUNTRY.sub("", rest)) is not None


def _share_a_household(one: Holder, other: Holder) -> bool:
    """Whether "we" and the other may be, in part, the same people: "we" and the speaker's wife or children."""
    return any(
        of.kind == "self" and of.group and beside.relation in _HOUSEHOLD for of, beside in ((one, other), (other, one))
    )


def may_be_one(one: Holder, other: Holder) -> bool:
    """Whether two holders may be the same person, or one of the other.

    Examples
    --------
    >>> may_be_one(holder("My sister sings."), holder("My brother sings."))
    False
    >>> may_be_one(holder("My sister sings."), holder("Ida sings.")), may_be_one(holder("Ida sings."), holder("I do."))
    (True, False)
    """
    if one.kind == other.kind == "relative":
        kinds = [{of.relation, *_WITHIN.get(of.relation, ())} for of in (one, other)]
        family = all(of.relation.removesuffix(" in law") in _FAMILY | {*_WITHIN} for of in (one, other))
        return not family or not kinds[0].isdisjoint(kinds[1])
    if any(relative_of(of) == beside.relation != "" for of, beside in ((one, other), (other, one))):
        return False  # "Kim's mother" is not "my mother"
    if "self" in (one.kind, other.kind):
        return one.kind == other.kind or _share_a_household(one, other)
    return True


def relative_of(of: Holder) -> str:
    """What kind of relative of its holder a statement opens with; empty for the holder, or a thing of theirs.

    Examples
    --------
    >>> relative_of(holder("Kim's sister lives in Trier.")), relative_of(holder("Kim lives in Trier."))
    ('sister', '')
    """
    relative = _RELATIVE_OF.match(of.behind)
    return _KIND_OF[relative[1].lower()] if relative else ""


@kept_for_texts(maxsize=512)
def asked_holder(question: str) -> Holder | None:
    """Whose facts a question in English asks for; None where that is not plain, or what somebody should do.

    Examples
    --------
    >>> asked_holder("What car do I drive?").kind, asked_holder("Where does my sister live?").relation
    ('self', 'sister')
    >>> asked_holder("Is Tim married?").kind, asked_holder("What should I cook?"), asked_holder("Who do I play with?")
    ('named', None, None)
    """
    match = _ASKED.match(question[:READ])
    if match is None or _OF_ANYBODY.search(question) or (match["self"] and _WHO.match(question)):
        return None
    if match["name"]:
        behind = question[match.end("name") : READ]
        return Holder("named", words=_words(match["name"]), behind=behind) if _is_name(match["name"]) else None
    behind = question[match.end() : READ]
    if match["bare"]:
        word = match["bare"].lower()
        return Holder("relative", words=_words(word), relation=_KIND_OF[word], behind=behind)
    if match["self"]:
        return Holder("self", match["self"].lower() == "we", behind=behind)
    word = _last_relative(match["noun"])
    if not word:
        return Holder("self", match["own"].lower() == "our", behind=behind)
    relation = _KIND_OF[word] + (" in law" if match["law"] else "")
    return Holder("relative", words=_words(word), relation=relation, behind=behind)


def _last_relative(words: str) -> str:
    """The last word for somebody close; empty without one."""
    known = [word for word in _WORD.findall(words.lower()) if word in _KIND_OF]
    return known[-1] if known else ""
