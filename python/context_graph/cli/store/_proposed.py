"""What a language model has proposed of a memory, as lines for a person."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_graph.extraction.proposals import Proposals

__all__ = ["lines_of"]


def lines_of(proposals: "Proposals") -> list[str]:
    """A line for each claim, time and alias."""
    from context_graph.safety.quoting import inline

    lines = [f"  {inline(one.subject)}, {inline(one.relation)}: {inline(one.object)}" for one in proposals.claims]
    lines += [f"  {inline(time.words)!r}: {time.first} to {time.last}" for time in proposals.times]
    return [*lines, *(f"  {inline(each.name)}, also {inline(each.alias)}" for each in proposals.aliases)]
