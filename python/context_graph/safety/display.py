"""Stored text as it may be shown: what would command a terminal, or turn the order of what is read, becomes visible."""

import re
from typing import Any

from context_graph.regex import regex

__all__ = ["printable", "printable_json", "printable_values"]

# C0 but newline and tab, DEL, C1, and every character with the property Bidi_Control.
_CONTROL = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """A text whose control characters are shown as escapes; newline and tab stay, and a line may end in CR LF.

    Examples
    --------
    >>> printable("\\x1b[2Jthe \\u202ered lamp\\r\\n")
    '\\\\x1b[2Jthe \\\\u202ered lamp\\n'
    """
    return _CONTROL.sub(_shown, text.replace("\r\n", "\n"))


def printable_values(value: Any) -> Any:
    """The same values of JSON without a control character in any text, stored text among them."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {key: printable_values(entry) for key, entry in value.items()}
    return [printable_values(entry) for entry in value] if isinstance(value, list | tuple) else value


def printable_json(text: str) -> str:
    """JSON with the same values, whose control characters are escaped as JSON does it."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
