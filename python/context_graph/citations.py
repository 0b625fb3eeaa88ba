"""Citation tags: short names of memories in distilled text."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from context_graph.errors import CitationNotFound, InvalidInput
from context_graph.models import Node, NodeState
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.store import Reader

__all__ = ["is_tag", "node_of", "tag_of"]

DIGITS = 10
"""Hex digits of an id in its tag: 40 random bits, so two of 100,000 memories share one with probability 0.005; with
0.016 where all were written 64 at once, for 12 of these bits are those of the whole write."""

MAX_CANDIDATES = 16
"""Memories that are looked at for one tag."""

_TAG = regex(r"^\[?node_([0-9A-Fa-f-]{6,36})\]?$")


def tag_of(node_id: str) -> str:
    """The tag of a memory, such as `[node_0193a4b2c1]`."""
    return f"[node_{node_id.replace('-', '')[:DIGITS]}]"


def is_tag(text: str) -> bool:
    """Whether a text has the shape of a citation tag rather than of an id."""
    return _TAG.match(text.strip()) is not None


def node_of(
    store: "Reader",
    tag: str,
    *,
    visible: Callable[[list[Node]], list[Node]] = list,
    field: str = "tag",
    forgotten: bool = False,
) -> Node:
    """The memory that a tag names; the brackets are optional, more digits than needed are welcome.

    Parameters
    ----------
    visible : callable
        Those of some nodes that the caller may see; the others are as unknown as ones that do not exist.
    field : str
        The argument, as an error names it.
    forgotten : bool
        Also one in the trash.
    """
    match = _TAG.match(tag.strip())
    if match is None:
        raise InvalidInput(
            f"a citation tag looks like [node_0193a4b2c1], got {tag[:60]!r}; copy it from the context", field=field
        )
    matches = [
        node
        for node in visible(store.find_by_prefix(match[1], MAX_CANDIDATES))
        if forgotten or node.state != NodeState.FORGOTTEN
    ]
    if not matches:
        raise CitationNotFound(f"no memory has the tag {tag[:60]!r}; it may be forgotten: search_tombstones finds it")
    if len(matches) > 1:
        raise CitationNotFound(
            f"the tag {tag[:60]!r} names several memories; give more digits, such as {tag_of(matches[0].id)}"
        )
    return matches[0]
