"""A text encoder of BERT's kind through ONNX Runtime: one forward pass serves every dense view of a text."""

import hashlib
import json
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from context_graph.embed import late, semantic
from context_graph.embed.minilm import DIMENSIONS, SHA256, token_basis
from context_graph.embed.wordpiece import CLS, SEP, vocabulary
from context_graph.errors import EmbeddingFailed
from context_graph.locks import Rank, lock

__all__ = ["MAX_PASS_PIECES", "Encoder", "narrowing"]

MAX_PASS_PIECES = 256  # pieces a pass, [CLS] and [SEP] included
PACKAGED = "minilm-l6-int8-1"


class Encoder:
    """all-MiniLM-L6-v2 of the package, or a model of the user's own; loads at first use.

    Parameters
    ----------
    file : Path
        model.onnx: word pieces of BERT's uncased vocabulary in, last hidden states (batch, tokens, width) out. Beside
        it may lie `vocab.txt` or `tokenizer.json`, which must have that vocabulary, `1_Pooling/config.json`, which says
        whether the first token or the mean stands for a text, and `token_basis.npy`, float32 (width, 128), which
        narrows token vectors for late interaction.
    threads : int
        Of a pass, at most one a core.
    packaged : bool
        It is the package's: its checksum is known.

    Raises
    ------
    EmbeddingFailed
        The vocabulary is another one, or the file cannot be read.
    """

    def __init__(self, file: Path, *, threads: int = 1, packaged: bool = True) -> None:
        self._file, self._packaged = file, packaged
        self._threads = min(threads, os.cpu_count() or 1)  # one that waits for its core would hold up the pass
        self._session: Any = None
        self._lock = lock(Rank.LEAF, "Encoder._lock")
        if not packaged:
            _check_vocabulary(file.parent)
        self.name = PACKAGED if packaged else _named(file)
        """Names the origin of vectors: those of two models are never compared."""

        self._first = False if packaged else _takes_first(file.parent)
        self._basis: np.ndarray | None = token_basis() if packaged else _basis(file.parent)

    @property
    def loaded(self) -> bool:
        return self._session is not None

    def load(self) -> None:
        with self._lock:
            if self._session is not None:
                return
            if self._packaged and hashlib.sha256(self._file.read_bytes()).hexdigest() != SHA256:
                raise EmbeddingFailed(
                    f"{self._file} is not the model this version was tested with; "
                    "reinstall it with pip install --force-reinstall 'ultimate-context-graph[minilm]'"
                )
            import onnxruntime

            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = self._threads
            options.inter_op_num_threads = 1
            options.log_severity_level = 3
            options.add_session_config_entry("session.intra_op.allow_spinning", str(int(self._threads > 1)))
            options.add_session_config_entry("session.force_spinning_stop", "1")  # idle threads must not burn a core
            try:
                session = onnxruntime.InferenceSession(str(self._file), options, providers=["CPUExecutionProvider"])
            except Exception as error:  # ONNX Runtime has a class for every way to fail, and no common one
                raise EmbeddingFailed(f"{self._file} is no model that ONNX Runtime can load: {error}") from error
            if len(session.get_outputs()[0].shape) != 3:
                raise EmbeddingFailed(
                    f"expected the first output of {self._file} to be hidden states (batch, tokens, width), got "
                    f"{session.get_outputs()[0].name} with shape {session.get_outputs()[0].shape}"
                )
            self._inputs = {entry.name for entry in session.get_inputs()}
            self._session = session

    def hidden(self, texts: Sequence[Sequence[int]]) -> list[np.ndarray]:
        """Last hidden states of texts given as word pieces: each float32 (t + 2, width), [CLS] and [SEP] included.

        Texts of like length share a pass; longer texts than `MAX_PASS_PIECES` - 2 pieces are the caller's to chunk.
        """
        self.load()
        states: dict[int, np.ndarray] = {}
        by_length = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        for start in range(0, len(by_length), 8):
            batch = by_length[start : start + 8]
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
            hidden = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
            for row, i in enumerate(batch):
                states[i] = hidden[row, : len(texts[i]) + 2]
        return [states[i] for i in range(len(texts))]

    def pooled(self, hidden: Sequence[np.ndarray]) -> np.ndarray:
        """One vector for a text from the states of its chunks, as the model was trained to be read: unit (384,)."""
        if self._first:
            return self.narrowed(np.sum([chunk[0] for chunk in hidden], axis=0))
        vector = semantic.pooled(hidden)
        return vector if len(vector) == DIMENSIONS else self.narrowed(vector)

    def narrowed(self, vector: np.ndarray) -> np.ndarray:
        """A vector of the model's width in the width that spaces have for it: unit (384,), zero stays zero."""
        width = len(vector)
        return semantic.unit(vector if width == DIMENSIONS else vector @ narrowing(width, DIMENSIONS))

    def tokens(self, hidden: np.ndarray) -> np.ndarray:
        """Token vectors for late interaction: unit rows, float32 (t, 128)."""
        width = hidden.shape[1]
        basis = narrowing(width, late.DIMENSIONS) if self._basis is None else self._basis
        if len(basis) != width:
            raise EmbeddingFailed(
                f"expected token_basis.npy in {self._file.parent} to be ({width}, {late.DIMENSIONS}) for this model, "
                f"got {basis.shape}; correct it or remove it"
            )
        return late.contextual(hidden, basis)


@lru_cache(maxsize=8)
def narrowing(width: int, to: int) -> np.ndarray:
    """Orthonormal columns that keep cosines on average: float32 (width, to), the same on every machine.

    A narrower vector is padded with zeros.
    """
    if width <= to:
        return np.eye(width, to, dtype=np.float32)
    drawn = np.random.Generator(np.random.PCG64(to)).standard_normal((width, to))
    return np.linalg.qr(drawn)[0].astype(np.float32)


def _named(file: Path) -> str:
    try:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise EmbeddingFailed(f"{file} cannot be read: {error}") from error
    return f"{file.parent.name[:32]}-{digest[:12]}"


def _check_vocabulary(folder: Path) -> None:
    """A model sees numbers: under another vocabulary they would mean other words."""
    if (folder / "vocab.txt").is_file():
        lines = (folder / "vocab.txt").read_text("utf-8", "replace").splitlines()
        entries = {piece: row for row, piece in enumerate(lines)}
    elif (folder / "tokenizer.json").is_file():
        try:
            entries = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
        except (ValueError, KeyError, TypeError) as error:
            raise EmbeddingFailed(f"{folder / 'tokenizer.json'} names no vocabulary of word pieces: {error}") from error
    else:
        return
    if entries != vocabulary():
        raise EmbeddingFailed(
            f"{folder} has a vocabulary of its own ({len(entries)} entries); expected BERT's uncased one (30,522), "
            "which all-MiniLM, bge-small-en, e5-small-v2 and gte-small share"
        )


def _takes_first(folder: Path) -> bool:
    config = folder / "1_Pooling" / "config.json"
    if not config.is_file():
        return False
    try:
        return json.loads(config.read_text("utf-8")).get("pooling_mode_cls_token") is True
    except (ValueError, AttributeError) as error:
        raise EmbeddingFailed(f"{config} is not a JSON object: {error}") from error


def _basis(folder: Path) -> np.ndarray | None:
    file = folder / "token_basis.npy"
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
