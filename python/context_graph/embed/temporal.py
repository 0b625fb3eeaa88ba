"""E2, E3, E4: when something happened, as vectors that are computed from the clock and never stored."""

import numpy as np

from context_graph.embed.spaces import space

__all__ = ["DIMENSIONS", "periodic", "positional", "recent"]

DIMENSIONS = 512
DAY_S = 86400.0
PERIODS_S = (DAY_S, 7 * DAY_S, 30.436875 * DAY_S, 365.2425 * DAY_S)  # hour of day, weekday, day of month, season


@space(id="E2", name="temporal_recent", dim=DIMENSIONS, kind="computed", metric="cosine")
def recent(age_s: np.ndarray) -> np.ndarray:
    """How long ago: soft steps of exponential decay, half-lives from a minute to thirty years.

    Two ages are close when they are close in proportion: an hour and two, a year and two.

    Parameters
    ----------
    age_s : float, shape (n,)
        Seconds before the moment of asking; the future counts as now.

    Returns
    -------
    float32, shape (n, 512), rows of unit length
    """
    half_lives = np.geomspace(60.0, 30 * 365.25 * DAY_S, DIMENSIONS)
    age_s = np.maximum(np.asarray(age_s, np.float64), 0.0)[:, None]
    return _unit(np.exp2(-age_s / half_lives) + 1e-6)


@space(id="E3", name="temporal_periodic", dim=DIMENSIONS, kind="computed", metric="cosine")
def periodic(occurred_s: np.ndarray) -> np.ndarray:
    """Where in the day, week, month and year: 64 harmonics of each period.

    Returns
    -------
    float32, shape (n, 512), rows of unit length: [day 128, week 128, month 128, year 128]
    """
    occurred_s = np.asarray(occurred_s, np.float64)[:, None]
    harmonics = np.arange(1, DIMENSIONS // (2 * len(PERIODS_S)) + 1)
    damping = 1.0 / np.sqrt(harmonics)  # low harmonics say "about then", high ones "exactly then"
    blocks = []
    for period in PERIODS_S:
        angle = 2 * np.pi * np.remainder(occurred_s, period) / period * harmonics
        blocks += [np.cos(angle) * damping, np.sin(angle) * damping]
    return _unit(np.concatenate(blocks, axis=1))


@space(id="E4", name="temporal_positional", dim=DIMENSIONS, kind="computed", metric="cosine")
def positional(position: np.ndarray) -> np.ndarray:
    """How far into its session: the sinusoidal encoding of Vaswani et al. 2017.

    Returns
    -------
    float32, shape (n, 512), rows of unit length
    """
    rate = 10_000.0 ** (-np.arange(0, DIMENSIONS, 2) / DIMENSIONS)
    angle = np.asarray(position, np.float64)[:, None] * rate
    return _unit(np.concatenate([np.sin(angle), np.cos(angle)], axis=1))


def _unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
