"""How likely a statement changes what was told before, and how likely it will be changed, by its wording alone.

"The clutch gave out, so I cycle in" has no word that always tells a change. Two linear models over what an act is
judged by (`act_model.features`); fitted by benchmarks/quality/claims.py on stories written for it.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np

from context_graph.reading.act_model import features
from context_graph.texts import kept_for_texts

__all__ = ["UPDATE_WEIGHTS", "update_odds"]

UPDATE_WEIGHTS = Path(__file__).parent.parent / "data" / "updates.npz"


@lru_cache(maxsize=1)
def weights() -> np.ndarray:
    """The weights of the package, read once: float32 (`act_model.FEATURES` + 1, 2), the last row the intercepts."""
    with np.load(UPDATE_WEIGHTS, allow_pickle=False) as read:
        return read["weights"].astype(np.float32)


@kept_for_texts(maxsize=1_024)
def update_odds(text: str) -> tuple[float, float]:
    """Log odds that a statement changes something told before, and that something told later will change it.

    Examples
    --------
    >>> update_odds("The clutch gave out, so I cycle in these days.") > update_odds("The office has a car park.")
    True
    """
    updates, updated = features(text) @ weights()[:-1] + weights()[-1]
    return float(updates), float(updated)
