"""A note about another name of a program, or another issue, than the one that is asked for ends nothing of it."""

import re

from context_graph.embed.stems import stems
from context_graph.reading.code_names import MAX_CODE_NOTE_CHARS, CodeNames, code_names, tracked_numbers
from context_graph.reading.subjects import content_stems
from context_graph.recall.apart.words import refers
from context_graph.regex import regex

__all__ = ["code_name_apart", "tracked_apart", "version_apart", "work_apart"]

_OF_ANY_WORK = frozenset(
    stem
    for word in (
        "pr mr issue bug ticket pull request fix fixed close closed merge merged open opened reopened done todo task"
        " work review reviewed reviewer commit release version add added remove removed change changed update updated"
        " assigned owner test file function branch main closes fixes wait waiting"
    ).split()
    for stem in stems(word)
)
"""Words that notes about any two pieces of work may share."""

MIN_OWN_WORDS = 3
"""Words of its own from which a note says what it is about: "moved to 8080 (PR #12)" is about what was named before."""

_SPAN = regex(r"`[^`\n]{2,}`")
_VERSION = regex(r"(?<![\w.])v?\d{1,4}(?:\.\d{1,4}){1,3}\b(?!:)")
_RELEASE = regex(
    r"\b(?:release\w*|deploy\w*|rolled back|roll-?back|shipped)\b|(?<![\w.])v\d{1,3}(?:\.\d{1,4}){1,3}\b", re.I
)
"""Speaks of a release of the program that is worked on."""

_VERSION_OF = regex(
    r"\b(?:which|what) (?:version of (?:the )?([\w.+#-]{2,30})|([\w.+#-]{2,30}) (?:version|release))\b", re.I
)
_VERSIONED = regex(
    r"\b([A-Za-z][\w.+#-]{1,30})(?: (?:to|is|at|on|from|version|now)){0,3}:? v?\d{1,4}(?:\.\d{1,4}){0,3}\b", re.I
)
"""The thing of which a version is told."""

_NO_THINGS = frozenset(
    "upgraded updated bumped moved switched went now to is at on from version versions and or the by until since floor"
    " minimum required requirement limit that".split()
)

_INSTEAD = regex(r"\binstead\b", re.I)


def code_name_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question is for a name that programs have and the earlier of two statements says something of, and the
    later one shares no word with either, or opens with another name of the kind.

    Examples
    --------
    >>> timeout = "REQUEST_TIMEOUT = 10s in config/settings.toml"
    >>> code_name_apart("What is REQUEST_TIMEOUT?", timeout, "Deployed v1.5.0 to staging.")
    True
    >>> code_name_apart("What is REQUEST_TIMEOUT?", timeout, "Raised the timeout to 20s.")
    False
    >>> code_name_apart("What is REQUEST_TIMEOUT?", timeout, "CONNECT_TIMEOUT = 5s")
    True
    >>> code_name_apart("Port of s7?", "service s7 listens on 9107", "service s9 listens on 9109")
    True
    """
    then, now = code_names(earlier), code_names(later)
    names = code_names(question).kinds.keys() & then.kinds.keys()
    if not names or not names.isdisjoint(now.kinds) or refers(later) or any(name in later.lower() for name in names):
        return False
    if _INSTEAD.search(later):
        return False
    kinds = {then.kinds[name] for name in names}
    if now.kinds.get(now.first) in kinds or kinds & {*now.kinds.values()} - {"path", "variable"}:
        return True
    return _words(question, earlier, then).isdisjoint(_words("", later, now))


def tracked_apart(earlier: str, later: str) -> bool:
    """Whether two statements name issues, pull requests and the like by their numbers, none by one that both have, and
    share no word but such as any two notes of work may.

    Examples
    --------
    >>> tracked_apart("Rate limiting is done, PR #258.", "PR #271 merged.")
    True
    >>> tracked_apart("Rate limiting is done, PR #258.", "Rate limiting was reverted in PR #271.")
    False
    """
    one, other = tracked_numbers(earlier), tracked_numbers(later)
    if not one or not other or one & other or refers(later):
        return False
    return _words("", earlier, code_names(earlier)).isdisjoint(_words("", later, code_names(later)))


def work_apart(question: str, earlier: str, later: str) -> bool:
    """Whether the later of two statements is a note of work on a program, and shares no word with the question or the
    earlier one but such as any two of these may.

    Examples
    --------
    >>> work_apart("May I push to main?", "Never push to main.", "Moved all images from infra/ to docker/base.yaml.")
    True
    >>> work_apart("Which port?", "The API listens on port 8000.", "Now it is 8080, see PR #12.")
    False
    """
    now, later = code_names(later), later[:MAX_CODE_NOTE_CHARS]
    if not (now.kinds or tracked_numbers(later) or _SPAN.search(later)) or refers(later):
        return False
    words = _words("", later, now)
    return len(words) >= MIN_OWN_WORDS and words.isdisjoint(_words(question, earlier, code_names(earlier)))


def version_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question is for the version of a thing that the earlier of two statements names, and the later one
    tells of a version of another thing, or of a release where the earlier one tells of none.

    Examples
    --------
    >>> python = "bump: Python 3.11 -> 3.12"
    >>> version_apart("Which Python version are we on?", python, "Upgraded pnpm to 9.12.")
    True
    >>> version_apart("Which Python version are we on?", python, "v1.5.0 was rolled back.")
    True
    >>> version_apart("Which Python version are we on?", python, "We upgraded to 3.13.")
    False
    """
    earlier, later = earlier[:MAX_CODE_NOTE_CHARS], later[:MAX_CODE_NOTE_CHARS]
    if not _VERSION.search(later) or refers(later):
        return False
    version = _VERSION_OF.search(question)
    thing = (version[1] or version[2]).lower() if version else ""
    if thing in _words_as_written(later):
        return False
    if _RELEASE.search(later):
        own_words = content_stems(later) - _OF_ANY_WORK
        return own_words.isdisjoint(content_stems(earlier)) and not any(map(_RELEASE.search, (question, earlier)))
    own = {match[1].lower() for match in _VERSIONED.finditer(later)} - _NO_THINGS
    return thing in _words_as_written(earlier) and bool(own)


def _words_as_written(text: str) -> frozenset[str]:
    """In lower case: "Go" and "C" are names here."""
    return frozenset(word.lower().strip(".,;:!?()`") for word in text.split())


def _words(question: str, text: str, names: CodeNames) -> frozenset[str]:
    """Stems of the content words of a question and a text, and of those of which names in it are made."""
    parts = frozenset(stem for word in names.words() for stem in stems(word))
    return (content_stems(question) | content_stems(text) | parts) - _OF_ANY_WORK
