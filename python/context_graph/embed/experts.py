"""What the fusion reads of a text: each space that has something to say, laid out in 1,536 numbers of unit length."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from context_graph.embed import expansion, hyperdimensional
from context_graph.embed.fingerprint import Fingerprint, QueryVectors
from context_graph.embed.spaces import OPTIONAL, SPACES

__all__ = ["READ", "WIDTH", "Inputs", "of_fingerprints", "of_memories", "of_questions"]

WIDTH = 1536
GATED = 13
READ = ("E1", "E5", "E6", "E7", "E9", "E12", "E13")
"""The spaces that both a memory and a question can have. The others are always absent: those of time say nothing of a
question, and a point for a name (E11) means something in its own store only. The learned experts know these places: to
add a space is to train them anew."""

READ_OPTIONAL = [id for id in READ if id in OPTIONAL]

PLACE = {id: place for place, id in enumerate(READ)}
SATURATION = 1.2
"""BM25's k1: how soon a repeated word counts no more."""

Terms = tuple[np.ndarray, np.ndarray]
"""int64 (t,) ids of words and float32 (t,) what each counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """n texts, as the gate and the experts see them.

    Attributes
    ----------
    placed : float32 (n, 7, 1536)
        The spaces of `READ`; unit length, or zero where a text lacks the space.
    present : bool (n, 13)
        Which of E1 to E13 each has.
    gate : float32 (n, 1536)
        E1, then 13 presence bits and four statistics in units of about 1, then zeros.
    """

    placed: np.ndarray
    present: np.ndarray
    gate: np.ndarray

    def __len__(self) -> int:
        return len(self.gate)

    def __getitem__(self, rows: np.ndarray | slice) -> "Inputs":
        return Inputs(self.placed[rows], self.present[rows], self.gate[rows])

    @classmethod
    def joined(cls, parts: Sequence["Inputs"]) -> "Inputs":
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("placed", "present", "gate")))


def of_fingerprints(prints: Sequence[Fingerprint]) -> Inputs:
    """Inputs of memories from their fingerprints."""
    return of_memories(
        np.stack([p.semantic for p in prints]),
        np.stack([p.bits for p in prints]),
        [np.concatenate(p.chunks) for p in prints],
        [(np.array(list(p.terms), np.int64), np.array(list(p.terms.values()), np.float32)) for p in prints],
        {id: {i: p.optional[id] for i, p in enumerate(prints) if id in p.optional} for id in READ_OPTIONAL},
    )


def of_memories(
    semantic: np.ndarray,
    bits: np.ndarray,
    tokens: Sequence[np.ndarray],
    terms: Sequence[Terms],
    optional: dict[str, dict[int, np.ndarray]],
) -> Inputs:
    """Inputs of n memories.

    Parameters
    ----------
    semantic : float32 or float16 (n, 1024)
    bits : uint64 (n, 160)
    tokens : n arrays (t, 128)
        Directions of any length, such as the int8 codes that are kept.
    terms : n pairs
        Words and how often each occurs; a word that occurs 0 times is a link and no word.
    optional : dict
        Optional space that is read: row -> vector, of the memories that have one.
    """
    said = [(ids[counts > 0], counts[counts > 0]) for ids, counts in terms]
    saturated = [(ids, counts / (counts + SATURATION)) for ids, counts in said]
    return _inputs(semantic, bits, tokens, said, saturated, saturated, optional)


def of_questions(
    queries: Sequence[QueryVectors], idf: Callable[[np.ndarray], np.ndarray], nonempty_spaces: Collection[str] = READ
) -> Inputs:
    """Inputs of questions, made as those of memories; rare words count more, as in BM25.

    Parameters
    ----------
    rarity : callable
        Ids of words, int64 (t,) -> how rare each is in the store that is asked, float32 (t,).
    nonempty_spaces : collection of str
        Spaces that some memory of that store has; the others are absent, as nothing would answer them.
    """

    def weighed(counts: Mapping[int, float]) -> Terms:
        ids = np.array(list(counts), np.int64)
        return ids, np.array(list(counts.values()), np.float32) * idf(ids)

    return _inputs(
        np.stack([q.semantic for q in queries]),
        np.stack([hyperdimensional.bits(q.text) for q in queries]),
        [q.tokens for q in queries],
        [(np.array(list(q.terms), np.int64), np.array(list(q.terms.values()), np.float32)) for q in queries],
        [weighed(q.terms) for q in queries],
        [weighed(expansion.terms(q.text)) for q in queries],
        {
            id: {i: q.optional[id] for i, q in enumerate(queries) if id in q.optional and id in nonempty_spaces}
            for id in READ_OPTIONAL
        },
    )


def _inputs(
    semantic: np.ndarray,
    bits: np.ndarray,
    tokens: Sequence[np.ndarray],
    term_counts: Sequence[Terms],
    words: Sequence[Terms],
    expanded: Sequence[Terms],
    optional: dict[str, dict[int, np.ndarray]],
) -> Inputs:
    n = len(semantic)
    means = np.stack([_unit(part.astype(np.float32)).mean(axis=0) if len(part) else np.zeros(128) for part in tokens])
    placed = np.zeros((n, len(READ), WIDTH), np.float32)
    placed[:, PLACE["E1"]] = _spread("E1", semantic)
    placed[:, PLACE["E12"]] = _spread("E12", means)
    placed[:, PLACE["E9"]] = _of_bits(bits)
    for i in range(n):
        placed[i, PLACE["E6"]] = _of_words(*words[i], seed=SPACES["E6"].index)
        placed[i, PLACE["E13"]] = _of_words(*expanded[i], seed=SPACES["E13"].index)
    for id, vectors in optional.items():
        if vectors:
            placed[list(vectors), PLACE[id]] = _spread(id, np.stack(list(vectors.values())))
    placed = _unit(placed)
    present = np.zeros((n, GATED), bool)
    present[:, [SPACES[id].index for id in READ]] = placed.any(axis=2)
    gate = np.zeros((n, WIDTH), np.float32)
    width = semantic.shape[1]
    gate[:, :width] = semantic
    gate[:, width : width + GATED] = present
    gate[:, width + GATED : width + GATED + 4] = np.column_stack(
        [
            [np.log1p(len(ids)) / 5 for ids, _ in term_counts],
            [np.log1p(len(part)) / 5 for part in tokens],
            [counts.mean() / 2 if len(counts) else 0.0 for _, counts in term_counts],
            np.linalg.norm(means, axis=1),  # near 1: its words mean the same
        ]
    )
    return Inputs(placed, present, gate)


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)


@lru_cache(maxsize=16)
def _placement(id: str, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Where each number of a space goes, no two to the same place, and with which sign: what two spaces say of one
    text then agrees by chance only."""
    dice = np.random.default_rng(SPACES[id].index)
    return dice.permutation(WIDTH)[:width], dice.choice(np.array([-1, 1], np.float32), width)


def _spread(id: str, rows: np.ndarray) -> np.ndarray:
    places, signs = _placement(id, rows.shape[1])
    spread = np.zeros((len(rows), WIDTH), np.float32)
    spread[:, places] = rows * signs
    return spread


def _of_words(ids: np.ndarray, weights: np.ndarray, *, seed: int) -> np.ndarray:
    """Count sketch (Charikar et al. 2002): each word adds its weight, with a sign, at one place of 1,536."""
    hashed = (ids.astype(np.uint64) + np.uint64(seed)) * np.uint64(
        0x9E3779B97F4A7C15
    )  # odd: modulo 2^64 nothing is lost
    hashed ^= hashed >> np.uint64(32)
    signs = 1.0 - 2.0 * (hashed >> np.uint64(63)).astype(np.float32)
    return np.bincount((hashed % np.uint64(WIDTH)).astype(np.int64), signs * weights, WIDTH).astype(np.float32)


def _of_bits(bits: np.ndarray) -> np.ndarray:
    """10,000 bits as signs, dealt into 1,536 sums: (n, 160) -> float32 (n, 1536)."""
    order = np.random.default_rng(SPACES["E9"].index).permutation(-(-hyperdimensional.DIMENSIONS // WIDTH) * WIDTH)
    signs = np.zeros((len(bits), len(order)), np.float32)
    loose = np.unpackbits(np.ascontiguousarray(bits).view(np.uint8), axis=1, bitorder="little")
    signs[:, : hyperdimensional.DIMENSIONS] = 2.0 * loose[:, : hyperdimensional.DIMENSIONS] - 1.0
    return signs[:, order].reshape(len(bits), -1, WIDTH).sum(axis=1)
