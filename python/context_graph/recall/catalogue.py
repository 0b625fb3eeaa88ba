"""Memories in the order in which they were stored, by what they are rather than by what they say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from context_graph.access import shown
from context_graph.errors import InvalidInput
from context_graph.models import Caller, Microseconds, Node
from context_graph.reading.metadata import texts
from context_graph.visibility import answers

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Reader

__all__ = ["Filter", "catalogue"]

READ_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories are listed: those that are all of what is given.

    Attributes
    ----------
    since, until : int, optional
        Microseconds: when it happened, the second excluded.
    tags : sequence of str
        All of them stand in `metadata.tags`.
    past : bool
        Also what another memory has taken the place of.
    """

    speaker: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    domain: str | None = None
    scope: str | None = None
    tags: Sequence[str] = ()
    since: Microseconds | None = None
    until: Microseconds | None = None
    past: bool = False

    def passes(self, node: Node) -> bool:
        """Whether a memory is one of these."""
        same = (
            wanted in (None, value)
            for wanted, value in (
                (self.session_id, node.session_id), (self.agent_id, node.agent_id), (self.domain, node.domain),
                (self.scope, node.scope),
            )
        )  # fmt: skip
        return (
            all(same)
            and (self.speaker is None or self.speaker.casefold() == (node.speaker or "").casefold())
            and set(self.tags) <= set(texts(node.metadata, "tags"))
            and (self.since is None or self.since <= node.occurred_at)
            and (self.until is None or node.occurred_at < self.until)
        )


def catalogue(memory: "Runtime", which: Filter, caller: Caller, *, limit: int, after: str | None = None) -> list[Node]:
    """The memories that a caller may be answered, the last stored first.

    Parameters
    ----------
    after : str, optional
        Go on behind this memory: the last of the page before. What is stored meanwhile moves no page.
    """
    end = None
    if after is not None:
        end = shown(memory, after, caller, field="after", forgotten=True).ordinal
        if end is None:
            raise InvalidInput(f"after must name a memory, {after!r} is a concept", field="after")
    session_id, agent_id = (name and memory.written_name(name) for name in (which.session_id, which.agent_id))
    which = replace(which, session_id=session_id, agent_id=agent_id)
    viewer, moment = memory.viewer(caller), None if which.past else memory.present()
    stored = _newest_first(memory.store, end)
    return list(islice((node for node in stored if answers(node, viewer, moment) and which.passes(node)), limit))


def _newest_first(reader: "Reader", end: int | None) -> Iterator[Node]:
    """Memories in all states whose ordinals are below an end."""
    last = reader.ordinals_used() if end is None else end
    while last > 0:
        first = max(0, last - READ_AT_ONCE)
        page = [
            node for node in reader.memories(after_ordinal=first - 1, limit=READ_AT_ONCE) if (node.ordinal or 0) < last
        ]
        yield from reversed(page)
        last = first
