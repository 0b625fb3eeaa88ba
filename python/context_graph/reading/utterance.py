"""Who says a text and when, where the text begins with it: "Anna: I moved", "[8 May 2023] Anna: I moved"."""

import re
from dataclasses import dataclass

from context_graph.dates import read_date
from context_graph.errors import InvalidInput
from context_graph.models import Microseconds
from context_graph.regex import regex

__all__ = ["ASSISTANTS", "USERS", "Head", "read_head", "utterance"]

_DATED = regex(r"\s*(?:\[([^\[\]\n]{6,48})\]|\(([^()\n]{6,48})\))[ \t]*:?[ \t]*")
_NAME = r"[^\W\d_](?:[^\W\d_]|['’.-](?=[^\W\d_])){0,39}\.?"
_NAMED = regex(rf"\s*(\*{{0,2}})({_NAME}(?: {_NAME}){{0,2}})(?::\1|\1:)[ \t]+(?=\S)")
_FIRST_PERSON = regex(
    r"\b(?:I|[Ii]['’]?m|[Mm](?:y|e|ine|yself)|[Ww]e|[Oo]urs?|[Uu]s|[Ii]ch|[Mm](?:ir|ich|ein\w*)|[Ww]ir|[Uu]ns\w*"
    r"|[Yy]o|[Mm]is?|[Nn]osotr[oa]s)\b"
)
USERS, ASSISTANTS = ("user", "human"), ("assistant", "ai", "bot")
"""What logs call the two sides of a conversation with a model, in lower case."""

_ROLES = dict.fromkeys((*USERS, "me"), "user") | dict.fromkeys(ASSISTANTS, "assistant")

_LABELS = frozenset(
    """abstract achtung action actions address agenda aim alert allergies allergy also answer answers appendix approach
    assumption assumptions aufgabe author background beispiel bio birthday bug cause caution caveat chapter client
    code comment comments conclusion conclusions config constraint contact context corrección correction cost
    customer danger date deadline decision decisions definition description detail details disclaimer documentation
    done draft edit effect ejemplo email entscheidung error example examples exception explanation fact facts fazit
    feedback figure file fix fixed follow-up frage fyi goal goals headline hint hinweis history hobbies hobby
    hypothesis idea ideas important importante info input insight instruction instructions issue item items key
    keyword keywords korrektur lemma lesson license link links list location log meeting memo merke message method
    misc motivation name names new next nota note notes notiz now observation old oops option options order outcome
    output overview owner password pet pets phone plan postscript preference preferences pregunta price principle
    priority problem profile project prompt proof ps purpose question questions quote rationale reason recap recipe
    recommendation recuerda reference references remark remember reminder request requirement requirements response
    respuesta result results resumen risk rule rules scope section see setup situation solution sorry source sources
    statement status step steps story subject suggestion summary symptom system table tag tags tarea task tasks test
    thanks theorem thought thoughts time tip tips title todo tool topic total translation trigger update updates url
    usage use user-story value vendor version warning well why wichtig workaround zusammenfassung""".split()
)
"""Words that head a note rather than name who speaks; most others that do so are not like a first name."""

_ALSO_NAMES = frozenset("art chase christian faith ines inês joy miles rich sky summer uwe virginia will".split())
"""First names that are more like other words."""


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before what is said.

    Attributes
    ----------
    speaker, occurred_at : optional
        None where the text does not begin with one.
    end : int
        Where what is said begins, in characters.
    sure : bool
        Whether what follows is said by somebody: it speaks of I or we, has a date, or the speaker is a side of a
        dialogue. Else the name may be a heading ("Hamburg: rain"), unless it is known to speak.
    heading : str, optional
        What stands before the first colon where it is like no first name, and so names nobody unless it is known to
        speak: "Work: I moved".
    """

    speaker: str | None
    occurred_at: Microseconds | None
    end: int
    sure: bool
    heading: str | None = None


def read_head(text: str) -> Head:
    """Read date and speaker at the beginning of a text; a text of several speakers has none.

    Examples
    --------
    >>> read_head("Anna: I plant beans.").speaker, read_head("Note: plant beans.").speaker
    ('Anna', None)
    >>> read_head("Work: I sell beans.").speaker, read_head("Correction: I sell beans.").speaker
    (None, None)
    """
    dated = _DATED.match(text)
    occurred_at = None
    if dated:
        try:
            occurred_at = read_date(dated[1] or dated[2])
        except InvalidInput:
            dated = None
    start = dated.end() if dated else 0
    heading = _NAMED.match(text, start)
    role = None if heading is None else _ROLES.get(heading[2].lower())
    if heading is None or not _is_name(heading[2]) or _others_speak(text, heading):
        return Head(None, occurred_at, start, dated is not None)
    if not (role or dated or _may_speak(heading[2])):
        return Head(None, occurred_at, start, False, heading[2])
    sure = dated is not None or role is not None or _FIRST_PERSON.search(text, heading.end()) is not None
    return Head(role or heading[2], occurred_at, heading.end(), sure)


def utterance(text: str, speaker: str | None) -> str:
    """A text without its head, where that names the speaker it has anyway."""
    head = read_head(text)
    if head.end == 0 or (head.speaker is not None and head.speaker.lower() != (speaker or "").lower()):
        return text
    return text[head.end :] if text[head.end :].strip() else text


def _is_name(text: str) -> bool:
    words = text.split()
    if text.lower() in _ROLES:
        return True
    return all(word[0].isupper() and not (word.isupper() and len(word) > 2) for word in words) and not any(
        word.lower().rstrip(".") in _LABELS for word in words
    )


def _may_speak(name: str) -> bool:
    """Whether one word may name a person: "Anna: I moved", but neither "Work: I moved" nor "Health: I quit"."""
    from context_graph.reading.first_names import is_like_a_first_name  # a table of vectors: a server starts without

    return " " in name or name.lower() in _ALSO_NAMES or is_like_a_first_name(name)


def _others_speak(text: str, named: re.Match[str]) -> bool:
    """Whether a later line begins with another name: then it is a conversation, not an utterance."""
    for line in text[named.end() :].split("\n")[1:]:
        other = _NAMED.match(line)
        if other and _is_name(other[2]) and other[2] != named[2]:
            return True
    return False
