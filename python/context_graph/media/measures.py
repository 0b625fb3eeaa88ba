"""What the header of a file says of its size, and how a damaged file is refused."""

from typing import NamedTuple

from context_graph.errors import InvalidInput

__all__ = ["Measures", "cut"]


class Measures(NamedTuple):
    """Pixels and seconds; None where a file has none or does not say."""

    width: int | None = None
    height: int | None = None
    duration_s: float | None = None


def cut(name: str, why: str) -> InvalidInput:
    """The error for a file that is not whole."""
    return InvalidInput(f"the {name} file is cut or damaged: {why}; send it whole")
