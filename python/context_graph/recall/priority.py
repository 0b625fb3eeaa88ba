"""What a context may cost, and what it withholds, by its priority."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from context_graph.recall.briefing import BUDGET

__all__ = ["POLICIES", "Policy", "Priority"]

Priority = Literal["low", "normal", "high", "critical"]


@dataclass(frozen=True, slots=True)
class Policy:
    """How one priority is served.

    Attributes
    ----------
    by_words : bool
        Answered from the answer cache, else by the words of the question alone.
    complete : bool
        All that is relevant is told, whole, as far as the token budget goes: also what is below the bar of relevance,
        what another part of the context seems to make needless, and what would be shortened for its length.
    max_considered, tokens_of_one : int
        Memories to look at, at most; and tokens of the budget for which one is looked at.
    max_briefed : int
        Memories that are pinned or named, at most.
    """

    by_words: bool = False
    complete: bool = False
    max_considered: int = 30
    tokens_of_one: int = 40
    max_briefed: int = BUDGET

    def considered(self, max_tokens: int) -> int:
        """How many memories to look at for a budget."""
        return max(5, min(self.max_considered, max_tokens // self.tokens_of_one))


POLICIES: Mapping[Priority, Policy] = {
    "low": Policy(by_words=True),
    "normal": Policy(),
    "high": Policy(),  # one call is served like another: there is no queue that it could pass
    "critical": Policy(complete=True, max_considered=100, tokens_of_one=20, max_briefed=100),
}
