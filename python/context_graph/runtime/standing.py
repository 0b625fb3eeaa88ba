"""How far a change of models is, and who answers meanwhile."""

from dataclasses import dataclass

from context_graph.embed import Embedder
from context_graph.index.loader import behind
from context_graph.models import NodeState
from context_graph.store import Storage

__all__ = ["Standing", "answering", "standing"]

MAX_BEHIND_SHARE = 0.05
"""Share of memories without vectors of a model up to which it answers, and finds those by their words."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a change of models is.

    Attributes
    ----------
    left : int
        Memories that the model of the settings has not embedded.
    waits : bool
        Whether answers come from the base tier until it has.
    """

    left: int
    total: int
    model: str
    waits: bool

    @property
    def note(self) -> str:
        """For a person or an agent; empty where there is nothing to say."""
        if not self.waits:
            return ""
        return (
            f"{self.total - self.left} of {self.total} memories are embedded anew by {self.model}; until all are, "
            "answers come from the base tier"
        )


def answering(store: Storage, model: Embedder) -> Embedder:
    """Who answers: the model of the settings, or the base tier until that has embedded nearly all.

    The base tier can answer from any store: what it lacks is made of the texts, at once and without a model.
    """
    if model.tier == "base":
        return model
    left = len(behind(store, model.makers, main=True))
    return model if left <= MAX_BEHIND_SHARE * store.counts()["memories"] else Embedder("base")


def standing(store: Storage, model: Embedder, *, waits: bool) -> Standing:
    """How far a model is with the memories of a store."""
    left = len(behind(store, model.makers))
    total = sum(state != NodeState.FORGOTTEN for (state,) in store.columns(["state"]))
    return Standing(left, total, model.model, waits)
