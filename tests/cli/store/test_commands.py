"""Each command on the store, on good input."""

import base64
import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import makers
import pytest

import context_graph
from context_graph.citations import tag_of
from context_graph.ingest.extracting import EXTRACTED
from context_graph.store import EVENT_TYPES


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
    assert again.code == 1 and "name a new file" in again.err


def test_search_shows_tags_that_inspect_takes(run, stored):
    line = run("search", "water the tomatoes").out.splitlines()[0]
    shown = run("inspect", line.rsplit(maxsplit=1)[1])
    assert shown.code == 0
    assert "second evening" in shown.out
    assert "history" in shown.out


def test_search_for_what_is_not_known_says_so(run, stored):
    searched = run("search", "the capital of Mongolia")
    assert searched.code == 0 and searched.out.startswith("nothing known of this")
    assert "tomatoes" in run("search", "the capital of Mongolia", "--all").out
    data = run("search", "the capital of Mongolia", "--json").json
    assert data["results"] == [] and data["notes"] == [searched.out.strip()]
    whole = run("search", "the capital of Mongolia", "--json", "--all").json
    assert whole["results"] and whole["notes"] == []


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


def test_forgetting_tells_what_holds_again_and_an_undo_what_stays(run):
    old = run("remember", "The gate code is 4471.", "--json").json["node_id"]
    new = run("remember", "The gate code is 9983.", "--supersedes", old, "--json").json["node_id"]
    gone = run("forget", new)
    assert f"it had superseded {tag_of(old)}, which holds again" in gone.out
    first = run("log", "--type", "forgotten", "--json").json[0]["hash"]
    run("remember", "The gate code is 7100.", "--supersedes", old)
    undone = run("undo", first)
    assert "took back" in undone.out and "left as it is: superseded_by" in undone.out


def test_a_permanent_removal_leaves_nothing_to_undo(run, stored):
    node = stored[0]["node_id"]
    told = run("forget", node, "--permanently", "--yes", "--json").json
    assert (told["permanent"], told["undo"], told["until"]) == (True, None, None)
    assert run("inspect", node).code == 1


def test_what_is_in_the_trash_can_be_deleted_for_good(run, stored):
    node = stored[0]["node_id"]
    hash = run("forget", node, "--json").json["undo"]
    assert "gone for good" in run("forget", node, "--permanently", "--yes").out
    assert run("undo", hash).code == 1
    assert run("inspect", node).code == 1


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1), ("", 1)])
def test_a_permanent_removal_on_a_terminal_is_asked_about(run, stored, monkeypatch, answer, code):
    terminal = io.StringIO(answer)
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    assert run("forget", stored[0]["node_id"], "--permanently").code == code
    assert run("inspect", stored[0]["node_id"]).code == (1 if code == 0 else 0)


@pytest.mark.parametrize("stdin", [None, io.StringIO("n\n"), io.StringIO("y\n")])
def test_without_a_terminal_nothing_is_deleted_for_good_unless_yes_is_passed(run, stored, monkeypatch, stdin):
    node = stored[0]["node_id"]
    monkeypatch.setattr("sys.stdin", stdin)
    refused = run("forget", node, "--permanently")
    assert refused.code == 1 and "--yes" in refused.err and "nothing was deleted" in refused.err
    assert node in _found(run)
    assert run("forget", node, "--permanently", "--yes").code == 0


def test_log_lists_writes_and_leaves_out_counted_reads(run, stored):
    run("search", "tomatoes")
    types = {entry["type"] for entry in run("log", "--json").json}
    assert types == {"created"}
    assert {entry["type"] for entry in run("log", "--type", "effects", "--json").json} == {"effects"}


WRITTEN = re.compile(r'(?:store\.write|_write|event_type=|record_type)\(?\s*"(\w+)"(?: if [\w.]+ else "(\w+)")?')


def test_log_refuses_a_type_that_no_write_has(run, stored):
    told = run("log", "--type", "nonsense")
    assert told.code == 2 and "type must be one of agent, " in told.err and "got 'nonsense'" in told.err
    never = run("log", "--type", "purge")
    assert never.code == 0 and "nothing of type 'purge' was written" in never.out


def test_log_knows_the_types_of_all_writes():
    sources = (path.read_text("utf-8") for path in Path(context_graph.__file__).parent.rglob("*.py"))
    types = {type for source in sources for pair in WRITTEN.findall(source) for type in pair} - {"", "kind"}
    assert {*EVENT_TYPES} == types | {EXTRACTED}


def test_log_names_what_a_write_was_about(run, stored):
    assert "garden.md" in run("log", "-n", "3").out


def test_status_and_list_count_what_is_live(run, stored):
    run("forget", stored[0]["node_id"])
    told = run("status")
    live = run("status", "--json").json["memories"]
    assert f"holds      {live} memories (besides 1 forgotten)" in told.out
    assert run("list", "--json").json["total"] == live == len(run("list", "-n", "99", "--json").json["memories"])


def test_status_and_doctor_tell_how_many_are_past_so_that_they_agree_with_list(run):
    old = run("remember", "The rent is 850 euros.", "--json").json["node_id"]
    run("remember", "The rent is 900 euros.", "--supersedes", old)
    counts = run("status", "--json").json
    assert (counts["live_memories"], counts["past_memories"], run("list", "--json").json["total"]) == (2, 1, 1)
    assert "holds      2 memories (1 of them past)" in run("status").out
    assert "2 memories (1 of them past)" in run("doctor").out


def test_several_writes_are_taken_back_in_the_order_given(run):
    hashes = []
    for text in ("The rent is 850 euros.", "The gate code is 4471."):
        run("remember", text)
        hashes.append(run("log", "-n", "1", "--json").json[0]["hash"])
    previewed = run("undo", *hashes, "--preview", "--json").json
    assert [one["undone"] for one in previewed["writes"]] == [False, False] and previewed["undone"] is False
    done = run("undo", *hashes, "--json").json
    assert done["undone"] and [one["hash"] for one in done["writes"]] == hashes
    assert run("list", "--json").json["total"] == 0
    again = run("undo", *(one["redo"] for one in reversed(done["writes"])))
    assert again.code == 0 and len(again.out.splitlines()) == 2 and run("list", "--json").json["total"] == 2


def test_the_first_write_that_cannot_be_taken_back_ends_an_undo_and_what_was_undone_is_told(run):
    hashes = []
    for text in ("The rent is 850 euros.", "The gate code is 4471."):
        run("remember", text)
        hashes.append(run("log", "-n", "1", "--json").json[0]["hash"])
    told = run("undo", hashes[0], "9c1e5a7704bd21f3", hashes[1])
    assert told.code == 1 and f"{hashes[0]}: took back a write of type created" in told.out
    assert "9c1e5a7704bd21f3" in told.err and f"taken back before it: {hashes[0]}; not tried: {hashes[1]}" in told.err
    assert told.err.count("\n") == 1 and run("list", "--json").json["total"] == 1
    data = run("undo", "9c1e5a7704bd21f3", hashes[1], "--json")
    assert data.code == 1 and "taken back before it: none" in data.json["error"]["message"]
    wrong = run("undo", hashes[1], "xyz")
    assert wrong.code == 2 and run("list", "--json").json["total"] == 1


def test_list_leaves_out_what_is_past_unless_it_is_asked_for(run):
    old = run("remember", "The rent is 850 euros.", "--json").json["node_id"]
    new = run("remember", "The rent is 900 euros.", "--supersedes", old, "--json").json["node_id"]
    listed = run("list", "--json").json
    assert [entry["node_id"] for entry in listed["memories"]] == [new] and listed["total"] == 1
    assert "850" not in run("list").out
    entries = run("list", "--past", "--json").json["memories"]
    assert [(entry["node_id"], entry["superseded_by"]) for entry in entries] == [(new, None), (old, new)]
    assert entries[0]["valid_to"] is None and entries[1]["valid_to"] is not None
    lines = run("list", "--past").out.splitlines()
    assert "(past" not in lines[0] and lines[1].endswith(f"(past, replaced by {tag_of(new)})")


def test_inspect_says_that_a_memory_is_superseded(run):
    old = run("remember", "The rent is 850 euros.", "--json").json["node_id"]
    assert "state            live\n" in run("inspect", old).out
    new = run("remember", "The rent is 900 euros.", "--supersedes", old, "--json").json["node_id"]
    told = run("inspect", old).out
    assert f"state            superseded by {tag_of(new)}\n" in told and "valid_to         2" in told
    data = run("inspect", old, "--json").json
    assert (data["state"], data["superseded_by"]) == ("live", new)


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


def _found(run) -> list[str]:
    return [entry["node_id"] for entry in run("search", "water the tomatoes", "--json").json["results"]]


def test_brief_tells_what_the_question_for_it_tells_as_open(run):
    for text in ("TODO: buy milk before Friday.", "Anna plays the clarinet."):
        run("remember", text)
    assert "buy milk" in run("ask", "what is open").out
    shown = run("brief").out.splitlines()
    assert [line.partition("  [node_")[0] for line in shown] == ["open:", "  TODO: buy milk before Friday."]
    assert run("brief", "--json", "--budget", "0").json["open"] == []
    assert len(run("brief", "--scope", "domain:code", "--json").json["open"]) == 1, "it holds in every scope"


def test_brief_tells_what_says_by_its_words_how_to_answer(run):
    run("remember", "Prefer short answers without bullet lists.")
    run("remember", "The bus was late.")
    shown = run("brief").out
    assert "how to answer:" in shown and "short answers" in shown and "bus" not in shown
    assert [one["content"] for one in run("brief", "--json").json["instructions"]] == [
        "Prefer short answers without bullet lists."
    ]


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
        "prelude": [], "instructions": [], "pinned": [], "relevant": ["kubernetes"], "open_questions": [], "open": [],
        "facts": [],
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


def test_call_tells_what_is_wrong_with_a_tool_whose_answers_have_a_status(run):
    asked = run("call", "reason_with_cases", '{"query_features": {"x": 1}, "model": "none"}')
    assert asked.code == 1 and "Model not found: 'none'" in asked.err and "defect" not in asked.err
