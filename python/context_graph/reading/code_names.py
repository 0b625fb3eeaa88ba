"""Names that programs have for things, and the numbers of what is tracked: `REQUEST_TIMEOUT`, "rates.py", "#12"."""

from collections.abc import Mapping
from typing import NamedTuple

from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["MAX_CODE_NOTE_CHARS", "CodeNames", "code_names", "tracked_numbers"]

MAX_CODE_NOTE_CHARS = 600
"""Characters of a text that are looked at."""

_EXTENSION = (
    "(?:py|pyi|js|jsx|ts|tsx|go|rs|java|kt|c|h|cc|cpp|cs|rb|php|sh|sql|md|rst|txt|toml|ya?ml|json|ini|cfg|conf|env|lock"
    "|xml|html|css|csv|ipynb|tf)"
)
_NAME = regex(
    r"(?<![\w./:@-])(?:"
    rf"(?P<path>(?:[\w.-]{{3,40}}/){{1,8}}[\w.-]{{3,60}}|[\w-]{{2,60}}(?:\.[a-z]{{2,6}})?\.{_EXTENSION}\b)"
    r"|(?P<variable>_{0,2}[A-Za-z][A-Za-z0-9]{0,30}(?:_[A-Za-z0-9]{1,30}){1,8})(?:\(\))?"
    r"|(?P<function>[A-Za-z]\w{1,40})\(\)"
    r"|(?P<numbered>(?!v\d)[A-Za-z]{1,15})(?P<number>\d{1,6})(?![\w.]))"
)
_WORD = regex(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_TRACKED = regex(r"(?:(?<![\w&])#|\b(?i:pr|mr|issue|bug|ticket|pull request) #?)(\d{1,6})\b(?![.:]\d)")


class CodeNames(NamedTuple):
    """What a text names as programs do.

    Attributes
    ----------
    kinds : mapping
        In lower case, each name -> its kind: "path", "variable" (a function too), or of a numbered thing the word
        before its number.
    first : str
        The name with which the text opens; empty where it opens otherwise.
    """

    kinds: Mapping[str, str]
    first: str

    def words(self) -> frozenset[str]:
        """The words of which the names are made, in lower case."""
        return frozenset(word.lower() for name in self.kinds for word in _WORD.findall(name) if len(word) > 2)


@kept_for_texts(maxsize=1_024)
def code_names(text: str) -> CodeNames:
    """The names of a text that only programs have.

    Examples
    --------
    >>> sorted(code_names("REQUEST_TIMEOUT is set in config/settings.toml.").kinds.items())
    [('config/settings.toml', 'path'), ('request_timeout', 'variable')]
    >>> code_names("Service s7 listens on 9107.").kinds, code_names("He ate and/or drank at 5pm.").kinds
    ({'s7': 's'}, {})
    >>> code_names("`quote_rate()` rounds up.").first
    'quote_rate'
    """
    text, kinds, first = text[:MAX_CODE_NOTE_CHARS].rstrip(". "), {}, ""
    for match in _NAME.finditer(text):
        name = match["variable"] or match["function"] or match["path"] or f"{match['numbered']}{match['number']}"
        of_path = "path" if match["path"] else "variable"
        kinds[name.lower()] = match["numbered"].lower() if match["numbered"] else of_path
        if not first and len(text[: match.start()].split()) < 2:
            first = name.lower()
    return CodeNames(kinds, first)


@kept_for_texts(maxsize=1_024)
def tracked_numbers(text: str) -> frozenset[str]:
    """The numbers of issues, pull requests and the like that a text names.

    Examples
    --------
    >>> sorted(tracked_numbers("Bug #231 fixed in PR 240."))
    ['231', '240']
    >>> tracked_numbers("We are #1 of 3.5."), tracked_numbers("page 12")
    (frozenset({'1'}), frozenset())
    """
    return frozenset(_TRACKED.findall(text[:MAX_CODE_NOTE_CHARS]))
