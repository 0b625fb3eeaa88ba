"""The stage of a memory's life, by how much it has been used."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Lifecycle", "stage_of"]

Stage = Literal["infancy", "growth", "maturity"]


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """A stage with its weights and thresholds (design 7, seed 001 2.4).

    Attributes
    ----------
    lambda_s, lambda_c : float
        How much surprise and coherence count in learning.
    entropy, coherence : float
        Above and below these the state is called doubtful.
    """

    stage: Stage
    lambda_s: float
    lambda_c: float
    entropy: float
    coherence: float


INFANCY = Lifecycle("infancy", 0.7, 0.3, 0.9, 0.2)
GROWTH = Lifecycle("growth", 0.5, 0.5, 0.7, 0.4)
MATURITY = Lifecycle("maturity", 0.3, 0.7, 0.6, 0.5)


def stage_of(interactions: int) -> Lifecycle:
    """The stage after so many stores and retrievals: infancy to 50, growth to 500, then maturity."""
    if interactions < 50:
        return INFANCY
    return GROWTH if interactions < 500 else MATURITY
