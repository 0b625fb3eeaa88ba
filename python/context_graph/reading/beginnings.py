"""Whether a statement says that what a question asks the length of began, ended or began anew.

"Bought a Vespa" begins having it; "The Vespa got new tyres" and "Bought mirrors for the Vespa" do not.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from context_graph.embed.stems import STOP_WORDS, stem_of, stems
from context_graph.reading.first_names import is_like_a_first_name
from context_graph.reading.tense import lean_of
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["State", "Turn", "state_of", "turn_of"]

Kind = Literal["have", "know", "live", "work", "be", "do"]
"""What goes on: having something, knowing somebody, living or working somewhere, being something, doing something."""

READ = 300
"""Characters of a sentence that are looked at."""

MAX_BETWEEN = 5
"""Words between what begins a thing and the thing: "bought *a light blue* Vespa"."""

_EVENT = regex(
    r"^(?P<who>(?:my|our|his|her|their|the) \w+(?: \w+)??|[\w'’-]+(?: and [\w'’-]+)?) (?P<not>not )?"
    r"(?:(?:had )?been (?:(?P<doing>\w+ing)\b|(?P<been>))|(?P<verb>[\w'’-]+))",
    re.I,
)
_ABSENT = regex(r"\bbeen (?:off|without|free (?:of|from)|clear of)\b|\bnot\b|\w-free\b", re.I)
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(stems("have had own keep rent lease wear drive ride use"), "have"),
    "had": "have",
    "have": "have",
    "known": "know",
    **dict.fromkeys(stems("know known"), "know"),
    **dict.fromkeys(stems("live stay"), "live"),
    **dict.fromkeys(stems("work"), "work"),
}
_LIGHT = frozenset(
    stems(
        "live work own stay keep rent lease wear drive ride use eat drink consume take play do attend go get know free"
        " member"
    )
)
"""Words of a state that what begins it may lack: who plays the cello has taken up the cello."""

_NOTHING_BEGINS = regex(
    r"\b(?:not|never|hardly|almost|nearly|might|may|maybe|perhaps|would|could|should|want(?:s|ed)? to|wish(?:es|ed)?"
    r"|hop(?:es?|ed|ing)|plan(?:s|ned|ning)?|think(?:s|ing)?|thought|consider\w*|tempted|about to|if|whether|wonder\w*"
    r"|ready to|suggest\w*|like to"
    r"|love to|need to|try(?:ing)? to|tried to|looking to|saving (?:up )?(?:to|for)|fail(?:ed)? to)\b|n['’]t\b"
    r"|\b(?:since|after|before|when|while|which|that|because|where|until) (?:(?:i|we) )?(?:\w+ )?$"
    r"|\b(?:the|this|that) [\w-]+ (?:i|we)(?:['’]ve)? (?:\w+ )?$",
    re.I,
)
"""Stands before a verb that tells of no beginning: it is denied or wished for, or is what dates something else."""

_OTHERS = regex(r"\b(?:he|she|they|you|(?:my|our|his|her|their|the|an?) [\w-]+)\b|\b[A-ZÀ-Þ][\w-]+['’]s\b", re.I)
_OWN = regex(r"\b(?:i|we)\b", re.I)
_BETWEEN = frozenset("a an the my our his her their some own very this that another".split())
"""Stop words that may stand between what begins a thing and the thing."""

_LIGHT_GERUNDS = frozenset(
    "working living taking going using playing learning doing being seeing dating having studying eating drinking"
    " wearing driving riding watching attending teaching practising practicing training".split()
)
_FOLLOW = STOP_WORDS - frozenset("a an some".split()) | frozenset(
    "today yesterday tonight now ago last next late early finally recently already back used second year month week"
    " monday tuesday wednesday thursday friday saturday sunday january february march april june july august september"
    " october november december again because since around anymore together full part home permanently officially"
    " properly seriously altogether completely entirely yet without between instead".split()
)
"""What may follow a thing that is meant itself: "bought the Vespa from Ole" and not "bought the Vespa mirrors"."""

_TOKEN = regex(r"[^\W_]+(?:['’-][^\W_]+)*")
_BREAK = regex(r"[.;:!?()–—]|,")

_JOB = (
    r"(?: (?:work(?:ing)?|my (?:new )?job|(?:my |an? )?(?:apprenticeship|traineeship|internship)))?"
    r"(?: as (?:an? |the |their )?(?:[\w-]+ ){1,3}?(?=(?:at|with|for|in)\b)| )(?:(?:at|with|for|in|on|as) )?"
)
_STARTS = (
    rf"(?:start(?:s|ed|ing)?|beg[au]n|begins?|beginning|hired(?: by)?|taken on by){_JOB}"
    r"|(?:take|took|taken|taking) up "
    r"|(?:our|my|the|a)? ?first (?:day|week|lesson|class|session|shift) (?:at|of|in|with|as|on) "
    r"|new job (?:at|with|in|as) |join(?:s|ed|ing)? |enrol+ed (?:in|at|on|with) |elected |appointed "
    r"|(?:sign(?:ed|ing)?|signs) up (?:for|to|with|at) |subscribed to |registered (?:with|at|for) "
    r"|(?:switch|chang|convert)(?:ed|ing) (?:from [^,.;]{1,40}? )?to |got into "
    r"|put on |prescribed |promoted to "
)
_GETS = (
    r"(?<!have )(?<!has )(?<!['’]ve )(?<!['’]s )got "
    r"|bought |buy |purchased |acquired |adopted |inherited |received |(?:was|were) given |got given |leased "
    r"|picked up (?=[^.;]*\b(?:shelter|breeder|dealer\w*|rescue|new|puppy|kitten)\b)|treated (?:myself|ourselves) to "
    r"|(?:swapp|trad)ed (?:in )?[^,.;]{1,40}? for (?=an? )|(?:(?:switch|chang)ed (?:from [^,.;]{1,40}? )?|upgraded )to "
)
_LINKS = ("got ", "fell ", "went ", "gone ", "turned ", "i ", "we ")
"""After these a state stands directly: "went vegan", "got married", "we married"."""

_ILL = r"diagnosed with |came down with |contracted |developed |caught |diagnosis: ?"
_MEETS = (
    r"first met |met (?![^.;]*\bfor (?:an? |the |our |lunch|dinner|drinks|coffee|breakfast|tea))"
    r"(?=[^.,;]{1,40}?\b(?:at|through|via|during|in|on)\b)|got to know |introduced to |made friends with "
    r"|became friends with |befriended "
)
_MOVES = (
    r"(?:mov(?:e|es|ed|ing)|relocat(?:e|ed|ing)) (?:from [^,.;]{1,40}? )?(?:back )?(?:in(?:to)?|to)(?: with)? "
    r"(?:(?:an?|the|my|our|his|her|their) (?:\w+ )?(?:flat|house|apartment|room|place|studio|home) (?:in|on|at|near) )?"
)
_BACK = r"back (?:in|on|at|to|with|into|onto) "
_ARRIVED = (
    r"(?:(?:is|was|were|has been|have been) )?(?:finally |now )?(?:subscribed|delivered|installed|adopted|bought)\b"
    r"|(?:has |have )?(?:came|come|moved in) (?:to (?:us|me|live)|home|into (?:the|our) (?:house|family|home))\b"
    r"|(?:has |have )?(?:finally )?arrived\b(?= *$| *[.,!;]| (?:today|yesterday|at last|finally|on|this))"
    r"|(?:is|are) (?:finally |now )?(?:ours|mine)\b"
)
_MOVED_IN = r"(?:has |have )?moved in\b(?: with\b)?|(?:has |have )?come to live\b|came to live\b"
_BECOMES = r"went (?:on )?|gone |became |turned |got |diagnosed (?:with|as) |fell |came down with "
_DID = (
    r"(?:(?<!\w )|(?:i|we) (?:have |just |finally |both )?)(?=(?:married|divorced|retired|engaged|separated|widowed)\b)"
)
"""A verb that is itself the state that it begins: "we married", "retired today"."""

_MOVED_ABOUT = regex(
    r"(?:[\w'’-]+ ){1,5}?(?:back|out|off|up|down|through|over|into|onto|ready|to)\b"
    r"|(?:the|my|our|his|her) (?:[\w'’-]+ ){1,4}?(?:in|on|at) "
    r"(?!\d|jan|feb|mar|apr|may\b|june?\b|july?\b|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)",
    re.I,
)
"""Follows a "got" that moved a thing: "got the boat out of the water"."""

_ACTIVITY = regex(
    r"(?:[\w-]+ ){0,2}(?:lessons?|class(?:es)?|courses?|therapy|treatment|job|coaching|tuition|subscription|membership"
    r"|physio\w*|training)\b",
    re.I,
)
"""What is had as it starts: a dishwasher that is started was there before."""

_NEW = r"^\W*(?:an? )?new (?!job\b)"

_FORMS: dict[Kind, str] = {
    "have": rf"{_GETS}|{_ILL}|(?:sign(?:ed|ing)?) up (?:for|to|with) |subscribed to |joined ",
    "know": _MEETS,
    "live": rf"{_MOVES}|rented |start(?:ed|ing)? |first (?:day|night|week) (?:in|at) ",
    "work": _STARTS,
    "be": rf"{_STARTS}|{_MOVES}|{_BECOMES}|{_DID}",
    "do": _STARTS,
}
_BEFORE_THING: dict[Kind, re.Pattern[str]] = {kind: regex(rf"\b(?:{form})", re.I) for kind, form in _FORMS.items()}
"""What stands before a thing that it begins with."""

_START_OF_ACTIVITY = regex(rf"\b(?:{_STARTS})", re.I)
_NEW_THING = regex(_NEW, re.I)
_BACK_AT = regex(rf"(?:^\W*|\b(?:i|we)(?:['’](?:m|re|ve)| am| are|) |\b(?:is|gone|went|go) ){_BACK}", re.I)
_BEHIND_THING: dict[Kind, re.Pattern[str]] = {
    "have": regex(rf"\b(?:{_ARRIVED})", re.I),
    "live": regex(rf"\b(?:{_MOVED_IN})", re.I),
}
_STATE_VERB: dict[Kind, re.Pattern[str]] = {
    "have": regex(r"(?:\b(?:have|has|had|own|owns|rent|rents|lease|leases|keep|keeps) |['’]ve had )", re.I),
    "be": regex(
        r"(?:\b(?:am|is|are|been|work|works|live|lives) |['’](?:m|re|s) )(?:(?:at|in|with|on|by|an?|back) )?", re.I
    ),
}
_DATED = regex(
    r"\b(?:since|as of|starting|from|beginning)\b(?=[^,;]{0,12}?(?:\d|today|yesterday|now|this|last|next"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))",
    re.I,
)
_AGAIN = regex(r"\bagain\b(?! and again\b)", re.I)
_ENDED = regex(
    r"\b(?:stop(?:s|ped|ping)?|quit(?:s|ting)?|g[ai]ve(?:n|s)? up|giving up|given up|cancel\w*|no longer|any ?more"
    r"|any longer|resign\w*|fired|laid (?:\w+ )?off|sacked|let (?:me|us|him|her|them) go|last day|last lesson|divorc\w+"
    r"|br(?:oke|eak|oken) up|split up|separated|mov(?:ed|ing) (?:out|away|on|from)|away from|dropped out|no more"
    r"|used to|handed in|cut (?:\w+ )?out|swore off|sworn off|kicked the|paused?|unsubscribed|retired|ended"
    r"|finished with|lost (?:my|his|her|our) (?:job|place)|done with|packed (?:it |\w+ )?in|left"
    r"|(?:switch|chang|mov)ed (?:\w+ )?from|finished|expired|over|without|dropped|terminated|off (?:the )?(?=\w+))\b",
    re.I,
)
_GONE = regex(
    r"\b(?:sold|sell(?:s|ing)?|stolen|stole|ga?ve\b.{1,30}\baway|given away|g[eo]t(?:ten)? rid|no longer ha\w+|scrapped"
    r"|donated|died|passed away|put down|put to sleep|ran away|used to (?:have|own)|writ(?:ten|e) off|wrote off"
    r"|wrecked|total+ed|(?:have|has|own)n['’]t .{1,40}any ?more|don['’]t (?:have|own) .{1,40}any ?more|lost"
    r"|handed (?:\w+ )*(?:back|over|on)|g[ai]ven? (?:\w+ )*back|returned|sank|burn(?:ed|t) down|cured)\b",
    re.I,
)
_ENDS_THING = regex(
    r"(?:\b(?:(?:stopp|cancell?|dropp|paus|replac|return|finish|end|swapp|trad|scrapp)ed|stop(?:ping)?|quit"
    r"|g[ai]ven? up|lost|left|sold|cut out|done with|over with|unsubscribed from|no more|ditched|binned"
    r"|threw (?:away|out)|swore off|sworn off)|(?:^\W*|\bam |['’]m )off) (?:with )?",
    re.I,
)
_THING_ENDED = regex(
    r"(?:['’]s |(?:is|was|are|were|has|have|got|has been) )?(?:now |finally )?(?:over|gone|ended|closed|expired"
    r"|cancell?ed|finished|broke down for good|is no more)\b",
    re.I,
)
_DOING = regex(r"\W*(?:(?:i['’]m|we['’]re) )?\w+ing ", re.I)
_NO_LONGER = regex(r"\bno longer\b|n['’]t\b[^.;]*\bany ?more\b|\bnot\b[^.;]*\bany ?more\b", re.I)
_PLANNED_END = regex(
    r"\b(?:not|never|might|may|maybe|want(?:s|ed)? to|think\w*|consider\w*|if|could|should|would)\b|n['’]t\b", re.I
)


class State(NamedTuple):
    """What a question asks the length of."""

    kind: Kind
    verb: str
    """Stem of the verb of what is done; empty for the others."""

    words: frozenset[str]
    """Stems of what it is about."""

    who: frozenset[str]
    """Stems of who is in it; empty for who asks, and for a pronoun."""

    own: bool
    """It is said of who asks."""

    absent: bool
    """It is asked how long something is not so: it begins as that ends."""


class Turn(NamedTuple):
    """What a sentence says of a state, and where it says so."""

    role: Literal["begins", "resumes", "ends"]
    place: int
    is_sure: bool = True
    """Of "rowing again" it is not: unless it had ended, that is one more time of many."""


@kept_for_texts(maxsize=64)
def state_of(event: str) -> State:
    """The state that a question asks the length of, in the words of the question.

    Examples
    --------
    >>> state = state_of("I had the Vespa")
    >>> state.kind, sorted(state.words), state.own, state.absent
    ('have', ['vespa'], True, False)
    >>> state = state_of("Anna not eaten meat")
    >>> state.kind, state.verb, sorted(state.words), state.own, state.absent
    ('do', 'eat', ['anna', 'meat'], False, True)
    """
    match = _EVENT.match(event)
    absent = bool(_ABSENT.search(event))
    who = match["who"] if match else ""
    verb = ""
    kind: Kind = "be"
    if match and match["been"] is None:
        word = (match["doing"] or match["verb"]).lower()
        verb = stem_of(word)
        kind = _KINDS.get(verb or word, "do")
    if re.search(r"\bbeen without\b", event, re.I):
        kind = "have"
    own = bool(_OWN.search(who))
    of_who = frozenset() if own else frozenset(stems(who))
    every = frozenset(stems(event)) - {"free"}
    words = every - _LIGHT
    return State(kind, verb if kind == "do" else "", words or every, of_who, own, absent)


def turn_of(sentence: str, state: State) -> Turn | None:
    """What a sentence says of a state that it has the words of; None where it only tells something of it.

    Examples
    --------
    >>> vespa, rowing = state_of("I had the Vespa"), state_of("I been rowing")
    >>> turn_of("Bought a red Vespa from Ole.", vespa), turn_of("Bought mirrors for the Vespa.", vespa)
    (Turn(role='begins', place=0, is_sure=True), None)
    >>> turn_of("Sold the Vespa.", vespa).role, turn_of("Stopped rowing.", rowing).role
    ('ends', 'ends')
    >>> turn_of("Rowing again!", rowing).role, turn_of("The Vespa squeaks again.", vespa)
    ('resumes', None)
    """
    if sentence.rstrip().endswith("?") or len(sentence) > READ or not state.who <= {*stems(sentence)}:
        return None
    begun, over = _begins(sentence, state), _end_of(sentence, state)
    if begun is not None and over is not None:
        # "sold the Golf, bought a Vespa" begins with the Vespa; "took up rowing, gave up soon" ends
        first = begun.role == "begins" and over <= begun.place
        begun, over = (begun, None) if first else (None, over)
    if state.absent:
        if begun is not None:
            return Turn("ends", begun.place)
        # what may end a thing is no beginning: it has to be sure that it does
        return Turn("begins", over) if over is not None and _surely_ends(sentence, state) else None
    return begun if over is None else Turn("ends", over)


def _begins(sentence: str, state: State) -> Turn | None:
    """Where a sentence says that something begins, or begins anew."""
    again = bool(_AGAIN.search(sentence))
    for place in _beginnings(sentence, state):
        if not _NOTHING_BEGINS.search(sentence[max(place - 60, 0) : place]):
            return Turn("resumes" if again else "begins", place)
    match = _BACK_AT.search(sentence)
    if match and _reaches(sentence, match.end(), state) and not _NOTHING_BEGINS.search(sentence[: match.start()]):
        return Turn("resumes", match.start(), is_sure=False)
    dated = bool(_DATED.search(sentence))
    if (dated or (again and lean_of(sentence) >= 0)) and (held_at := _held(sentence, state)) is not None:
        return Turn("resumes" if again else "begins", held_at, dated)
    return None


def _beginnings(sentence: str, state: State) -> Iterator[int]:
    kind = state.kind
    forms = [_BEFORE_THING[kind]]
    if kind == "have":
        forms.append(_NEW_THING)
        if _ACTIVITY.search(sentence):
            forms.append(_START_OF_ACTIVITY)
    for form in forms:
        for match in form.finditer(sentence):
            if _is_of_another(sentence[: match.start()], state):
                continue
            opening = match[0].lower()
            if opening.startswith("got ") and _MOVED_ABOUT.match(sentence, match.end()):
                continue
            near = not opening or (opening.startswith(_LINKS) and kind in ("be", "do"))
            activity = form is _START_OF_ACTIVITY
            if _reaches(sentence, match.end(), state, most=0 if near else MAX_BETWEEN, activity=activity):
                yield match.start()
    if kind in _BEHIND_THING:
        for match in _BEHIND_THING[kind].finditer(sentence):
            if (token := _last(sentence[: match.start()])) is not None and _is_of(token[0], state):
                yield match.start()


def _held(sentence: str, state: State) -> int | None:
    """Where a sentence says that it is so: with a date from which on, or "again", it says that it begins."""
    if form := _STATE_VERB.get(state.kind):
        for match in form.finditer(sentence):
            before = sentence[: match.start()]
            if _reaches(sentence, match.end(), state) and not (
                _NOTHING_BEGINS.search(before) or (state.kind == "have" and _is_of_another(before, state))
            ):
                return match.start()
    doing = _DOING.match(sentence) if state.absent else None
    if doing and _reaches(sentence, doing.end(), state):
        return doing.start()
    if state.kind in _STATE_VERB:
        return None
    verb = {"live": "live", "work": "work"}.get(state.kind, state.verb)
    for token in _TOKEN.finditer(sentence):
        before = sentence[: token.start()]
        if (
            verb
            and stem_of(token[0].lower()) == verb
            and not (_NOTHING_BEGINS.search(before) or _is_of_another(before, state))
        ):
            return token.start()
    return None


def _end_of(sentence: str, state: State) -> int | None:
    """Where a sentence says that something ends."""
    forms = (_GONE,) if state.kind == "have" else (_ENDED, _GONE) if state.kind in ("be", "know") else (_ENDED,)
    for form in forms:
        for match in form.finditer(sentence):
            of_state = stem_of(match[0].lower()) in state.words  # who is retired has retired
            if _NO_LONGER.search(sentence):
                return match.start()
            if not of_state and not _PLANNED_END.search(sentence[max(match.start() - 30, 0) : match.start()]):
                return match.start()
    for match in _ENDS_THING.finditer(sentence):
        if _reaches(sentence, match.end(), state) and not _PLANNED_END.search(sentence[: match.start()]):
            return match.start()
    for match in _THING_ENDED.finditer(sentence):
        if (token := _last(sentence[: match.start()])) is not None and _is_of(token[0], state):
            return match.start()
    return None


def _surely_ends(sentence: str, state: State) -> bool:
    """Whether a sentence says of the thing itself that it ends."""
    return any(
        _reaches(sentence, match.end(), state) and not _is_of_another(sentence[: match.start()], state)
        for match in _ENDS_THING.finditer(sentence)
    ) or bool(_NO_LONGER.search(sentence) and not _is_of_another(sentence, state))


def _is_of_another(before: str, state: State) -> bool:
    """Whether somebody else than who asks is the subject of a verb, by what stands before it."""
    if not state.own:
        return False
    clause = re.split(r"[.;:,!?]|\b(?:and|but|then)\b", before)[-1]
    if _OWN.search(clause):
        return False
    names = (token[0] for token in _TOKEN.finditer(clause) if token[0][:1].isupper())
    return bool(_OTHERS.search(clause)) or any(is_like_a_first_name(name) for name in names)


def _reaches(sentence: str, place: int, state: State, *, most: int = MAX_BETWEEN, activity: bool = False) -> bool:
    """Whether the words from a place on name the thing, and not a part of it or what is for it."""
    crossed, last_end, reached = False, place, None
    for count, token in enumerate(_TOKEN.finditer(sentence, place)):
        word, between = token[0], sentence[last_end : token.start()]
        if _BREAK.search(between):
            if reached is not None:
                return True
            if crossed or count == 0 or ("," not in between and ":" not in between):
                return False
            crossed = True
        if _is_of(word, state):
            reached = word
            if activity and not _ACTIVITY.match(sentence, token.start()):
                return False
        elif reached is not None:
            named = reached[:1].isupper() and word[:1].isupper()
            follows = word[0].isdigit() or named or (not crossed and word.lower() in _FOLLOW)
            return follows and not word.lower().endswith(("'s", "’s"))
        elif count >= most or not _may_stand_between(word):
            return False
        last_end = token.end()
    return reached is not None


def _may_stand_between(word: str) -> bool:
    lower = word.lower()
    if lower in STOP_WORDS:
        return lower in _BETWEEN
    if lower[0].isdigit():
        return False  # "switched to 10 mg of it"
    return not lower.endswith("ing") or lower in _LIGHT_GERUNDS


def _is_of(word: str, state: State) -> bool:
    return not word.endswith(("'s", "’s")) and stem_of(word.lower()) in state.words


def _last(text: str) -> "re.Match[str] | None":
    """The last word before a place, where no mark stands between."""
    tokens = [*_TOKEN.finditer(text)]
    return tokens[-1] if tokens and not _BREAK.search(text[tokens[-1].end() :]) else None
