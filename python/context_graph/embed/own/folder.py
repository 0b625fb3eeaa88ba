"""What the files of a sentence-transformers folder say of its model: weights, pooling, prefixes, longest text."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from context_graph.embed.own import safetensors
from context_graph.embed.own.description import MAX_TOKENS, POOLINGS, Description
from context_graph.errors import EmbeddingFailed
from context_graph.regex import regex

__all__ = ["Folder", "digest_of", "longest_of", "object_in", "opened", "weights_in"]

_MODES = {
    "pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls", "pooling_mode_lasttoken": "last",
    "mean": "mean", "cls": "cls", "lasttoken": "last",
}  # fmt: skip
_OTHER_MODES = ("pooling_mode_max_tokens", "pooling_mode_mean_sqrt_len_tokens", "pooling_mode_weightedmean_tokens")
_MODULES = ("Transformer", "Pooling", "Dense", "Normalize")
_OFFSET = {"xlm-roberta", "roberta", "camembert", "mpnet", "xlm-roberta-xl"}
"""Kinds of model that count positions from 2."""

_E5 = regex(r"(?:^|[-_])e5(?:[-_]|$)", re.I)
QUERY, PASSAGE = ("query", "search_query"), ("passage", "document", "search_document", "corpus")
"""What the prompts of a question and of a memory are called."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A model of a folder, as its files and its description say it.

    Attributes
    ----------
    weights : Path
        The ONNX file, or the folder that torch reads.
    pooling : "mean", "cls" or "last"
        Which of the last states stand for a text.
    prefix_counts : bool
        Whether the states of a prefix are part of the mean.
    dense : tuple of (weight, bias, bends)
        Layers behind the pooling: float32 (out, in), (out,), and whether the tangent is taken.
    max_tokens : int
        Of a pass, special tokens and prefix included.
    """

    path: Path
    weights: Path
    runtime: str
    digest: str
    pooling: str
    query_prefix: str
    passage_prefix: str
    prefix_counts: bool
    dense: tuple[tuple[np.ndarray, np.ndarray, bool], ...]
    max_tokens: int
    notes: tuple[str, ...]


def opened(description: Description) -> Folder:
    """Read what a folder says of its model; the description beats it.

    Raises
    ------
    EmbeddingFailed
        It is no such folder, holds other files than those that were described, or asks for what is not built.
    """
    path = Path(description.folder or "")
    runtime, weights = weights_in(path, description.runtime)
    digest = digest_of(path, runtime, weights)
    if description.digest is not None and description.digest != digest:
        raise EmbeddingFailed(
            f"{path} is not the model that was chosen: expected files with the digest {description.digest[:12]}, got "
            f"{digest[:12]}; put those back, or run context-graph model use {path}"
        )
    modules = _modules(path)
    pooling, prefix_counts = _pooling(path, modules.get("Pooling", "1_Pooling"))
    query, passage = _prompts(path)
    notes = [] if description.pooling or (path / modules.get("Pooling", "1_Pooling") / "config.json").is_file() else [
        "the folder does not say how states are pooled: the mean is taken"
    ]  # fmt: skip
    if _E5.search(path.name) and not (query or description.query_prefix):
        notes.append("models of the E5 family expect --query-prefix 'query: ' --passage-prefix 'passage: '")
    return Folder(
        path, weights, runtime, digest, description.pooling or pooling,
        query if description.query_prefix is None else description.query_prefix,
        passage if description.passage_prefix is None else description.passage_prefix,
        prefix_counts, _dense(path, modules.get("Dense")), longest_of(path, description.max_tokens), tuple(notes),
    )  # fmt: skip


def weights_in(path: Path, runtime: str | None = None) -> tuple[str, Path]:
    """How a model is run, and what of: ONNX where there is a file of it, else safetensors by torch.

    Raises
    ------
    EmbeddingFailed
        The folder has no weights that can be read, or several and none called model.onnx.
    """
    if runtime != "torch":
        for file in (path / "model.onnx", path / "onnx" / "model.onnx"):
            if file.is_file():
                return "onnx", file
        if len(others := [*path.glob("*.onnx"), *path.glob("onnx/*.onnx")]) == 1:
            return "onnx", others[0]
        if others:
            raise EmbeddingFailed(
                f"{path} has {len(others)} ONNX files and none is called model.onnx; give that name to the one to use"
            )
    if runtime != "onnx" and any(path.glob("*.safetensors")):
        return "torch", path
    pickled = [file.name for pattern in ("*.bin", "*.pt", "*.ckpt") for file in path.glob(pattern)]
    also = f"; {pickled[0]} may hold code and is not read: export it as ONNX or safetensors" if pickled else ""
    wanted = {"onnx": "a model.onnx", "torch": "a model.safetensors"}.get(
        runtime or "", "a model.onnx or model.safetensors"
    )
    raise EmbeddingFailed(
        f"expected {wanted} in {path}, found none{also}; name the folder of a model as sentence-transformers saves one"
    )


def digest_of(path: Path, runtime: str, weights: Path) -> str:
    """SHA-256 of the files that make a vector: weights with what lies beside them, tokenizer, dense layers.

    Raises
    ------
    EmbeddingFailed
        The file cannot be read.
    """
    if runtime == "onnx":
        files = [weights, *weights.parent.glob(f"{weights.name}?data*")]
    else:
        files = [*path.glob("*.safetensors"), path / "config.json"]
    files += [path / "tokenizer.json", path / "vocab.txt", *path.glob("*_Dense/*.safetensors"), path / "modules.json"]
    files += [*path.glob("*_Pooling/config.json"), path / "token_basis.npy"]
    digest = hashlib.sha256()
    try:
        for file in sorted({file for file in files if file.is_file()}):
            with file.open("rb") as data:
                digest.update(hashlib.file_digest(data, "sha256").digest())
    except OSError as error:
        raise EmbeddingFailed(f"{path} cannot be read: {error}") from error
    return digest.hexdigest()


def object_in(file: Path) -> Mapping[str, Any]:
    """The object of a JSON file; empty where there is no such file.

    Raises
    ------
    EmbeddingFailed
        The file is no JSON object.
    """
    if not file.is_file():
        return {}
    try:
        value = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise EmbeddingFailed(f"{file} is not a JSON object: {error}") from error
    if not isinstance(value, dict):
        raise EmbeddingFailed(f"{file} is not a JSON object")
    return value


def _modules(path: Path) -> dict[str, str]:
    """Kind of each module -> its folder."""
    file = path / "modules.json"
    if not file.is_file():
        return {}
    try:
        modules = [(one["type"].rsplit(".", 1)[-1], one["path"]) for one in json.loads(file.read_text("utf-8"))]
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise EmbeddingFailed(f"{file} does not list modules: {error!r}") from error
    if unknown := [kind for kind, _ in modules if kind not in _MODULES]:
        raise EmbeddingFailed(f"{file} asks for {', '.join(unknown)}; expected only {', '.join(_MODULES)}")
    return dict(modules)


def _pooling(path: Path, name: str) -> tuple[str, bool]:
    config = object_in(path / name / "config.json")
    modes = {_MODES[key] for key in _MODES if config.get(key) is True or config.get("pooling_mode") == key}
    others = [key for key in _OTHER_MODES if config.get(key) is True]
    if others or len(modes) > 1 or (not modes and config.get("pooling_mode")):
        modes_set = ", ".join([*others, *sorted(modes)]) or config.get("pooling_mode")
        raise EmbeddingFailed(
            f"{path / name / 'config.json'} asks for {modes_set}; expected one of {', '.join(POOLINGS)}"
        )
    return next(iter(modes), "mean"), config.get("include_prompt", True) is not False


def _prompts(path: Path) -> tuple[str, str]:
    prompts = object_in(path / "config_sentence_transformers.json").get("prompts") or {}
    if not isinstance(prompts, dict) or not all(isinstance(text, str) for text in prompts.values()):
        raise EmbeddingFailed(f"expected prompts in {path / 'config_sentence_transformers.json'} to be texts by name")
    query, passage = (next((prompts[name] for name in names if name in prompts), "") for names in (QUERY, PASSAGE))
    return query, passage


def _dense(path: Path, name: str | None) -> tuple[tuple[np.ndarray, np.ndarray, bool], ...]:
    if name is None:
        return ()
    activation = str(object_in(path / name / "config.json").get("activation_function", "")).rsplit(".", 1)[-1]
    if activation not in ("Tanh", "Identity"):
        raise EmbeddingFailed(f"{path / name} asks for {activation or 'no activation'}; expected Tanh or Identity")
    if not (path / name / "model.safetensors").is_file():
        raise EmbeddingFailed(f"expected {path / name / 'model.safetensors'}, found none; a pickle is not read")
    arrays = safetensors.read(path / name / "model.safetensors")
    weight = arrays.get("linear.weight")
    if weight is None or weight.ndim != 2:
        raise EmbeddingFailed(f"{path / name / 'model.safetensors'} has no linear.weight (out, in)")
    bias = arrays.get("linear.bias", np.zeros(len(weight), np.float32))
    return ((weight, bias, activation == "Tanh"),)


def longest_of(path: Path, wanted: int | None) -> int:
    """The least of what the files say, at most 8,192."""
    config = object_in(path / "config.json")
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and config.get("model_type") in _OFFSET:
        positions -= 2
    limit = object_in(path / "sentence_bert_config.json").get("max_seq_length")
    if not isinstance(limit, int):
        limit = object_in(path / "tokenizer_config.json").get("model_max_length")
    known = [number for number in (wanted or limit, positions) if isinstance(number, int) and number > 8]
    return min([*known, MAX_TOKENS]) if known else 256
