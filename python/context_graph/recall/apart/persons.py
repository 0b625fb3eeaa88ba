"""Whom a question is about: a later statement about somebody else ends nothing."""

import re

from context_graph.embed.stems import STOP_WORDS, stem_of
from context_graph.reading import attributes, cues
from context_graph.reading.exceptions import names_in
from context_graph.reading.first_names import opens_as_a_name
from context_graph.reading.hearsay import is_hearsay
from context_graph.reading.intent import parse
from context_graph.reading.introductions import asks_own_age, asks_own_name, own_age, own_name
from context_graph.reading.relatives import CLOSE
from context_graph.reading.subjects import WORD, content_stems, of_another
from context_graph.recall.apart.words import MIN_ALIKE, left_home, refers, tells_a_change
from context_graph.regex import regex

__all__ = [
    "denied_of_another_apart",
    "hearsay_apart",
    "introduction_apart",
    "kin_of_another_apart",
    "other_name_apart",
    "person_apart",
    "title_apart",
]

INTRODUCTION = 4
"""Words up to which a statement says little but a name."""

_WORKS = regex(r"\bworks? (?:for|at|in|as|with)\b", re.I)
"""What somebody does, where "works" alone may say that a thing is mended."""

_KIN_OF = regex(rf"[A-ZÀ-Þ][\w-]+['’]s (?:\w+ )?({'|'.join(CLOSE)})\b")
"""Opens with one of the family of somebody who has a name; who is somebody's boss says something of both."""


_OF_NAMED = regex(
    r"^\W*(?:(?:and|so) )?(?:(?:at|in|on|by|from|to|for|with|until) )?(?:how|what|when|where|which)\b", re.I
)
_OPENS = regex(r"^\W*([A-ZÀ-Þ][\w-]*[a-zß-ÿ])(?:['’]s?\b| [a-z]|: )")

_TITLED = regex(r"(?<!einer )(?<!eine )(?<!seine )(?<!ihre )\b(?P<title>Frau|Herrn?|Señora?|Doña|Don) (?=[A-ZÀ-Þ])")


READ = 300
"""Characters of a statement that are looked at for who does something no more."""

_OPENING = (
    r"^\W*(?:(?:and|but|so|oh|actually|sadly|also),? )?"
    r"(?P<who>(?:(?:the|our|my|his|her|their) )?\w[\w’'-]{0,40}(?: \w[\w’'-]{0,40})?)"
)
_DENIES = regex(
    rf"{_OPENING} (?:does(?:n['’]t| not)|do(?:n['’]t| not)|is(?:n['’]t| not)|are(?:n['’]t| not)|can(?:['’]?t|not)"
    r"|no longer)\b.*(?:\b(?:any ?more|any longer)\b|(?<=no longer ).)",
    re.I,
)
"""What somebody or something with a name, or one of its kind, does no more."""

_DOES = regex(rf"{_OPENING} (?:[a-z]{{2,}}[^s\W]s|is|are|has|have|does)\b", re.I)


def hearsay_apart(earlier: str, later: str) -> bool:
    """Whether the later statement is hearsay, which ends nothing, and the earlier one is not.

    Examples
    --------
    >>> hearsay_apart("The bakery delivers on Fridays.", "Rumour has it the bakery will deliver on Mondays.")
    True
    """
    return is_hearsay(later) and not is_hearsay(earlier)


def denied_of_another_apart(earlier: str, later: str) -> bool:
    """Whether the later statement says what one does no more, and the earlier one what another does.

    Examples
    --------
    >>> denied_of_another_apart("The bakery delivers on Fridays.", "Hof Lund doesn't deliver on Fridays any more.")
    True
    >>> denied_of_another_apart("The bakery delivers on Fridays.", "The bakery doesn't deliver on Fridays any more.")
    False
    >>> denied_of_another_apart("I work on Fridays.", "The bakery doesn't deliver on Fridays any more.")
    False
    """
    denied, does = _DENIES.match(later[:READ]), _DOES.match(earlier[:READ])
    if denied is None or does is None:
        return False
    who, other = content_stems(denied["who"]), content_stems(does["who"])
    return bool(who and other) and who.isdisjoint(content_stems(earlier)) and other.isdisjoint(content_stems(later))


def person_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks where, when or how who asks does something, and only the later statement is about another
    person, and tells of no change.

    Examples
    --------
    >>> person_apart("Where do I live?", "I live in Bremen.", "My sister lives in Leipzig.")
    True
    >>> person_apart("Wo wohne ich?", "Ich wohne in Bremen.", "Meine Schwester wohnt in Leipzig.")
    True
    >>> person_apart("How do I get to school?", "I ride with Dad.", "Dad sold the car.")
    False
    >>> person_apart("What is my job?", "I'm a tram driver, I live with Mirta.", "Mirta works for the fire brigade.")
    True
    """
    others = of_another(later) and not of_another(earlier)
    return others and parse(question).doer and not tells_a_change(_WORKS.sub("", later))


def kin_of_another_apart(question: str, earlier: str, later: str) -> bool:
    """Whether the later statement opens with somebody close to one who has a name, whom neither the question nor the
    earlier one is about.

    Examples
    --------
    >>> kin_of_another_apart("Where is Ida from?", "Ida is a baker from Bonn.", "Ida's mother died in the flood.")
    True
    >>> kin_of_another_apart("Where is Ida's mother?", "Ida's mother is in Bonn.", "Ida's mother moved to Ulm.")
    False
    """
    match = _KIN_OF.match(later)
    return match is not None and stem_of(match[1].lower()) not in content_stems(question) | content_stems(earlier)


def other_name_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks how, when or where something is of somebody or something with a name that the earlier
    statement has, and the later one opens with another name, tells of no change and refers to nothing told before.

    Examples
    --------
    >>> where = "How does Lund get its bills?", "Lund gets bills by post."
    >>> other_name_apart(*where, "Berta's bills go out on Mondays.")
    True
    >>> other_name_apart(*where, "Bills go out by mail."), other_name_apart(*where, "Lund gets bills by mail.")
    (False, False)
    """
    opening = _OPENS.match(later)
    if opening is None or not _OF_NAMED.match(question) or refers(later):
        return False
    if any(cue.search(later) for cue in (cues.ENDED, cues.CHANGED, cues.CORRECTED)):
        return False
    of, now, asked = (_bare_words(text) for text in (earlier, later, question))
    name = opening[1].lower()
    if name in of | asked | STOP_WORDS | cues.SELF or not (names_in(question) & of) - now:
        return False
    return opens_as_a_name(opening[1])


def _bare_words(text: str) -> set[str]:
    """Words in lower case, none of them a genitive."""
    return {word.lower().replace("’", "'").removesuffix("'s") for word in WORD.findall(text)}


def title_apart(earlier: str, later: str) -> bool:
    """Whether two statements share but a title, which in German is also a word for somebody's wife.

    Examples
    --------
    >>> title_apart("Ich wohne mit meiner Frau Heike in Ulm.", "Der Kater saß bei Frau Harms.")
    True
    >>> title_apart("Frau Harms wohnt in Ulm.", "Frau Harms ist nach Bonn gezogen.")
    False
    """
    titled = _TITLED.search(later)
    shared = content_stems(earlier) & content_stems(later)
    return titled is not None and bool(shared) and shared <= content_stems(titled["title"])


def introduction_apart(question: str, earlier: str, later: str) -> bool:
    """Whether only the earlier of two statements says how its speaker is called, or how old they are, and the question
    asks for that, it says nothing else, or the two have no word and no attribute in common.

    Examples
    --------
    >>> introduction_apart("What do I do?", "I'm Marek.", "I employ two mechanics.")
    True
    >>> introduction_apart("What is my name?", "I'm Marek, I run a shop.", "Call me Mo.")
    False
    >>> introduction_apart("What is my name?", "I'm Marek.", "Marek is what my father was called, write Mo.")
    False
    >>> introduction_apart("How old am I?", "I'm Marek, 38, I run a shop.", "I sold the shop.")
    True
    >>> introduction_apart("What do I study?", "I'm Marek, I study law in Ulm.", "I'm learning Dutch.")
    True
    """
    if asks_own_age(question):
        return bool(own_age(earlier)) and not own_age(later)
    name = own_name(earlier)
    if not name or name in later or own_name(later):
        return False
    if asks_own_name(question) or len(earlier.split()) <= INTRODUCTION:
        return True
    one_matter = float(attributes.of_text(earlier) @ attributes.of_text(later))
    alike = one_matter >= MIN_ALIKE or bool(content_stems(earlier) & content_stems(later))
    return not alike and not left_home(question, earlier, later)
