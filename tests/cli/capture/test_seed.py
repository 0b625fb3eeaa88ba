"""`seed`, on good input."""

from pathlib import Path

from tests.requirements import requirement

REPOSITORY = Path(__file__).parents[3]


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
