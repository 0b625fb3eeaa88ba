"""What two statements show that are of two matters, whatever was asked."""

import re

from context_graph.embed.chunks import clauses
from context_graph.embed.stems import stem_of, stems
from context_graph.reading import cues
from context_graph.reading.acts import acts_of
from context_graph.reading.past_events import tells_one_act
from context_graph.reading.procedures import is_standing, may_change_standing
from context_graph.reading.requests import occasions
from context_graph.reading.subjects import WORD, content_stems, subject_of
from context_graph.reading.wishes import wishes_of_another
from context_graph.recall.apart.words import ENDINGS, tells_a_change
from context_graph.regex import regex

__all__ = [
    "added_apart",
    "attempt_apart",
    "beside_apart",
    "booked_out_apart",
    "cancelled_apart",
    "cause_apart",
    "days_apart",
    "events_apart",
    "instruction_apart",
    "postponed_apart",
    "proposal_apart",
    "reason_apart",
    "report_apart",
    "turned_apart",
    "value_gone",
]

_DONE = regex(
    r"\b(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[A-Z]\w+) (?:had (?!to\b|been\b)|went (?!from\b)|ate|drank|cooked|baked"
    r"|played|met|saw|visited|watched|read|bought|called|ran|swam|slept|won|lost)"
)
"""Somebody did something once."""

_DIARY = regex(
    r"^\W*(?:(?:just|finally|today|i|we) )*"
    r"(?:finished|completed|ran|swam|cycled|hiked|read|watched|saw|met|visited|cooked|baked|ate|tried)\b",
    re.I,
)
"""What was done once, as a diary has it: "finished Dune", "ran 8 km"."""

_ATTEMPT = regex(
    r"^\W*(?:(?:i|we|they|just|also|today|yesterday) )*(?:tried|attempted|experimented|benchmarked|measured)\b", re.I
)

_CAUSES = regex(
    r"^\W*(?P<cause>[^.;]{2,80}?) (?:(?:has|have|had) )?(?:leads?|led|caused?|causes|triggers?|triggered|results? in"
    r"|resulted in|brought about)(?: to)? (?P<effect>[^.;]{2,80})",
    re.I,
)
_CANCELS = regex(
    r"\b(?:cancel(?:s|led|ed)?|called off|calls off|skipp?(?:ed|s)?|missed|postponed|moved) "
    r"(?:(?:the|our|my|his|her|their|this|today['’]s|tomorrow['’]s) )?(?P<event>(?:[\w-]+ )??(?:breakfast|lunch|brunch"
    r"|dinner|coffee|drinks|call|trip|flight|appointment|date|party|visit|session|lesson|interview|rehearsal))\W*$",
    re.I,
)
_TAKES_INSTEAD = regex(
    r"\b(?:cancel|drop|scrap|skip|forget|call off) (?:it|that|this),? (?:and|we['’]ll|i['’]ll|let['’]s) (?:\w+ )?"
    r"(?:take|go|use|get|buy|order|book|do)\b",
    re.I,
)
_OF_ANY_DEAL = content_stems("take pay paid cost euro euros dollar dollars pound pounds price put have say get go buy")
"""Words that a deal has, whatever it is about."""

_DOES_TO = regex(r"^\W*(?P<who>[A-ZÀ-Þ][\w'’-]+) (?P<verb>[a-z]+s) (?P<what>(?:the|our|my) [\w-]+(?: [\w-]+)?)\W*$")
_AGENT = regex(r"\b(?:by|belongs? to|owner|owns|responsible|in charge|takes? over|hands? over|handed)\b|['’]s\b", re.I)

_PROPOSES = regex(
    r"^\W*(?!(?:i|we) (?:\w+ )?think\b)(?:[\w'’.-]+ ){1,4}?"
    r"(?:thinks?|suggest(?:s|ed)?|propos(?:es?|ed)|recommend(?:s|ed)?|argu(?:es?|ed)"
    r"|(?:is|are|was|were) in favou?r of|votes? for|wonders?|offer(?:s|ed) to|ask(?:s|ed) (?:whether|if|about)"
    r"|(?:is|are|was|were|['’](?:s|re|m)) (?:considering|thinking (?:of|about)|proposing|suggesting|pushing for)) ",
    re.I,
)

_BOOKED_OUT = regex(
    r"^\W*(?P<what>[^.,;:]{1,60}?)(?:['’]s| is| are| was| were)? "
    r"(?:(?:fully|completely|all|already) (?:booked|taken|sold out)|booked (?:out|up)|sold out)\b",
    re.I,
)
"""Says that something has no place left: nobody booked it."""

_COMPARES = regex(r"\b(?:again|best|record|pb|faster|slower|longer|further|more|less|better|instead)\b", re.I)

_OF_DAY = regex(
    r"\b(mon|tues|wednes|thurs|fri|satur|sun)day(?:['’]s)? "
    r"(?!(?:mornings?|afternoons?|evenings?|nights?|after|and|as|at|because|before|for|from|if|in|instead|is|now|of|on"
    r"|or|since|so|then|through|till|to|too|until|was|when|will|with)\b)[a-z]+",
    re.I,
)
"""A thing of one weekday: "the Thursday slot"."""

_DAY = regex(r"\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.I)

_POSTPONED = regex(
    r"(?:\b(?:the|our|my|his|her|their) |^\W*)((?:[\w'’-]+ ){1,4}?)"
    r"(?:(?:was|were|is|are|got|gets|has been|have been) )?"
    r"(?:(?:pushed|moved|put|set|brought) (?:back|forward|up)|postponed|delayed|rescheduled|called off|cancell?ed"
    r"|(?:pushed|moved|shifted) to (?=(?:the |next )?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)))\b",
    re.I,
)
"""What is held at another time than was told, or not at all."""

UNITS_OF_TIME = frozenset(stems("minute hour day week month year"))

_REASON = regex(r"\b(?:because|due to|thanks to|wegen|weil|porque|por culpa de)\b", re.I)

_MEASURE = regex(r"\b\d[\d.,]* ?(?:km|k|miles?|m|laps?|lengths?)\b", re.I)

_BESIDE = regex(
    r"\b(?:next to|alongside|besides?|in addition to|on top of|as well as|together with|parallel to)"
    r" (?:the |our |my )?(\w[\w.-]*\w)",
    re.I,
)
"""What holds beside something new: "we try PostHog next to Mixpanel"."""

_REPORT = regex(
    r"^\W*(?:(?!(?:no|fixed|solved|after|since|because|due)\b)[\w./-]+ ){0,3}?"
    r"(?:incidents?|outages?|issues?|bugs?|problems?|limitations?|caveats?|gotchas?|to-?dos?|questions?|risks?|ideas?)"
    r"(?: \(?#?\d+\)?)?:",
    re.I,
)
"""Announces a problem, or what is to be done."""


def booked_out_apart(earlier: str, later: str) -> bool:
    """Whether the later statement says that something has no place left, which the earlier one does not name.

    Examples
    --------
    >>> booked_out_apart("Booked the hut for 3 May.", "Osteria is fully booked, we eat at home instead.")
    True
    >>> booked_out_apart("We eat at the Osteria.", "Osteria is fully booked, we eat at home instead.")
    False
    """
    full = _BOOKED_OUT.match(later)
    return full is not None and content_stems(full["what"]).isdisjoint(content_stems(earlier))


def attempt_apart(earlier: str, later: str) -> bool:
    """Whether the earlier statement tells how an attempt went, which the later one does not correct.

    Examples
    --------
    >>> attempt_apart("Tried sharding over 4 runners: no gain.", "CI is down to 7 minutes with a restored database.")
    True
    >>> attempt_apart("Tried sharding: no gain.", "Correction: sharding did help.")
    False
    """
    return bool(_ATTEMPT.match(earlier)) and not cues.CORRECTED.search(later)


_ADDED = regex(
    r"(?<=[\w)] )(?:also|as well|in addition|additionally|auch noch|zusätzlich|también|además)\b"
    r"|\b(?:bought|hired|opened|ordered|adopted|added|there(?:['’]s| is| are)) (?:now )?"
    r"(?:a (?:second|third)|another)\b"
    r"|^\W*(?:también|además|auch|zusätzlich)(?= [^\W\d_])",
    re.I,
)
"""Says that something is so beside what was known."""

_INSTEAD = regex(
    r"\b(?:moved?|changed?|switch\w*|instead|no longer|no more|not|never|any ?more|replac\w*|cancel\w*|raised|lowered"
    r"|rather than|sorry|correction|stopped|quit|nicht|mehr|ya no)\b|n['’]t\b",
    re.I,
)
"""Takes something back, or puts something in its place."""


def beside_apart(earlier: str, later: str) -> bool:
    """Whether the later statement names something of the earlier one that holds beside what is new.

    Examples
    --------
    >>> beside_apart("We use Mixpanel.", "We try PostHog next to Mixpanel.")
    True
    >>> beside_apart("We use Mixpanel.", "We use PostHog now.")
    False
    """
    return any(stem_of(match[1].lower()) in content_stems(earlier) for match in _BESIDE.finditer(later))


def added_apart(earlier: str, later: str) -> bool:
    """Whether the later statement says that something is so as well, or that there is one more of a kind.

    Examples
    --------
    >>> added_apart("We open on Fridays.", "From April we also open on Mondays.")
    True
    >>> added_apart("We have one van.", "Bought a second van."), added_apart("We open at 8.", "We also moved to 9.")
    (True, False)
    >>> added_apart("El pescado lo trae Pepe.", "También nos trae pescado la lonja.")
    True
    >>> added_apart("Class is at 5.", "Also, class is at 6 now."), added_apart("It is late.", "It is not late as well.")
    (False, False)
    """
    return bool(_ADDED.search(later)) and not _INSTEAD.search(later) and not _INSTEAD.search(earlier)


def report_apart(earlier: str, later: str) -> bool:
    """Whether the later statement reports a problem, or what is to be done, and the earlier one none: both hold.

    Examples
    --------
    >>> report_apart("Invoices arrive in inbox.v1.", "Known issue: invoices arrive twice after a restart.")
    True
    >>> report_apart("Bug: invoices arrive twice.", "Bug fixed: invoices arrive once.")
    False
    """
    return bool(_REPORT.match(later)) and not _REPORT.match(earlier)


def instruction_apart(earlier: str, later: str) -> bool:
    """Whether the earlier statement says how something is done each time, and the later one what was done once.

    Examples
    --------
    >>> instruction_apart("Letters to Abel: formal, two pages at most.", "Called Abel about the fence.")
    True
    >>> instruction_apart("Build the shop with `pnpm build`.", "The shop build took 41 s today.")
    True
    >>> instruction_apart("Build the shop with `pnpm build`.", "Switched the shop build to Vite.")
    False
    >>> instruction_apart("Letters to Abel: formal, two pages at most.", "Abel asked for less formal letters.")
    False
    """
    if is_standing(earlier):
        return not may_change_standing(later)
    if acts_of(earlier).isdisjoint(("instruction", "preference")) or acts_of(later):
        return False
    return tells_one_act(later) and not any(cue.search(later) for cue in (cues.CHANGED, cues.CORRECTED))


def wish_apart(earlier: str, later: str) -> bool:
    """Whether the earlier statement says what is wanted each time that something is asked about, and the later one what
    is wanted at another time, or no wish that could end it.

    Examples
    --------
    >>> wish = "Always name the price when I ask about tools."
    >>> wish_apart(wish, "Always name the price and the shop when I ask about wood.")
    True
    >>> wish_apart(wish, "Noted, which tool is it?"), wish_apart(wish, "No prices when I ask about tools please.")
    (True, False)
    """
    before = occasions(earlier)
    if not before or not all(before):
        return False
    now = occasions(later)
    if not now:
        changes = any(cue.search(later) for cue in (cues.CHANGED, cues.CORRECTED, cues.NEGATED))
        return not changes and acts_of(later).isdisjoint(("instruction", "preference"))
    return all(one - other and other - one for one in before for other in now)


def events_apart(earlier: str, later: str) -> bool:
    """Whether the two tell what was done at two times: what happened once ends nothing.

    Examples
    --------
    >>> events_apart("We had soup on Monday.", "We had pasta on Tuesday.")
    True
    >>> events_apart("We meet on Monday.", "We had to move it to Tuesday.")
    False
    >>> events_apart("finished Dune, 4/5", "finished season two of Dark")
    True
    >>> events_apart("ran 10 km, 59 minutes", "ran 10 km in 57:30, faster than last time")
    False
    """
    if _DIARY.match(earlier) and _DIARY.match(later) and not cues.CORRECTED.search(later):
        how_far = [{*_MEASURE.findall(text)} for text in (earlier, later)]
        return how_far[0].isdisjoint(how_far[1]) if all(how_far) else not _COMPARES.search(later)
    times = [{time.lower() for time in cues.TIMED.findall(text)} for text in (earlier, later)]
    done = all(_DONE.search(text) for text in (earlier, later))
    return done and all(times) and times[0].isdisjoint(times[1]) and not cues.CORRECTED.search(later)


def proposal_apart(earlier: str, later: str) -> bool:
    """Whether the later of two statements only tells what somebody thinks, proposes, considers or would like, and the
    earlier one tells what is so.

    Examples
    --------
    >>> proposal_apart("Decision: we use Postgres.", "Bob thinks we should use MySQL instead.")
    True
    >>> proposal_apart("Decision: we use Postgres.", "Bob suggested MySQL, so we use that now.")
    False
    >>> proposal_apart("We open at nine.", "The porter would rather open at ten.")
    True
    """
    if wishes_of_another(earlier, later):
        return True
    return bool(_PROPOSES.match(later)) and not _PROPOSES.match(earlier) and len(clauses(later)) < 2


def days_apart(earlier: str, later: str) -> bool:
    """Whether the later statement is about what is on one weekday, and the earlier one about other weekdays.

    Examples
    --------
    >>> days_apart("Mondays and Tuesdays are for Dr. Hall.", "Dr. Hall's Thursday slot was taken over.")
    True
    >>> days_apart("My lesson is on Tuesdays.", "I took over the Thursday slot.")
    False
    >>> days_apart("Dr. Hall is in from Monday to Thursday.", "Dr. Hall's Thursday slot was taken over.")
    False
    """
    days, of_day = {day.lower() for day in _DAY.findall(earlier)}, _OF_DAY.search(later)
    if not days or of_day is None or of_day[1].lower() in days:
        return False
    return stem_of(f"{of_day[1]}day".lower()) in subject_of([word.lower() for word in WORD.findall(later)])


def postponed_apart(earlier: str, later: str) -> bool:
    """Whether the later statement postpones or calls off what the earlier one does not name: both say but how long.

    Examples
    --------
    >>> postponed_apart("I train four times a week.", "The meet was pushed back two weeks.")
    True
    >>> postponed_apart("The meet is on 14 March.", "The meet was pushed back two weeks.")
    False
    >>> postponed_apart("The launch is in two weeks.", "It was pushed back two weeks.")
    False
    >>> postponed_apart("We went back and said yes, we move on 1 May.", "Mum's surgery got pushed back to the 16th.")
    True
    """
    thing = _POSTPONED.search(later)
    if thing is None:
        return False
    of, what = content_stems(earlier), content_stems(thing[1])
    now = what | content_stems(later[: thing.start(1)]) | content_stems(later[thing.end() :])
    return bool(what) and not of & what and of & now <= UNITS_OF_TIME


def reason_apart(earlier: str, later: str) -> bool:
    """Whether two statements share but what the earlier one gives as a reason: what a later one gives is often how
    things were, "we meet at the hall because the pub wanted money".

    Examples
    --------
    >>> reason_apart("Lessons are on Tuesdays because of the choir.", "The choir moved to Thursdays.")
    True
    >>> reason_apart("The choir is on Tuesdays because of the fair.", "The choir moved to Thursdays.")
    False
    """
    main, *reasons = _REASON.split(earlier, maxsplit=1)
    now = content_stems(later)
    return bool(reasons) and bool(now & content_stems(reasons[0])) and not now & content_stems(main)


def value_gone(earlier: str, later: str) -> bool:
    """Whether only the earlier statement names a time, and the later one neither denies nor changes anything.

    Examples
    --------
    >>> value_gone("Rehearsals are on Wednesdays.", "We rehearse at the youth club for the winter.")
    True
    >>> value_gone("Rehearsals are on Wednesdays.", "Rehearsals are cancelled.")
    False
    """
    if not cues.TIMED.search(earlier):
        return False
    return not any(cue.search(later) for cue in (cues.TIMED, cues.CHANGED, *ENDINGS))


def cause_apart(earlier: str, later: str) -> bool:
    """Whether each of two statements says what something led to: two links of a chain, or two causes of one thing.

    Examples
    --------
    >>> cause_apart("The expired key led to the failure.", "The failure led to many tickets.")
    True
    >>> cause_apart("Frost causes burst pipes.", "Burst pipes cause lost days.")
    True
    """
    of, now = _CAUSES.match(earlier), _CAUSES.match(later)
    if of is None or now is None:
        return False
    if content_stems(of["effect"]) != content_stems(now["cause"]) and tells_a_change(later):
        return False
    return not all(content_stems(of[end]) == content_stems(now[end]) for end in ("cause", "effect"))


def turned_apart(earlier: str, later: str) -> bool:
    """Whether the earlier statement says what somebody does with a thing, and the later one what the thing itself does.

    Examples
    --------
    >>> turned_apart("Marek writes the ingest service.", "The ingest service writes to Kafka.")
    True
    >>> turned_apart("Marek writes the ingest service.", "The ingest service is written by Ana now.")
    False
    """
    does = _DOES_TO.match(earlier)
    if does is None or _AGENT.search(later) or any(cue.search(later) for cue in (cues.ENDED, cues.CHANGED)):
        return False
    thing = content_stems(does["what"])
    opening = content_stems(" ".join(WORD.findall(later)[: len(does["what"].split()) + 1]))
    return bool(thing) and thing <= opening and stem_of(does["who"].lower()) not in stems(later)


def cancelled_apart(earlier: str, later: str) -> bool:
    """Whether the later statement calls off one event, of which the earlier one says nothing, or something unnamed for
    something else that has nothing to do with the earlier one.

    Examples
    --------
    >>> cancelled_apart("Tessa studies beetles.", "Tessa had to cancel lunch.")
    True
    >>> cancelled_apart("Lunch with Tessa is at one.", "Tessa had to cancel lunch.")
    False
    >>> cancelled_apart("They agreed to pay 30 percent.", "Let's cancel it and take the used kiln, which pays for it.")
    True
    """
    event = _CANCELS.search(later)
    if event is not None:
        return content_stems(event["event"]).isdisjoint(content_stems(earlier))
    if not _TAKES_INSTEAD.search(later):
        return False
    return (content_stems(later) - _OF_ANY_DEAL).isdisjoint(content_stems(earlier))
