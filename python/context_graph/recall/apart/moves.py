"""What somebody or something has moved to says where or when it is, and nothing else of it."""

import re

from context_graph.embed.chunks import clauses
from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import stems
from context_graph.reading import cues
from context_graph.reading.homes import asks_for_home, asks_for_home_of_another
from context_graph.reading.subjects import content_stems
from context_graph.recall.apart.words import OF_ANYTHING, refers, untimed
from context_graph.regex import regex

__all__ = ["move_apart", "other_move_apart", "own_move_apart"]

READ = 240
"""Characters of the later statement that are looked at."""

_MOVE = regex(
    r"^\W*(?P<who>(?:[\w'’.-]+ ){1,5}?)"
    r"(?:(?:has|have|had|was|were|is|are|got|been|being|just|now|finally|also|already|recently|since) ){0,4}"
    r"(?P<verb>moved|moves|moving|relocated|migrated|shifted|transferred|switched|changed|renamed)\b(?P<behind>[^.;]*)"
)
_OBJECT = regex(
    r" (?!(?:to|into|onto|in|from|off|out|away|over|up|back|on|at|with|for|again|house|home|here|there|together"
    r"|yesterday|today|last|this|us|me|him|her|them|it|you|everything|everyone|all|hands)\b)"
    r"(?P<what>[\w'’-]+(?: [\w'’-]+){0,3}?)"
    r"(?= (?:to|into|onto|from|in|on|at|for|over|with|last|this|yesterday|because|since|so)\b|,| *$)"
)
_TO = regex(r" (?:(?:back|over|out|in|up|down|away|us|me|them) |from [\w'’.-]+ ){0,2}(?:to|into|onto) (?P<value>.+)")
_HOME = regex(r" (?:in|out|away|together)\b(?: with (?P<whom>.+))?")
"""Moves that name no place, and with whom."""

_OWN_MOVE = regex(r"^\W*i(?:['’](?:m|ve|ll))? (?:\w+ ){0,2}?(?:moved|moving|move|relocat\w+)\b", re.I)

_OWN = regex(r"^\W*(?:i|we)\b", re.I)

_ANY_EVENT = content_stems(
    "lesson lessons class classes course session sessions meeting meetings practice training rehearsal rehearsals"
    " appointment appointments event date dates time times slot thing things everything all start stuff"
)
"""Words that may stand for what was named before: "the lessons have moved to Thursdays"."""

_VALUE_END = regex(r" (?:in|on|at|last|this|since|from|for|by|yesterday|today|because|so)\b|,")
_NUMBERED = regex(r"\b(?:on|at|in|to|is|was|port|version|room|rack|number|floor|slot|platform)\b[ :=#]+(?:\w+ )?\d")
_PLACE = regex(
    r"\b(?:in|at|on|to|into|from|near|behind|under|above|opposite|inside|beside|by|via|next to|with) (?!(?:all|least"
    r"|most|average|total|time|case|hand|order|general|particular|fact|principle)\b|\d)\w"
    r"|\b(?:lives?|living|based|located|hosted|stored|kept|stays?|resides?|runs?|uses?|using|here|there|upstairs"
    r"|downstairs|abroad)\b|\w[./]\w",
)
_NAME = regex(r"(?<=[\w,] )[A-Z][\w-]+")
_CALLED = regex(r"\b(?:name[ds]?|called|titled|labell?ed|known as|goes by|= ?)")
_DATE = regex(r"\b\d{4}-\d\d\b|\b\d{1,2}[./]\d{1,2}\b")
_HOUR = regex(r"\d{1,2}(?::\d\d| ?[ap]m\b| uhr\b| o['’]clock)|\b(?:noon|midnight)\b", re.I)
_DAY = regex(
    r"(?:day|row|night|week|month|morning|evening|noon)s?\b|\d{4}-\d\d|\b\d{1,2}[./]\d{1,2}\b|\d(?:st|nd|rd|th)\b", re.I
)
_DIGIT = regex(r"\d")
_WORD = regex(r"[\w'’-]+")


def move_apart(earlier: str, later: str) -> bool:
    """Whether the later of two statements in English tells that their subject, or a thing of it, has moved, and the
    earlier one neither is about that thing nor says where or when the subject was.

    Examples
    --------
    >>> move_apart("The contract with Acme ends on 31 March.", "Acme moved to Vienna.")
    True
    >>> move_apart("The Acme office is in Graz.", "Acme moved to Vienna.")
    False
    >>> move_apart("Osprey was down because a disk was full.", "Osprey moved its queue to Kafka.")
    True
    >>> move_apart("The queue of Osprey is RabbitMQ.", "Osprey moved its queue to Kafka.")
    False
    >>> move_apart("The bakery opens at seven.", "The bakery moved to Mill Street.")
    True
    >>> move_apart("Project Atlas has a budget of 40,000.", "Project Atlas was renamed Pegasus.")
    True
    >>> move_apart("Our guinea pig Pepper eats hay.", "Pepper moved in with the neighbours' guinea pigs.")
    True
    >>> move_apart("The choir meets on Mondays.", "The choir has moved to Thursdays.")
    False
    >>> move_apart("The return flight is on 9 December.", "They moved my flight to 11:15.")
    True
    """
    move = _MOVE.match(later[:READ])
    if move is None or language_of(later) != ENGLISH or len(clauses(later)) > 1:
        return False
    who, thing = content_stems(move["who"]), _OBJECT.match(move["behind"])
    if thing and not who:  # "they moved my flight"
        who = content_stems(thing["what"])
    of, now = (_untimed_stems(text) for text in (earlier, later))
    home = _HOME.match(move["behind"])
    beside = _untimed_stems(home["whom"]) if home and home["whom"] else frozenset()
    if not who & of or (of & now) - who - beside - OF_ANYTHING:
        return False
    if move["verb"] == "renamed":
        return not _CALLED.search(earlier)
    to = _TO.match(move["behind"], thing.end() if thing else 0)
    value = _VALUE_END.split(to["value"])[0] if to else ""
    if any(time.search(value) for time in (cues.TIMED, _DATE)):
        if not any(time.search(earlier) for time in (cues.TIMED, _DATE)):
            return True
        return bool(_HOUR.search(value)) and not _HOUR.search(earlier) and not _DAY.search(value)
    if thing and not who >= content_stems(thing["what"]):
        return of.isdisjoint(stems(thing["what"]))
    if _DIGIT.search(value):
        return not _NUMBERED.search(earlier)
    placed = _WORD.sub(lambda word: "·" if not who.isdisjoint(stems(word[0])) else word[0], untimed(earlier))
    return bool(value or home) and not _PLACE.search(placed) and not _NAME.search(placed)


def other_move_apart(question: str, earlier: str, later: str) -> bool:
    """Whether the later of two statements tells that something has moved that neither the question nor the earlier one
    names, which has words of the question.

    Examples
    --------
    >>> engineer = "The boiler packed up, an engineer is coming on Thursday."
    >>> other_move_apart("When is the engineer coming?", engineer, "Judo has moved to Thursdays.")
    True
    >>> other_move_apart("When is the engineer coming?", engineer, "They moved it to Friday.")
    False
    >>> other_move_apart("When is the piano?", "The piano is on Mondays.", "The lessons have moved to Thursdays.")
    False
    """
    move = _MOVE.match(later[:READ])
    if move is None or language_of(later) != ENGLISH or refers(later) or len(clauses(later)) > 1:
        return False
    if not cues.SELF.isdisjoint(_WORD.findall(move["who"].lower())) or asks_for_home(question):
        return False
    thing = _OBJECT.match(move["behind"])
    who = content_stems(move["who"]) or (content_stems(thing["what"]) if thing else frozenset())
    if not (thing or _TO.match(move["behind"])) or not who.isdisjoint(_ANY_EVENT):
        return False
    asked = content_stems(question)
    return bool(who and asked & content_stems(earlier)) and who.isdisjoint(asked | content_stems(earlier))


def own_move_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question is for the home of somebody else, and the later of two statements tells that its teller moved.

    Examples
    --------
    >>> home = "Where does Fergus live?", "My dad Fergus lives in Cobh."
    >>> own_move_apart(*home, "I moved house when Fergus fell ill."), own_move_apart(*home, "He moved to Cork.")
    (True, False)
    """
    return bool(_OWN_MOVE.match(later)) and not _OWN.match(earlier) and asks_for_home_of_another(question)


def _untimed_stems(text: str) -> frozenset[str]:
    return frozenset(stem for stem in content_stems(untimed(text)) if not stem.isdigit())
