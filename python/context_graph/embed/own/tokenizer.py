"""Texts as the numbers that a model was trained on: any tokenizer.json, or BERT's word pieces."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from context_graph.embed.own.folder import object_in
from context_graph.embed.wordpiece import CLS, SEP, pieces, vocabulary
from context_graph.errors import EmbeddingFailed

__all__ = ["Tokenizer", "Tokens", "pair_tokenizer_in", "tokenizer_in", "tokenizers_package"]

MULTILINGUAL_VOCABULARY = 64_000
"""Entries from which a vocabulary is taken for one of many languages: those of English models have 30,000 to 51,000."""


class Tokens(NamedTuple):
    """A text as numbers.

    Attributes
    ----------
    ids : list of int
        Without special tokens.
    spans : int32 (t, 2), optional
        Where each stands in the text; None where pieces of the text are pieces of the whole.
    """

    ids: list[int]
    spans: np.ndarray | None


class Tokenizer(Protocol):
    """Texts to numbers.

    Attributes
    ----------
    head, tail : list of int
        The special tokens before and behind a text.
    pad : int
    size : int
        Entries of the vocabulary.
    note : str
        What whoever chose the model should know; empty where there is nothing to say.
    """

    head: list[int]
    tail: list[int]
    pad: int
    size: int
    note: str

    def tokens(self, text: str, prefix: str = "") -> Tokens:
        """The numbers of a text as it stands behind a prefix, without those of the prefix."""


class WordPieces:
    """BERT's uncased vocabulary, without a machine learning dependency."""

    def __init__(self, note: str = "") -> None:
        self.head, self.tail, self.pad, self.size, self.note = [CLS], [SEP], 0, len(vocabulary()), note

    def tokens(self, text: str, prefix: str = "") -> Tokens:
        return Tokens(list(pieces(text)), None)


class JsonTokenizer:
    """A tokenizer.json, by the package `tokenizers`.

    Raises
    ------
    EmbeddingFailed
        The package is not installed, or cannot read the file.
    """

    def __init__(self, tokenizer: Any, file: Path) -> None:
        self._tokenizer, self._file, self.note = tokenizer, file, ""
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        probe = self._encoded("word", special=True)
        special = probe.special_tokens_mask
        first = next((i for i, one in enumerate(special) if not one), len(special))
        last = next((i for i in range(len(special), 0, -1) if not special[i - 1]), first)
        self.head, self.tail = probe.ids[:first], probe.ids[last:]
        padding = [tokenizer.token_to_id(text) for text in ("[PAD]", "<pad>", "<|endoftext|>")]
        self.pad = next((id for id in padding if id is not None), 0)
        self.size = tokenizer.get_vocab_size()

    def tokens(self, text: str, prefix: str = "") -> Tokens:
        encoding = self._encoded(prefix + text)
        spans = np.array(encoding.offsets, np.int32).reshape(-1, 2)
        own = spans[:, 1] > len(prefix.rstrip()) if prefix else np.ones(len(spans), bool)
        ids = np.array(encoding.ids, np.int64)[own].tolist()
        return Tokens(ids, np.maximum(spans[own] - len(prefix), 0))

    def _encoded(self, text: str, *, special: bool = False) -> Any:
        try:
            return self._tokenizer.encode(text, add_special_tokens=special)
        except Exception as error:  # the package raises plain Exceptions
            raise EmbeddingFailed(f"{self._file} cannot read the text {text[:40]!r}: {error}") from error


def tokenizer_in(path: Path) -> Tokenizer:
    """The tokenizer of a folder; BERT's word pieces where it has that vocabulary, or none.

    Raises
    ------
    EmbeddingFailed
        It cannot be read, or is of a kind that must be converted first.
    """
    if (path / "tokenizer.json").is_file():
        return _of_json(path / "tokenizer.json", object_in(path / "tokenizer.json"))
    if (path / "vocab.txt").is_file():
        lines = (path / "vocab.txt").read_text("utf-8", "replace").splitlines()
        entries = {piece: row for row, piece in enumerate(lines)}
        return WordPieces() if entries == vocabulary() else _of_vocabulary(path, entries)
    foreign = [name for name in ("sentencepiece.bpe.model", "spiece.model", "tokenizer.model", "vocab.json")
               if (path / name).is_file()]  # fmt: skip
    size = object_in(path / "config.json").get("vocab_size", len(vocabulary()))
    if foreign or size != len(vocabulary()):
        also = (
            f"; {foreign[0]} is converted by AutoTokenizer.from_pretrained(...).save_pretrained(...)" if foreign else ""
        )
        raise EmbeddingFailed(f"expected a tokenizer.json in {path}, found none{also}")
    return WordPieces("the folder has no tokenizer: BERT's uncased vocabulary is assumed")


def pair_tokenizer_in(path: Path, longest: int) -> Callable[[str, Sequence[str]], list[Any]]:
    """What makes a question and each of some texts one input, the text cut where both are too long.

    Raises
    ------
    EmbeddingFailed
        The folder has no tokenizer.json that can be read.
    """
    file = path / "tokenizer.json"
    if not file.is_file():
        raise EmbeddingFailed(f"expected a tokenizer.json in {path}, found none")
    object_in(file)
    try:
        tokenizer = tokenizers_package().Tokenizer.from_file(str(file))
        tokenizer.no_padding()
        tokenizer.enable_truncation(longest, strategy="longest_first")
    except EmbeddingFailed:
        raise
    except Exception as error:  # the package raises plain Exceptions
        raise EmbeddingFailed(f"{file} is no tokenizer that can be read: {error}") from error
    return lambda question, texts: list(tokenizer.encode_batch([(question, text) for text in texts]))


def _of_json(file: Path, told: Any) -> Tokenizer:
    model = told.get("model")
    entries = model.get("vocab") if isinstance(model, dict) else None
    if not entries or not isinstance(entries, dict | list):
        raise EmbeddingFailed(f"{file} names no vocabulary; expected a tokenizer.json of the package tokenizers")
    if entries == vocabulary():
        return WordPieces()
    try:
        return JsonTokenizer(tokenizers_package().Tokenizer.from_file(str(file)), file)
    except EmbeddingFailed:
        raise
    except Exception as error:  # the package raises plain Exceptions
        raise EmbeddingFailed(f"{file} is no tokenizer that can be read: {error}") from error


def _of_vocabulary(path: Path, entries: dict[str, int]) -> Tokenizer:
    """BERT's tokenizer over another list of word pieces."""
    wanted = ("[CLS]", "[SEP]", "[UNK]")
    if missing := [name for name in wanted if name not in entries]:
        raise EmbeddingFailed(f"{path / 'vocab.txt'} lacks {', '.join(missing)}; expected a vocabulary of BERT's kind")
    package = tokenizers_package()
    lower = object_in(path / "tokenizer_config.json").get("do_lower_case", True) is not False
    tokenizer = package.Tokenizer(package.models.WordPiece(entries, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = package.normalizers.BertNormalizer(lowercase=lower)
    tokenizer.pre_tokenizer = package.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = package.processors.BertProcessing(
        ("[SEP]", entries["[SEP]"]), ("[CLS]", entries["[CLS]"])
    )
    return JsonTokenizer(tokenizer, path / "vocab.txt")


def tokenizers_package() -> Any:
    """The package `tokenizers`.

    Raises
    ------
    EmbeddingFailed
        It is not installed.
    """
    try:
        import tokenizers
    except ImportError as error:
        raise EmbeddingFailed("this model has a tokenizer of its own; run pip install tokenizers") from error
    return tokenizers
