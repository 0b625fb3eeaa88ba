"""Whether two statements are about two people of one name, told apart by last names, "the other" or a place."""

import re

from context_graph.embed.chunks import clauses
from context_graph.embed.stems import stem_of, stems
from context_graph.reading import cues
from context_graph.reading.first_names import may_be_a_first_name
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["of_namesakes"]

READ = 600
"""Characters of a statement that are looked at."""

_FULL_NAME = regex(r"\b([A-ZÀ-Þ][a-zß-ÿ]+) ([A-ZÀ-Þ][a-zß-ÿ]+)\b")
_TITLES = frozenset(
    "dr doctor prof professor mr mrs ms miss nurse sister brother uncle aunt herr frau señor señora don doña".split()
)


_RENAMES = regex(
    r"(?i:\b(?:sur|last |family |maiden )?names?\b|\bspel(?:led|t|ling)\b|\bmarried\b)|\bnot [A-ZÀ-Þ][a-zß-ÿ]"
)
"""Says how somebody is called, and was not or is no longer."""


_NAME = r"(?P<name>(?:(?:Dr|Prof|Mr|Mrs|Ms|Miss|Frau|Herr)\.? )?[A-ZÀ-Þ][a-zß-ÿ]+)"
_AGAIN = _NAME.replace("name", "again")
_OTHER = regex(
    rf"\b(?i:(?:the|that|this|some) other|another|(?:a|some) different|not (?:our|my|the same)|a second) {_NAME}\b"
    rf"|\b{_AGAIN},? (?i:not (?:ours|mine|our|my|the one|him|her|that one)|no relation|the other one)\b"
)
"""Says that it is another one of the name."""

_THE_ONE = regex(
    rf"(?:^\W*|[,;] )(?:(?i:the|that) {_NAME},?(?: the one)?|(?i:the one called) {_AGAIN}) "
    r"(?i:(?:at|from|in|on|of|with|who|over|next|down|across|upstairs|downstairs) )"
)
"""Only somebody who has to be told from another one of the name has an article."""

_PLACED = regex(rf"^\W*{_NAME},? (?i:(?:at|from|in|of|over at) (?:the |our |my )?(?P<place>[\w'’-]+(?: [\w'’-]+)?))\b")
"""Opens with a name and where whoever has it belongs."""

_CIRCLES = tuple(
    frozenset(circle.split())
    for circle in (
        "gp doctor nurse dentist physio midwife vet surgery clinic practice hospital ward health pharmacy chemist",
        "teacher tutor supervisor lecturer professor classmate student school university college uni faculty nursery"
        " kindergarten class course",
        "boss manager colleague work office company firm accounts payroll hr shift",
        "neighbour neighbor landlord landlady upstairs downstairs flat street corner number",
        "brother sister mum mother dad father son daughter aunt uncle cousin husband wife boyfriend girlfriend partner"
        " grandma grandpa gran nan nephew niece family",
        "choir club society gym church team band allotment orchestra",
        "bakery shop butcher baker greengrocer market supermarket cafe café pub bar salon barber hairdresser",
        "bank council library post station garage",
    )
)
"""Words for people and places of one circle of life."""


def _circles(stems_of: frozenset[str]) -> frozenset[int]:
    return frozenset(number for number, circle in enumerate(_circle_stems()) if stems_of & circle)


@kept_for_texts(maxsize=1)
def _circle_stems() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem_of, circle)) for circle in _CIRCLES)


def _names_another(earlier: str, later: str) -> bool:
    """Whether the later statement says that it is of another one of a name that the earlier one has.

    Examples
    --------
    >>> nurse = "Ole is the night nurse."
    >>> _names_another(nurse, "The other Ole is off to Ulm."), _names_another(nurse, "The Ole at number 9 has died.")
    (True, True)
    >>> _names_another("Ole is my brother.", "Ole from work has left.")
    True
    >>> _names_another(nurse, "Ole from the ward has left.")
    False
    >>> _names_another("The Lamb is near.", "The Lamb in Ash shut.")
    False
    """
    earlier = earlier[:READ]
    for pattern, name, place in _told_apart(later[:READ]):
        if not re.search(rf"\b{re.escape(name)}\b", earlier) or pattern.search(earlier):
            continue
        if pattern is _PLACED:
            circles, known = _circles(content_stems(place)), _circles(content_stems(earlier))
            if not circles or not known or circles & known:
                continue
        elif pattern is _THE_ONE and (
            not may_be_a_first_name(name.split()[-1]) or re.search(rf"\b[Tt]he {re.escape(name)}\b", earlier)
        ):
            continue
        return True
    return False


@kept_for_texts(maxsize=512)
def _told_apart(text: str) -> tuple[tuple[re.Pattern[str], str, str], ...]:
    """Each expression by which a statement says which one of a name it means, the name, and where that one belongs."""
    placed = [(_PLACED, match["name"], match["place"]) for match in _PLACED.finditer(text)]
    others = (_OTHER, _THE_ONE)
    named = [(each, match["name"] or match["again"], "") for each in others for match in each.finditer(text)]
    return (*named, *placed)


@kept_for_texts(maxsize=512)
def _gives_a_name(text: str) -> bool:
    """Whether a statement corrects what somebody is called, or something else."""
    return bool(_RENAMES.search(text) or cues.CORRECTED.search(text))


def of_namesakes(question_stems: frozenset[str], earlier: str, later: str) -> bool:
    """Whether what an earlier statement says of what is asked, and a later one, are about two people of one name: they
    are told apart by last names and share no other word, or by words for the other one.

    Parameters
    ----------
    question_stems : frozenset of str
        Stems of the question.

    Examples
    --------
    >>> asked = frozenset({"bar"})
    >>> of_namesakes(asked, "Ines Roth runs the bar.", "Ines Vogel moved to Ulm.")
    True
    >>> of_namesakes(asked, "Ines Roth runs the bar.", "Ines Vogel runs the bar now.")
    False
    >>> [of_namesakes(asked, "Ines Roth runs the bar.", later) for later in ("Ines moved.", "Ines Roth moved.")]
    [False, False]
    >>> of_namesakes(frozenset({"surnam"}), "Ole Hansen is our vet.", "It's Ole Hanssen, I had his surname wrong.")
    False
    >>> both = "Ines Roth runs the bar, Ines Vogel runs the kitchen.", "Ines Vogel moved to Ulm."
    >>> of_namesakes(asked, *both), of_namesakes(frozenset({"kitchen"}), *both)
    (True, False)
    """
    if _gives_a_name(later):
        return False
    if _names_another(earlier, later):
        return True
    now = _full_names(later)
    if not now or not _full_names(earlier):
        return False
    parts = clauses(earlier)
    shares = [len(question_stems.intersection(stems(part))) for part in parts]
    relevant = [part for part, share in zip(parts, shares, strict=True) if share == max(shares)]
    return bool(relevant) and all(_of_two(part, later) for part in relevant)


def _of_two(earlier: str, later: str) -> bool:
    of, now = _full_names(earlier), _full_names(later)
    shared = {first for first, _ in of}.intersection(first for first, _ in now)
    if not shared or of & now:
        return False
    own = {word.lower() for pair in now for word in pair}
    return not (content_stems(earlier) & content_stems(later)) - {stem_of(word) for word in own}


@kept_for_texts(maxsize=512)
def _full_names(text: str) -> frozenset[tuple[str, str]]:
    """First and last name of each person that a text names by both."""
    pairs = (match.groups() for match in _FULL_NAME.finditer(text[:READ]))
    return frozenset(
        (first, last)
        for first, last in pairs
        if first.lower() not in _TITLES and may_be_a_first_name(first) and not cues.TIMED.fullmatch(last)
    )
