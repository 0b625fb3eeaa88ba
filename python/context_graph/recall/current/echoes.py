"""What an assistant repeated of a statement that is past: "Stall 27, got it"."""

from collections.abc import Mapping, Sequence

from context_graph.models import Node
from context_graph.reading.subjects import content_stems
from context_graph.reading.utterance import ASSISTANTS
from context_graph.recall.current.order import Replacement

__all__ = ["echoes"]

MAX_ECHO_CHARS = 200
"""Of a repetition; what is longer says something of its own."""

MAX_TURNS_BEHIND = 2
"""Turns behind a statement in which it is repeated."""

MIN_ECHOED = 0.5
"""Share of the words of a repetition that the statement has."""


def echoes(replaced: Mapping[int, Replacement], nodes: Sequence[Node], stored: Sequence[int]) -> dict[int, Replacement]:
    """The results that say again what a replaced one before them says, and what took the place of it.

    Parameters
    ----------
    stored : sequence of int
        The place of each among all memories, in the order in which they were stored; empty where it is not known.
    """
    repeated: dict[int, Replacement] = {}
    for place, node in enumerate(nodes if stored else ()):
        if (node.speaker or "").lower() not in ASSISTANTS or len(node.content) > MAX_ECHO_CHARS or place in replaced:
            continue
        words = content_stems(node.content)
        for earlier, by in replaced.items():
            follows = 0 < stored[place] - stored[earlier] <= MAX_TURNS_BEHIND
            if not follows or place == by.by or nodes[by.by].occurred_at <= node.occurred_at:
                continue
            shared = words & content_stems(nodes[earlier].content)
            if shared and len(shared) >= MIN_ECHOED * len(words):
                repeated[place] = by
                break
    return repeated
