"""What stands under a key of free-form metadata."""

from collections.abc import Iterable, Mapping
from typing import Any

from context_graph.models import Node

__all__ = ["BESIDE", "CASE", "stand_beside", "texts"]

BESIDE = "holds_beside"
"""Names memories that hold as well: neither takes the place of the other, and they are no conflict."""


CASE = "case"
"""Of a case: its id and model, its features, its outcome and what else was said of it."""


def texts(metadata: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The texts under a metadata key that may hold one or a list of them."""
    given = metadata.get(key)
    if given is None:
        return ()
    entries: Iterable[Any] = [given] if isinstance(given, str) else given if isinstance(given, list) else ()
    return tuple(entry.strip() for entry in entries if isinstance(entry, str) and entry.strip())


def stand_beside(one: Node, other: Node) -> bool:
    """Whether somebody has said that both hold."""
    return other.id in texts(one.metadata, BESIDE) or one.id in texts(other.metadata, BESIDE)
