"""Which part of a statement a later one changes, where it says several things."""

import re
from collections.abc import Sequence
from typing import Literal

from context_graph.embed.chunks import clauses
from context_graph.embed.stems import stem_of, stems
from context_graph.reading import cues, supersession
from context_graph.reading.subjects import WORD, content_stems, subject_of
from context_graph.recall.apart.words import OF_ANYTHING, PLACE
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["asked_kinds", "changed_part", "core_of"]

MIN_CHANGED_ODDS = -1.0
"""Log odds of a clause and the later statement from which on that clause is taken to be the one that changes."""

_CALENDAR = (
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May\b|June|July|August|September|October"
    r"|November|December"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?"
_KINDS = {
    "day": regex(
        rf"\b(?:{_WEEKDAY})\b"
        rf"|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b"
        rf"|\b(?:in|from|to|until|till|by) (?:early |mid |late )?{_MONTH}\b|\bthe \d{{1,2}}(?:st|nd|rd|th)\b",
        re.I,
    ),
    "hour": regex(
        r"\b\d{1,2}(?::\d\d| ?[ap]m\b| uhr\b| o['’]clock)|\b(?:half|quarter) (?:past |to )?[a-z]+\b"
        rf"|\b(?:noon|midnight)\b|\bat {cues.HOUR}\b(?! \w+s\b)",
        re.I,
    ),
    "place": regex(rf"\b(?:[Ii]n|[Aa]t) (?:the |[Rr]oom )?(?!{_CALENDAR})[A-ZÄÖÜ]\w+"),
    "company": regex(
        r"\b(?:with|mit|con) (?:my|our|his|her|their|mein\w*|mi) (?:[a-zäöüß-]+ ){0,2}"
        r"(?P<who>[A-ZÄÖÜ][\w’'-]+"
        r"(?:(?:,| and|,? und|,? y) (?:(?:my|our|his|her|their) (?:[a-z-]+ )?)?[A-ZÄÖÜ][\w’'-]+)*)"
    ),
}
"""What a statement may say of one thing beside each other."""

_ASKED_KINDS = (
    (regex(r"\b(?:where|wo|wohin|dónde)\b", re.I), ("place",)),
    (regex(r"^\W*(?:who\b|who['’]s\b|wer\b|qui[eé]n\b)", re.I), ("somebody",)),
    (
        regex(r"\b(?:whom?|wem|quién)\b.*\b(?:with|mit|con)\b|\b(?:with whom|mit wem|con quién)\b", re.I),
        ("company",),
    ),
    (
        regex(r"^\W*(?:(?:in|on|at|for|to|from|with|of) )?(?:what|which|how)\b(?! (?:time|day|date)\b)", re.I),
        ("thing",),
    ),
    (regex(r"\b(?:when|what time|which day|wann|cuándo|qué día)\b", re.I), ("day", "hour")),
)

_SETTING = regex(r"(?!(?:in|from|since|built|born|around|about)\b)[^\W\d_]+(?: [^\W\d_]+){0,2} (?=\S*\d)\S+", re.I)
"""What something is set to, without a verb: "batch size 64"."""

_GAPPED = regex(r"(?!(?:an?|the|my|our)\b)[^\W\d_]+ (by|from|with|at|for|on) (?:the )?(?:[A-ZÄÖÜ]|\d)[\w'’-]+\W*")
"""What shares the verb of the clause before it: "art is done by Pilar, music by Jonas", "API is on 80, web on 81"."""

_COUNTED = regex(r"\d[\d.,]* ([^\W\d_]+)")
_NUMBER = regex(r"\d")

_TO_NO_PLACE = regex(
    rf"\b(?:to|on|at|by|until|till|for) (?:the )?(?:(?:port|version|number|build|release) )?(?:#?v?\d\S*|{_WEEKDAY})"
    rf"|\b(?:by|for) an? \w+|\b(?:to|on|in|until|till|by) (?:next |this |the )?(?:{_MONTH}|week|month|year)\b",
    re.I,
)
_SOMEWHERE = regex(PLACE, re.I)

_ROLE = r"(?<![\w’'-])[A-ZÄÖÜ][\w’'-]* (?:as|for|in|on) (?:(?:the|our|an?) )?[a-zäöüß][\w-]*(?: [a-zäöüß][\w-]*)?"
_ROLES = regex(rf"{_ROLE}(?P<joint>,? (?:and|und|y) )(?P<second>{_ROLE}\W*+$)")
"""Two things that serve for something each: "Airflow for orchestration and Snowflake as the warehouse"."""

_SHARED_SUBJECT = regex(r"\s+(?:and|und|y)\s+(?P<verb>[a-zà-ÿ]+)(?=\s)")
_MORE_VERBS = frozenset(
    "earn earns swim swims train trains help helps run runs open opens close closes shut shuts start starts begin"
    " begins end ends finish finishes leave leaves arrive arrives öffnet öffnen schließt schließen beginnt endet abre"
    " abrimos cierra cerramos empieza termina acaba".split()
)
"""Verbs that may follow "and" without a subject, besides `cues.VERBS`."""

_PARTICIPLE = regex(
    r"(?:\w+ed|built|done|driven|held|kept|led|made|paid|run|sold|spoken|taught|written) "
    r"(?:as|at|by|for|from|in|on|to|under|with) (?!(?:of|by)\b)\S.*",
    re.I,
)
"""Says something more of the subject of the clause before it: "built with Gradle"."""

_ASKED_OF_ANYTHING = OF_ANYTHING | frozenset(stems("prefer like mean say tell think"))
"""Words of a question that say nothing of what it is about."""

_CORE = regex(r"(?:\w+[\w'’-]* ){1,4}?(?:in|at|for|to|on|by|with) (?:the |an? )?[A-ZÀ-Þ][\w’-]+(?= \w)")
"""A clause up to the first name that a preposition leads to."""

_RANGE = regex(r"\b(?:to|through|till|until|bis|hasta)\b|\w[–-]\w", re.I)

_NAME = regex(r"[A-ZÄÖÜ][\w’'-]+")
_NAMES_ONE = regex(r"(?<=[\w,] )[A-ZÄÖÜ][a-zß-ÿ][\w’'-]*")
"""Names somebody, not by its first word, nor by capitals alone ("API")."""

_NAMES = regex(
    r"[A-ZÄÖÜ][\w’'-]+(?:, [A-ZÄÖÜ][\w’'-]+)*,? (?:and|or|und|oder|y|o) (?:(?:on|in|at|by|from|with|to|for) )?(?:the )?"
    r"[A-ZÄÖÜ][\w’'-]+"
)
"""Names in a list: "Elsbeth, Gerda and Rolf"."""

_LABELLED = regex(r"[^:.,;!?]{1,60}:(?= )")

_PIECES = regex(r"[,;]\s+")

_ALL_DAYS = regex(r"\b(?:weekdays?|workdays?|every day|daily|all week|days a week|werktags|täglich|jeden Tag)\b", re.I)
_ONE_DAY = regex(rf"\b(?:{_WEEKDAY}|mittwochs?|weekends?)\b", re.I)

_PUTS_IT = regex(
    r"\b(?:shift|move|push|postpone|put|bring|reschedule|delay|make|prefer|want|need|do)(?:s|d|ed|t)? "
    r"(?:it|that|them|this)\b(?: (?:back|forward|off))?(?: (?:to|on|until|by|for|from)\b| two| a )",
    re.I,
)
_OVER = regex(r"\b(?:cancel\w*|called off|over|ended|closed|abgesagt|vorbei|cancelad[oa])\b", re.I)


def asked_kinds(question: str) -> frozenset[str]:
    """What a question asks for: a day, an hour, a place, company, somebody, a thing; "where" a place, "when" two."""
    return frozenset(kind for form, kinds in _ASKED_KINDS if form.search(question) for kind in kinds)


def changed_part(
    question_stems: frozenset[str], earlier: str, later: str, kinds: frozenset[str] = frozenset()
) -> Literal["", "one", "another"]:
    """Which part of an earlier statement a later one changes: "one" that the question may be about, so that the rest
    of the statement still holds; "another" than the question is about; empty where it says one thing, or it cannot be
    told.

    Parameters
    ----------
    question_stems : frozenset of str
        Stems of the question.
    kinds : frozenset of str
        Its `asked_kinds`.

    Examples
    --------
    >>> changed_part(frozenset({"bass"}), "Kai plays drums, Mira sings, I play bass.", "Mira left the band, Lea sings.")
    'another'
    >>> changed_part(frozenset({"thursday"}), "I swim on Mondays and Thursdays.", "On Thursdays I do yoga instead.")
    'one'
    >>> changed_part(frozenset({"freez"}), "We freeze on 2 May, version 3 on 9 May.", "The version slipped by a week.")
    'another'
    >>> changed_part(frozenset({"clerk"}), "I have two clerks, Ada and Emil.", "Emil left, I hired Bo in his place.")
    'one'
    >>> changed_part(frozenset({"build"}), "Ida is written in Go 1.2, built with Make.", "Upgraded Ida to Go 1.3.")
    'another'
    >>> changed_part(frozenset({"allerg"}), "I'm at Acme and I'm allergic to nuts.", "I left Acme, I'm at Globex now.")
    'another'
    >>> changed_part(frozenset({"live"}), "I live in Graz and work at Acme.", "I left Acme, I'm at Globex now.")
    'another'
    >>> changed_part(frozenset({"min", "io"}), "Min Android is 8, min iOS 15.", "Android minimum raised to 10.")
    'another'
    >>> yard = "The yard in Via Roma: budget 240k, tender closes 12 May.", "Via Roma's tender moved to 19 May."
    >>> changed_part(frozenset({"budget"}), *yard), changed_part(frozenset({"tender"}), *yard)
    ('another', 'one')
    >>> tools = "The team uses Airflow for jobs and Snowflake as the warehouse.", "We moved from Airflow to Dagster."
    >>> changed_part(frozenset({"warehous"}), *tools), changed_part(frozenset({"job"}), *tools)
    ('another', 'one')
    >>> gym = "The gym opens at 7 and closes at 10.", "The gym now closes at 11."
    >>> changed_part(frozenset({"gym", "open"}), *gym), changed_part(frozenset({"gym", "close"}), *gym)
    ('another', 'one')
    >>> works = "We redo the roof, the builder is Ole from Hus AS.", "Ole bailed on us, we go with Tak AS now."
    >>> changed_part(frozenset({"roof"}), *works, asked_kinds("Who does the roof?"))
    'one'
    >>> changed_part(frozenset({"live"}), "I live in Graz.", "I moved to Linz.")
    ''
    """
    if _its_day_changed(kinds, earlier, later):
        return "one"
    if _piece_changed(question_stems, earlier, later) or _another_time(kinds, later):
        return "another"
    if (by_kind := _kind_changed(kinds, earlier, later)) == "another":
        return by_kind
    parts, head = _stating(earlier), ""
    if (label := _LABELLED.match(earlier)) and len(parts) > 2:  # what heads all of them is no part
        head = label[0].rstrip(":")
        parts = [part for part in parts if part.strip() != head]
    if len(parts) < 2:
        return "one" if _some_values(earlier, later) else by_kind
    odds = [_odds(part, later) for part in parts]
    if max(odds) < MIN_CHANGED_ODDS:
        return ""
    words = [content_stems(part) for part in parts]
    subject = subject_of([word.lower() for word in WORD.findall(parts[0])])
    words[1:] = [
        of | subject if next(iter(part.lower().split())) in cues.VERBS | _MORE_VERBS else of
        for part, of in zip(parts[1:], words[1:], strict=True)
    ]
    now = content_stems(later)
    question_stems = (question_stems - content_stems(head)) & set().union(*words) or question_stems
    # what a thing is asked by, and the later one has too, says nothing of which part is meant, unless there is no other
    topic = (question_stems - now - _ASKED_OF_ANYTHING) & set().union(*words) if "thing" in kinds else None
    shares = [len((topic or question_stems) & of) for of in words]
    best, meant = odds.index(max(odds)), shares.index(max(shares))
    if shares[best] < shares[meant] and (words[meant] - words[best]).isdisjoint(now):
        names_one = "somebody" in kinds and _NAMES_ONE.search(parts[best]) and not _NAMES_ONE.search(parts[meant])
        return "one" if names_one else "another"
    if cues.ENDED.search(later) or cues.NEGATED.search(later):
        return "one"
    settings = [of for part, of in zip(parts, words, strict=True) if _SETTING.fullmatch(part)]
    set_alone = set().union(*settings) - words[best] - now
    return "another" if question_stems & set_alone and (words[best] & now) - question_stems else "one"


def _kind_changed(kinds_asked: frozenset[str], earlier: str, later: str) -> Literal["", "one", "another"]:
    """Of a statement that has a day, an hour, a place or company beside each other, which of them a later one changes.

    Examples
    --------
    >>> choir = "Choir is on Mondays at six in St. Michael's.", "The choir moved to Thursdays."
    >>> [_kind_changed(asked_kinds(question), *choir) for question in ("Where is choir?", "When is choir?")]
    ['another', 'one']
    >>> home = "I live in Celle with my dog Waldi.", "Waldi died in July."
    >>> [_kind_changed(asked_kinds(question), *home) for question in ("Where do I live?", "Who do I live with?")]
    ['another', 'one']
    """
    of, now = (frozenset(kind for kind, form in _KINDS.items() if form.search(text)) for text in (earlier, later))
    if _of_company(earlier, later):
        now = frozenset({"company"})
    elif any(cue.search(later) for cue in (cues.NEGATED, _OVER)):
        return ""
    elif _SOMEWHERE.search(_TO_NO_PLACE.sub(" ", later)):
        now |= {"place"}
    if not of & now or not of - now:
        return ""
    return "another" if kinds_asked & of and not kinds_asked & now else "one"


def _its_day_changed(kinds_asked: frozenset[str], earlier: str, later: str) -> bool:
    """Whether a question asks when, and a later statement puts "it" on another day than the only one of the earlier.

    Examples
    --------
    >>> when = asked_kinds("When is the fitting?")
    >>> _its_day_changed(when, "Bo booked a fitting, 80 euros, on 3 May.", "Bo has to shift it to 10 May.")
    True
    >>> _its_day_changed(when, "Bo booked a fitting, 80 euros, on 3 May.", "Bo is in Ulm on 10 May.")
    False
    """
    if "day" not in kinds_asked or not _PUTS_IT.search(later):
        return False
    of, now = ({day[0].lower() for day in _KINDS["day"].finditer(text)} for text in (earlier, later))
    return len(of) == 1 and bool(now - of)


def _another_time(kinds_asked: frozenset[str], later: str) -> bool:
    """Whether a question asks where or who, and a later statement names another day, time or number and no place, or
    nobody.

    Examples
    --------
    >>> [_another_time(frozenset({"place"}), each) for each in ("Choir was moved to the 26th.", "I moved to Ulm.")]
    [True, False]
    >>> [_another_time(frozenset({"somebody"}), each) for each in ("Yin moved to 18:00.", "Yin went to Wen at 18:00.")]
    [True, False]
    """
    if kinds_asked not in ({"place"}, {"somebody"}) or not _TO_NO_PLACE.search(later):
        return False
    rest = _TO_NO_PLACE.sub(" ", later)
    somewhere = "place" in kinds_asked and _SOMEWHERE.search(rest)
    return not (somewhere or _NAMES_ONE.search(rest) or cues.NEGATED.search(rest) or _OVER.search(rest))


def _piece_changed(question_stems: frozenset[str], earlier: str, later: str) -> bool:
    """Whether a later statement changes one of the things that an earlier one lists beside each other, and the question
    is about another: the one with what the later one names as how it was, or that has most of its words, if it has no
    verb or counts what the other counts too.

    Examples
    --------
    >>> deployed = "We deploy to Fly, region ams, app name quill.", "The region changed from ams to fra."
    >>> [_piece_changed(frozenset({word}), *deployed) for word in ("deploi", "region")]
    [True, False]
    >>> pills = "He takes ramipril 5 mg in the morning, bisoprolol 2.5 mg.", "Ramipril went up to 10 mg."
    >>> _piece_changed(frozenset({"bisoprolol"}), *pills)
    True
    >>> letter = "Write in a warm tone, at most 120 words.", "At most 90 words from now on."
    >>> [_piece_changed(frozenset({word}), *letter) for word in ("tone", "word")]
    [True, False]
    >>> _piece_changed(frozenset({"take"}), "We bank at Lloyds, they take 2 euros.", "Changed from Lloyds to N26.")
    False
    >>> fair = "Fair: budget 3k, 110 guests, host is Ida.", "The guests of the fair are down to 96."
    >>> [_piece_changed(frozenset({"fair", word}), *fair) for word in ("host", "guest")]
    [True, False]
    """
    pieces = [piece for piece in _PIECES.split(earlier) if piece.strip(" .")]
    if len(pieces) < 2:
        return False
    heads, now = _heads(pieces[0]), content_stems(later)
    words = [content_stems(piece) - heads for piece in pieces]
    topic = question_stems & set().union(*words)
    if not topic or (question_stems - heads) & now:
        return False
    former = supersession.former_values(later)
    counted, units = _units(later), [_units(piece) for piece in pieces]
    shares = [len(of & now) + len(counted & own) for of, own in zip(words, units, strict=True)]
    best = max(range(len(pieces)), key=lambda at: (bool(former & words[at]), shares[at]))
    if former & words[best]:
        if any(counted & own for at, own in enumerate(units) if at != best):
            return False  # "Cypress is out, CI is down to 9 minutes"
        if any(topic & of and _of_the_same(piece) for piece, of in zip(pieces, words, strict=True)):
            return False  # "The card machine is from SumUp, they take 1.69 percent"
    else:
        parallel = any(topic & of and own & units[best] for of, own in zip(words, units, strict=True))
        states = [not at or _has_verb(piece) for at, piece in enumerate(pieces)]
        listed = set().union(*words) & now <= words[best]  # the later one has nothing of the others
        listed = listed and not any(own for own, of in zip(states, words, strict=True) if topic & of)
        listed = listed or bool(units[best] & now and _NUMBER.search(later))  # "110 guests": "down to 96 guests"
        if shares.count(shares[best]) > 1 or shares[best] < (1 if listed else 2) or (states[best] and not parallel):
            return False
    return not topic & words[best]


def _of_the_same(piece: str) -> bool:
    """Whether a piece tells more of what the piece before it names: "they take 2 percent"."""
    return next(iter(piece.lower().split()), "") in cues.UNNAMED


def _has_verb(piece: str) -> bool:
    words = piece.lower().split()
    return not cues.VERBS.isdisjoint(words) or not cues.SELF.isdisjoint(words)


def _heads(piece: str) -> frozenset[str]:
    """Stems of what a first piece puts before all the others: a label, or its subject.

    Examples
    --------
    >>> sorted(_heads("internet: fibre from Ostwerk")), sorted(_heads("CI takes 22 minutes"))
    (['internet'], ['ci'])
    """
    label = content_stems(match[0]) if (match := _LABELLED.match(piece)) else frozenset()
    return frozenset(label) | subject_of([word.lower() for word in WORD.findall(piece)])


def _units(text: str) -> set[str]:
    """Stems of what a text counts: "word" of "at most 90 words"."""
    return {stem_of(unit.lower()) for unit in _COUNTED.findall(text)}


def _of_company(earlier: str, later: str) -> bool:
    """Whether a later statement is about who an earlier one names as company."""
    company = _KINDS["company"].search(earlier)
    if company is None:
        return False
    names = {_single(name) for name in _NAME.findall(company["who"])}
    first = next(iter(WORD.findall(later)), "")
    return _single(first) in names


@kept_for_texts(maxsize=512)
def core_of(clause: str) -> str:
    """What a clause says up to the first name that a preposition leads to; the clause where that is all, or no
    statement.

    Examples
    --------
    >>> core_of("I live in Porto with my husband Rui"), core_of("The race in Kiel is on Monday.")
    ('I live in Porto', 'The race in Kiel is on Monday.')
    """
    match = _CORE.match(clause)
    return match[0] if match and not cues.VERBS.isdisjoint(match[0].lower().split()) else clause


def _odds(part: str, later: str) -> float:
    """Log odds that a later statement, or a clause of it, takes the place of one clause, or of its core."""
    each = {(own, text) for own in (part, core_of(part)) for text in (later, *clauses(later))}
    pairs = [pair for pair in sorted(each) if supersession.related(*pair)]
    return max((supersession.logit(*pair) for pair in pairs), default=-9.0)


@kept_for_texts(maxsize=256)
def _stating(text: str) -> list[str]:
    """Those of `_predicates` that say something by themselves, or that another one shares its verb with.

    Examples
    --------
    >>> _stating("api listens on 8787 locally, web on 3000")
    ['api listens on 8787 locally', 'web on 3000']
    """
    parts = _predicates(text)
    gapped = [_shares_verb(part, text) for part in parts]
    lends = [*gapped[1:], False]
    return [part for part, *shares in zip(parts, gapped, lends, strict=True) if any(shares) or _states(part)]


def _predicates(text: str) -> list[str]:
    """The clauses of a text, and where two share a subject ("I live in Ulm and work at Acme") each by itself.

    Examples
    --------
    >>> _predicates("I live in Ulm and work at Acme, Bo drives.")
    ['I live in Ulm', 'work at Acme', 'Bo drives.']
    >>> _predicates("We use Jest for units and Cypress for end-to-end tests.")
    ['We use Jest for units', 'Cypress for end-to-end tests.']
    """
    parts: list[str] = []
    for clause in clauses(text):
        start = 0
        for match in _SHARED_SUBJECT.finditer(clause):
            if match["verb"].lower() in cues.VERBS | _MORE_VERBS and len(clause[start : match.start()].split()) > 2:
                parts.append(clause[start : match.start()])
                start = match.start("verb")
        if roles := _ROLES.search(clause, start):
            parts.append(clause[start : roles.start("joint")])
            start = roles.start("second")
        parts.append(clause[start:])
    return parts


def _states(part: str) -> bool:
    """Whether a clause has a subject and a verb, or no verb but a time or a value at its end: "release 3.0 on
    4 December", "batch size 64"."""
    words = part.lower().split()
    if not words or _NAMES.fullmatch(part.strip(" .")):
        return False  # "two clerks, Ada and Emil"
    if _SETTING.fullmatch(part):
        return True
    if words[0] in cues.VERBS | _MORE_VERBS:
        return len(words) > 1  # its subject stands before the "and"
    if words[0] in cues.UNNAMED | cues.SELF or part[0].isupper() or words[0] in ("the", "our", "my"):
        return len(words) > 1
    return len(words) > 2 and (any(word in cues.VERBS for word in words) or bool(cues.TIMED.search(part)))


def _shares_verb(part: str, text: str) -> bool:
    """Whether a clause has the form of the one before it, without its verb, or tells of its subject by a participle."""
    if not text.startswith(part) and _PARTICIPLE.fullmatch(part):
        return True
    if (roles := _ROLES.search(text)) and part == roles["second"]:
        return True
    match = _GAPPED.fullmatch(part)
    return match is not None and f" {match[1]} " in text.partition(part)[0]


def _some_values(earlier: str, later: str) -> bool:
    """Whether a statement lists several times or names, or from which to which, and the later one has some of them.

    Examples
    --------
    >>> _some_values("Deploys are on Tuesdays and Thursdays.", "No more Thursday deploys.")
    True
    >>> _some_values("We sell on Etsy and Amazon.", "Closed the Etsy account.")
    True
    >>> _some_values("We are open 8 to 17 on weekdays.", "On Fridays we close at 15.")
    True
    >>> _some_values("Anna and Ben are in the band.", "Anna and Ben have left.")
    False
    >>> _some_values("I live in Berlin, Germany.", "I moved to Hamburg, Germany.")
    False
    """
    words = {_single(word) for word in WORD.findall(later)}
    times = [_single(time) for time in cues.TIMED.findall(earlier)]
    lists: list[Sequence[str]] = [times] if cues.JOINED.search(earlier) or _RANGE.search(earlier) else []
    if _ALL_DAYS.search(earlier) and _ONE_DAY.search(later) and not _ALL_DAYS.search(later):
        return True
    lists += [[_single(name) for name in _NAME.findall(match[0])] for match in _NAMES.finditer(earlier)]
    return any(1 < len(items) > sum(item in words for item in items) > 0 for items in lists)


def _single(word: str) -> str:
    """A name or a time in lower case, of which there is one: "thursday" for "Thursdays"."""
    return word.lower().removesuffix("'s").removesuffix("’s").removesuffix("s")
