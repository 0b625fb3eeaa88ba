"""What a command prints: stored text may hold anything, so all of it passes through one filter."""

import argparse
import json
import sys
from typing import Any

from context_graph.safety.display import printable, printable_json

__all__ = ["complain", "counted", "shortened", "show", "show_json"]


def show(parsed: argparse.Namespace, data: Any, text: str) -> None:
    """Print the same thing for a program or for a person."""
    if parsed.json:
        show_json(data)
    else:
        encoding = _encoding()
        print(printable(text).encode(encoding, "backslashreplace").decode(encoding))


def show_json(data: Any, *, indent: int | None = 1) -> None:
    """Print JSON, with escapes where standard output cannot hold the characters themselves."""
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    try:
        text.encode(_encoding())
    except UnicodeEncodeError:
        text = json.dumps(data, indent=indent)
    print(printable_json(text))


def complain(text: str, *, end: str = "\n") -> None:
    """Say something on standard error."""
    print(printable(text).encode("utf-8", "backslashreplace").decode(), end=end, file=sys.stderr, flush=True)


def counted(number: int, what: str) -> str:
    """How many there are of something that takes a plain s.

    Examples
    --------
    >>> counted(1, "part"), counted(2, "part")
    ('1 part', '2 parts')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def shortened(text: str, width: int) -> str:
    """A text as one line of at most so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"
