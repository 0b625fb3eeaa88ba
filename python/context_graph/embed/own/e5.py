"""multilingual-e5-small as it reads a text, by NumPy: word pieces in, last states out."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from context_graph.embed.own.e5_file import Packed, Vocabulary, Weights
from context_graph.embed.own.tokenizer import Tokens, tokenizers_package

__all__ = ["E5Runner", "E5Tokenizer"]


class E5Tokenizer:
    """SentencePiece's Unigram over the pieces of the file, read with the first text.

    Parameters
    ----------
    vocabulary : callable
        Reads the pieces.
    """

    head, tail, pad, size, note = [0], [2], 1, 250_002, ""

    def __init__(self, vocabulary: Callable[[], Vocabulary]) -> None:
        self._vocabulary = vocabulary
        self._loaded: tuple[Any, dict[int, str]] | None = None

    def _ready(self) -> tuple[Any, dict[int, str]]:
        """The tokenizer, and what is read in place of a code point."""
        if self._loaded is None:
            content, package = self._vocabulary(), tokenizers_package()
            tokenizer = package.Tokenizer(package.models.Unigram(content.pieces, unk_id=content.unknown))
            tokenizer.pre_tokenizer = package.pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
            self._loaded = tokenizer, content.plain
        return self._loaded

    def tokens(self, text: str, prefix: str = "") -> Tokens:
        """The numbers of a text as it stands behind a prefix, without those of the prefix."""
        tokenizer, plain = self._ready()
        letters, places = list[str](), list[int]()
        for place, letter in enumerate(prefix + text):
            for one in plain.get(ord(letter), letter):
                if one != " " or letters[-1:] != [" "]:
                    letters.append(one)
                    places.append(place)
        encoding = tokenizer.encode("".join(letters), add_special_tokens=False)
        starts, offsets = np.array([*places, len(prefix + text)], np.int32), np.array(encoding.offsets, np.int32)
        first, behind = offsets.reshape(-1, 2).T
        spans = np.stack([starts[first], np.where(behind > first, starts[behind - 1] + 1, starts[first])], axis=1)
        own = spans[:, 1] > len(prefix.rstrip()) if prefix else np.ones(len(spans), bool)
        ids = np.array(encoding.ids, np.int64)[own].tolist()
        return Tokens(ids, np.maximum(spans[own] - len(prefix), 0))


class E5Runner:
    """Twelve layers of BERT; they are unpacked to float32, rows of the vocabulary only as they are asked for."""

    def __init__(self, weights: Weights) -> None:
        arrays = weights.arrays
        self._heads, self._epsilon = weights.heads, weights.epsilon
        self._words: Packed = arrays["emb.word"]
        width = len(arrays["emb.ln.w"])
        self._places = arrays["emb.pos"].reshape(-1, width) + arrays["emb.type"][:width]
        self._norm = arrays["emb.ln.w"], arrays["emb.ln.b"]
        self._layers = [_Layer(arrays, number) for number in range(weights.layers)]

    def run(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Last states, float32 (n, t, width), of int64 (n, t) both."""
        distinct, rows = np.unique(ids, return_inverse=True)
        states = self._words.rows(distinct)[rows.reshape(ids.shape)] + self._places[: ids.shape[1]]
        states = _normed(states, *self._norm, self._epsilon)
        hidden = np.where(mask[:, None, None, :] == 1, np.float32(0), np.float32(-1e9))
        for layer in self._layers:
            states = layer.run(states, hidden, self._heads, self._epsilon)
        return states


class _Layer:
    def __init__(self, arrays: Mapping[str, Any], number: int) -> None:
        def array(name: str) -> np.ndarray:
            value = arrays[f"l{number}.{name}"]
            return np.ascontiguousarray(value.rows().T) if isinstance(value, Packed) else value

        self._attention = np.concatenate([array(f"{part}.w") for part in "qkv"], axis=1)
        self._attention_bias = np.concatenate([array(f"{part}.b") for part in "qkv"])
        self._out, self._out_bias = array("ao.w"), array("ao.b")
        self._norm = array("aln.w"), array("aln.b")
        self._inner, self._inner_bias = array("fi.w"), array("fi.b")
        self._outer, self._outer_bias = array("fo.w"), array("fo.b")
        self._last_norm = array("oln.w"), array("oln.b")

    def run(self, states: np.ndarray, hidden: np.ndarray, heads: int, epsilon: float) -> np.ndarray:
        count, length, width = states.shape
        flat = states.reshape(-1, width)
        mixed = (flat @ self._attention + self._attention_bias).reshape(count, length, 3, heads, width // heads)
        query, key, value = mixed.transpose(2, 0, 3, 1, 4)
        scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(np.float32(width // heads)) + hidden
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        context = (scores @ value).transpose(0, 2, 1, 3).reshape(-1, width)
        flat = _normed(flat + context @ self._out + self._out_bias, *self._norm, epsilon)
        inner = _gelu(flat @ self._inner + self._inner_bias)
        flat = _normed(flat + inner @ self._outer + self._outer_bias, *self._last_norm, epsilon)
        return flat.reshape(count, length, width)


def _normed(states: np.ndarray, weight: np.ndarray, bias: np.ndarray, epsilon: float) -> np.ndarray:
    states = states - states.mean(axis=-1, keepdims=True)
    deviation = np.sqrt(np.square(states).mean(axis=-1, keepdims=True) + np.float32(epsilon))
    return states / deviation * weight + bias


def _gelu(x: np.ndarray) -> np.ndarray:
    """x times the normal distribution up to x; the error function after Abramowitz and Stegun 7.1.26, 1.5e-7 apart."""
    y = np.abs(x) * np.float32(0.70710678)
    t = 1 / (1 + np.float32(0.3275911) * y)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(x) * (1 - series.astype(np.float32) * np.exp(-y * y))
    return (np.float32(0.5) * x * (1 + erf)).astype(np.float32)
