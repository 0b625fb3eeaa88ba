"""A model of the user's own serves the spaces it is named for, and its vectors never meet those of another."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from context_graph.embed import Embedder
from context_graph.embed.chunks import chunked
from context_graph.embed.minilm import model_file
from context_graph.embed.own.description import Description
from context_graph.embed.own.fit import neutral
from context_graph.embed.own.folder_model import FolderModel, States
from context_graph.embed.semantic import unit
from context_graph.embed.text_model import narrowing
from context_graph.embed.wordpiece import VOCABULARY, pieces
from context_graph.errors import EmbeddingFailed, InvalidInput
from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.recall.question import Question
from context_graph.settings import Settings, load_settings

needs_model = pytest.mark.skipif(model_file() is None, reason="the minilm extra is not installed")
CODE = "def read_rows(path):\n    '''Read the rows of a table.'''\n    return open(path).read().splitlines()"


@needs_model
def test_a_model_reads_code_as_it_stands_and_words_are_read_from_plain_ones():
    text = f"To load it:\n```python\n{CODE}\n```"
    base, model = Embedder("base"), Embedder("minilm")
    assert base.read(text) == "To load it:\nread rows. Read the rows of a table\npath open path read splitlines"
    assert model.read(text, "Ines", "Loader") == f"Ines: Loader. {text}"
    seen = model.fingerprint(text)
    assert [len(chunk) for chunk in seen.chunks] == [len(chunk) for chunk in chunked(text)]
    assert seen.terms == base.fingerprint(text).terms and np.array_equal(seen.pieces, base.fingerprint(text).pieces)


ENCODE = "from context_graph.embed import Embedder; Embedder('minilm').query('Anna plays the clarinet.')"


@needs_model
def test_a_model_leaves_nothing_in_the_home_of_the_user_and_reports_to_nobody(tmp_path):
    # ONNX Runtime leaves a device id and a queue of events there, for its maker, where nobody tells it not to.
    subprocess.run([sys.executable, "-c", ENCODE], env={**os.environ, "HOME": str(tmp_path)}, check=True)
    assert not [*tmp_path.rglob("*")]


@needs_model
def test_a_closed_memory_holds_no_model_and_an_unloaded_one_reads_again(tmp_path):
    with Memory(Settings(home=tmp_path, tier="minilm")) as memory:
        memory.remember(Draft("The ferry was cancelled.", "said to you"))
        model = memory.model
        before = model.query("Does the boat run?").semantic
        assert model.loaded
    assert not model.loaded
    assert np.array_equal(model.query("Does the boat run?").semantic, before)


@needs_model
def test_what_surrounds_code_does_not_belong_to_it():
    """E7 is of the code alone: other prose around it changes what the model makes of it little."""
    model = Embedder("minilm")

    def told(text):
        return unit(model.fingerprint(text).optional["E7"][:384])

    alone, amid = told(CODE), told(f"The harbour was foggy.\n```python\n{CODE}\n```\nWe had soup.")
    assert alone @ amid > 0.8 > told("def sail(boat):\n    boat.hoist()") @ alone


@pytest.fixture
def folder(tmp_path):
    """A folder with the package's model: another model as far as anyone can tell."""
    own = tmp_path / "my-model"
    own.mkdir()
    shutil.copy(model_file(), own / "model.onnx")
    return own


@needs_model
@pytest.mark.long
def test_a_folder_serves_all_spaces_and_gives_its_vectors_another_name(folder):
    shutil.copy(VOCABULARY, folder / "vocab.txt")
    own, packaged = Embedder(model_folder=folder), Embedder()
    assert own.makers["E1"].startswith("static256+my-model-") and own.makers["E1"] != packaged.makers["E1"]
    a, b = own.query("Where does Anna swim?"), packaged.query("Where does Anna swim?")
    assert np.allclose(a.semantic, b.semantic, atol=1e-6)  # the same model, after all
    assert a.tokens.shape == b.tokens.shape and not np.allclose(a.tokens, b.tokens, atol=0.1)  # a basis of its own
    np.save(folder / "token_basis.npy", np.load(VOCABULARY.parent / "minilm_token_pca128.npy"))
    assert np.allclose(Embedder(model_folder=folder).query("Where does Anna swim?").tokens, b.tokens, atol=1e-6)


@pytest.fixture(scope="module")
def packaged():
    return Embedder()


@needs_model
@pytest.mark.parametrize(
    "space", ["E1", *(pytest.param(other, marks=pytest.mark.long) for other in ("E5", "E7", "E12"))]
)
def test_a_model_for_one_space_leaves_the_others_as_they_are(folder, packaged, space):
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    own = Embedder(space_models={space: folder})
    served = {"E1", "E10"} if space == "E1" else {space}
    assert {id for id in own.makers if own.makers[id] != packaged.makers[id]} == served
    text = f"It failed because the disk was full. Why did the backup stop?\n```python\n{CODE}\n```"
    a, b = own.fingerprint(text), packaged.fingerprint(text)
    changed = {
        "E1": not np.allclose(a.semantic, b.semantic, atol=1e-3),
        "E12": not all(np.array_equal(x, y) for x, y in zip(a.chunks, b.chunks, strict=True)),
    } | {id: not np.allclose(a.optional[id], b.optional[id], atol=1e-3) for id in ("E5", "E7")}
    # The first token stands for a whole text, which E5 and E7 have none of: their parts are means in any model.
    assert {id for id in changed if changed[id]} == ({space} if space in ("E1", "E12") else set())
    asked = own.query("Why did the backup stop?"), packaged.query("Why did the backup stop?")
    for id in ("E5", "E7"):
        assert np.allclose(asked[0].optional[id], asked[1].optional[id], atol=1e-3) is (id != space)


@needs_model
def test_a_changed_model_embeds_anew_in_the_background_and_is_never_mixed_with_the_old(tmp_path, folder):
    home = tmp_path / "home"
    with Memory(Settings(home=home, tier="minilm")) as memory:
        code, plain = (memory.remember(Draft(text)).node.id for text in (CODE, "Anna swims in the lake."))
        first = memory.embedder.makers
    changed = Settings(home=home, tier="minilm", space_models={"E7": folder})
    with Memory(changed) as memory:
        memory.background._put = lambda planned: None  # nothing is embedded yet
        assert len(memory.corpus.optional["E7"]) == 0
        assert memory.store.vector_models(code)["E7"] == first["E7"]
    with Memory(changed) as memory:
        assert memory.corpus.ids == [code, plain]
        memory.background.wait()
        assert memory.store.vector_models(code)["E7"] == memory.embedder.makers["E7"] != first["E7"]
        assert memory.store.vector_models(plain)["E1"] == first["E1"]
        assert memory.recall(Question("read the rows of a table")).hits[0].node.id == code
        assert len(memory.corpus.optional["E7"]) == 1
        assert memory.store.verify().ok


@pytest.mark.parametrize(("width", "to"), [(768, 384), (384, 128), (1_024, 384)])
def test_a_wider_vector_is_narrowed_by_orthonormal_columns(width, to):
    basis = narrowing(width, to)
    assert np.allclose(basis.T @ basis, np.eye(to), atol=1e-5)
    assert np.array_equal(narrowing.__wrapped__(width, to), basis)


def test_a_narrower_vector_is_padded():
    assert np.array_equal(np.arange(3, dtype=np.float32) @ narrowing(3, 5), [0, 1, 2, 0, 0])


REFUSED = {
    "vocab.txt": ("[PAD]\nword\n", "lacks .CLS., .SEP., .UNK."),
    "tokenizer.json": ("{}", "names no vocabulary"),
    "1_Pooling/config.json": ("[]", "not a JSON object"),
    "token_basis.npy": ("no array", "is no array"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_lies_beside_a_model_must_fit(tmp_path, name):
    content, message = REFUSED[name]
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(content)
    (tmp_path / "model.onnx").write_bytes(b"x")
    with pytest.raises(EmbeddingFailed, match=message):
        FolderModel(Description(folder=str(tmp_path)))


def test_a_basis_of_another_width_is_refused_and_not_passed_over(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"x")
    np.save(tmp_path / "token_basis.npy", np.eye(64, 128, dtype=np.float32))
    model = FolderModel(Description(folder=str(tmp_path)))
    model.fit = neutral(384)
    with pytest.raises(EmbeddingFailed, match=r"to be \(384, 128\) for this model, got \(64, 128\)"):
        model.tokens(States(np.ones(384, np.float32), np.ones((2, 384), np.float32), 4))


def test_a_tokenizer_with_the_right_vocabulary_is_taken_and_a_file_that_is_no_model_is_not(tmp_path):
    vocabulary = {piece: i for i, piece in enumerate(VOCABULARY.read_text("utf-8").splitlines())}
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocabulary}}), "utf-8")
    (tmp_path / "model.onnx").write_bytes(b"x")
    pytest.importorskip("onnxruntime")
    with pytest.raises(EmbeddingFailed, match="ONNX Runtime can load"):
        FolderModel(Description(folder=str(tmp_path))).hidden([pieces("a text")])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"space_models": {"E6": "."}}, "names E6; a model can serve E1, E5, E7, E12"),
        ({"space_models": {"E7": "nowhere"}}, "in nowhere, found none"),
        ({"model_folder": "nowhere"}, "in nowhere, found none"),
        ({"tier": "base", "space_models": {"E7": "here"}}, "need the model of tier 'minilm'"),
    ],
)
def test_a_model_that_is_not_there_is_an_error_and_not_another_tier(tmp_path, monkeypatch, arguments, message):
    from pathlib import Path

    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "model.onnx").write_bytes(b"x")
    models = {id: Path(folder) for id, folder in arguments.get("space_models", {}).items()}
    given = {name: Path(value) if name == "model_folder" else value for name, value in arguments.items()}
    pytest.importorskip("onnxruntime")
    with pytest.raises(EmbeddingFailed, match=message):
        Embedder(**(given | ({"space_models": models} if models else {})))


def test_models_of_spaces_are_set_by_a_table_or_by_text(tmp_path):
    from pathlib import Path

    (tmp_path / "config.toml").write_text('[space_models]\nE7 = "/models/code"\n', "utf-8")
    assert load_settings({"home": tmp_path}, {})[0].space_models == {"E7": Path("/models/code")}
    text = {"CONTEXT_GRAPH_SPACE_MODELS": "e7=/models/code, E5=~/why"}
    found = load_settings({"home": tmp_path}, text)[0].space_models
    assert found == {"E7": Path("/models/code"), "E5": Path("~/why").expanduser()}
    for wrong in ("E7", "E7=", "=x"):
        with pytest.raises(InvalidInput, match="SPACE=FOLDER"):
            load_settings({"home": tmp_path}, {"CONTEXT_GRAPH_SPACE_MODELS": wrong})
