"""Agents write of whom they talk with in the third person: "User lives in Oslo". Read as what that person says.

What is stored and told stays as it is; only comparisons read it so. "User" is a word of most such memories, and would
else be what they have in common.
"""

import re

from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["COMPOUND", "asked_of_user", "told_of_user"]

COMPOUND = (
    r"(?:accounts?|agents?|auth\w*|base|can|clicks?|data|defined|enters?|experience|facing|feedback|friendly|groups?"
    r"|guides?|ids?|input|interfaces?|interviews?|journeys?|list|logs|management|manual|may|menu|models?|must|names?"
    r"|opens?|pages?|permissions?|presses|profiles?|records?|research|roles?|scrolls?|selects?|service|sessions?"
    r"|settings|should|signs|space|stor(?:y|ies)|submits?|tables?|taps?|tests?|testing|types?|uploads?)"
)
"""What behind "user" makes it a word of software, where no person is meant."""

_TAG = regex(
    r"^\s*(?:\[[\w -]{2,20}\]|(?:(?:session|meeting|daily|weekly|progress|status|chat|conversation|user|project) )?"
    r"(?:summary|notes?|log|recap|memo|minutes|fact|memory|info|observation|context|insight|learning)"
    r"(?: \(?\d[\d./-]*\)?)?:)\s*(?=\w)",
    re.I,
)
"""What an agent puts before a memory: "[fact]", "Session summary:"."""

_OPENING = regex(
    rf"(?:^|(?<=[.!?;:] ))(?:(?:the|our|this) )?user(?P<own>['’]s)?\s+(?!(?!(?<=['’]s )name\b){COMPOUND}\b)(?=[a-z(])",
    re.I,
)
_OWNED = regex(r"\b(?:(?:the|our|this) user['’]s\b|user['’]s(?= \w+\W*$))", re.I)
_OBJECT = regex(
    r"\b(about|for|with|of|from|by|to|at|on) (?:the|our|this) user\b(?!['’-])(?!\s+[a-z]+\b\s*$)"
    r"|\b(?:the|our|this) user(?=\W*$)",
    re.I,
)
_ASKED = regex(
    rf"\b(?:(?:the|our|this)|(?P<before>does|is|has|did|was|can|could|should|would|will|where|how|when|that)) user\b"
    rf"(?!['’-]|\s+{COMPOUND}\b)",
    re.I,
)

_FIRST_PERSON = {"does": "do I", "is": "am I", "has": "have I"}
_VERB = regex(r"\b(does|is|has) I\b", re.I)


@kept_for_texts(maxsize=512)
def told_of_user(text: str) -> str:
    """A statement about "the user" as the user would make it; any other text as it is.

    Examples
    --------
    >>> told_of_user("User moved to Oslo."), told_of_user("[fact] The user's sister is Lena.")
    ('I moved to Oslo.', 'My sister is Lena.')
    >>> told_of_user("User's name is Ana."), told_of_user("User names are unique.")
    ('My name is Ana.', 'User names are unique.')
    >>> told_of_user("Session summary: The user chose Redis. The user ruled out Kafka.")
    'I chose Redis. I ruled out Kafka.'
    >>> told_of_user("User accounts are in Postgres."), told_of_user("Lena is the user's sister.")
    ('User accounts are in Postgres.', 'Lena is my sister.')
    """
    text = _TAG.sub("", text, count=1)
    if "user" not in text.lower():
        return text
    text = _OPENING.sub(lambda opening: "My " if opening["own"] else "I ", text)
    return _OWNED.sub("my", text)


def asked_of_user(question: str) -> str:
    """A question about "the user" as the user would ask it.

    Examples
    --------
    >>> asked_of_user("Where does the user live?"), asked_of_user("What is the user's job?")
    ('Where do I live?', 'What is my job?')
    >>> asked_of_user("where does user live"), asked_of_user("Does user input get checked?")
    ('where do I live', 'Does user input get checked?')
    >>> asked_of_user("What do you know about the user?"), asked_of_user("Who taught the user?")
    ('What do you know about me?', 'Who taught me?')
    >>> asked_of_user("What is in the user table?")
    'What is in the user table?'
    """
    if "user" not in question.lower():
        return question
    question = _OWNED.sub("my", question)
    as_object = _OBJECT.sub(lambda match: f"{match[1]} me" if match[1] else "me", question)
    own = _ASKED.sub(lambda match: f"{match['before']} I" if match["before"] else "I", as_object)
    return own if own == question else _VERB.sub(lambda match: _FIRST_PERSON[match[1].lower()], own)
