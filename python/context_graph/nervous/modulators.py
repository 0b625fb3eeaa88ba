"""Four neuromodulators of a session: small state that sharpens, widens or quickens."""

from dataclasses import asdict, dataclass, replace
from typing import Literal

from context_graph.instants import MINUTE_US

__all__ = ["Mode", "Modulators"]

Mode = Literal["exploit", "explore", "balanced"]

HALF_LIFE_INTERACTIONS = 20
IDLE_US = 10 * MINUTE_US  # only after ten idle minutes does the clock relax them
HALF_LIFE_IDLE_US = 10 * MINUTE_US
EMPTY_SEARCH = 0.3
MARGIN = 0.1
"""Of a modulator's range: how far from its baseline it must be to call the mode anything but balanced."""


@dataclass(frozen=True, slots=True)
class Modulators:
    """Levels in the seeds' units (design 7)."""

    dopamine: float = 3.0
    """1-5: inverse temperature of associative completion."""

    serotonin: float = 0.5
    """0-1: how many spaces the gate consults for a question, 2 to 8 (`embed.fused.spaces_for`)."""

    noradrenaline: float = 1.0
    """0.5-2: temperature of the result distribution."""

    acetylcholine: float = 0.001
    """0.001-0.002: learning rate."""

    @property
    def mode(self) -> Mode:
        """What the levels come to: explore where noradrenaline or serotonin is up, exploit where dopamine is."""
        rest = Modulators()
        wide = max((self.noradrenaline - rest.noradrenaline) / 1.5, self.serotonin - rest.serotonin)
        sharp = (self.dopamine - rest.dopamine) / 4
        if max(wide, sharp) <= MARGIN:
            return "balanced"
        return "explore" if wide >= sharp else "exploit"

    def rewarded(self, reward: float) -> "Modulators":
        """Dopamine level + 0.2 r for a reward, - 0.1 |r| for a penalty (seed 001 7.2)."""
        level = (self.dopamine - 1.0) / 4.0
        level += 0.2 * reward if reward > 0 else -0.1 * abs(reward)
        return replace(self, dopamine=1.0 + 4.0 * _clamp(level, 0.0, 1.0))

    def searched(self, entropy: float, coherence: float, *, empty: bool) -> "Modulators":
        """After a search: doubt raises noradrenaline, incoherence raises serotonin."""
        share = 1.0 - 0.5 ** (1.0 / HALF_LIFE_INTERACTIONS)
        noradrenaline = self.noradrenaline + share * (0.5 + 1.5 * entropy - self.noradrenaline)
        serotonin = self.serotonin + share * (_clamp(1.3 * (1.0 - coherence), 0.0, 1.0) - self.serotonin)
        if empty:
            noradrenaline += EMPTY_SEARCH
        return replace(self, noradrenaline=_clamp(noradrenaline, 0.5, 2.0), serotonin=_clamp(serotonin, 0.0, 1.0))

    def learned(self, score: float) -> "Modulators":
        """Acetylcholine follows what was learned: 0.001 (1 + L)."""
        return replace(self, acetylcholine=_clamp(0.001 * (1.0 + score), 0.001, 0.002))

    def relaxed(self, idle_us: int = 0) -> "Modulators":
        """One step towards the baseline, or more after a long idle time."""
        keep = 0.5 ** (1.0 / HALF_LIFE_INTERACTIONS)
        if idle_us > IDLE_US:
            keep *= 0.5 ** ((idle_us - IDLE_US) / HALF_LIFE_IDLE_US)
        return Modulators(**{name: base + keep * (getattr(self, name) - base) for name, base in _BASELINE.items()})


_BASELINE = asdict(Modulators())


def _clamp(value: float, low: float, high: float) -> float:
    return min(high, max(low, value))
