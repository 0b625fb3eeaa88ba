"""`doctor`, `config` and what a copy means for a removal, on good input."""

import contextlib

import apsw
import pytest

from context_graph.embed.minilm import model_file
from context_graph.kernels import backends
from tests.requirements import requirement


def test_a_backup_that_a_permanent_removal_cannot_reach_is_named(run, home, stored):
    path = run("backup", "--json").json["path"]
    with open(path, "r+b") as file:
        file.write(b"damaged")
    told = run("forget", stored[0]["node_id"], "--permanently", "--yes")
    assert told.code == 0 and f"{path} could not be changed" in told.out


def test_config_names_the_origin_of_each_setting(run, home):
    home.mkdir()
    (home / "config.toml").write_text("top_k = 7\n", encoding="utf-8")
    settings = {entry["name"]: entry for entry in run("config", "show", "--json").json}
    assert (settings["top_k"]["value"], settings["top_k"]["origin"]) == (7, "file")
    assert settings["tier"]["origin"] == "environment"
    assert settings["threads"]["origin"] == "default"
    assert "CONTEXT_GRAPH_<NAME>" in run("config").out


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("BACKEND", "AVX2", "must be one of reference, scalar, avx2, avx512, cuda, got 'AVX2'"),
        ("TOOLS", "a,b", "must be core, all, or names from inject_context"),
        ("TOOLS", "search_graph,Core", "must be core, all, or names from inject_context"),
    ],
)
def test_config_refuses_what_is_no_value_of_a_setting(run, monkeypatch, name, value, said):
    monkeypatch.setenv(f"CONTEXT_GRAPH_{name}", value)
    told = run("config", "--json")
    assert told.code == 2 and said in told.err and said in told.json["error"]["message"]


def test_config_shows_tools_and_a_backend_that_there_are(run, monkeypatch):
    monkeypatch.setenv("CONTEXT_GRAPH_BACKEND", "scalar")
    monkeypatch.setenv("CONTEXT_GRAPH_TOOLS", "search_graph, store_memory")
    settings = {entry["name"]: entry["value"] for entry in run("config", "--json").json}
    assert (settings["backend"], settings["tools"]) == ("scalar", "search_graph, store_memory")


def test_doctor_finds_a_sound_memory_sound(run, stored):
    report = run("doctor", "--json").json
    checks = {check["check"]: check for check in report["checks"]}
    assert report["ok"] is True
    assert {"backend scalar", "sqlite", "memory", "store", "model", "search", "tools"} <= set(checks)
    for name, state in backends().items():
        told = checks[f"backend {name}"]  # triton's too; what is not usable here says why and is no failure
        assert (told["ok"], told["text"]) == ((True, "usable") if state["usable"] else (None, state["reason"]))
        assert told["text"]
    assert "3 memories" in checks["store"]["text"]


@requirement("embedding:change-of-models")
@pytest.mark.skipif(model_file() is None, reason="the minilm extra is not installed")
def test_doctor_fails_where_a_server_does_not_start(run, home, monkeypatch):
    monkeypatch.setenv("CONTEXT_GRAPH_TOOLS", "a,b")
    told = run("doctor", "--json")
    tools = next(check for check in told.json["checks"] if check["check"] == "tools")
    assert told.code == 1 and tools["ok"] is False
    assert tools["text"] in run("serve").err


def test_after_a_change_of_tier_search_and_doctor_say_so_and_embed_ends_it(run, stored):
    before = run("search", "water the tomatoes", "--json").json["results"]
    during = run("search", "water the tomatoes", "--json", "--tier", "minilm")
    assert during.json["results"] == before and "0 of 3 memories are embedded anew" in during.json["notes"][0]
    assert "answers come from the base tier" in during.err

    def vectors() -> dict:
        checks = run("doctor", "--json", "--tier", "minilm").json["checks"]
        return next(check for check in checks if check["check"] == "vectors")

    assert vectors()["ok"] is None and "context-graph embed" in vectors()["text"]
    done = run("embed", "--tier", "minilm", "--json").json
    assert (done["embedded"], done["left"]) == (3, 0)
    assert "every memory has vectors of" in run("embed", "--tier", "minilm").out
    after = run("search", "water the tomatoes", "--json", "--tier", "minilm")
    assert after.json["notes"] == [] and after.json["results"][0]["node_id"] == before[0]["node_id"]
    assert vectors()["ok"] is True
    assert run("search", "water the tomatoes", "--json").json["results"] == before


def test_doctor_notices_what_was_changed_behind_the_log(run, home, stored):
    with contextlib.closing(apsw.Connection(str(home / "graph.sqlite3"))) as connection:
        connection.execute("UPDATE nodes SET content = 'something else' WHERE id = ?", (stored[0]["node_id"],))
    told = run("doctor", "--json")
    store = next(check for check in told.json["checks"] if check["check"] == "store")
    assert (told.code, store["ok"]) == (1, False)
    assert "nodes" in store["text"]
