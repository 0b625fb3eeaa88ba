"""Each command on good input."""

import base64
import contextlib
import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import apsw
import makers
import pytest

from context_graph.embed.minilm import model_file
from context_graph.kernels import backends
from tests.requirements import requirement

REPOSITORY = Path(__file__).parents[2]


def test_seed_tells_what_it_remembered_and_what_it_could_not_read(run, notes):
    told = run("seed", "--source", notes, "--json").json
    assert (told["files"], told["skipped"], told["known_already"]) == (2, {"not text in UTF-8": 1}, 0)
    assert told["stored"] == told["added"] == sum(told["kinds"].values()) == 3


def test_seed_of_the_same_folder_stores_nothing_new(run, notes):
    first = run("seed", "--source", notes, "--json").json["stored"]
    again = run("seed", "--source", notes, "--json").json
    assert (again["stored"], again["known_already"]) == (0, first)


@requirement("seed:sync")
def test_seed_says_what_changed_and_one_undo_brings_back_what_went(run, notes):
    run("seed", "--source", notes)
    (notes / "watering.py").unlink()
    garden = notes / "garden.md"
    garden.write_text(garden.read_text("utf-8").replace("second evening", "third morning"), "utf-8")
    told = run("seed", "--source", notes, "--json", "--verbose").json
    assert {name: told[name] for name in ("added", "changed", "moved", "removed", "known_already")} == {
        "added": 0, "changed": 1, "moved": 0, "removed": 1, "known_already": 1,
    }  # fmt: skip
    assert told["changes"]["garden.md"] == {"unchanged": 1, "changed": 1}
    assert told["changes"]["watering.py"] == {"removed": 1}
    assert told["skipped_files"] == [{"path": "old.txt", "reason": "not text in UTF-8"}]
    assert "third morning" in run("search", "water the tomatoes").out
    assert "litres" not in run("search", "how many litres do the pots need").out
    assert run("undo", told["undo"]).code == 0
    assert "litres" in run("search", "how many litres do the pots need").out


@requirement("seed:missing-disk")
def test_seed_asks_before_it_forgets_nearly_all(run, notes):
    run("seed", "--source", notes)
    for file in notes.iterdir():
        file.unlink()
    refused = run("seed", "--source", notes)
    assert refused.code == 1 and "3 of 3 parts would be forgotten" in refused.err and "--allow-removal" in refused.err
    assert "second evening" in run("search", "water the tomatoes").out
    notes.rmdir()
    assert run("seed", "--source", notes).code == 2
    done = run("seed", "--source", notes, "--allow-removal")
    assert done.code == 0 and "3 parts are gone and forgotten; context-graph undo" in done.out
    assert "second evening" not in run("search", "water the tomatoes").out


def test_seed_of_this_repository_gives_a_hundred_memories_with_reasons_and_links(run, home):
    folders = ("docs", "python/context_graph/ingest")  # the whole of it takes a minute
    told = [run("seed", "--source", REPOSITORY / folder, "--json").json for folder in folders]
    assert (stored := sum(done["stored"] for done in told)) >= 100
    assert told[-1]["edges"] >= stored
    nodes = [run("inspect", entry["node_id"], "--json").json for entry in run("log", "-n", "5", "--json").json]
    assert all(node["rationale"] and node["links"] for node in nodes)


def test_search_finds_what_was_seeded(run, stored):
    assert "second evening" in stored[0]["content"]
    assert 0 <= stored[0]["relevance"] <= 1


def test_inspect_writes_the_file_of_a_memory(run, tmp_path):
    data = makers.png(makers.plain())
    uri = "data:image/png;base64," + base64.b64encode(data).decode()
    arguments = {"data_uri": uri, "rationale": "shows the gate to visitors", "metadata": {"caption": "the red gate"}}
    assert run("call", "store_memory", json.dumps(arguments)).code == 0
    node = run("log", "--json").json[0]["node_id"]
    saved = tmp_path / "gate.png"
    assert run("inspect", node, "--save", str(saved)).code == 0 and saved.read_bytes() == data
    again = run("inspect", node, "--save", str(saved))
    assert again.code == 2 and "name a new file" in again.err


def test_search_shows_tags_that_inspect_takes(run, stored):
    line = run("search", "water the tomatoes").out.splitlines()[0]
    shown = run("inspect", line.rsplit(maxsplit=1)[1])
    assert shown.code == 0
    assert "second evening" in shown.out
    assert "history" in shown.out


def test_search_explains_itself(run, stored):
    explained = run("search", "tomatoes", "--explain", "--json").json
    assert explained["stages"][0]["stage"] == "candidates"
    assert "words" in explained["results"][0]["parts"]


def test_search_takes_the_number_of_results_from_the_setting(run, stored, monkeypatch):
    monkeypatch.setenv("CONTEXT_GRAPH_TOP_K", "1")
    assert len(run("search", "tomatoes", "--json").json["results"]) == 1
    assert len(run("search", "tomatoes", "-k", "2", "--json").json["results"]) == 2


def test_forget_undo_and_redo(run, stored):
    node = stored[0]["node_id"]
    forgotten = run("forget", node, "--json").json
    assert node not in _found(run)
    assert run("undo", forgotten["undo"], "--preview", "--json").json["undone"] is False
    assert node not in _found(run)
    undone = run("undo", forgotten["undo"], "--json").json
    assert node in _found(run)
    assert run("undo", undone["redo"]).code == 0
    assert node not in _found(run)


def test_a_permanent_removal_leaves_nothing_to_undo(run, stored):
    node = stored[0]["node_id"]
    told = run("forget", node, "--permanently", "--json").json
    assert (told["permanent"], told["undo"], told["until"]) == (True, None, None)
    assert run("inspect", node).code == 1


def test_what_is_in_the_trash_can_be_deleted_for_good(run, stored):
    node = stored[0]["node_id"]
    hash = run("forget", node, "--json").json["undo"]
    assert "gone for good" in run("forget", node, "--permanently", "--yes").out
    assert run("undo", hash).code == 1
    assert run("inspect", node).code == 1


def test_a_backup_that_a_permanent_removal_cannot_reach_is_named(run, home, stored):
    path = run("backup", "--json").json["path"]
    with open(path, "r+b") as file:
        file.write(b"damaged")
    told = run("forget", stored[0]["node_id"], "--permanently", "--yes")
    assert told.code == 0 and f"{path} could not be changed" in told.out


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1), ("", 1)])
def test_a_permanent_removal_on_a_terminal_is_asked_about(run, stored, monkeypatch, answer, code):
    terminal = io.StringIO(answer)
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    assert run("forget", stored[0]["node_id"], "--permanently").code == code
    assert run("inspect", stored[0]["node_id"]).code == (1 if code == 0 else 0)


def test_log_lists_writes_and_leaves_out_counted_reads(run, stored):
    run("search", "tomatoes")
    types = {entry["type"] for entry in run("log", "--json").json}
    assert types == {"created"}
    assert {entry["type"] for entry in run("log", "--type", "effects", "--json").json} == {"effects"}


def test_log_names_what_a_write_was_about(run, stored):
    assert "garden.md" in run("log", "-n", "3").out


def test_goals_are_added_listed_and_removed(run):
    added = run("goal", "add", "keep the balcony green", "--json").json[0]
    assert run("goal", "list", "--json").json == [added]
    assert run("goal", "rm", added["id"][:8]).code == 0
    assert "no goals" in run("goal", "list").out


def test_tools_are_listed_with_schemas(run):
    tools = {tool["name"]: tool for tool in run("tools", "--json").json}
    assert tools["search_graph"]["inputSchema"]["required"] == ["query"]
    assert "store_memory" in run("tools").out


def test_call_answers_like_the_server(run, stored):
    answer = run("call", "search_graph", '{"query": "water the tomatoes", "include_content": true}')
    assert answer.code == 0
    assert answer.json["results"][0]["node_id"] == stored[0]["node_id"]
    assert set(answer.json["pulse"]) == {"entropy", "coherence", "suggested"}


def test_call_reads_arguments_from_standard_input(run, stored, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO('{"query": "tomatoes"}'))
    assert run("call", "search_graph", "-").json["results"]


def test_config_names_the_origin_of_each_setting(run, home):
    home.mkdir()
    (home / "config.toml").write_text("top_k = 7\n", encoding="utf-8")
    settings = {entry["name"]: entry for entry in run("config", "show", "--json").json}
    assert (settings["top_k"]["value"], settings["top_k"]["origin"]) == (7, "file")
    assert settings["tier"]["origin"] == "environment"
    assert settings["threads"]["origin"] == "default"
    assert "CONTEXT_GRAPH_<NAME>" in run("config").out


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


def _found(run) -> list[str]:
    return [entry["node_id"] for entry in run("search", "water the tomatoes", "--json").json["results"]]


def test_brief_tells_a_person_and_a_program(run):
    for name, metadata in (("kubernetes", {"aliases": ["k8s"]}), ("hosting", {"type": "open_question"})):
        metadata |= {"name": name, "scope": ["domain:code"], "user": "anna"}
        told = {"content": f"We speak of {name}.", "rationale": "said by the user", "metadata": metadata}
        assert run("call", "store_memory", json.dumps(told)).code == 0
    arguments = ("brief", "is", "k8s", "up?", "--scope", "domain:code", "--user", "anna")
    shown = run(*arguments).out.splitlines()
    assert [line.partition("  [node_")[0] for line in shown] == [
        "named here:", "  We speak of kubernetes.", "not decided:", "  We speak of hosting.",
    ]  # fmt: skip
    told = run(*arguments, "--json", "--budget", "1").json
    assert {part: [entry["name"] for entry in entries] for part, entries in told.items()} == {
        "prelude": [], "pinned": [], "relevant": ["kubernetes"], "open_questions": [], "facts": [],
    }  # fmt: skip
    assert "nothing to tell" in run("brief", "k8s").out


def test_facts_tells_a_person_and_a_program_with_citations(run):
    for text, session in (
        ("I play clarinet.", "1"),
        ("I play the violin. I live in Ghent.", "2"),
        ("I moved to Lisbon.", "3"),
    ):
        told = {"content": text, "rationale": "said by a friend", "metadata": {"speaker": "Ines", "session": session}}
        assert run("call", "store_memory", json.dumps(told)).code == 0
    shown = run("facts", "Ines").out.splitlines()
    assert [re.sub(r" \[node_\w+\]", "", line) for line in shown] == [
        "Ines, play: clarinet; violin", f"Ines, live in: Ghent (last said {datetime.now(UTC):%Y-%m-%d}); Lisbon",
    ]  # fmt: skip
    entries = run("facts", "ines", "--json").json
    assert [(e["relation"], [v["value"] for v in e["values"]]) for e in entries] == [
        ("play", ["clarinet", "violin"]), ("live in", ["Ghent", "Lisbon"]),
    ]  # fmt: skip
    assert all(len(value["memories"]) == 1 for entry in entries for value in entry["values"])
    assert "no facts about 'Otto'" in run("facts", "Otto").out
