"""The same said the other way round: "A is cheaper than B", "B is more expensive than A"."""

from collections.abc import Iterator, Sequence

from context_graph.ingest.wordings import bases, forms, past_of
from context_graph.regex import regex

__all__ = ["conversed"]

MAX_TURNED_WORDS, MAX_TURNED = 30, 300
"""Words and characters of a text that may be turned: a longer one has several statements."""

_ANTONYMS = (
    ("cheaper", "more expensive"), ("cheaper", "dearer"), ("faster", "slower"), ("quicker", "slower"),
    ("taller", "shorter"), ("bigger", "smaller"), ("larger", "smaller"), ("older", "younger"), ("older", "newer"),
    ("longer", "shorter"), ("heavier", "lighter"), ("warmer", "colder"), ("hotter", "colder"), ("warmer", "cooler"),
    ("better", "worse"), ("earlier", "later"), ("closer", "farther"), ("stronger", "weaker"), ("louder", "quieter"),
    ("wider", "narrower"), ("higher", "lower"), ("thicker", "thinner"), ("harder", "easier"), ("richer", "poorer"),
    ("brighter", "darker"), ("deeper", "shallower"), ("more", "less"), ("safer", "riskier"), ("more", "fewer"),
    ("teurer", "billiger"), ("teurer", "günstiger"), ("größer", "kleiner"), ("älter", "jünger"),
    ("schneller", "langsamer"),
    ("länger", "kürzer"), ("besser", "schlechter"), ("schwerer", "leichter"), ("mayor", "menor"), ("más", "menos"),
    ("mejor", "peor"),
)  # fmt: skip
"""Comparatives of which the second says of B and A what the first says of A and B."""

_PLACES = (
    ("north of", "south of"), ("east of", "west of"), ("above", "below"), ("over", "under"), ("left of", "right of"),
    ("to left of", "to right of"), ("before", "after"), ("ahead of", "behind"), ("nördlich von", "südlich von"),
    ("upstream of", "downstream of"), ("vor", "nach"), ("antes de", "después de"),
)  # fmt: skip
_MUTUAL = (
    "next to", "married to", "related to", "engaged to", "opposite", "near", "close to", "same age as", "same as",
    "similar to", "friends with", "connected to", "in love with", "identical to", "compatible with", "parallel to",
    "verheiratet mit", "neben",
)  # fmt: skip
"""What holds of B and A where it holds of A and B."""

_ROLES = (
    ("boss", "report"), ("manager", "report"), ("teacher", "student"), ("teacher", "pupil"), ("landlord", "tenant"),
    ("employer", "employee"), ("doctor", "patient"), ("lawyer", "client"), ("husband", "wife"), ("mentor", "mentee"),
    ("cousin", "cousin"), ("neighbor", "neighbor"), ("colleague", "colleague"), ("friend", "friend"), ("twin", "twin"),
    ("roommate", "roommate"), ("flatmate", "flatmate"), ("partner", "partner"), ("classmate", "classmate"),
    ("supervisor", "report"), ("coach", "trainee"), ("parent", "child"), ("fiancé", "fiancée"),
)  # fmt: skip
"""What two are to each other."""

_EXCHANGES = (
    ("buy", "sell"), ("borrow", "lend"), ("borrow", "loan"), ("receive", "give"), ("receive", "send"),
    ("receive", "ship"), ("get", "give"), ("get", "send"), ("learn", "teach"), ("rent", "rent"), ("inherit", "leave"),
    ("hear", "tell"), ("purchase", "sell"),
)  # fmt: skip
"""Who gets something from somebody, and who lets them have it."""

_BOTH_WAYS = (*_ANTONYMS, *((other, one) for one, other in _ANTONYMS))
_MORE_OR_LESS = frozenset("more less fewer más menos".split())
_EITHER_SIDE = (*_PLACES, *((other, one) for one, other in _PLACES), *((each, each) for each in _MUTUAL))
_BE = ("is", "are", "am")
MIN_CLAUSE_WORDS = 3
"""Words of a clause with a subject, a verb and more."""

_AS_OBJECT = {"i": "me", "we": "us", "he": "him", "she": "her", "they": "them"}
_AS_SUBJECT = {other: one for one, other in _AS_OBJECT.items()}
_OWN = {"i": "my", "we": "our", "he": "his", "she": "her", "they": "their"}
_OF_OWN = {other: one for one, other in _OWN.items()}
_CONTAINERS = frozenset(
    "glass cup bottle box pack bag bowl jar tin can piece slice sort kind type lot number pair group photo picture fear"
    " love loss king head end start rest part half third quarter man woman friend lack sense way state point".split()
)
"""Nouns whose "of" says what they hold or are: a glass of wine is no wine glass."""

_COMPARED = regex(
    r"^(?P<first>.+?) (?P<verb>(?:is|was|are|were|costs?|cost|runs?|ran|earns?|weighs?|takes?|ist|war|cuesta|es|kostet)"
    r"(?: \d\S*(?: \S+)?)?) (?P<degree>.+?) (?P<than>than|als|que) (?P<second>.+)$"
)
_PLACED = regex(r"^(.+?) (is|was|are|were|lies|comes|stands|liegt|está|ist|kommt) (.+)$")
_EXACTLY = frozenset(["", "right", "just", "directly"])
_ROLE = regex(r"^(\S+(?: \S+)?) (?:is|am|was) (my|our|his|her|their|\S+(?: \S+)?'s) (\S+)$")
_REPORTS = regex(r"^(\S+(?: \S+)?) reports? to (\S+(?: \S+)?)$")
_FROM = regex(
    r"^(\S+(?: \S+)?) (\S+) (.+?) from ((?:my |our |his |her |their )?\S+?)"
    r"((?: (?:for|in|on|at|last|yesterday|today|this|when|because|with|by|two|three|\d)\b.*)?)$"
)
_IN = regex(r"^(.+?) (?:is|are) (?:in|on|at) (.+)$")
_BELONGS = regex(r"^(.+?) (belongs?|belonged) to (.+)$")
_NOUNS = regex(r"\b([a-z][\w-]+) (?:of|for) ([a-z][\w-]+)\b")
_PASSIVE = regex(r"^(.+?) (?:is|was|are|were) (\w+(?:ed|en|wn|le|ught|pt|nt|ost|ade))$")
_BY_SOMEBODY = regex(r"^(.+?) (is|are|will be) (\w+) by (\S+(?: \S+)?)((?: (?:on|in|at|every|next|tomorrow)\b.*)?)$")
_SOON = r"\b(?:tomorrow|tonight|next|every|on \w+day|\d+/\d+)\b"
_WILL = regex(rf"^(.+?) will (\w+)( (?:.*){_SOON}.*)$")
_PROGRESSIVE = regex(rf"^(.+?) (?:am|is|are) (\w+ing)( (?:.*){_SOON}.*)$")
_IDENTICAL = regex(r"^(.+?) (is|are|was|were|ist|sind|es|está|liegt|steht|hängt) (.+)$")
_SOME = regex(r"\b(?:all|every|each|some|most|many|few|only|no)\b")
"""Of which not all that is one is the other: "all squares are rectangles"."""

_THEN = frozenset("he she it they his her their its then so afterwards later that this".split())
"""Opens a clause that follows from the one before it."""

_GUSTA = regex(r"^((?:no )?(?:me|nos|le|les) (?:gustan?|encantan?)) (.+)$")
_CLAUSES = regex(r"^(.+?) (and|but|while|und|y) (.+)$")
_STATES = frozenset("is has have had was are were am likes like lives live works work costs cost owns own".split())
"""Verbs of states: of two in one sentence either may be told first."""


def conversed(tokens: Sequence[str], others: Sequence[str]) -> bool:
    """Whether one says of the other's two things the same the other way round.

    Examples
    --------
    >>> conversed("train is faster than bus".split(), "bus is slower than train".split())
    True
    >>> conversed("I bought van from Ulrike".split(), "Ulrike sold me van".split())
    True
    >>> conversed("I bought van from Ulrike".split(), "I sold Ulrike van".split())
    False
    """
    one, other = (" ".join(each).lower() for each in (tokens, others))
    if max(len(tokens), len(others)) > MAX_TURNED_WORDS or max(len(one), len(other)) > MAX_TURNED:
        return False
    return any(turn == other for turn in _turns(one)) or any(turn == one for turn in _turns(other))


def _turns(text: str) -> Iterator[str]:
    """What else may be said for a text in lower case."""
    for turned in (
        _compared, _placed, _roles, _exchanged, _had, _owned, _compounded, _done, _planned, _identical, _clauses,
    ):  # fmt: skip
        yield from turned(text)


def _compared(text: str) -> Iterator[str]:
    comparison = _COMPARED.match(text)
    if comparison is None:
        return
    first, verb, degree, than, second = comparison.group("first", "verb", "degree", "than", "second")
    by_how_much, _, what = degree.partition(" ")
    for one, other in _BOTH_WAYS:
        if degree == one:
            yield f"{second} {verb} {other} {than} {first}"
        elif by_how_much == one in _MORE_OR_LESS:
            yield f"{second} {verb} {other} {what} {than} {first}"


def _placed(text: str) -> Iterator[str]:
    place = _PLACED.match(text)
    if place is None:
        return
    for one, other in _EITHER_SIDE:
        distance, relation, second = place[3].partition(f"{one} ")
        if relation and distance.strip() in _EXACTLY:
            yield f"{second} {place[2]} {distance}{other} {place[1]}"


def _roles(text: str) -> Iterator[str]:
    if (reporting := _REPORTS.match(text)) is not None:
        boss = _AS_SUBJECT.get(reporting[2], reporting[2])
        yield from (f"{boss} is {_own(reporting[1])} {role}" for role in ("boss", "manager", "supervisor"))
    role = _ROLE.match(text)
    if role is None:
        return
    owner = _OF_OWN.get(role[2], role[2].removesuffix("'s"))
    yield f"{role[2]} {role[3]} is {role[1]}"
    for one, other in _ROLES:
        for each, turned in ((one, other), (other, one)):
            if role[3] == each:
                yield f"{owner} {'am' if owner == 'i' else 'is'} {_own(role[1])} {turned}"


def _own(name: str) -> str:
    return _OWN.get(name, f"{name}'s")


def _exchanged(text: str) -> Iterator[str]:
    """ "Ulrike sold me the van" of "I bought the van from Ulrike"."""
    exchange = _FROM.match(text)
    if exchange is None:
        return
    who, verb, what, giver, rest = exchange.groups()
    giver, receiver = _AS_SUBJECT.get(giver, giver), _AS_OBJECT.get(who, who)
    for getting, giving in _EXCHANGES:
        base, third, past = forms(getting)[:3]
        if verb in (base, third, past):
            given = forms(giving)
            gives = given[2] if verb == past else given[0] if giver in _AS_OBJECT else given[1]
            yield f"{giver} {gives} {receiver} {what}{rest}"
            yield f"{giver} {gives} {what} to {receiver}{rest}"


def _had(text: str) -> Iterator[str]:
    """ "The roof has a leak" of "there is a leak in the roof"."""
    if (whole := _IN.match(text)) is not None:
        yield from (f"{whole[2]} {has} {whole[1]}" for has in ("has", "have"))


def _owned(text: str) -> Iterator[str]:
    belonging = _BELONGS.match(text)
    if belonging is None:
        return
    owner = _AS_SUBJECT.get(belonging[3], belonging[3])
    owns = "owned" if belonging[2] == "belonged" else "own" if owner in ("i", "we", "they", "you") else "owns"
    yield f"{owner} {owns} {belonging[1]}"
    yield from (f"{belonging[1]} {be} {owner}'s" for be in ("is", "are"))


def _compounded(text: str) -> Iterator[str]:
    """ "The garage door" of "the door of the garage"."""
    for nouns in _NOUNS.finditer(text):
        if nouns[1] not in _CONTAINERS and nouns[2] not in _AS_SUBJECT and nouns[2] not in _OF_OWN:
            yield f"{text[: nouns.start()]}{nouns[2]} {nouns[1]}{text[nouns.end() :]}"


def _done(text: str) -> Iterator[str]:
    """ "Somebody stole the bike" of "the bike was stolen", "Priya does it" of "it is done by Priya"."""
    if (passive := _PASSIVE.match(text)) is not None:
        yield from (f"{who} {past_of(passive[2])} {passive[1]}" for who in ("someone", "somebody"))
    passive = _BY_SOMEBODY.match(text)
    if passive is None:
        return
    doer = _AS_SUBJECT.get(passive[4], passive[4])
    for base in bases(passive[3]):
        for active in [f"will {base}"] if passive[2] == "will be" else forms(base)[:2]:
            yield f"{doer} {active} {passive[1]}{passive[5]}"


def _planned(text: str) -> Iterator[str]:
    """ "Arrives tomorrow" of "will arrive tomorrow" and "is arriving tomorrow": a plan is told in three ways."""
    if (plan := _WILL.match(text)) is not None:
        yield from (f"{plan[1]} {verb}{plan[3]}" for verb in (forms(plan[2])[:2] if plan[2] != "be" else _BE))
    plan = _PROGRESSIVE.match(text)
    if plan is None:
        return
    for base in bases(plan[2]):
        yield from (f"{plan[1]} {verb}{plan[3]}" for verb in (*forms(base)[:2], f"will {base}"))


def _identical(text: str) -> Iterator[str]:
    """ "Green is my favourite colour" of "my favourite colour is green"."""
    if (identity := _IDENTICAL.match(text)) is not None and _SOME.search(text) is None:
        yield f"{identity[3]} {identity[2]} {identity[1]}"
    if (liking := _GUSTA.match(text)) is not None:
        yield f"{liking[2]} {liking[1]}"


def _clauses(text: str) -> Iterator[str]:
    """Two statements in the other order: each with a subject of its own, or two states of one."""
    clauses = _CLAUSES.match(text)
    if clauses is None:
        return
    first, link, second = clauses.groups()
    words, others = first.split(), second.split()
    verb = next((i for i, word in enumerate(words) if word in _STATES), None)
    if verb and others[0] in _STATES:
        yield f"{' '.join(words[:verb])} {second} {link} {' '.join(words[verb:])}"
    elif min(len(words), len(others)) >= MIN_CLAUSE_WORDS and others[0] not in _THEN:
        yield f"{second} {link} {first}"
