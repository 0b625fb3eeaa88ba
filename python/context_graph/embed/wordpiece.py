"""BERT's uncased WordPiece tokenisation, without a machine learning dependency."""

import unicodedata
from functools import lru_cache
from pathlib import Path

import numpy as np

from context_graph import _core
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = [
    "CLS", "SEP", "UNKNOWN", "VOCABULARY", "continuations", "least_tokens", "pieces", "token_count", "vocabulary",
]  # fmt: skip

VOCABULARY = Path(__file__).parent.parent / "data" / "static_minilm" / "vocab.txt"
UNKNOWN, CLS, SEP = 100, 101, 102
LONGEST_WORD = 100  # characters; BERT maps longer words to [UNK]

_CJK = regex("([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")
_CONTROL = regex(r"[\x00\ufffd\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")


@lru_cache(maxsize=1)
def vocabulary() -> dict[str, int]:
    """The row of each word piece."""
    return {piece: row for row, piece in enumerate(VOCABULARY.read_text(encoding="utf-8").splitlines())}


@lru_cache(maxsize=1)
def continuations() -> np.ndarray:
    """Which pieces go on with a word: bool (30522,)."""
    return np.array([piece.startswith("##") for piece in vocabulary()])


@lru_cache(maxsize=1)
def _table() -> _core.WordPieces:
    """Cuts at letters and digits, each sign by itself as BERT does; then the longest match from the left. A word with
    no cover is one [UNK].
    """
    return _core.WordPieces([*vocabulary()], UNKNOWN, LONGEST_WORD)


def _normalise(text: str) -> str:
    text = _CONTROL.sub("", text).lower()
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFD", text)
    for letter in set(plain):
        if letter > "\x7f" and unicodedata.category(letter) == "Mn":
            plain = plain.replace(letter, "")
    return _CJK.sub(r" \1 ", plain)


@kept_for_texts(maxsize=256)  # a memory is the window of the next, and a sentence is counted again when it is quoted
def pieces(text: str) -> tuple[int, ...]:
    """Vocabulary rows of a text, without [CLS] and [SEP].

    Lower-cases, strips accents, splits on blanks and punctuation, then takes the longest match.
    """
    return _table().rows(_normalise(text))


def token_count(text: str) -> int:
    """Tokens that a text costs an agent: WordPiece or bytes / 4, whichever is more.

    WordPiece counts English prose a little above the byte-pair vocabularies of current language models;
    the bound by bytes guards scripts and code that WordPiece folds into few [UNK].
    """
    if not text:
        return 0
    return max(sum(map(_pieces_in, text.split("\n"))), -(-len(text.encode("utf-8", "replace")) // 4))


@kept_for_texts(maxsize=1_024)  # a memory is counted by itself, and again with all that is told beside it
def _pieces_in(line: str) -> int:
    """How many word pieces a line has; no piece goes on into the next."""
    return len(_table().rows(_normalise(line)))


def least_tokens(text: str) -> int:
    """What `token_count` is at least: what plainly has no room need not be read."""
    return -(-len(text) // 4)
