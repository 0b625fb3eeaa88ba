"""Where a passage of a file stands, as a person or an editor would open it."""

from context_graph.models import Node

__all__ = ["address_of", "is_of_file"]


def address_of(node: Node) -> str | None:
    """The path with lines, or with a page or cell; None of what was read from no file.

    Examples
    --------
    "src/lamp.py:12-30", "README.md:1", "plan.pdf#page=3"
    """
    path, line, end, place = (node.metadata.get(key) for key in ("source", "line", "end_line", "place"))
    if not isinstance(path, str):
        return None
    if isinstance(place, str) and place:
        return f"{path}#{place}"
    if not isinstance(line, int):
        return None
    return f"{path}:{line}-{end}" if isinstance(end, int) and end > line else f"{path}:{line}"


def is_of_file(node: Node) -> bool:
    """Whether a memory is a passage of a seeded file: the file says what becomes of it, and nobody else need."""
    return isinstance(node.metadata.get("folder"), str) and isinstance(node.metadata.get("source"), str)
