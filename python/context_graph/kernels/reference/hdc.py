"""Binary hypervectors, as defined: one array entry per bit, uint8."""

from itertools import pairwise

import numpy as np

__all__ = ["bind", "bits", "bundle", "encode", "hamming", "items", "permute", "tie", "words"]

BITS, WORDS = 10_000, 160
GOLDEN = 0x9E3779B97F4A7C15
ALL = 2**64 - 1


def bits(vectors: np.ndarray) -> np.ndarray:
    """(n, 160) uint64 to (n, 10000) of 0 and 1."""
    return np.unpackbits(vectors.astype("<u8").view(np.uint8), axis=1, bitorder="little")[:, :BITS]


def words(values: np.ndarray) -> np.ndarray:
    """(n, 10000) of 0 and 1 to (n, 160) uint64."""
    padded = np.zeros((len(values), WORDS * 64), np.uint8)
    padded[:, :BITS] = values
    return np.packbits(padded, axis=1, bitorder="little").view("<u8")


def mix(x: int) -> int:
    """SplitMix64's finaliser."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & ALL
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & ALL
    return x ^ (x >> 31)


def _stream(key: int) -> np.ndarray:
    return np.array([[mix(key + (w + 1) * GOLDEN & ALL) for w in range(WORDS)]], np.uint64)


def items(symbols: np.ndarray, seed: int) -> np.ndarray:
    """A random vector per symbol, the same one every time."""
    return np.concatenate(
        [np.zeros((0, BITS), np.uint8)] + [bits(_stream(mix(s ^ mix(seed)))) for s in symbols.tolist()]
    )


def tie(seed: int) -> np.ndarray:
    """What majority takes where votes are even."""
    vector: np.ndarray = bits(_stream(mix(seed) ^ ALL))[0]
    return vector


def bind(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    bound: np.ndarray = x ^ y
    return bound


def permute(x: np.ndarray, by: int) -> np.ndarray:
    return np.roll(x, by, axis=1)


def bundle(x: np.ndarray, seed: int) -> np.ndarray:
    """Majority of each bit."""
    twice = 2 * x.sum(axis=0, dtype=np.int64)
    return np.where(twice == len(x), tie(seed), twice > len(x)).astype(np.uint8)


def hamming(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Differing bits of all pairs, (n, m)."""
    differing: np.ndarray = (x[:, None, :] != y[None, :, :]).sum(axis=2)
    return differing


def encode(symbols: np.ndarray, offsets: np.ndarray, *, ngram: int, seed: int) -> np.ndarray:
    """Majority of the n-grams permute(x_0, n-1) ^ ... ^ permute(x_{n-1}, 0) of each document."""
    documents = []
    for start, stop in pairwise(offsets):
        x = items(symbols[start:stop], seed)
        n = min(ngram, len(x))
        grams = np.zeros((max(len(x) - n + 1, 0) if len(x) else 0, BITS), np.uint8)
        for place in range(n if len(x) else 0):
            grams ^= np.roll(x[place : place + len(grams)], n - 1 - place, axis=1)
        documents.append(bundle(grams, seed))
    return np.array(documents, np.uint8).reshape(len(documents), BITS)
