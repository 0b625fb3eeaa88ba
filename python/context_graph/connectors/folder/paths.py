"""Paths of files as memories name them, whatever bytes a name has, and as they are printed."""

from context_graph.regex import regex
from context_graph.texts import storable

__all__ = ["path_on_disk", "printed_path", "stored_path"]

AMBIGUOUS = regex(r"\\(?=\\*(?:x[89a-f][0-9a-f]|[\udc80-\udcff]))")
"""A backslash that could be taken for the beginning of an escaped byte, or stands before one."""

BYTES = regex(r"(?P<pairs>(?:\\\\)*)(?:\\x(?P<byte>[89a-f][0-9a-f])|(?=x[89a-f][0-9a-f]))")
BREAKS = regex(r"[\x00-\x1f\x7f\x85\u2028\u2029]")


def stored_path(path: str) -> str:
    r"""A path in valid Unicode, another one for each path: bytes that are no UTF-8 are escaped.

    Examples
    --------
    >>> print(stored_path("caf\udce9.md"), stored_path("café.md"))
    caf\xe9.md café.md
    """
    if path.isascii() and "\\" not in path:
        return path
    escaped = AMBIGUOUS.sub(r"\\\\", path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return storable(escaped)


def path_on_disk(stored: str) -> str:
    r"""The path that `stored_path` made a text of.

    Examples
    --------
    >>> path_on_disk(r"caf\xe9.md") == "caf\udce9.md", path_on_disk(stored_path(r"caf\xe9.md"))
    (True, 'caf\\xe9.md')
    """
    if "\\" not in stored:
        return stored
    return BYTES.sub(lambda match: match["pairs"][::2] + (_byte(match["byte"]) if match["byte"] else ""), stored)


def _byte(digits: str) -> str:
    return bytes.fromhex(digits).decode("utf-8", "surrogateescape")


def printed_path(stored: str) -> str:
    r"""A stored path on one line: line breaks and other control characters are escaped.

    Examples
    --------
    >>> print(printed_path("two\nlines.md"))
    two\nlines.md
    """
    return BREAKS.sub(lambda match: match[0].encode("unicode_escape").decode(), stored)
