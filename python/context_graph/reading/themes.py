"""What thing a short statement in English is about, and whether two are about two things of one kind.

"The staging database is Postgres 14" still holds when the production database is upgraded to 16. What a statement is
about opens it ("The worker timeout was raised"), or is what somebody changed ("We bumped pandas to 2.2").
"""

from typing import NamedTuple

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import STOP_WORDS, stem_of, stems
from context_graph.reading import cues
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["of_other_labels", "of_other_things"]

LONGEST = 6
"""Words of what a statement is about."""

FEW = 16
"""Words of a statement that is hardly about more things than one."""

_TOKEN = regex(r"[^\W_]+(?:['’._/-][^\W_]+)*|[^\w\s]")
_DETERMINERS = frozenset("the a an this that these those my our your their his her its".split())
_PREPOSITIONS = frozenset(
    "of to for in at on with from by about between under behind into over off through per without within as".split()
)
_VERBS = cues.VERBS | frozenset(
    "listens listen logs log deploys deploy pins pin hosts host serves serve stores store holds hold contains contain"
    " stays stay sleeps teaches teach writes write sends send reports report exports imports targets ships builds lies"
    " stands comes come arrives leaves rose fell dropped grew takes expires runs ran crashes crashed lost kept paid"
    " changed switched migrated upgraded bumped renamed raised passed failed broke expired".split()
)
_ENDS = _VERBS | {"no", "now"}
_CHANGING = frozenset(
    "moved move bumped bump upgraded upgrade downgraded switched switch migrated migrate raised raise lowered lower"
    " changed change set pinned pin renamed rename shifted rescheduled postponed extended increased decreased reduced"
    " reduce cut put pushed".split()
)
_OF_PEOPLE = frozenset("wants want said says may can left thinks think told asked needs need decided".split())
"""What people do with a thing: who wants the rent to rise is not what the statement is about."""

_OPENING = frozenset("well ok okay so actually also and but oh update note fyi btw , : -".split())
_USING = frozenset("use uses used using".split())
_BEFORE_A_CHANGE = frozenset("have has had 've just now finally also already today yesterday then".split())
_GENERIC = frozenset(
    "new old current former previous first last next other same whole main own only latest final best present second"
    " third more extra another actual real recent nightly daily weekly monthly yearly annual regular usual one".split()
)
"""What sets no thing apart from another of its kind, or not for long."""

_UNKNOWN = frozenset(
    "it that this they he she there what who which these those everything nothing someone somebody everyone one all"
    " both either".split()
)
"""What stands for a thing that is named elsewhere."""


_LABELLED = regex(r"^\W*(?:(?:[^\W\d_]+ ){0,2}?)([^\W\d_]{3,}) (?:#|no\.? ?)?(\d{1,6}|[A-Z])(?=[:,.]?\s)")
"""What opens with one of many of its kind: "Agenda item 2: ...", "Patient B received ...", "Experiment 3 used ..."."""

_OF_VALUES = frozenset(
    "version release port python node java rust django postgres is was to at in on from by for until since about over"
    " under rent room chapter page level season day week phase step stage".split()
)
"""What has a number as its value, and what stands before a number of something else."""


class _Theme(NamedTuple):
    """Words of the thing, its determiner aside; what it is, and what sets it apart from others."""

    words: frozenset[str]
    head: str
    modifiers: frozenset[str]


def of_other_labels(earlier: str, later: str) -> bool:
    """Whether two statements open with two of many things of one kind, by number or letter.

    Examples
    --------
    >>> of_other_labels("Patient A received 5 mg.", "Patient B received 10 mg.")
    True
    >>> of_other_labels("Version 1 is on staging.", "Version 2 is on staging.")
    False
    """
    one, other = _label(earlier), _label(later)
    return one is not None and other is not None and one[0] == other[0] and one[1] != other[1]


@kept_for_texts(maxsize=1_024)
def _label(text: str) -> tuple[str, str] | None:
    """Kind, in small letters, and number or letter of what a statement opens with."""
    match = _LABELLED.match(text)
    return (match[1].lower(), match[2]) if match and match[1].lower() not in _OF_VALUES else None


def of_other_things(earlier: str, later: str) -> bool:
    """Whether two statements in English are about two things: two of a kind that are told apart by a word each, or two
    that neither statement has in common, of which the later one is given a value of its own.

    Examples
    --------
    >>> of_other_things("The staging database is Postgres 14.", "The production database was upgraded to Postgres 16.")
    True
    >>> of_other_things("Redis runs on port 6379.", "We moved the dev server to port 8010.")
    True
    >>> of_other_things("The database is Postgres 14.", "The database was upgraded to Postgres 16.")
    False
    >>> of_other_things("Mailgun sends our mail.", "Postmark sends our mail now.")
    False
    """
    one, other = _theme(earlier), _theme(later)
    if one is None or other is None:
        return False
    of_earlier, of_later = set(stems(earlier)), set(stems(later))
    if one.head == other.head:
        apart = one.modifiers - other.modifiers, other.modifiers - one.modifiers
        return all(apart) and not (apart[0] & of_later or apart[1] & of_earlier)
    if one.words & of_later or other.words & of_earlier or max(len(earlier.split()), len(later.split())) > FEW:
        return False
    return bool((of_later - of_earlier - other.words) & _values(later)) and bool(_values(earlier) - one.words)


@kept_for_texts(maxsize=1_024)
def _values(text: str) -> frozenset[str]:
    """Stems of the numbers, names and times of a statement."""
    tokens = _TOKEN.findall(text)
    valued = [
        token
        for place, token in enumerate(tokens)
        if any(map(str.isdigit, token)) or (place and token[0].isupper()) or cues.TIMED.fullmatch(token)
    ]
    return frozenset(stem for token in valued for stem in stems(token))


@kept_for_texts(maxsize=1_024)
def _theme(text: str) -> _Theme | None:
    """What a statement is about; None where no verb that is known shows it, or it is a pronoun."""
    if language_of(text) != ENGLISH:
        return None
    tokens = [token for token, _ in zip(_TOKEN.findall(text), range(2 * LONGEST), strict=False)]
    words = [token.lower() for token in tokens]
    start = next((i for i, word in enumerate(words) if word not in _OPENING), 0)
    if words and words[start] in cues.SELF - cues.POSSESSIVE:
        start += 1
        while start < len(words) and words[start] in _BEFORE_A_CHANGE:
            start += 1
        if not _USING.isdisjoint(words) and "for" in words:  # "we no longer use Mailgun for the alerts"
            start, ends = words.index("for") + 1, frozenset(".,;:!?")
        elif start < len(words) and words[start] in _CHANGING:
            start, ends = start + 1, _PREPOSITIONS
        else:
            return None
    else:
        ends = _ENDS
    labels = {i for i in range(start + 1, len(words)) if tokens[i].isupper()}  # "team A deploys"
    owned = {i + 1 for i in range(start, len(words)) if words[i] in _DETERMINERS and i not in labels}  # "my left knee"
    places = [i for i in range(start, len(words)) if i not in owned]
    end = next((i for i in places if words[i] in ends), None)
    if end is None and ends is _ENDS:  # "the tap drips"
        end = next((i for i in places[1:] if words[i].endswith("s") and not words[i].endswith("ss")), None)
    if end is None or not 0 < end - start <= LONGEST or words[end] in _OF_PEOPLE:
        return None
    return _of(tokens[start:end])


def _of(tokens: list[str]) -> _Theme | None:
    """What some words before a verb, or behind one, name."""
    words = [token.lower().removesuffix("'s").removesuffix("’s") for token in tokens]
    if any(not word[0].isalnum() or word in _UNKNOWN or word in cues.KIN for word in words):
        return None
    if any(cues.TIMED.fullmatch(word) for word in words):
        return None
    said = {word for word, token in zip(words, tokens, strict=True) if not token.isupper()}  # "us", not "the US bucket"
    if not cues.SELF.isdisjoint(said - cues.POSSESSIVE):
        return None
    behind = next((i for i, word in enumerate(words) if word in _PREPOSITIONS), len(words))
    named = [i for i in range(behind) if words[i] not in _DETERMINERS]
    if not named:
        return None
    labels = {words[i] for i in range(1, behind) if len(words[i]) == 1 and tokens[i].isupper()}
    heads = [i for i in named if words[i] not in labels and not words[i].isdigit()]
    if not heads:
        return None
    contents = [word for word in words if word not in _GENERIC | STOP_WORDS and not word.isdigit()]
    content = {stem_of(word) for word in contents} | labels
    head = stem_of(words[heads[-1]])
    return _Theme(frozenset(content), head, frozenset(content - {head})) if content - labels else None
