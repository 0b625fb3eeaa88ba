"""A folder of the user's own is read as its own files say, whatever its tokenizer, pooling, prefix and width."""

import json

import numpy as np
import pytest

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

import tiny_models
from numpy.testing import assert_allclose

from context_graph.embed import Embedder
from context_graph.embed.own.description import Description
from context_graph.embed.own.fit import neutral
from context_graph.embed.own.folder_model import FolderModel
from context_graph.embed.semantic import unit
from context_graph.embed.statistics import PieceStatistics
from context_graph.embed.text_model import narrowing
from context_graph.errors import EmbeddingFailed
from tests.requirements import requirement

TEXT = "Anna started at the city library in March."
CODE = "def read_rows(path):\n    return open(path).read().splitlines()"


def opened(path, **told) -> FolderModel:
    return FolderModel(Description(folder=str(path), **told))


def expected(path, table, text, pooling, prefix="") -> np.ndarray:
    """The vector of a text, by the tokenizer itself and sums of rows."""
    import tokenizers

    ids = tokenizers.Tokenizer.from_file(str(path / "tokenizer.json")).encode(prefix + text).ids
    rows = table[ids]
    return {"mean": rows.mean(axis=0), "cls": rows[0], "last": rows[-1]}[pooling]


@requirement("models:any-folder")
@pytest.mark.parametrize("kind", tiny_models.KINDS)
@pytest.mark.parametrize("pooling", ["mean", "cls", "last"])
@pytest.mark.parametrize("width", [48, 384, 768])
def test_a_vector_is_what_the_folder_says(tmp_path, kind, pooling, width):
    table = tiny_models.folder(tmp_path, kind, width=width, pooling=pooling)
    model = opened(tmp_path)
    (state,) = model.hidden(model.chunked(TEXT))
    wanted = expected(tmp_path, table, TEXT, pooling)
    assert_allclose(state.vector, wanted, rtol=1e-5, atol=1e-6)
    basis = narrowing(width, 384) if model.fit.narrow is None else model.fit.narrow
    assert (model.fit.narrow is None) is (width <= 384) and basis.shape == (width, 384)
    model.fit = neutral(width)._replace(narrow=model.fit.narrow)
    assert_allclose(model.pooled([state]), unit(unit(wanted) @ basis), atol=1e-5)
    assert (
        len(model.content(state))
        == len(model.chunked(TEXT)[0])
        == len(model.idf(TEXT, *[model.chunked(TEXT)[0]], PieceStatistics()))
    )


@requirement("models:any-folder")
@pytest.mark.parametrize("kind", tiny_models.KINDS)
def test_prefixes_stand_before_questions_and_memories_and_leave_no_tokens(tmp_path, kind):
    prompts = {"prompts": {"query": "query: ", "passage": "passage: "}}
    table = tiny_models.folder(tmp_path, kind, config_sentence_transformers=prompts)
    model = opened(tmp_path)
    for question, prefix in ((True, "query: "), (False, "passage: ")):
        chunks = model.chunked(TEXT, question=question)
        (state,) = model.hidden(chunks, question=question)
        assert_allclose(state.vector, expected(tmp_path, table, TEXT, "mean", prefix), rtol=1e-4, atol=1e-5)
        assert len(state.tokens) == len(chunks[0])
        assert_allclose(state.tokens, table[chunks[0]], atol=1e-6)
    other = opened(tmp_path, query_prefix="", passage_prefix="")
    assert other.name != model.name  # vectors of the two are never compared
    assert_allclose(other.hidden(other.chunked(TEXT))[0].vector, expected(tmp_path, table, TEXT, "mean"), atol=1e-5)


def test_a_prefix_that_does_not_count_is_left_out_of_the_mean(tmp_path):
    prompts = {"prompts": {"query": "query: "}}
    table = tiny_models.folder(tmp_path, config_sentence_transformers=prompts)
    pooling = {"pooling_mode_mean_tokens": True, "include_prompt": False}
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps(pooling), "utf-8")
    model = opened(tmp_path)
    (state,) = model.hidden(model.chunked(TEXT, question=True), question=True)
    assert_allclose(state.vector, expected(tmp_path, table, TEXT, "mean"), atol=1e-5)


@requirement("models:any-folder")
@pytest.mark.parametrize("kind", tiny_models.KINDS)
def test_a_text_as_long_as_the_model_reads_is_one_chunk(tmp_path, kind):
    tiny_models.folder(tmp_path, kind, width=8, sentence_bert_config={"max_seq_length": 20_000})
    model = opened(tmp_path)
    assert model.folder.max_tokens == 8_192
    text = "The sea is salty. " * 2_000
    chunks = model.chunked(text)
    assert len(chunks) > 1 and all(len(chunk) <= 8_190 for chunk in chunks)
    assert [id for chunk in chunks for id in chunk] == model.tokenizer.tokens(text).ids
    assert len(chunks[0]) > 4_000 and len(model.hidden(chunks[:1])[0].tokens) == len(chunks[0])


def test_a_long_text_is_cut_behind_a_sentence(tmp_path):
    tiny_models.folder(tmp_path, sentence_bert_config={"max_seq_length": 32})
    model = opened(tmp_path)
    ids = {tuple(chunk[-1:]) for chunk in model.chunked("The cat sat. " * 40)[:-1]}
    assert ids == {tuple(model.tokenizer.tokens(".").ids)}


def test_the_mean_over_chunks_is_the_mean_over_all_states(tmp_path):
    tiny_models.folder(tmp_path, sentence_bert_config={"max_seq_length": 32})
    model = opened(tmp_path)
    states = model.hidden(model.chunked("The cat sat on the mat and looked at the rain. " * 10))
    total = sum(state.vector * state.states for state in states)
    assert_allclose(model.pooled(states), unit(unit(total) - model.fit.centre) @ np.eye(48, 384), atol=1e-5)


def test_a_dense_layer_stands_behind_the_pooling(tmp_path):
    modules = [
        {"type": "sentence_transformers.models.Transformer", "path": ""},
        {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"},
        {"type": "sentence_transformers.models.Dense", "path": "2_Dense"},
        {"type": "sentence_transformers.models.Normalize", "path": "3_Normalize"},
    ]
    table = tiny_models.folder(tmp_path, modules=modules)
    weight = np.random.default_rng(1).standard_normal((24, 48)).astype(np.float32)
    (tmp_path / "2_Dense").mkdir()
    (tmp_path / "2_Dense" / "config.json").write_text('{"activation_function": "torch.nn.modules.activation.Tanh"}')
    data = tiny_models.safetensors({"linear.weight": weight, "linear.bias": np.ones(24)})
    (tmp_path / "2_Dense" / "model.safetensors").write_bytes(data)
    model = opened(tmp_path)
    (state,) = model.hidden(model.chunked(TEXT))
    assert_allclose(state.vector, np.tanh(weight @ expected(tmp_path, table, TEXT, "mean") + 1), atol=1e-5)
    (tmp_path / "2_Dense" / "model.safetensors").write_bytes(data[:40])
    with pytest.raises(EmbeddingFailed, match="no safetensors file that can be read"):
        opened(tmp_path)


def test_a_cut_vector_is_the_first_numbers_of_the_whole(tmp_path):
    table = tiny_models.folder(tmp_path, width=64)
    model = opened(tmp_path, width=16)
    assert_allclose(
        model.hidden(model.chunked(TEXT))[0].vector, expected(tmp_path, table, TEXT, "mean")[:16], atol=1e-5
    )


@requirement("models:all-spaces")
@pytest.mark.parametrize("kind", tiny_models.KINDS)
def test_a_model_of_ones_own_fills_every_space_that_a_model_serves(tmp_path, kind):
    tiny_models.folder(tmp_path, kind)
    own, base = Embedder(model_folder=tmp_path), Embedder("base")
    text = f"The backup stopped because the disk was full.\n```python\n{CODE}\n```"
    made = own.fingerprint(text)
    assert {"E1", "E5", "E7", "E12"} <= set(own.makers) and len(set(own.makers.values())) == 1
    assert made.semantic[256:640].any() and {"E5", "E7"} <= set(made.optional)
    assert np.array_equal(made.pieces, base.fingerprint(text).pieces) and made.terms == base.fingerprint(text).terms
    asked = own.query("Why did the backup stop?")
    assert len(asked.tokens) == len(asked.idf) > 3 and 0 <= asked.idf.min() <= asked.idf.max() <= 1
    assert asked.optional["E5"].any()
    cause = asked.optional["E5"] @ made.optional["E5"]
    other = own.fingerprint("The harvest was late because spring had been cold.").optional["E5"]
    assert cause > asked.optional["E5"] @ other


def test_a_word_counts_as_it_does_in_the_built_in_vocabulary_whatever_its_tokens(tmp_path):
    tiny_models.folder(tmp_path, "bpe")
    model, statistics = opened(tmp_path), PieceStatistics()
    text = "the Valencia"
    idf = model.idf(text, model.chunked(text)[0], statistics)
    assert idf[0] < idf[-1] and len(set(idf.tolist())) == 2


def test_a_model_of_many_languages_reads_a_text_as_it_is(tmp_path):
    tiny_models.folder(tmp_path, "unigram")
    reads = {}
    for multilingual in (True, False):
        own = Embedder(own=Description(folder=str(tmp_path), multilingual=multilingual))
        reads[multilingual] = own._chunks(own.models["E1"], "Der Hund schläft im Garten.", None, None).text
    assert reads[True] == "Der Hund schläft im Garten." != reads[False]


@requirement("models:never-another")
def test_other_files_in_its_place_are_refused(tmp_path):
    tiny_models.folder(tmp_path)
    model = opened(tmp_path)
    assert opened(tmp_path, digest=model.folder.digest).name == model.name
    table = np.ones((400, 48))
    (tmp_path / "model.onnx").write_bytes(tiny_models.encoder(table))
    with pytest.raises(EmbeddingFailed, match="is not the model that was chosen: expected files with the digest"):
        opened(tmp_path, digest=model.folder.digest)
    assert opened(tmp_path).name != model.name


def _damaged(path, name):
    if name == "no tokenizer":
        (path / "tokenizer.json").unlink()
        (path / "sentencepiece.bpe.model").write_bytes(b"x")
    elif name == "torn tokenizer":
        (path / "tokenizer.json").write_bytes((path / "tokenizer.json").read_bytes()[:200])
    elif name == "pickle":
        (path / "model.onnx").rename(path / "pytorch_model.bin")
    elif name == "no numbers":
        (path / "model.onnx").write_bytes(tiny_models.encoder(np.full((400, 48), np.nan)))
    elif name == "vocabulary too long":
        (path / "model.onnx").write_bytes(tiny_models.encoder(np.ones((5, 48))))
    elif name == "pooled only":
        (path / "model.onnx").write_bytes(tiny_models.pair_encoder(np.ones((400, 2))))
    elif name == "other pooling":
        (path / "1_Pooling" / "config.json").write_text('{"pooling_mode_max_tokens": true}', "utf-8")
    elif name == "other modules":
        (path / "modules.json").write_text('[{"type": "x.models.CLIPModel", "path": ""}]', "utf-8")
    elif name == "several files":
        (path / "model.onnx").rename(path / "a.onnx")
        (path / "b.onnx").write_bytes(b"x")


@requirement("models:never-another")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no tokenizer", r"expected a tokenizer.json in .*; sentencepiece.bpe.model is converted by AutoTokenizer"),
        ("torn tokenizer", "is not a JSON object"),
        ("pickle", "found none; pytorch_model.bin may hold code and is not read"),
        ("no numbers", "not finite"),
        ("vocabulary too long", "failed over"),
        ("pooled only", "expected .* to give hidden states"),
        ("other pooling", "asks for pooling_mode_max_tokens; expected one of mean, cls, last"),
        ("other modules", "asks for CLIPModel"),
        ("several files", "has 2 ONNX files and none is called model.onnx"),
    ],
)
def test_a_folder_that_cannot_be_read_is_an_error_that_says_what_to_do(tmp_path, name, message):
    tiny_models.folder(tmp_path)
    _damaged(tmp_path, name)
    with pytest.raises(EmbeddingFailed, match=message):
        opened(tmp_path).load()


def test_a_device_that_is_not_there_is_no_other_device(tmp_path):
    import onnxruntime

    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("ONNX Runtime has CUDA here")
    tiny_models.folder(tmp_path)
    with pytest.raises(EmbeddingFailed, match="expected ONNX Runtime to have CUDAExecutionProvider"):
        opened(tmp_path, device="cuda").load()


def test_safetensors_without_torch_say_what_to_install(tmp_path):
    tiny_models.folder(tmp_path)
    (tmp_path / "model.onnx").unlink()
    (tmp_path / "model.safetensors").write_bytes(tiny_models.safetensors({"a": np.ones(3)}))
    with pytest.raises(EmbeddingFailed, match=r"pip install torch transformers|transformers can load"):
        opened(tmp_path).load()
