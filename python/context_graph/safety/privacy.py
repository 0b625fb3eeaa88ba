"""What a person marked as private is cut out before anything is kept.

The mark is `<private>...</private>`, in any case. In doubt more is cut, never less: a mark that is not closed reaches
to the end of the text, one that was not opened reaches back to its beginning.
"""

import re
from dataclasses import dataclass

from context_graph.regex import regex

__all__ = ["GAP", "TAG", "Public", "without_private"]

TAG = "private"
GAP = f"[REDACTED:{TAG}]"

# An opening mark need not be complete, since all behind it is private anyway; a closing one must be.
# Linear: every character is looked at from the nearest "<" before it only.
_MARK = regex(rf"<\s*{TAG}(?![\w-])|<\s*/\s*{TAG}\s*>", re.I)


@dataclass(frozen=True, slots=True)
class Public:
    """A text without what was marked as private.

    Attributes
    ----------
    text : str
        With `GAP` in each place where something was cut out.
    cut : bool
        Whether anything was.
    """

    text: str
    cut: bool


def without_private(text: str) -> Public:
    """Cut out everything between the marks, the marks too; nested ones belong to the outermost.

    Examples
    --------
    >>> without_private("The safe <private>opens with 4711</private> is in the cellar.").text
    'The safe [REDACTED:private] is in the cellar.'
    """
    pieces: list[str] = []
    depth, public_from = 0, 0
    for mark in _MARK.finditer(text):
        if "/" not in mark[0]:
            if depth == 0:
                pieces += [text[public_from : mark.start()], GAP]
            depth += 1
            continue
        if depth == 0:
            pieces = [GAP]
        depth = max(0, depth - 1)
        public_from = mark.end()
    if depth == 0:
        pieces.append(text[public_from:])
    return Public("".join(pieces), GAP in pieces)
