"""Export, import, backup, restore, replay, verify, proofs, migration: as a person runs them."""

import gzip
import json
import stat
from pathlib import Path

import apsw
import pytest

from context_graph.store.sqlite.schema import FORMAT
from tests.reliability.privileges import as_a_mere_user

FORMAT_1 = Path(__file__).parents[2] / "store" / "formats" / "format-1.sqlite3.gz"


def contents(run) -> list[str]:
    return sorted(
        json.loads(line)["content"] for line in run("export", "-").out.splitlines() if '"type":"node"' in line
    )


def test_an_export_is_imported_elsewhere(run, stored, tmp_path):
    told = run("export", tmp_path / "all.jsonl", "--json").json
    assert told["lines"] == len((tmp_path / "all.jsonl").read_text("utf-8").splitlines())
    assert stat.S_IMODE((tmp_path / "all.jsonl").stat().st_mode) == 0o600
    taken = run("import", tmp_path / "all.jsonl", "--home", tmp_path / "other", "--json").json
    assert (taken["format"], taken["nodes"], taken["known"]) == ("context-graph", len(contents(run)), 0)
    found = run("search", "water the tomatoes", "--home", tmp_path / "other", "--json").json["results"]
    assert [hit["node_id"] for hit in found] == [hit["node_id"] for hit in stored]
    again = run("import", tmp_path / "all.jsonl", "--home", tmp_path / "other")
    assert again.out.startswith("imported 0 nodes, 0 edges, 0 goals and 0 records")


def test_an_import_says_how_to_take_it_back(run, stored, tmp_path):
    run("export", tmp_path / "all.jsonl", "--without-vectors")
    told = run("import", tmp_path / "all.jsonl", "--home", tmp_path / "other").out
    command = told.splitlines()[-1].removesuffix(" takes it back").split()
    assert command[:2] == ["context-graph", "undo"]
    assert run(*command[1:], "--home", tmp_path / "other").code == 0
    assert run("search", "water", "--home", tmp_path / "other", "--json").json["results"] == []


def test_every_file_is_readable_by_its_owner_alone(run, home, stored):
    for command in (["backup"], ["checkpoint"], ["goal", "add", "grow tomatoes"], ["doctor"], ["replay"]):
        assert run(*command).code == 0
    paths = [home, *home.rglob("*")]
    assert {"graph.sqlite3", "ed25519.key", "backups"} <= {path.name for path in paths}
    for path in paths:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_a_backup_makes_no_folder_but_its_own(run, home, stored, tmp_path):
    told = run("backup", tmp_path / "none" / "copy.sqlite3")
    assert told.code == 1 and "make its folder first" in told.err and not (tmp_path / "none").exists()
    assert run("backup", tmp_path / "copy.sqlite3").code == 0
    assert run("backup").code == 0 and (home / "backups").is_dir()


def test_an_export_replaces_no_file(run, stored, tmp_path):
    (tmp_path / "mine.txt").write_text("precious")
    told = run("export", tmp_path / "mine.txt")
    assert told.code == 1 and "exists already" in told.err
    assert (tmp_path / "mine.txt").read_text() == "precious"
    assert run("export", tmp_path / "none" / "x.jsonl").code == 1
    assert run("export", "-", "--json").code == 2
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_a_file_of_the_official_server_and_a_folder_are_imported(run, notes, tmp_path):
    graph = [
        {"type": "entity", "name": "Anna", "entityType": "person", "observations": ["plays the clarinet"]},
        {"type": "relation", "from": "Anna", "to": "Leeds", "relationType": "lives_in"},
    ]
    (tmp_path / "memory.json").write_text("\n".join(map(json.dumps, graph)))
    told = run("import", tmp_path / "memory.json", "--json").json
    events = told.pop("events")
    assert told == {"format": "mcp-memory", "entities": 1, "relations": 1, "stored": 2, "known": 0}
    assert len(events) == 3
    told = run("import", notes, "--json").json
    assert (told["format"], told["stored"], told["known"]) == ("folder", 3, 0)
    assert "Anna lives in Leeds." in contents(run)


@pytest.mark.parametrize("text", ["", "not json", "[]", '{"type": "idea"}', '{"type": "context-graph export"}'])
def test_what_cannot_be_imported_is_told_and_changes_nothing(run, stored, tmp_path, text):
    before = contents(run)
    (tmp_path / "odd.jsonl").write_text(text)
    told = run("import", tmp_path / "odd.jsonl")
    assert told.code == 1 and told.err.startswith("context-graph import: ")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe" * 9)
    assert "not text in UTF-8" in run("import", tmp_path / "bytes.jsonl").err
    assert "does not exist" in run("import", tmp_path / "none").err
    assert contents(run) == before


def test_a_backup_is_restored_and_what_was_there_is_kept(run, stored):
    before = contents(run)
    kept = run("backup", "--json").json["path"]
    run("goal", "add", "grow more tomatoes")
    run("forget", stored[0]["node_id"], "--permanently", "--yes")
    assert contents(run) != before
    # A permanent deletion reaches the backups of the home, so this one has lost the memory too.
    told = run("restore", kept, "--json").json
    assert told["memories"] == 2
    assert run("goal", "list", "--json").json == []
    run("restore", told["before"])
    assert [goal["text"] for goal in run("goal", "list", "--json").json] == ["grow more tomatoes"]
    assert run("verify").code == 0


def test_doctor_and_restore_count_what_is_forgotten_beside_the_rest(run, stored):
    before = run("status", "--json").json["memories"]
    run("forget", stored[0]["node_id"])
    saved = run("backup", "--json").json["path"]
    counted = f"{before - 1} memories (besides 1 forgotten)"
    assert counted in run("doctor").out and f"restored {counted}" in run("restore", saved).out
    assert run("restore", saved, "--json").json["memories"] == before - 1


def test_a_backup_elsewhere_is_the_persons_own(run, stored, tmp_path):
    before = contents(run)
    assert run("backup", tmp_path / "usb.sqlite3").code == 0
    assert run("backup", tmp_path / "usb.sqlite3").code == 1, "never over another file"
    run("forget", stored[0]["node_id"], "--permanently", "--yes")
    assert run("restore", tmp_path / "usb.sqlite3").code == 0
    assert contents(run) == before


def test_what_is_no_backup_is_not_restored(run, stored, tmp_path):
    before = contents(run)
    (tmp_path / "odd.sqlite3").write_text("something else " * 400)
    for path in (tmp_path / "odd.sqlite3", tmp_path / "none.sqlite3", tmp_path):
        assert run("restore", path).code in (1, 2)
    assert contents(run) == before


def test_replay_finds_and_mends_what_was_changed_behind_the_log(run, home, stored):
    assert "replay gives exactly these tables" in run("replay", "--verify").out
    apsw.Connection(str(home / "graph.sqlite3")).execute("UPDATE nodes SET content = 'changed' WHERE ordinal = 0")
    told = run("replay", "--verify")
    assert told.code == 1 and "context-graph replay makes the tables anew" in told.out
    assert run("verify").code == 1
    mended = run("replay")
    assert mended.code == 0 and "made anew" in mended.out
    assert run("replay", "--verify", "--json").json["ok"]
    assert "changed" not in contents(run)


def test_a_changed_event_is_named(run, home, stored):
    apsw.Connection(str(home / "graph.sqlite3")).execute("UPDATE events SET agent_id = 'mallory' WHERE seq = 2")
    told = run("verify")
    assert told.code == 1 and told.out.startswith("event 2 is not what was written")
    assert run("verify", "--json").json["first_bad_seq"] == 2


def test_a_write_is_proven_to_others(run, stored, tmp_path):
    event = run("log", "--json").json[0]["hash"]
    assert "no checkpoint" in run("prove", event).err
    first = run("checkpoint", "--json").json
    run("goal", "add", "grow more tomatoes")
    run("checkpoint")
    (tmp_path / "proof.json").write_text(run("prove", event, "--with-content").out)
    (tmp_path / "growth.json").write_text(run("prove", first["hash"], "--growth").out)
    shown = run("verify", "--proof", tmp_path / "proof.json", "--home", tmp_path / "nothing here").out
    assert shown.startswith(f"event {event} and what it says is number")
    assert first["public_key"][:16] in shown
    assert "begins with" in run("verify", "--proof", tmp_path / "growth.json").out
    changed = (tmp_path / "proof.json").read_text().replace("created", "invented", 1)
    (tmp_path / "proof.json").write_text(changed)
    told = run("verify", "--proof", tmp_path / "proof.json")
    assert told.code == 1 and "does not hold" in told.err
    assert not (tmp_path / "nothing here").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "[" * 100_000])
def test_what_is_no_proof_is_told(run, tmp_path, text):
    (tmp_path / "odd.json").write_text(text)
    assert run("verify", "--proof", tmp_path / "odd.json").code == 1


def test_an_old_store_is_migrated_once(run, home):
    assert "no store yet" in run("migrate").out
    home.mkdir(exist_ok=True)
    (home / "graph.sqlite3").write_bytes(gzip.decompress(FORMAT_1.read_bytes()))
    assert "would copy" in run("migrate", "--dry-run").out
    assert not (home / "backups").exists()
    told = run("migrate", "--json").json
    assert told["migrated"] and (told["from"], told["to"]) == (1, FORMAT)
    assert Path(told["backup"]).is_file()
    assert "nothing to do" in run("migrate").out
    assert run("verify").code == 0


def test_a_newer_store_is_refused(run, home, stored):
    apsw.Connection(str(home / "graph.sqlite3")).execute("UPDATE meta SET value = '99' WHERE key = 'format'")
    for command in (["migrate"], ["search", "water"], ["backup"], ["export", "-"], ["verify"]):
        told = run(*command)
        assert told.code == 1 and "upgrade" in told.err, command


def test_restoring_what_is_no_backup_names_the_file_of_the_user(run, empty, tmp_path):
    before = {path.name for path in empty.iterdir()}
    for content, said in ((b"", "is empty; choose another file"), (b"no database " * 99, "is no sound backup")):
        (tmp_path / "file").write_bytes(content)
        told = run("restore", tmp_path / "file")
        assert told.code == 1 and f"{tmp_path / 'file'} {said}" in told.err
        assert "restoring.sqlite3" not in told.err and "backups," not in told.err
    assert {path.name for path in empty.iterdir()} <= before | {"backups"}


def _half(content: bytes) -> bytes:
    return content[: len(content) // 2]


DAMAGES = {
    "cut": _half,
    "zeros": lambda content: content[:4_096] + bytes(40_960) + content[4_096 + 40_960 :],
    "nothing but zeros": lambda content: bytes(len(content)),
    "no database": lambda content: b"no database " * 99,
    "truncated": lambda content: b"",
    "gone": None,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_backup_takes_the_place_of_a_store_that_does_not_open(run, home, damage):
    assert run("remember", "The rent is 850 euros.").code == 0
    kept, file = run("backup", "--json").json["path"], home / "graph.sqlite3"
    damaged = None if DAMAGES[damage] is None else DAMAGES[damage](file.read_bytes())
    file.unlink() if damaged is None else file.write_bytes(damaged)
    for command in (["export", "-"], ["remember", "It rose."]):
        refused = run(*command) if damage != "zeros" else None  # its pages are not all asked for
        assert refused is None or (refused.code == 1 and "context-graph restore FILE" in refused.err), command
        assert refused is None or "export" not in refused.err.partition(": ")[2]
    assert run("restore", "--json").json[0]["path"] == kept
    told = run("restore", kept, "--json").json
    assert told["memories"] == 1
    if damaged is None:
        assert told["before"] is None
    else:
        assert ".damaged-" in told["before"] and Path(told["before"]).read_bytes() == damaged
        assert stat.S_IMODE(Path(told["before"]).stat().st_mode) == 0o600
    assert "850" in run("list").out
    assert run("verify").code == 0
    assert not [path for path in home.iterdir() if path.name.startswith(".restoring")]


def test_a_backup_that_is_not_sound_leaves_a_damaged_store_where_it_is(run, home):
    assert run("remember", "The rent is 850 euros.").code == 0
    kept, file = Path(run("backup", "--json").json["path"]), home / "graph.sqlite3"
    kept.write_bytes(_half(kept.read_bytes()))
    file.write_bytes(_half(file.read_bytes()))
    before = {path.name: path.read_bytes() for path in home.iterdir() if path.is_file()}
    told = run("restore", kept)
    assert told.code == 1 and f"{kept} is no sound backup" in told.err
    assert {path.name: path.read_bytes() for path in home.iterdir() if path.is_file()} == before


def test_a_home_without_backups_says_so(run, empty):
    told = run("restore")
    assert told.code == 0 and "no backup lies in" in told.out


def test_a_damaged_store_that_was_kept_is_named_by_a_permanent_deletion(run, home):
    assert run("remember", "The rent is 850 euros.").code == 0
    kept, file = run("backup", "--json").json["path"], home / "graph.sqlite3"
    file.write_bytes(_half(file.read_bytes()))
    before = run("restore", kept, "--json").json["before"]
    [entry] = run("list", "--json").json["memories"]
    told = run("forget", entry["node_id"], "--permanently", "--yes")
    assert told.code == 0 and before in told.out


def test_a_doctor_tells_of_a_store_that_is_gone(run, home):
    assert run("remember", "The rent is 850 euros.").code == 0
    (home / "graph.sqlite3").unlink()
    told = run("doctor")
    assert told.code == 1 and "is gone" in told.out


def test_a_home_that_can_only_be_read_is_backed_up_elsewhere_and_refuses_a_restore_in_its_own_words(
    run, home, tmp_path
):
    assert run("remember", "The rent is 850 euros.").code == 0
    kept, copy, other = tmp_path / "kept.sqlite3", tmp_path / "copy.sqlite3", tmp_path / "other"
    assert run("backup", kept).code == 0
    (home / "graph.sqlite3").chmod(0o400)
    home.chmod(0o500)
    with as_a_mere_user():
        refused = run("restore", kept)
        assert refused.code == 1 and "Make its disk and folder writable" in refused.err
        refused = run("backup")
        assert refused.code == 1 and "context-graph backup FILE writes it elsewhere" in refused.err
        assert run("backup", copy).code == 0
    home.chmod(0o700)
    assert run("restore", copy, "--home", other).code == 0
    assert "850" in run("list", "--home", other).out


def test_a_backup_whose_folder_in_the_home_cannot_be_written_says_which(run, home):
    assert run("remember", "The rent is 850 euros.").code == 0
    (home / "backups").mkdir(mode=0o500)
    with as_a_mere_user():
        refused = run("backup")
    assert refused.code == 1 and "make that folder writable" in refused.err
