"""A model in a folder of the user's own: any tokenizer, pooling, prefix and width."""

import hashlib
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from context_graph.embed import late
from context_graph.embed.chunks import CHUNK_PIECES
from context_graph.embed.chunks import chunked as pieces_chunked
from context_graph.embed.encoder import by_length
from context_graph.embed.own.description import Description, plain
from context_graph.embed.own.fit import VERSION, Fit, neutral, stored
from context_graph.embed.own.folder import Folder, opened
from context_graph.embed.own.probing import fitted
from context_graph.embed.own.runners import OnnxRunner, Runner, TorchRunner
from context_graph.embed.own.tokenizer import MULTILINGUAL_VOCABULARY, Tokenizer, tokenizer_in
from context_graph.embed.semantic import unit
from context_graph.embed.statistics import PieceStatistics
from context_graph.embed.text_model import CHUNKS_AT_ONCE, TextModel
from context_graph.embed.wordpiece import pieces as pieces_of
from context_graph.errors import EmbeddingFailed
from context_graph.locks import Rank, reentrant_lock
from context_graph.regex import regex

__all__ = ["FolderModel", "States"]

TEXTS_A_PASS, TOKENS_A_PASS = 8, 4_096
_WORD = regex(r"[^\W_]+|[^\w\s]|_")
_END = regex(r"[.!?。！？](?:\s|$)|\n")


class States(NamedTuple):
    """What a pass makes of a chunk.

    Attributes
    ----------
    vector : float32 (width,)
        Of the whole, as the model was trained to be read; not of unit length.
    tokens : float32 (t, width), optional
        Of each token of the text, without special tokens and prefix.
    states : int
        States that the vector is the mean of.
    """

    vector: np.ndarray
    tokens: np.ndarray | None
    states: int


class FolderModel(TextModel):
    """A sentence-transformers folder with ONNX weights or safetensors; loads at first use.

    Parameters
    ----------
    description : Description
        Of a folder.
    threads : int
        Of a pass, at most one a core.
    fits : Path, optional
        Where its fit is kept; made anew by each process without.
    folder, tokenizer, called : optional
        Of a model that no folder describes: what it is, its tokenizer, and the name of its vectors.

    Raises
    ------
    EmbeddingFailed
        The folder is not what its description says, or holds what cannot be read.
    """

    def __init__(
        self,
        description: Description,
        *,
        threads: int = 1,
        fits: Path | None = None,
        folder: Folder | None = None,
        tokenizer: Tokenizer | None = None,
        called: str | None = None,
    ) -> None:
        self.folder: Folder = folder or opened(description)
        self._description, self._threads = description, threads
        self.tokenizer = tokenizer or tokenizer_in(self.folder.path)
        self.notes = tuple(filter(None, (*self.folder.notes, self.tokenizer.note)))
        digest = hashlib.sha256(f"{self.folder.digest}{description.reading}".encode()).hexdigest()
        self.name = f"{called or plain(self.folder.path.resolve().name)[:32]}-{digest[:12]}"
        self.multilingual = self.tokenizer.size >= MULTILINGUAL_VOCABULARY
        if description.multilingual is not None:
            self.multilingual = description.multilingual
        self._prefixes = {True: self.folder.query_prefix, False: self.folder.passage_prefix}
        frame = len(self.tokenizer.head) + len(self.tokenizer.tail) + self._prefix_tokens()
        self.limit = self.folder.max_tokens - frame
        if self.limit < 8:
            raise EmbeddingFailed(
                f"{self.folder.path} reads {self.folder.max_tokens} tokens, {frame} of which are special tokens and "
                "the prefix; expected room for a text: give a shorter prefix"
            )
        self.chunks_at_once = max(1, min(CHUNKS_AT_ONCE, CHUNKS_AT_ONCE * CHUNK_PIECES // self.limit))
        self._file = fits / f"{self.name}-{VERSION}.npz" if fits is not None else None
        self.has_parts = not self.folder.dense and description.width is None and self.folder.pooling != "last"
        self._basis = _basis_in(self.folder.path)
        self._runner: Runner | None = None
        self.fit: Fit | None = None
        self._lock = reentrant_lock(Rank.LEAF, "FolderModel._lock")

    @cached_property
    def _prefix_ids(self) -> dict[bool, list[int]]:
        return {key: self.tokenizer.tokens(text.rstrip()).ids if text else [] for key, text in self._prefixes.items()}

    def _prefix_tokens(self) -> int:
        """Tokens of the longer prefix."""
        return max(map(len, self._prefix_ids.values()))

    @property
    def loaded(self) -> bool:
        return self._runner is not None and self.fit is not None

    def load(self) -> None:
        with self._lock:
            if self._runner is not None:  # also while it is measured, by this very thread
                return
            self._runner = self._loaded_runner()
            try:
                self._use(neutral(len(self._read([self.chunked("width")[0]], False)[0].vector)))
                self._use(stored(self._file, lambda: fitted(self, self._vectors, self._use)))
            except BaseException:
                self._runner = self.fit = None
                raise

    def _loaded_runner(self) -> Runner:
        threads, device = min(self._threads, os.cpu_count() or 1), self._description.device
        onnx, weights = self.folder.runtime == "onnx", self.folder.weights
        return OnnxRunner(weights, threads, device) if onnx else TorchRunner(weights, threads, device)

    def _use(self, fit: Fit) -> None:
        self.fit, self.scale = fit, fit.scale

    def _vectors(self, texts: list[str]) -> np.ndarray:
        return np.array([one.vector for one in self._read([self.chunked(text)[0] for text in texts], False)])

    def chunked(self, text: str, *, question: bool = False) -> list[list[int]]:
        """Token numbers of a text, cut behind a sentence where one ends in the second half of a chunk."""
        tokens = self.tokenizer.tokens(text, self._prefixes[question])
        if tokens.spans is None:
            return pieces_chunked(text, limit=self.limit)
        ids, chunks, start = tokens.ids, list[list[int]](), 0
        ends = {match.start() + 1 for match in _END.finditer(text)} if len(ids) > self.limit else set()
        while len(ids) - start > self.limit:
            cut = start + self.limit
            sentences = (i for i in range(cut, start + self.limit // 2, -1) if int(tokens.spans[i - 1, 1]) in ends)
            cut = next(sentences, cut)
            chunks.append(ids[start:cut])
            start = cut
        return [*chunks, ids[start:]]

    def hidden(self, chunks: Sequence[Sequence[int]], *, question: bool = False) -> list[States]:
        """The states of each chunk; those of like length share a pass."""
        self.load()
        return self._read(chunks, question)

    def _read(self, chunks: Sequence[Sequence[int]], question: bool) -> list[States]:
        assert self._runner is not None
        before = [*self.tokenizer.head, *self._prefix_ids[question]]
        framed = [[*before, *chunk, *self.tokenizer.tail] for chunk in chunks]
        if framed and (longest := max(map(len, framed))) > self.folder.max_tokens:
            raise EmbeddingFailed(
                f"a pass takes at most {self.folder.max_tokens} tokens, got {longest}; chunk the text"
            )
        states: dict[int, States] = {}
        for batch in by_length([len(one) for one in framed], TEXTS_A_PASS, TOKENS_A_PASS):
            ids = np.full((len(batch), len(framed[batch[-1]])), self.tokenizer.pad, np.int64)
            mask = np.zeros_like(ids)
            for row, i in enumerate(batch):
                ids[row, : len(framed[i])] = framed[i]
                mask[row, : len(framed[i])] = 1
            hidden = self._runner.run(ids, mask)
            if not np.isfinite(hidden[mask.astype(bool)]).all():
                raise EmbeddingFailed(f"{self.folder.path} made numbers that are not finite; its weights are unsound")
            for row, i in enumerate(batch):
                states[i] = self._states(hidden[row, : len(framed[i])], len(before), len(chunks[i]), question)
        return [states[i] for i in range(len(chunks))]

    def _states(self, hidden: np.ndarray, first: int, count: int, question: bool) -> States:
        pooled = hidden
        if self._prefix_ids[question] and not self.folder.prefix_counts:
            pooled = np.concatenate([hidden[: len(self.tokenizer.head)], hidden[first:]])
        vector = {"mean": pooled.mean(axis=0), "cls": hidden[0], "last": hidden[-1]}[self.folder.pooling]
        for weight, bias, bends in self.folder.dense:
            vector = weight @ vector + bias
            vector = np.tanh(vector) if bends else vector
        vector = vector if self._description.width is None else vector[: self._description.width]
        return States(vector.astype(np.float32), hidden[first : first + count], len(pooled))

    def pooled(self, states: Sequence[States]) -> np.ndarray:
        """One vector for a text from the states of its chunks, as the model was trained to be read: unit (384,)."""
        return self._narrow(self._centred(np.sum([one.vector * one.states for one in states], axis=0)))

    def narrowed(self, vector: np.ndarray) -> np.ndarray:
        """A mean of token vectors in the width that spaces have for it: unit (384,), zero stays zero."""
        return self._narrow(self._centred(vector) if self.folder.pooling == "mean" else vector)

    def _narrow(self, vector: np.ndarray) -> np.ndarray:
        assert self.fit is not None
        return super().narrowed(vector if self.fit.narrow is None else vector @ self.fit.narrow)

    def _centred(self, vector: np.ndarray) -> np.ndarray:
        assert self.fit is not None
        vector = unit(vector)
        fits = len(vector) == len(self.fit.centre) and vector.any()
        return vector - self.fit.centre if fits else vector

    def tokens(self, states: States) -> np.ndarray:
        """Not to be had of an endpoint.

        Raises
        ------
        EmbeddingFailed
            token_basis.npy does not fit the width of the model.
        """
        assert self.fit is not None and states.tokens is not None
        basis = self.fit.basis if self._basis is None else self._basis
        width = states.tokens.shape[1]
        if basis is None or len(basis) != width:
            raise EmbeddingFailed(
                f"expected token_basis.npy in {self.folder.path} to be ({width}, {late.DIMENSIONS}) for this model, "
                f"got {None if basis is None else basis.shape}; correct it or remove it"
            )
        tokens = states.tokens
        if self.fit.token_centre is not None:
            lengths = np.linalg.norm(tokens, axis=1, keepdims=True)
            tokens = tokens / np.maximum(lengths, 1e-9) - self.fit.token_centre
        return late.contextual(tokens, basis)

    def content(self, states: States) -> np.ndarray:
        assert states.tokens is not None
        return states.tokens

    def part(self, text: str, start: int, end: int) -> tuple[int, int]:
        spans = self.tokenizer.tokens(text, self._prefixes[False]).spans
        if spans is None:
            first = len(pieces_of(text[:start]))
            return first, first + len(pieces_of(text[start:end]))
        within = np.flatnonzero((spans[:, 1] > start) & (spans[:, 0] < end) & (spans[:, 1] > spans[:, 0]))
        return (int(within[0]), int(within[-1]) + 1) if len(within) else (0, 0)

    def idf(self, text: str, chunk: Sequence[int], statistics: PieceStatistics) -> np.ndarray:
        """Each token counts as the word that it is of: the mean over the word pieces of that."""
        spans = self.tokenizer.tokens(text, self._prefixes[True]).spans
        if spans is None:
            return statistics.weights(np.array(chunk, np.int32))
        words = [match.span() for match in _WORD.finditer(text)]
        counts = [statistics.weights(np.array(pieces_of(text[a:b]), np.int32)) for a, b in words]
        weights = np.array([float(one.mean()) if len(one) else 0.0 for one in counts] or [0.0], np.float32)
        starts = np.array([start for start, _ in words] or [0])
        ends = np.maximum(spans[: len(chunk), 1] - 1, 0)  # a token may begin with the blank before its word
        idfs: np.ndarray = weights[np.maximum(np.searchsorted(starts, ends, side="right") - 1, 0)]
        return idfs


def _basis_in(path: Path) -> np.ndarray | None:
    file = path / "token_basis.npy"
    if not file.is_file():
        return None
    try:
        basis = np.load(file, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise EmbeddingFailed(f"{file} is no array: {error}") from error
    if basis.ndim != 2 or basis.shape[1] != late.DIMENSIONS or basis.dtype.kind != "f":
        raise EmbeddingFailed(
            f"expected {file} to be floats (width, {late.DIMENSIONS}), got {basis.dtype} {basis.shape}"
        )
    return basis.astype(np.float32)
