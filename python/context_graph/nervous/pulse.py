"""The pulse: two running averages that tell an agent the state of its memory with every answer."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from context_graph.nervous.lifecycle import Lifecycle

__all__ = ["Pulse", "result_entropy"]

RATE = 2.0 / 26.0  # EWMA over 25 interactions
TEMPERATURE = 0.107
"""Of the result distribution: the median entropy of development questions is one half
(benchmarks/quality/entropy.py). Fixed, so that entropy does not follow the modulators it drives."""

OVER = 10


@dataclass(frozen=True, slots=True)
class Pulse:
    """Entropy and coherence of a session, each an EWMA in [0, 1]."""

    search_entropy: float = 0.5
    surprise: float = 0.5
    fit: float = 0.5
    agreement: float = 0.5
    interactions: int = 0

    @property
    def entropy(self) -> float:
        return 0.7 * self.search_entropy + 0.3 * self.surprise

    @property
    def coherence(self) -> float:
        return 0.5 * (self.fit + self.agreement)

    def stored(self, delta_s: float, delta_c: float) -> "Pulse":
        """After a memory was stored."""
        return Pulse(
            self.search_entropy,
            _towards(self.surprise, delta_s),
            _towards(self.fit, delta_c),
            self.agreement,
            self.interactions + 1,
        )

    def searched(self, entropy: float, agreement: float | None) -> "Pulse":
        """After a search; agreement is None when fewer than two results can agree."""
        return Pulse(
            _towards(self.search_entropy, entropy),
            self.surprise,
            self.fit,
            self.agreement if agreement is None else _towards(self.agreement, agreement),
            self.interactions + 1,
        )

    def suggested(self, stage: Lifecycle, *, built: frozenset[str]) -> str:
        """The next action (seed 001 1.3); a tool that is not built is never suggested, nor is a question in infancy."""
        entropy, coherence = self.entropy, self.coherence
        if entropy > stage.entropy:
            if coherence > 0.5 and stage.stage != "infancy":
                wanted = ["epistemic_action"]
            elif coherence < stage.coherence:
                wanted = ["trigger_dream", "critique_context"]
            else:
                wanted = []
        elif entropy < 0.4 and coherence < stage.coherence:
            wanted = ["get_neighborhood"]
        else:
            wanted = []
        return next((tool for tool in wanted if tool in built), "continue")


def result_entropy(relevance: Sequence[float], *, temperature: float = TEMPERATURE) -> float:
    """Normalised entropy of the calibrated relevance over the ten best: no result 1, one result 1 - p."""
    top = list(relevance[:OVER])
    if not top:
        return 1.0
    if len(top) == 1:
        return 1.0 - top[0]
    powers = [math.exp((p - top[0]) / temperature) for p in top]
    total = sum(powers)
    return -sum(p / total * math.log(p / total) for p in powers if p > 0) / math.log(len(top))


def _towards(average: float, value: float) -> float:
    return average + RATE * (min(1.0, max(0.0, value)) - average)
