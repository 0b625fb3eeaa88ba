"""The pass of a folder's model: numbers in, states out, by ONNX Runtime or torch."""

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from context_graph.embed.encoder import session_of
from context_graph.errors import EmbeddingFailed

__all__ = ["OnnxRunner", "Runner", "TorchRunner"]

_GIVEN = {"input_ids", "attention_mask", "token_type_ids", "position_ids"}


class Runner(Protocol):
    """A loaded model."""

    def run(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Last states, float32 (n, t, width), of int64 (n, t) both."""


class OnnxRunner:
    """A model in an ONNX file; see `session_of`.

    Raises
    ------
    EmbeddingFailed
        The file cannot be read, asks for an input that no text gives, or has no output that a vector can be made of.
    """

    def __init__(self, file: Path, threads: int, device: str) -> None:
        self._file = file
        self._session = session_of(file, threads, device)
        self._types = {one.name: np.int32 if "int32" in one.type else np.int64 for one in self._session.get_inputs()}
        if unknown := set(self._types) - _GIVEN:
            raise EmbeddingFailed(
                f"{file} asks for {', '.join(sorted(unknown))}; expected inputs of an encoder of texts: "
                f"{', '.join(sorted(_GIVEN))}"
            )
        outputs = self._run(None, np.ones((2, 4), np.int64), np.ones((2, 4), np.int64))
        known = [one.name for one in self._session.get_outputs()]
        shapes = dict(zip(known, (np.shape(one) for one in outputs), strict=True))
        states = [name for name in known if len(shapes[name]) == 3 and shapes[name][:2] == (2, 4)]
        preferred = [name for name in ("last_hidden_state", "token_embeddings") if name in states]
        if not (chosen := [*preferred, *states]):
            raise EmbeddingFailed(
                f"expected {file} to give hidden states (batch, tokens, width), got "
                + ", ".join(f"{name} {shape}" for name, shape in shapes.items())
            )
        self._output = chosen[0]

    def run(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        states: np.ndarray = self._run([self._output], ids, mask)[0]
        return states.astype(np.float32)

    def _run(self, wanted: list[str] | None, ids: np.ndarray, mask: np.ndarray) -> list[Any]:
        given = {
            "input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids),
            "position_ids": np.maximum(np.cumsum(mask, axis=1) - 1, 0),
        }  # fmt: skip
        try:
            return list(self._session.run(wanted, {name: given[name].astype(to) for name, to in self._types.items()}))
        except Exception as error:  # ONNX Runtime has a class for every way to fail, and no common one
            raise EmbeddingFailed(f"{self._file} failed over {ids.shape[1]} tokens: {str(error)[:300]}") from error


class TorchRunner:
    """A model in safetensors, by torch and transformers; code that a folder brings is never run.

    Raises
    ------
    EmbeddingFailed
        A package or the device is missing, or they cannot read the folder.
    """

    def __init__(self, path: Path, threads: int, device: str) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise EmbeddingFailed(
                f"{path} has safetensors and no model.onnx, which needs torch and transformers; "
                "run pip install torch transformers, or export it as ONNX"
            ) from error
        if device == "cuda" and not torch.cuda.is_available():
            raise EmbeddingFailed("expected a CUDA device that torch can use, there is none; use the device cpu")
        torch.set_num_threads(threads)
        try:
            model = transformers.AutoModel.from_pretrained(
                path, local_files_only=True, use_safetensors=True, trust_remote_code=False, dtype=torch.float32
            )
        except Exception as error:  # transformers raises whatever it meets
            raise EmbeddingFailed(f"{path} is no model that transformers can load: {str(error)[:300]}") from error
        self._torch, self._device, self._model = torch, device, model.to(device).eval()

    def run(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        with self._torch.inference_mode():
            given = (self._torch.from_numpy(one).to(self._device) for one in (ids, mask))
            hidden = self._model(**dict(zip(("input_ids", "attention_mask"), given, strict=True))).last_hidden_state
            states: np.ndarray = hidden.float().cpu().numpy()
        return states
