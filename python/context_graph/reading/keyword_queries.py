"""Queries in a few keywords, as agents write them: "user's employer", "dietary restrictions"."""

import re

from context_graph.embed.stems import stem_of, stems
from context_graph.reading import attributes
from context_graph.reading.cues import VERBS
from context_graph.reading.third_person import COMPOUND
from context_graph.regex import regex

__all__ = ["ASKING", "AUXILIARY", "as_question", "is_for_an_attribute", "is_keywords", "names_an_attribute"]

ASKING = r"(?:who|whom|whose|what|when|where|which|why|how)\b"
AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might)\b"

MAX_KEYWORDS = 5
"""Words behind "user" up to which they name something that the user has."""

_USER = r"(?:(?:the|our|this|current) )?user"
_WHOLE = (
    r"(?:profile|bio(?:graphy)?|info(?:rmation)?|details|facts|background|context|overview|summary|memor(?:y|ies)|notes"
    r"|everything|all)"
)
_PARTS = rf"{_WHOLE}(?:(?:,? and|,|/) (?:{_WHOLE}|preferences))?|preferences(?:,? and|,|/) {_WHOLE}"
_OF_USER = regex(rf"^\W*{_USER}(?P<own>['’]s)? (?P<what>[a-z][a-z ,&/'’-]*)$", re.I)
_ALL_OF_USER = regex(
    rf"^\W*(?:(?:who(?:['’]s| is) )?{_USER}(?:['’]s)?(?: (?:{_PARTS}))?"
    rf"|(?:(?:{_PARTS}) )?(?:about|on|of|for) {_USER})\W*$",
    re.I,
)
_COMPOUND = regex(rf"{COMPOUND}\b", re.I)
_PLURAL = regex(r"[^isu]s$|\b(?:children|kids)$", re.I)
_KEYWORDS = regex(
    rf"\W*(?!{ASKING}|{AUXILIARY})[\w'’-]+(?: [\w'’-]+){{0,2}}\W*"
    rf"|\W*(?:which|how (?:many|much)) (?!{AUXILIARY})[\w'’-]+(?: (?!{AUXILIARY})[\w'’-]+)?\W*",
    re.I,
)
"""A few words, or a question without a verb: "which database version"."""

_PHRASE = regex(
    rf"\W*(?P<what>(?!(?i:{ASKING}|{AUXILIARY}))[\w'’-]+(?: [a-z'’-]+){{1,5}}?)"
    r"(?: (?:at|for|in|of|on) (?:the )?(?:[A-Z][\w'’-]*(?: |\W*$)){1,3})?\W*"
)
"""A few words, and a name that they may be of: "preferred language for examples", "component library for Bolt"."""

_DEFINITE = regex(r"\W*(?:what|where|who|when|how much)(?:['’]s| is| are) the ([\w'’-]+(?: [\w'’-]+)?)\W*", re.I)
"""A question for one thing that whoever is asked must know: "what's the address?"."""

SURELY_NAMED = 0.6
"""Probability from which such words are for an attribute."""

_NOUNS = frozenset({"work", "drive", "study", "play", "love", "drink", "drinks", "plays", "needs"})
"""Words of `VERBS` that are nouns as well: "user work"."""

_ATTRIBUTES = frozenset(
    stem_of(word)
    for word in """age birthday birthdate birthplace name nickname pronouns nationality origin hometown home address
    location city country residence timezone language family spouse partner wife husband boyfriend girlfriend fiancé
    children kids son daughter parents siblings brother sister pet dog cat job occupation profession role position
    title employer company workplace office salary income team manager boss supervisor education degree studies
    university school skills background diet dietary allergies intolerances food drink coffee tea alcohol health
    medical medication medicine condition doctor dentist weight height hobby hobbies interests sport exercise fitness
    music band film movie book reading instrument car vehicle bike transport commute phone laptop computer device
    keyboard editor ide shell theme font browser budget bank savings insurance subscription provider schedule routine
    hours appointment deadline holiday vacation trip preferences likes dislikes goals plans project tasks stack
    database framework hosting deployment repository conventions style format tone""".split()
)
"""What a person, or a project, has one of, or some."""


def as_question(query: str) -> str:
    """A query that names something of the user, as a question for it; any other as it is.

    Examples
    --------
    >>> as_question("user's employer"), as_question("user allergies"), as_question("user name")
    ("What is the user's employer?", "What are the user's allergies?", "What is the user's name?")
    >>> as_question("user profile"), as_question("who is the user?")
    ('What do you know about the user?', 'What do you know about the user?')
    >>> as_question("user accounts"), as_question("user moved to Oslo"), as_question("user timeout in seconds?")
    ('user accounts', 'user moved to Oslo', 'user timeout in seconds?')
    """
    if "user" not in query.lower():
        return query
    if _ALL_OF_USER.match(query):
        return "What do you know about the user?"
    match = _OF_USER.match(query)
    if match is None or not _names_a_thing(match["what"], owned=bool(match["own"])):
        return query
    return f"What {'are' if _PLURAL.search(match['what']) else 'is'} the user's {match['what']}?"


def _names_a_thing(what: str, *, owned: bool) -> bool:
    """Whether words behind "user" name something: no verb, and no word with which "user" is one of software."""
    first, *others = what.lower().split()
    if len(others) >= MAX_KEYWORDS:
        return False
    if owned or what.lower() == "name":
        return True
    return not _COMPOUND.match(what) and first not in VERBS - _NOUNS


def is_keywords(query: str) -> bool:
    """Whether a query is a few words that make no sentence, as typed into a search box: "wedding", "blood pressure".

    Examples
    --------
    >>> is_keywords("blood pressure"), is_keywords("which database version"), is_keywords("Which planet has rings?")
    (True, True, False)
    """
    return bool(_KEYWORDS.fullmatch(query))


def names_an_attribute(query: str) -> bool:
    """Whether a query of a few keywords, or for the one that is meant, names something that a person or a project has.

    Examples
    --------
    >>> names_an_attribute("job title"), names_an_attribute("dietary restrictions"), names_an_attribute("marathon")
    (True, True, False)
    >>> names_an_attribute("What's the address?"), names_an_attribute("What's the address of Harrods?")
    (True, False)
    """
    definite = _DEFINITE.fullmatch(query)
    query = definite[1] if definite else query
    return is_keywords(query) and not _ATTRIBUTES.isdisjoint(stems(query))


def is_for_an_attribute(query: str) -> bool:
    """Whether a few words, by their meaning, are for something that a person or a project has.

    Examples
    --------
    >>> is_for_an_attribute("operating system"), is_for_an_attribute("preferred language for code examples")
    (True, True)
    >>> is_for_an_attribute("web framework of Orchard"), is_for_an_attribute("moons of Jupiter")
    (True, False)
    """
    phrase = _PHRASE.fullmatch(query)
    return phrase is not None and float(attributes.of_text(phrase["what"]).max()) >= SURELY_NAMED
