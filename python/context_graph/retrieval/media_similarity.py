"""Which pictures, sounds and films look or sound like another: nearness in E10, block by block."""

from typing import NamedTuple

import numpy as np

from context_graph.embed.multimodal import ID, SIGNAL, TEXT
from context_graph.index.corpus import Corpus

__all__ = ["Alike", "alike"]

SHORTLIST = 64


class Alike(NamedTuple):
    """Memories with a like signal, the most similar first.

    Attributes
    ----------
    rows : int64 (k,)
    looks : float32 (k,)
        Cosine of the signal blocks.
    similarities : float32 (k,)
        Mean cosine of the blocks that both have: where both have words, of those too.
    """

    rows: np.ndarray
    looks: np.ndarray
    similarities: np.ndarray


def alike(corpus: Corpus, vector: np.ndarray, mask: np.ndarray, *, look: float, k: int) -> Alike:
    """The memories within a mask whose signal has at least this cosine with that of an E10 vector.

    Parameters
    ----------
    vector : float32 (1024,)
        Of a file; where it has no signal, nothing is like it.
    mask : bool (n,)
        Rows that may be answered: of one modality, for the look of a picture says nothing about a sound.
    """
    space, signal = corpus.optional[ID], vector[SIGNAL]
    occupied_places = space.within(mask)
    if len(occupied_places) == 0 or not signal.any():
        return Alike(np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros(0, np.float32))
    asked = np.zeros_like(vector, np.float32)
    asked[SIGNAL] = signal / np.linalg.norm(signal)
    # A vector with words beside its signal gives half of its length to each, so scores are no order yet.
    first = space.vectors.scores(asked[None], ids=occupied_places)[0]
    near = occupied_places[np.lexsort((occupied_places, -first))[: max(SHORTLIST, 4 * k)]]
    vectors = space.vectors.rows(near)
    looks, _ = _cosines(vectors[:, SIGNAL], signal)
    words, both = _cosines(vectors[:, TEXT], vector[TEXT])
    similarities = np.where(both, (looks + words) / 2, looks)
    chosen = np.flatnonzero(looks >= look)
    chosen = chosen[np.lexsort((space.owners.row[near[chosen]], -similarities[chosen]))][:k]
    return Alike(space.owners.row[near[chosen]].astype(np.int64), looks[chosen], similarities[chosen])


def _cosines(rows: np.ndarray, to: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cosines with one vector, and whether both sides have that block at all."""
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(to)
    return (rows @ to / np.maximum(lengths, 1e-9)).astype(np.float32), lengths > 1e-6
