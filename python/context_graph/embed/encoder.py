"""The package's model, all-MiniLM-L6-v2, through ONNX Runtime."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from context_graph.embed import late, semantic
from context_graph.embed.chunks import CHUNK_PIECES, chunked
from context_graph.embed.minilm import SHA256, token_basis
from context_graph.embed.statistics import PieceStatistics
from context_graph.embed.text_model import TextModel
from context_graph.embed.wordpiece import CLS, SEP
from context_graph.embed.wordpiece import pieces as pieces_of
from context_graph.errors import EmbeddingFailed
from context_graph.locks import Rank, lock
from context_graph.settings import without_telemetry

__all__ = ["MAX_PASS_PIECES", "Encoder", "by_length", "session_of"]

MAX_PASS_PIECES = 256  # pieces a pass, [CLS] and [SEP] included
PACKAGED = "minilm-l6-int8-1"
TEXTS_A_PASS = 8


class Encoder(TextModel):
    """all-MiniLM-L6-v2 of the package; loads at first use.

    Parameters
    ----------
    file : Path
        model.onnx: word pieces of BERT's uncased vocabulary in, last hidden states (batch, tokens, 384) out.
    threads : int
        Of a pass, at most one a core.
    """

    limit = CHUNK_PIECES
    name = PACKAGED

    def __init__(self, file: Path, *, threads: int = 1) -> None:
        self._file, self._threads = file, threads
        self._session: Any = None
        self._lock = lock(Rank.LEAF, "Encoder._lock")

    @property
    def loaded(self) -> bool:
        return self._session is not None

    def load(self) -> None:
        """Read the model, once.

        Raises
        ------
        EmbeddingFailed
            The file is not the model that this version was tested with.
        """
        self._opened()

    def _opened(self) -> Any:
        with self._lock:
            if self._session is not None:
                return self._session
            if hashlib.sha256(self._file.read_bytes()).hexdigest() != SHA256:
                raise EmbeddingFailed(
                    f"{self._file} is not the model this version was tested with; "
                    "reinstall it with pip install --force-reinstall 'ultimate-context-graph[minilm]'"
                )
            session = session_of(self._file, self._threads)
            self._inputs = {entry.name for entry in session.get_inputs()}
            self._session = session
            return session

    def unload(self) -> None:
        with self._lock:
            self._session = None

    def chunked(self, text: str, *, question: bool = False) -> list[list[int]]:
        """Word pieces of a text, at most `CHUNK_PIECES` a chunk."""
        return chunked(text)

    def hidden(self, texts: Sequence[Sequence[int]], *, question: bool = False) -> list[np.ndarray]:
        """Last hidden states of texts given as word pieces: each float32 (t + 2, width), [CLS] and [SEP] included.

        Texts of like length share a pass; longer texts than `MAX_PASS_PIECES` - 2 pieces are the caller's to chunk.

        Raises
        ------
        EmbeddingFailed
            A chunk is longer than a pass takes.
        """
        session = self._opened()
        states: dict[int, np.ndarray] = {}
        for batch in by_length([len(text) for text in texts], TEXTS_A_PASS):
            width = len(texts[batch[-1]]) + 2
            if width > MAX_PASS_PIECES:
                raise EmbeddingFailed(
                    f"a pass takes at most {MAX_PASS_PIECES - 2} word pieces, got {width - 2}; chunk the text"
                )
            ids = np.zeros((len(batch), width), np.int64)
            mask = np.zeros_like(ids)
            for row, i in enumerate(batch):
                ids[row, : len(texts[i]) + 2] = [CLS, *texts[i], SEP]
                mask[row, : len(texts[i]) + 2] = 1
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            hidden = session.run(None, {name: feed[name] for name in self._inputs})[0]
            for row, i in enumerate(batch):
                states[i] = hidden[row, : len(texts[i]) + 2]
        return [states[i] for i in range(len(texts))]

    def pooled(self, states: Sequence[np.ndarray]) -> np.ndarray:
        """One vector for a text from the states of its chunks, as the model was trained to be read: unit (384,)."""
        return semantic.pooled(states)

    def tokens(self, states: np.ndarray) -> np.ndarray:
        return late.contextual(states[1:-1], token_basis())

    def content(self, states: np.ndarray) -> np.ndarray:
        return states[1:-1]

    def part(self, text: str, start: int, end: int) -> tuple[int, int]:
        first = len(pieces_of(text[:start]))
        return first, first + len(pieces_of(text[start:end]))

    def idf(self, text: str, chunk: Sequence[int], statistics: PieceStatistics) -> np.ndarray:
        return statistics.weights(np.array(chunk, np.int32))


def by_length(lengths: Sequence[int], at_once: int, most: int | None = None) -> list[list[int]]:
    """Texts of like length together: positions, in batches of at most `at_once`, each sorted by length.

    Parameters
    ----------
    most : int, optional
        Tokens of a batch, padding included; a longer text is alone.
    """
    batches: list[list[int]] = []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        full = not batches or len(batches[-1]) == at_once
        if full or (most is not None and (len(batches[-1]) + 1) * lengths[i] > most):
            batches.append([])
        batches[-1].append(i)
    return batches


def session_of(file: Path, threads: int, device: str = "cpu") -> Any:
    """An open ONNX model.

    Parameters
    ----------
    device : "cpu" or "cuda"

    Raises
    ------
    EmbeddingFailed
        ONNX Runtime is not installed, cannot read the file, or has no such device.
    """
    without_telemetry()
    try:
        import onnxruntime
    except ImportError as error:
        raise EmbeddingFailed("an ONNX model needs ONNX Runtime; run pip install onnxruntime") from error
    provider = "CUDAExecutionProvider" if device == "cuda" else "CPUExecutionProvider"
    if provider not in onnxruntime.get_available_providers():
        raise EmbeddingFailed(
            f"expected ONNX Runtime to have {provider}, it has "
            f"{', '.join(onnxruntime.get_available_providers())}; install onnxruntime-gpu, or use the device cpu"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(threads, os.cpu_count() or 1)  # one that waits for its core holds up the pass
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", str(int(options.intra_op_num_threads > 1)))
    options.add_session_config_entry("session.force_spinning_stop", "1")  # idle threads must not burn a core
    try:
        session = onnxruntime.InferenceSession(str(file), options, providers=[provider])
    except Exception as error:  # ONNX Runtime has a class for every way to fail, and no common one
        raise EmbeddingFailed(f"{file} is no model that ONNX Runtime can load: {str(error)[:300]}") from error
    if session.get_providers()[0] != provider:  # it goes on without a device that it could not open
        raise EmbeddingFailed(
            f"ONNX Runtime could not open {device}, and would have gone on with {session.get_providers()[0]}; "
            "install what its CUDA provider needs, or use the device cpu"
        )
    return session
