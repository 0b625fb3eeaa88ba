"""What a later statement adds to what is there: a part of it, its repair, a next step, another environment."""

import re

from context_graph.embed.chunks import clauses
from context_graph.embed.stems import stem_of
from context_graph.reading import cues
from context_graph.reading.subjects import WORD, content_stems
from context_graph.regex import regex

__all__ = ["environment_apart", "kind_apart", "part_apart", "step_apart"]

READ = 200
"""Characters of a statement that are looked at."""

_GETS = r"(?:got|gets|has got|received|needs|needed|was given|comes with|has|have|is getting|are getting)"
_PART_OF = regex(
    r"\b(?:new|another|spare|got|bought|buy|ordered|order|prescribed)\b[^.;!?,]{1,60}?"
    r"\b(?:for|of) (?:the|my|our|his|her|their|its) (?P<thing>[\w'’-]+(?: [\w'’-]+){0,2})",
    re.I,
)
_HAS_PART = regex(
    rf"^\W*(?:(?:the|my|our|his|her|their) )?(?P<thing>[\w'’-]+(?: [\w'’-]+){{0,3}}?) {_GETS} "
    r"(?:(?:(?:an?|some|its|his|her|their|the|(?:brand[- ])?new|another|fresh|second) )+"
    r"(?P<part>[a-z][\w'’-]+(?: [\w'’-]+)?)|(?P<parts>[a-z][\w'’-]+s)\b)",
    re.I,
)
_VALUE_OF_ITS_OWN = regex(
    r"\b(?:room|place|hall|venue|address|price|rent|time|day|date|name|colou?r|number|code|password|pin|boss|owner"
    r"|teacher|trainer|coach|leader|manager|dentist|doctor|version|size|memory|gb|tb|plan|tariff|provider|home|schedule"
    r"|timetable|job|title|role)s?\b",
    re.I,
)
"""Of which a thing has one: a new one takes the place of the last."""

_TROUBLE = regex(
    r"\b(?:broken?|leak\w*|out of order|fault\w*|not work\w*|garage|repair\w*|down|stuck|damaged|wreck\w*|crack\w*|sick"
    r"|ill)\b|n['’]t\b",
    re.I,
)

_TREATED = regex(
    r"^\W*(?:(?:the|my|our|his|her|their) )?(?P<thing>[\w'’-]+(?: [\w'’-]+){0,3}?) "
    r"(?:(?:was|were|is being|are being|got|has been|have been) (?:repaired|serviced|cleaned|washed|vaccinated|insured"
    r"|renovated|inspected|tuned|mended|checked|waxed|oiled|sharpened|trimmed|pruned|chipped|sterili[sz]ed|groomed)"
    r"|passed (?:its|the|his|her) (?:inspection|mot|check))\b",
    re.I,
)
_TOGETHER = regex(
    r"\b(?:couple|dating|going out|girlfriend|boyfriend|together|an item|relationship|engaged|partner|living with)\b",
    re.I,
)
_CLOSER = regex(
    r"\b(?:engaged|married|wedding|got hitched|tied the knot|moved in(?: together| with)|anniversary|proposed|bought a"
    r" (?:house|flat)|expecting|said yes)\b",
    re.I,
)
_EMPLOYED = regex(r"\b(?:work|works|working|job|hired|employed|started|joined|first day)\b", re.I)
_RISEN = regex(
    r"\b(?:promoted|promotion|pay rise|(?:a|got a|my) raise|team lead|head of|night shift|early shift|permanent"
    r"|probation|full[- ]time|anniversary|new (?:desk|office|team|boss|manager|title))\b",
    re.I,
)
_ASKS_FOR_STEP = regex(
    r"\b(?:status|relationship|married|single|engaged|fianc\w+|wife|husband|partner|girlfriend|boyfriend|role|position"
    r"|title|job|profession|rank|work as|do for (?:a living|work))\b",
    re.I,
)
_MEMBER = regex(r"\b(?:join\w*|member|enrol\w*|signed up|belong)\b", re.I)
_ELECTED = regex(r"\b(?:elected|treasurer|captain|chair\w*|secretary|board|committee|membership fee|coach)\b", re.I)
_STEPS = ((_TOGETHER, _CLOSER), (_EMPLOYED, _RISEN), (_MEMBER, _ELECTED))
"""What somebody is, and what goes further without ending it."""

_OVER = regex(
    r"\b(?:no longer|any ?more|instead|quit|left|leaves|leaving|stopped|g[ai]ven? up|gave|sold|sell\w*|traded|scrapped"
    r"|stolen|lost|dropped|cancel\w*|died|dead|passed away|broke up|split up|divorc\w*|separated|fired|laid off"
    r"|resign\w*|returned|got rid|cured|healed|recovered|closed|ended|over|retired)\b",
    re.I,
)

_PLACES = frozenset(map(stem_of, "staging production prod dev qa preview sandbox".split()))
_ENVIRONMENTS = _PLACES | frozenset(
    map(stem_of, "environment environments flag flags config configuration variable on off".split())
)
"""What nearly all notes about where software runs have in common."""

_KIND = regex(
    r"^\W*(?:an? |the |all |every )?(?P<what>[\w-]+(?: [\w-]+){0,2}) (?:is|are) (?:an? |the )?(?:kind|type|sort|form"
    r"|breed|species|subclass|part)s? of (?:an? |the )?(?P<of>[\w-]+(?: [\w-]+){0,2})\W*$",
    re.I,
)


def part_apart(earlier: str, later: str) -> bool:
    """Whether the later statement tells of a part, a supply or the upkeep of what the earlier one has: that stays.

    Examples
    --------
    >>> vespa = "I ride a red Vespa."
    >>> part_apart(vespa, "The Vespa got new tyres."), part_apart("I have asthma.", "New inhaler for my asthma.")
    (True, True)
    >>> part_apart("The Vespa has green tyres.", "The Vespa got white tyres."), part_apart(vespa, "Sold the Vespa.")
    (False, False)
    """
    earlier, later = earlier[:READ], later[:READ]
    if _ends(later):
        return False
    before = content_stems(earlier)
    if (of := _PART_OF.search(later)) and _names(of["thing"], before):
        part = later[: of.start("thing")]
        return content_stems(part).isdisjoint(before) and not _VALUE_OF_ITS_OWN.search(part)
    if len(clauses(later)) > 1:  # another clause may tell of a change
        return False
    if treated := _TREATED.match(later):
        return _names(treated["thing"], before) and not _TROUBLE.search(earlier)
    has = _HAS_PART.match(later)
    if has is None or not _names(has["thing"], before):
        return False
    part = has["part"] or has["parts"]
    return content_stems(part).isdisjoint(before) and not _VALUE_OF_ITS_OWN.search(part)


def step_apart(question: str, earlier: str, later: str) -> bool:
    """Whether the later statement goes a step further in what the earlier one says: who marries is still together, and
    who is promoted still works there. Where the step itself is asked for, the last one holds.

    Examples
    --------
    >>> of, pair, job = "How long are we together?", "Eva and I are dating.", "I work at Kruse."
    >>> step_apart(of, pair, "Eva and I got married!"), step_apart("Where do I work?", job, "Promoted at Kruse!")
    (True, True)
    >>> step_apart(of, pair, "Eva married Ole."), step_apart("What is my role?", job, "Promoted at Kruse!")
    (False, False)
    """
    if _ASKS_FOR_STEP.search(question):
        return False
    earlier, later = earlier[:READ], later[:READ]
    if _ends(later):
        return False
    shared = content_stems(earlier) & content_stems(later)
    shared = frozenset(word for word in shared if not _RISEN.search(word))
    for of, further in _STEPS:
        if of.search(earlier) and further.search(later) and shared:
            return of is not _TOGETHER or _of_both(later)
    return False


def environment_apart(earlier: str, later: str) -> bool:
    """Whether two statements have nothing in common but where software runs: "production", "flag"; and the later one is
    not of that place.

    Examples
    --------
    >>> environment_apart("Staging logs go to Loki.", "The cron job is off in staging.")
    True
    >>> environment_apart("Staging runs Postgres 14.", "Staging runs Postgres 16 now.")
    False
    """
    shared = content_stems(earlier) & content_stems(later)
    if not shared & _PLACES or not shared <= _ENVIRONMENTS:
        return False
    openings = (content_stems(" ".join(WORD.findall(clause)[:1])) for clause in clauses(later[:READ]))
    return all(opening.isdisjoint(_PLACES) for opening in openings)


def kind_apart(earlier: str, later: str) -> bool:
    """Whether each of two statements says what something is a kind or a part of: not of the same thing.

    Examples
    --------
    >>> kind_apart("A cat is a kind of mammal.", "Mammals are a kind of animal.")
    True
    >>> kind_apart("A yak is a kind of goat.", "A yak is a kind of cow.")
    False
    """
    of, now = _KIND.match(earlier[:READ]), _KIND.match(later[:READ])
    return of is not None and now is not None and content_stems(of["what"]) != content_stems(now["what"])


def _ends(later: str) -> bool:
    return bool(_OVER.search(later) or cues.NEGATED.search(later) or cues.CORRECTED.search(later))


def _names(thing: str, before: frozenset[str]) -> bool:
    """Whether words name a thing that a statement has, and nothing else."""
    words = content_stems(thing)
    return bool(words) and words <= before


def _of_both(later: str) -> bool:
    """Whether a statement is of who speaks and another one."""
    return not cues.SELF.isdisjoint(word.lower() for word in WORD.findall(later)) or not re.search(
        r"\b[A-ZÀ-Þ][a-zà-ÿ]+ (?:married|got engaged to|moved in with) [A-ZÀ-Þ]", later
    )
