"""E9: how a text is spelt and in which order, as 10,000 bits."""

import zlib

import numpy as np

from context_graph.embed.spaces import space
from context_graph.embed.stems import words

__all__ = ["DIMENSIONS", "bits"]

DIMENSIONS = 10_000
SEED = 9
LETTERS, WORDS = 3, 2  # lengths of the n-grams


@space(id="E9", name="hyperdimensional", dim=DIMENSIONS, kind="bits", metric="hamming")
def bits(text: str) -> np.ndarray:
    """Letter trigrams and word bigrams, each bound by XOR and rotation and bundled by majority: uint64 (160,).

    Even machine words come from the letters, odd ones from the words, so a Hamming distance weighs
    spelling and order alike, and equal texts have equal bits.
    """
    from context_graph.kernels import hdc

    found = words(text)
    letters = np.frombuffer(" ".join(found).encode("utf-32-le", "replace"), np.uint32).astype(np.uint64)
    tokens = np.array([zlib.crc32(word.encode("utf-8", "replace")) for word in found], np.uint64)
    bits = hdc.encode(letters, np.array([0, len(letters)]), ngram=LETTERS, seed=SEED)[0]
    bits[1::2] = hdc.encode(tokens, np.array([0, len(tokens)]), ngram=WORDS, seed=SEED)[0][1::2]
    return bits
