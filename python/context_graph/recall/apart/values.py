"""A later statement has no value of the kind that a question asks for: no version, no link, nobody, another setting."""

import re
from itertools import pairwise
from typing import NamedTuple

from context_graph.embed.chunks import clauses
from context_graph.embed.stems import stem_of, stems
from context_graph.reading import cues
from context_graph.reading.acts import named_in
from context_graph.reading.ages import asks_for_age
from context_graph.reading.answer_types import holds_answer, name_stems
from context_graph.reading.first_names import may_be_a_first_name
from context_graph.reading.lists import TICKET
from context_graph.reading.qualifiers import qualified_alike
from context_graph.reading.subjects import WORD
from context_graph.reading.substitutes import asks_for_somebody
from context_graph.recall.apart.words import refers
from context_graph.regex import regex

__all__ = [
    "age_apart", "introduced_apart", "nobody_apart", "qualifier_apart", "setting_apart", "ticket_apart",
    "value_kind_apart",
]  # fmt: skip


class _Kind(NamedTuple):
    """What asks for a kind of value, and what is one."""

    asked: re.Pattern[str]
    value: re.Pattern[str]


_LANGUAGES = (
    "go|golang|rust|python|java|kotlin|scala|c|c\\+\\+|c#|ruby|php|elixir|erlang|haskell|typescript|javascript|swift|perl"
    "|lua|zig|dart|clojure|ocaml|julia|fortran|cobol|bash|sql|node"
)
_KINDS = (
    _Kind(
        regex(r"\bversions?\b|\b(?:what|which) (?:release|build)\b", re.I),
        regex(r"\bv?\d+(?:\.\d+)+|\b(?:version|release|build|v) ?\d|(?-i:[A-Z][A-Za-z]+ \d+\b)|\d{4}-\d\d-\d\d", re.I),
    ),
    _Kind(
        regex(r"\b(?:link|url|website|web ?page|webpage|web address)\b", re.I),
        regex(r"\bhttps?:|\bwww\.|\b\w+\.\w{2,}/|\b\w+\.(?:com|org|net|io|dev|de|app|uk|eu|es)\b", re.I),
    ),
    _Kind(
        regex(
            r"\b(?:ids?|uuid|guid|hash|sha|checksum|serial|iban"
            r"|(?:phone|account|order|tracking|ticket|invoice) number)\b",
            re.I,
        ),
        regex(r"\b(?=\w*\d)\w{4,}\b|\b\w*\d\w*-\w+|#\d", re.I),
    ),
    _Kind(
        regex(
            r"\b(?:what|which) (?:programming )?languages?\b"
            r"|\b(?:what|which)\b.*\b(?:written|programmed|implemented|coded) in\b",
            re.I,
        ),
        regex(rf"(?<![\w.])(?:{_LANGUAGES})(?![\w+#])", re.I),
    ),
    _Kind(
        regex(r"\b(?:prefers?|preferred|preference|favou?rites?)\b", re.I),
        regex(
            r"\b(?:prefer\w*|favou?rites?|likes?|loves?|rather|wants?|hates?|dislikes?|best|better|use[sd]?|using|only"
            r"|always|never|round to|warmed|stick\w*|go(?:es|ing)? (?:with|for)|now)\b",
            re.I,
        ),
    ),
    _Kind(regex(r"\bports?\b", re.I), regex(r"(?<![\d.:-])\d{2,5}(?![\d.:-])")),
)  # fmt: skip

MAX_ASKED_VALUE_CHARS = 300
"""Characters of a question that are looked at."""

_OVER = regex(
    r"\b(?:left|quit|gone|stopped|dropped|removed|replaced|switched|swapped|no longer|any ?more|instead|gave up"
    r"|given up|moved|migrated|reverted|rolled back|upgraded|downgraded|bumped|deprecated|dead|broken|changed)\b",
    re.I,
)
_EITHER = regex(
    r"\b(?P<one>[\w'’.+#-]+) or (?:(?:on|in|at|by|with|for|to|from|of) )?(?:the |an? )?(?P<other>[\w'’.+#-]+)\b"
)

_SETTING = regex(
    r"^\W*(?:(?:set|export) )?(?P<label>[A-Za-z][\w-]*(?: [A-Za-z][\w-]*)?)\s*(?P<sign>=|:(?=\s+[\d./`\"'<$€£-]))\s*\S"
    r"|^\W*(?P<name>[A-Z][A-Z0-9]*_[A-Z0-9_]+)\b"
)
_ANNOUNCES = regex(
    r"\b(?:correction|update|updated|note|edit|fix|fixed|news|reminder|fyi|heads[- ]up|ps|now|actually|decision|decided"
    r"|ok|sorry|oops|wait|status|result|info|remember|important|yes|no|todo|done|said|says|new|also|user|i|we|it|rang"
    r"|please|record|called|wrote|thinks|[a-z]{2,}ed)\b",
    re.I,
)
"""In front of a colon, but not the name of what is set."""

_NOBODY = regex(
    r"\b(?:nobody|no one|somebody|someone|anyone|vacant|unassigned|orphaned|team|the new|a new|another|cancel+ed"
    r"|scrapped|abolished|merged|dissolved|shut down|he|she|they|him|her|them|his|their|i|we|you|me|us|my|our"
    r"|your|boss|manager|lead|colleague|neighbou?r)\b",
    re.I,
)
_OF_THING = regex(
    r"\b(?:[Ii]n|[Oo]n|[Vv]ia|[Uu]sing|[Ii]nto|[Oo]nto|[Aa]t|(?:moved|migrated|ported|switched|deployed|publish(?:ed)?"
    r"|goes|shipped) to) (?:the |our )?[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*"
)
"""A name of what is no person: "moved to Grafana"."""

_DOES = regex(
    r"\b(?:owns?|does|took|takes?|handles?|runs?|leads?|covers?|looks?|is on|responsible|assigned|belongs?)\b", re.I
)
_PLAIN_NAME = regex(r"[A-ZÀ-Þ][a-zà-ÿ]+(?:['’]s)?")

_INTRODUCED = regex(r"\b(?:has|have|there['’]s|there is) an? (?P<what>[a-z]+(?: [a-z]+)?)\b", re.I)
_WHEN_OR_WHERE = regex(r"^\W*(?:when|where|what time|what day|which day)\b", re.I)


def value_kind_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for a value of a kind, or which of two, that only the earlier statement has, and the
    later one does not end it.

    Examples
    --------
    >>> value_kind_apart("Which Redis version is it?", "We use Redis 7.2.", "REDIS_URL is read from the environment.")
    True
    >>> value_kind_apart("Which Redis version is it?", "We use Redis 7.2.", "We use Redis 7.4.")
    False
    >>> value_kind_apart("Rebase or merge for Nadia?", "Nadia wants to rebase.", "Nadia joined Payments.")
    True
    """
    question = question[:MAX_ASKED_VALUE_CHARS]
    if _OVER.search(later) or cues.CORRECTED.search(later):
        return False
    kinds = [kind for kind in _KINDS if kind.asked.search(question) and kind.value.search(earlier)]
    if kinds:
        return not any(kind.value.search(later) for kind in kinds)
    either = None if refers(later) else _EITHER.search(question)
    options = {stem_of(either[name].lower()) for name in ("one", "other")} if either else set()
    return bool(options.intersection(stems(earlier))) and options.isdisjoint(stems(later))


def age_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for an age, which the earlier statement gives and the later one does not.

    Examples
    --------
    >>> age_apart("How old is Posy?", "The kids are Max, 11, and Posy, 6.", "Posy switched to ukulele.")
    True
    >>> age_apart("How old is Posy?", "Posy is 6.", "Posy turned 7.")
    False
    """
    if not asks_for_age(question):
        return False
    names = name_stems(question)
    return holds_answer(earlier, "age", (), names) and not holds_answer(later, "age", (), names)


def ticket_apart(earlier: str, later: str) -> bool:
    """Whether two statements name tickets, and none that both name.

    Examples
    --------
    >>> ticket_apart("HAL-233: parser dies on commas. Open.", "HAL-240: map tiles blurry, open")
    True
    >>> ticket_apart("ADR-12: we use REST.", "ADR-15 supersedes ADR-12: GraphQL.")
    False
    """
    of, now = (set(TICKET.findall(text)) for text in (earlier, later))
    return bool(of and now) and of.isdisjoint(now)


def setting_apart(earlier: str, later: str) -> bool:
    """Whether the later statement sets something by its name, "STRIPE_TIMEOUT=30" or "retention: 90 days", that the
    earlier one does not name.

    Examples
    --------
    >>> setting_apart("We use the Stripe API 2023-10-16.", "STRIPE_TIMEOUT=30")
    True
    >>> setting_apart("The retention of backups is 30 days.", "retention: 90 days from now on")
    False
    """
    setting = _SETTING.match(later)
    if setting is None or _ANNOUNCES.search(setting["label"] or ""):
        return False
    label = {stem_of(word) for word in WORD.findall((setting["label"] or setting["name"]).lower().replace("_", " "))}
    known = {stem_of(word) for word in WORD.findall(earlier.lower().replace("_", " "))}
    return label.isdisjoint(known) if setting["sign"] == ":" else not label <= known


def qualifier_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question names one of several opposed things, staging and production, that the earlier statement names,
    and the later one names but another.

    Examples
    --------
    >>> levels = "LOG_LEVEL=debug on staging, info on prod", "set prod LOG_LEVEL to warn"
    >>> qualifier_apart("What is the log level on staging?", *levels)
    True
    >>> qualifier_apart("What is the log level in production?", *levels)
    False
    """
    return bool(qualified_alike(question, earlier)) and qualified_alike(question, later) is False


def nobody_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks who, the earlier statement names somebody, and the later one nobody.

    Examples
    --------
    >>> nobody_apart("Who owns billing?", "Kofi took billing over.", "Billing dashboards moved to Grafana.")
    True
    >>> nobody_apart("Who owns billing?", "Kofi took billing over.", "Billing went to Rahul.")
    False
    """
    if not asks_for_somebody(question) or cues.CORRECTED.search(later) or cues.NEGATED.search(later):
        return False
    return bool(_people(earlier)) and not (_people(later) or _NOBODY.search(later) or _kin(later))


def _people(text: str) -> set[str]:
    """Words that may be names of persons; of a text without capital letters those before a word for what one does."""
    if text.islower():
        words = [match[0] for match in WORD.finditer(text)]
        return {one for one, verb in pairwise(words) if _DOES.fullmatch(verb) and may_be_a_first_name(one)}
    words = WORD.findall(cues.TIMED.sub(" ", _OF_THING.sub(" ", text)))
    names = {word for word in words[1:] if _PLAIN_NAME.fullmatch(word)}
    return names | {word for word in words[:1] if _PLAIN_NAME.fullmatch(word) and may_be_a_first_name(word)}


def _kin(text: str) -> bool:
    return not cues.KIN.isdisjoint(word.lower() for word in WORD.findall(text))


def introduced_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks when or where something is that the earlier statement names, and the later one tells of
    another thing, which nobody has named: "has a maths test".

    Examples
    --------
    >>> practice = "Max plays handball, practice is Tuesdays at 5."
    >>> introduced_apart("When is Max's practice?", practice, "Max has a maths test next Wednesday.")
    True
    >>> introduced_apart("When is Max's practice?", practice, "Max has a new practice time, Mondays at 4.")
    False
    """
    introduced = _INTRODUCED.search(later)
    if introduced is None or len(clauses(later)) > 1 or not _WHEN_OR_WHERE.match(question):
        return False
    names = {stem for name in named_in(f". {question}") for stem in stems(name)}
    asked = {*stems(question)}.intersection(stems(earlier)) - names
    return bool(asked) and asked.isdisjoint(stems(later)) and {*stems(earlier)}.isdisjoint(stems(introduced["what"]))
