"""`seed`, on good input."""

import os
from pathlib import Path

import pytest

from tests.requirements import requirement

REPOSITORY = Path(__file__).parents[3]


def test_seed_tells_what_it_remembered_and_what_it_could_not_read(run, notes):
    told = run("seed", "--source", notes, "--json").json
    assert (told["files"], told["skipped"], told["known_already"]) == (2, {"not text in UTF-8": 1}, 0)
    assert told["stored"] == told["added"] == sum(told["kinds"].values()) == 3


@pytest.mark.parametrize("arguments", [("",), (" ",), ("--source", "")])
def test_seed_of_an_empty_path_is_refused_and_does_not_take_the_current_folder(
    run, home, notes, monkeypatch, arguments
):
    monkeypatch.chdir(notes)
    refused = run("seed", *arguments)
    assert refused.code == 2 and "expected a directory or a file, got nothing" in refused.err
    assert not home.exists()


def test_a_name_with_a_line_break_or_of_other_bytes_is_printed_on_one_line(run, notes):
    (notes / "two\nlines.md").write_text("The espresso costs two francs.", "utf-8")
    (notes / os.fsdecode(b"caf\xe9.md")).write_text("The tea is from Assam, and costs more.", "utf-8")
    (notes / "old\nlist.txt").write_bytes(b"caf\xe9")
    lines = run("seed", notes, "--verbose").out.splitlines()
    assert {"two\\nlines.md: 1 added", "caf\\xe9.md: 1 added"} < set(lines)
    assert "old\\nlist.txt: skipped, not text in UTF-8" in lines


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
    assert run("seed", "--source", notes).code == 1
    done = run("seed", "--source", notes, "--allow-removal")
    assert done.code == 0 and "3 parts are gone and forgotten; context-graph undo" in done.out
    assert "second evening" not in run("search", "water the tomatoes").out


@pytest.mark.long
def test_seed_of_this_repository_gives_a_hundred_memories_with_reasons_and_links(run, home):
    folders = ("docs/kernels", "python/context_graph/ingest")  # the whole of it takes a minute
    told = [run("seed", "--source", REPOSITORY / folder, "--json").json for folder in folders]
    assert (stored := sum(done["stored"] for done in told)) >= 100
    assert told[-1]["edges"] >= stored
    nodes = [run("inspect", entry["node_id"], "--json").json for entry in run("log", "-n", "5", "--json").json]
    assert all(node["rationale"] and node["links"] for node in nodes)


@requirement("seed:missing-extra")
def test_seed_counts_what_an_extra_would_read(run, notes, monkeypatch):
    monkeypatch.setattr("context_graph.connectors.folder.readers.pdf.find_spec", lambda name: None)
    (notes / "plan.pdf").write_bytes(b"%PDF-1.4")
    told = run("seed", "--source", notes)
    assert "1 file is read better, or at all, with the extra [documents]" in told.out
    assert run("seed", "--source", notes, "--json").json["missing_extras"] == {"documents": 1}


@requirement("seed:watch")
def test_seed_follows_a_folder_until_ctrl_c(run, notes, monkeypatch):
    def changes(*paths, **more):
        yield set()
        (notes / "garden.md").write_text("# Garden\n\nThe tomatoes moved to the cellar that nobody enters.\n", "utf-8")
        yield {(2, str(notes / "garden.md"))}
        raise KeyboardInterrupt

    monkeypatch.setattr("watchfiles.watch", changes)
    told = run("seed", "--source", notes, "--watch")
    assert told.code == 0
    assert "garden.md: 1 changed" in told.out and "no longer watched" in told.err
    assert "cellar" in run("search", "where are the tomatoes").out


@requirement("seed:watch")
def test_polling_needs_watching(run, notes):
    told = run("seed", "--source", notes, "--poll")
    assert told.code == 2 and "give --watch too" in told.err


@requirement("project:filter")
def test_search_and_ask_answer_from_one_project(run, notes, tmp_path):
    other = tmp_path / "allotment"
    other.mkdir()
    (other / "garden.md").write_text("# Garden\n\nThe tomatoes stand in a greenhouse of glass.\n", "utf-8")
    for folder in (notes, other):
        assert run("seed", "--source", folder).code == 0
    hits = run("search", "where are the tomatoes", "--project", "allotment", "--json").json["results"]
    assert {hit["project"] for hit in hits} == {"allotment"} and hits[0]["source"] == "garden.md:1-3"
    told = run("ask", "where do the tomatoes stand", "--project", "allotment").out
    assert "greenhouse" in told and "balcony" not in told
    listed = run("list", "--project", "allotment", "--json").json
    assert ["greenhouse" in memory["content"] for memory in listed["memories"]] == [True] and listed["total"] == 1


@requirement("project:filter")
@pytest.mark.parametrize(
    "command", [("search", "tomatoes"), ("ask", "where do the tomatoes stand"), ("brief",), ("list",)]
)
def test_a_project_that_no_memory_has_is_told_with_those_there_are(run, notes, command):
    assert run("seed", notes).code == 0
    told = run(*command, "--project", "brewery", "--json")
    assert told.code == 1 and told.json["error"]["code"] == "NOT_FOUND"
    assert "no memory is of the project 'brewery'; projects here: notes" in told.err


def test_where_no_memory_has_a_project_that_is_told(run):
    assert run("remember", "The rent is 850 euros.").code == 0
    told = run("list", "--project", "brewery")
    assert told.code == 1 and "no memory here is of a project; context-graph seed FOLDER makes one" in told.err


@requirement("project:filter")
@pytest.mark.parametrize("name", ["notes", "./notes", "NOTES/", "notes/../notes"])
def test_a_project_is_named_by_its_folder_as_it_was_seeded(run, notes, monkeypatch, name):
    monkeypatch.chdir(notes.parent)
    assert run("seed", "notes").code == 0
    assert run("list", "--project", name, "--json").json["total"] == 3
    monkeypatch.chdir(notes)
    assert run("search", "tomatoes", "--project", ".", "--json").json["results"]
    assert "balcony" in run("ask", "where do the tomatoes stand", "--project", str(notes)).out
    assert run("brief", "--project", ".").code == 0


def test_a_project_of_which_all_is_forgotten_has_nothing_to_list(run, notes):
    assert run("seed", notes).code == 0
    for memory in run("list", "--json").json["memories"]:
        assert run("forget", memory["node_id"]).code == 0
    told = run("list", "--project", "notes")
    assert told.code == 0 and "of the project 'notes' nothing is left" in told.out


def test_search_names_the_project_beside_the_path_where_there_are_several(run, notes, tmp_path):
    assert run("seed", notes).code == 0
    assert "garden.md:1-3  [" in run("search", "where do the tomatoes stand").out
    other = tmp_path / "allotment"
    other.mkdir()
    (other / "garden.md").write_text("# Garden\n\nThe tomatoes stand in a greenhouse of glass.\n", "utf-8")
    assert run("seed", other).code == 0
    told = run("search", "where do the tomatoes stand").out
    assert "garden.md:1-3 in notes  [" in told and "garden.md:1-3 in allotment  [" in told


def test_one_part_is_told_as_one(run, notes):
    assert run("seed", notes).code == 0
    (notes / "watering.py").unlink()
    told = run("seed", notes).out
    assert "1 part is gone and forgotten; context-graph undo" in told and "brings it back" in told
    run("forget", run("list", "-n", "1", "--json").json["memories"][0]["node_id"])
    assert "1 part stays forgotten" in run("seed", notes).out


def test_a_folder_that_is_gone_is_forgotten_as_the_docs_say(run, notes):
    assert run("seed", notes).code == 0
    notes.rename(notes.with_name("renamed"))
    assert "does not exist" in run("seed", notes).err
    done = run("seed", notes, "--allow-removal")
    assert done.code == 0 and "3 parts are gone and forgotten" in done.out
    assert run("list", "--json").json["total"] == 0


def test_a_folder_is_named_with_or_without_its_option(run, notes):
    assert run("seed", notes, "--json").json["stored"] == 3
    for arguments in (("seed",), ("seed", notes, "--source", notes)):
        refused = run(*arguments)
        assert refused.code == 2 and "expected one file or folder" in refused.err
