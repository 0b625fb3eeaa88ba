"""What an error advises: it names tools, which a person at a terminal or a program calls by other names."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from context_graph.errors import NotFound, Refused
from context_graph.regex import regex

__all__ = ["COMMANDS", "ON_PAGE", "VERBS", "advising", "reword", "worded"]

COMMANDS = {
    "search_graph": "context-graph search",
    "search_tombstones": "context-graph log --type forgotten",
    "restore_from_hash": "context-graph undo {}",
}
"""By tool, the command that does the same."""

VERBS = {
    "search_graph": "recall",
    "search_tombstones": COMMANDS["search_tombstones"],
    "restore_from_hash": "undo('{}')",
}
"""By tool, the method of `Memory` that does the same, or the command where none does."""

ON_PAGE = {"search_graph": "a search", "search_tombstones": "the trash", "restore_from_hash": "an undo"}
"""By tool, what does the same on the page of the memory and in REST."""

TOOL = regex(r"\b(?P<tool>search_graph|search_tombstones|restore_from_hash)\b(?:\('(?P<hash>\w+)'\))?")


def worded(text: str, names: Mapping[str, str]) -> str:
    """A text with other names for the tools that it advises.

    Examples
    --------
    >>> worded("restore_from_hash('0f3a') brings it back; search_graph finds others", COMMANDS)
    'context-graph undo 0f3a brings it back; context-graph search finds others'
    """
    return TOOL.sub(lambda match: names[match["tool"]].format(match["hash"] or "HASH"), text)


@contextmanager
def advising(names: Mapping[str, str]) -> Iterator[None]:
    """Within it, an error about what is not there, or is refused, advises what is called by these names."""
    try:
        yield
    except (NotFound, Refused) as error:
        reword(error, names)
        raise


def reword(error: NotFound | Refused, names: Mapping[str, str]) -> None:
    """Have an error advise what is called by these names."""
    error.args = (worded(str(error), names),)
