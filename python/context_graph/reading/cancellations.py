"""Whether a statement calls off what an earlier one planned, by the words that it calls it."""

from context_graph.reading import cues
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["calls_off", "lifts", "may_call_off"]

_WORDS = r"((?:(?!(?:and|but|if|is|so|then|when|because|for)\b)[\w'’.-]+ ){0,3}?[\w'’-]+)"
_WHOLE = r"(?= (?:again|altogether|completely|after all|this|that|in the end)\b|\W*$|[,.;:!])"
_FORMS = [
    regex(form)
    for form in (
        rf"(?i)^\W*(?:(?:so|ok|well|oh),? )?(?:(?:the|our|my) )?{_WORDS} (?:fell|has fallen|falls) through\b",
        rf"(?i)^\W*(?:(?:so|ok|well|oh),? )?(?:(?:the|our|my) )?{_WORDS}(?:['’]s| (?:is|are|was|got|ha(?:s|ve) been)) "
        rf"(?:cancel+ed|called off|scrapped|not happening){_WHOLE}",
        rf"(?i)^\W*(?:(?:let['’]s|we|i|they)(?:['’]ve|['’]ll)? )?(?:skip|scrap|cancel|call off)(?:p?ed|l?ed)? "
        rf"(?:(?:the|our|my|that) |(?-i:(?=[A-ZÀ-Þ]))){_WORDS}{_WHOLE}",
        rf"(?i)(?:^\W*|[,.;:] )no (?:more )?{_WORDS} for (?:me|us){_WHOLE}",
        rf"(?i)^\W*(?:(?:so|ok|well|oh),? )?(?:it['’]s )?not (?:the |our |my )?{_WORDS} after all\b",
        rf"(?i)^\W*no (?:more )?{_WORDS} (?:this|next) (?:year|month|week|term|semester|season|summer|winter|time)\b",
        rf"(?i)^\W*mit (?:dem|der|den) {_WORDS} (?:hab|habe|haben) (?:ich|wir) aufgehört\b",
        rf"(?i)^\W*(?:(?:der|die|das|unser|unsere|mein|meine) )?{_WORDS} (?:fällt aus|ist abgesagt|wurde abgesagt)\b",
        rf"(?i)^\W*(?:das mit|aus|mit) (?:dem|der|den|unserem|unserer) {_WORDS} "
        r"wird (?:es )?(?:doch |leider |wohl ){0,3}nichts\b",
        rf"(?i)^\W*(?:(?:der|die|das|unser|unsere|mein|meine) )?{_WORDS} findet (?:doch |leider ){{0,2}}nicht statt\b",
        rf"(?i)^\W*lo de (?:(?:el|la|ir a|los|las) )?{_WORDS} "
        r"(?:al final )?(?:no sale|no va a ser|se cae|no puede ser)\b",
        rf"(?i)^\W*(?:(?:el|la|mi|nuestr[oa]) )?{_WORDS} (?:se (?:ha )?cancel(?:ó|ado)|está cancelad[oa])\b",
    )
]
_FORMS_OF_PLANS = [
    regex(form)
    for form in (
        rf"(?i)^\W*(?:(?:so|ok|well|oh),? )?(?:(?:the|our|my) )?{_WORDS}(?:['’]s| (?:is|are|was)) off{_WHOLE}",
        rf"(?i)^\W*(?:(?:so|ok|well|oh),? )?(?:(?:the|our|my) )?{_WORDS}(?:['’]s| (?:is|are)) (?:over|finished)"
        r"(?= for (?:this|the|good|now)\b|\W*$|[,.;:!])",
        rf"(?i)^\W*(?:(?:we|i|they)(?:['’]ve)? )drop(?:ped)? (?:the|our|my|that) {_WORDS}{_WHOLE}",
    )
]
"""What holds of other things as well: an oven is off, a box is dropped."""

_TRIPS = content_stems("trip journey holiday holidays vacation travel travels tour getaway")
_OF_TRIPS = (
    content_stems(
        "flight flights fly flying airport hotel hostel airbnb train ferry itinerary luggage visa check-in rental"
    )
    | _TRIPS
)
"""What is of no use without the trip that it is for."""

_PLAN = regex(r"(?i)\b(?:plans?|idea|trip|meeting|party|migration|rollout)\b(?:['’]s| (?:is|are|was)) (?:off|over)\b")
"""Says itself that what is off was planned."""

_OF_ANYTHING = content_stems(
    "thing things bit plan plans idea business one ones stuff whole sache plan idee fahrt reise ausflug tour tema viaje"
)
"""Words for whatever was planned."""


_FORBIDS = regex(
    r"(?i)\b(?:must(?:n['’]t| not| never)|never|do(?:n['’]t| not)|not allowed|forbidden|prohibited|banned|may not"
    r"|cannot|can['’]t|shouldn['’]t|should not|freeze|darf nicht|dürfen nicht|nie|verboten|no se puede|prohibido)\b"
)
_ALLOWS = regex(
    r"(?i)\b(?:can|may|could) (?!not\b|never\b)(?:\w+ ){0,6}?(?:again|now|at once|together)\b"
    r"|\b(?:is|are) (?:allowed|permitted|ok|okay|fine|safe|possible) (?:again|now)\b"
    r"|\b(?:ban|freeze|block|restriction|limit) (?:is|was|has been) (?:lifted|over|gone)\b"
    r"|\bno longer (?:forbidden|prohibited|banned|a problem)\b|\b(?:darf|dürfen) (?:\w+ ){0,4}?wieder\b"
)
MIN_ALLOWED_WORDS = 2
"""Content words that what is allowed shares with what was forbidden."""


def lifts(earlier: str, later: str) -> bool:
    """Whether a later statement allows what an earlier one forbids, in two of its words.

    Examples
    --------
    >>> jobs = "Never run the import and the export job at once, they deadlock."
    >>> lifts(jobs, "The deadlock is fixed, both jobs can overlap again."), lifts(jobs, "You can go out again.")
    (True, False)
    """
    if not (_FORBIDS.search(earlier) and _ALLOWS.search(later)) or _ALLOWS.search(earlier):
        return False
    return len(content_stems(earlier) & content_stems(later)) >= MIN_ALLOWED_WORDS


def calls_off(earlier: str, later: str) -> bool:
    """Whether a later statement says that something is off, all of whose words the earlier one has.

    Examples
    --------
    >>> calls_off("Meeting with the bank on the 17th.", "The bank thing fell through.")
    True
    >>> calls_off("On Wednesday there's the parents' meeting.", "Skip the parents' meeting, Lasse's dad goes.")
    True
    >>> calls_off("I want to run the marathon.", "My knee hurts, no marathon for me.")
    True
    >>> calls_off("We meet in Bath on Monday.", "Bath is off."), calls_off("The oven is a Miele.", "The oven is off.")
    (True, False)
    >>> calls_off("Im Juli fahren wir nach Sylt.", "Das mit der Fahrt nach Sylt wird doch nichts.")
    True
    >>> calls_off("Am Samstag ist das Grillfest.", "Das Grillfest findet leider nicht statt.")
    True
    >>> calls_off("My flight to Porto is on 3 December.", "Trip's off, my boss needs me here.")
    True
    """
    if not (thing := _called_off(later, is_plan=True)):
        return False
    of_trip = thing <= _TRIPS and not _OF_TRIPS.isdisjoint(content_stems(earlier))
    if not (of_trip or thing <= content_stems(earlier)):
        return False
    planned = cues.TIMED.search(earlier) or _PLAN.search(later)
    if not planned and _called_off(later, is_plan=False) != thing:
        return False
    return not thing & _called_off(earlier, is_plan=True)


@kept_for_texts(maxsize=256)
def _called_off(text: str, *, is_plan: bool) -> frozenset[str]:
    for form in (*_FORMS, *(_FORMS_OF_PLANS if is_plan else ())):
        if match := form.search(text):
            return content_stems(match[1].replace("'s", "").replace("’s", "")) - _OF_ANYTHING
    return frozenset()


@kept_for_texts(maxsize=512)
def may_call_off(text: str) -> bool:
    """Whether a statement calls something off, or allows something, at all: what most pairs are ruled out by."""
    return bool(_called_off(text, is_plan=True)) or bool(_ALLOWS.search(text))
