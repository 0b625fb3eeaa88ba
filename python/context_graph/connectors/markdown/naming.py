"""What the file of a memory is called: readable, safe on every system, and never chosen by what it holds."""

import re
import unicodedata
from collections.abc import Iterable

from context_graph.instants import to_datetime
from context_graph.models import Node
from context_graph.regex import regex

__all__ = ["Names", "is_safe", "wiki_link"]

CONCEPTS = "Concepts"
MAX_NAME_CHARACTERS = 60
MAX_NAME_BYTES = 120
"""Of a name without its date and ending; file systems take 255."""

_UNSAFE = regex(r'[/\\:*?"<>|#^\[\]%`]')
_RESERVED = regex(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)", re.I)
"""Names of devices on Windows, whatever follows the first full stop."""


class Names:
    """Gives every node a path that no other one has, whatever a file system takes for the same.

    Parameters
    ----------
    taken : iterable of str
        Paths that others have.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {_key(path) for path in taken}

    def path(self, node: Node, *, concept: bool = False) -> str:
        """Where a node goes, relative to the folder."""
        if concept:
            stem = f"{CONCEPTS}/{_safe(node.name, 'concept')}"
        else:
            day = to_datetime(node.occurred_at)
            stem = f"{day.year:04d}/{day.year:04d}-{day:%m-%d} {_safe(node.name, 'memory')}"
        for end in ("", f" {node.id[-8:]}", f" {node.id}"):
            path = f"{stem}{end}.md"
            if _key(path) not in self._taken:
                break
        self._taken.add(_key(path))
        return path


def is_safe(path: str) -> bool:
    """Whether a path, as a list of files names it, stays in its folder."""
    parts = path.split("/")
    return (
        path.endswith(".md")
        and len(path) <= 1_000
        and "\\" not in path
        and "\0" not in path
        and not any("\ud800" <= one <= "\udfff" for one in path)  # bytes that are not UTF-8
        and not re.match("[A-Za-z]:", path)
        and all(part and not part.startswith(".") for part in parts)
    )


def wiki_link(path: str, name: str) -> str:
    """A link that Obsidian follows, shown by a name."""
    return f"[[{path.removesuffix('.md')}|{_safe(name, 'memory')}]]"


def _safe(name: str, otherwise: str) -> str:
    """A name of letters, digits and harmless signs, short enough for every file system."""
    plain = unicodedata.normalize("NFC", name)
    plain = "".join(one if one.isprintable() else " " for one in _UNSAFE.sub(" ", plain))
    plain = " ".join(plain.split())[:MAX_NAME_CHARACTERS]
    plain = plain.encode()[:MAX_NAME_BYTES].decode(errors="ignore").strip(" .")
    if _RESERVED.match(plain):
        plain = f"{otherwise} {plain}"
    return plain or otherwise


def _key(path: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())
