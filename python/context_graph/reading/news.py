"""Whether a statement tells of something that has changed, by the static vectors of its words.

Words that tell of a change (`cues`) are a list, and people have others: "jacked in the swimming", "had enough after
eleven years". A linear model over the sum of the vectors of all words knows which texts are like those that told of a
change; it is fitted by benchmarks/quality/supersession.py on what was told in the lives of benchmarks/quality/lives.
"""

import json
from functools import lru_cache
from pathlib import Path

import numpy as np

from context_graph.reading import attributes
from context_graph.texts import kept_for_texts

__all__ = ["news_odds"]

NEWS_WEIGHTS = Path(__file__).parent.parent / "data" / "news.json"

MAX_LOG_ODDS = 4.0
"""Log odds beyond which nothing is told apart."""


@kept_for_texts(maxsize=2_048)
def news_odds(text: str) -> float:
    """Log odds, within -4 and 4, that a statement tells of a change.

    Examples
    --------
    >>> news_odds("Pauline's had enough, and on Monday they voted in Iestyn.") > 0
    True
    >>> news_odds("The association meets upstairs at the Drovers.") > 0
    False
    """
    intercept, weights = _weights()
    return float(np.clip(attributes.vector(text) @ weights + intercept, -MAX_LOG_ODDS, MAX_LOG_ODDS))


@lru_cache(maxsize=1)
def _weights() -> tuple[float, np.ndarray]:
    model = json.loads(NEWS_WEIGHTS.read_text("utf-8"))
    return model["intercept"], np.array(model["weights"], np.float32)
