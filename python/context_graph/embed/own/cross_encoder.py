"""A cross-encoder in a folder: it reads a question and a text together, and says how well one answers the other."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from context_graph.embed.encoder import by_length, session_of
from context_graph.embed.own.description import plain
from context_graph.embed.own.folder import digest_of, longest_of, weights_in
from context_graph.embed.own.tokenizer import pair_tokenizer_in
from context_graph.errors import EmbeddingFailed
from context_graph.locks import Rank, lock

__all__ = ["CrossEncoder"]

PAIRS_A_PASS, TOKENS_A_PASS = 16, 8_192


class CrossEncoder:
    """A folder with an ONNX model for the classification of pairs, and a tokenizer.json; loads at first use.

    Parameters
    ----------
    path : Path
    threads : int
        Of a pass, at most one a core.

    Attributes
    ----------
    name : str
        The folder, and 12 digits of the SHA-256 of its files.

    Raises
    ------
    EmbeddingFailed
        The folder lacks a file, or holds what cannot be read.
    """

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        runtime, self._weights = weights_in(path, "onnx")
        self.path, self._threads = path, min(threads, os.cpu_count() or 1)
        self._tokenizer = pair_tokenizer_in(path, longest_of(path, None))
        digest = hashlib.sha256(digest_of(path, runtime, self._weights).encode()).hexdigest()
        self.name = f"{plain(path.resolve().name)[:32]}-{digest[:12]}"
        self._session: Any = None
        self._lock = lock(Rank.LEAF, "CrossEncoder._lock")

    def load(self) -> None:
        """Load the weights, or raise EmbeddingFailed.

        Raises
        ------
        EmbeddingFailed
            The model asks for inputs that no tokenizer here makes.
        """
        with self._lock:
            if self._session is None:
                session = session_of(self._weights, self._threads)
                known = {"input_ids", "attention_mask", "token_type_ids"}
                if unknown := {one.name for one in session.get_inputs()} - known:
                    raise EmbeddingFailed(
                        f"{self._weights} asks for {', '.join(sorted(unknown))}; expected {', '.join(sorted(known))}"
                    )
                self._session = session

    def scores(self, question: str, texts: Sequence[str]) -> np.ndarray:
        """How well each text answers a question, more is better: float32 (n,).

        A model of one label gives that; of two, the distance of the second, "it does", from the first.
        """
        self.load()
        pairs = self._tokenizer(question, texts)
        scores = np.zeros(len(texts), np.float32)
        for batch in by_length([len(pair.ids) for pair in pairs], PAIRS_A_PASS, TOKENS_A_PASS):
            width = len(pairs[batch[-1]].ids)
            inputs = {name: np.zeros((len(batch), width), np.int64) for name in ("input_ids", "attention_mask")}
            inputs["token_type_ids"] = np.zeros((len(batch), width), np.int64)
            for row, i in enumerate(batch):
                length = len(pairs[i].ids)
                inputs["input_ids"][row, :length] = pairs[i].ids
                inputs["token_type_ids"][row, :length] = pairs[i].type_ids
                inputs["attention_mask"][row, :length] = 1
            scores[batch] = self._judged(inputs)
        return scores

    def _judged(self, inputs: dict[str, np.ndarray]) -> np.ndarray:
        feed = {one.name: inputs[one.name].astype(np.int32 if "int32" in one.type else np.int64)
                  for one in self._session.get_inputs()}  # fmt: skip
        try:
            logits = np.asarray(self._session.run(None, feed)[0], np.float32)
        except Exception as error:  # ONNX Runtime has a class for every way to fail, and no common one
            raise EmbeddingFailed(f"{self._weights} failed: {str(error)[:300]}") from error
        count = len(inputs["input_ids"])
        if logits.ndim != 2 or len(logits) != count or logits.shape[1] not in (1, 2) or not np.isfinite(logits).all():
            raise EmbeddingFailed(
                f"expected {self._weights} to give finite scores (pairs, 1) or (pairs, 2), got {logits.shape}"
            )
        return logits[:, 0] if logits.shape[1] == 1 else logits[:, 1] - logits[:, 0]
