"""Homes that share a folder, as Syncthing or a stick carries it: late, in any order, sometimes half."""

import os
import shutil

import pytest
from sync_scenes import NOON, USER

from context_graph.errors import SyncRefused, SyncStopped
from context_graph.ingest.forget import forget
from context_graph.sync import folder as folders
from context_graph.sync.batch import sealed, signed_by
from context_graph.sync.folder import read_folder, write_folder
from tests.requirements import requirement

CELLO = "Anna plays the cello in the Riga orchestra."
MONDAYS = "The Riga orchestra rehearses on Mondays."


@pytest.fixture
def shared(tmp_path):
    path = tmp_path / "shared"
    path.mkdir()
    return path


def read(home, other, shared):
    return read_folder(home.memory, home.peers.of(other.name), shared)


def write(home, shared, **more):
    return write_folder(home.memory, shared, USER, **more)


def files(home, shared):
    return sorted(path for path in (shared / home.key).iterdir())


@requirement("sync:folder")
def test_homes_that_share_a_folder_become_equal(homes, shared):
    ada, ben, cleo = homes("ada", "ben", "cleo")
    ada.tell(CELLO)
    ben.tell(MONDAYS)
    for _ in range(2):
        for home in (ada, ben, cleo):
            for other in {ada, ben, cleo} - {home}:
                assert read(home, other, shared)[1] == []
            write(home, shared)
    for home in (ada, ben, cleo):
        assert home.answers("Which instrument does Anna play?")[0] == CELLO
        assert all(read(home, other, shared)[0].equal for other in {ada, ben, cleo} - {home})
    assert write(ada, shared) == 0, "where nothing is new, nothing is written"


@requirement("sync:folder")
def test_half_a_file_is_told_and_read_when_it_is_whole(homes, shared):
    ada, ben = homes("ada", "ben")
    ada.tell(CELLO)
    write(ada, shared)
    ada.tell(MONDAYS)
    write(ada, shared)
    first, second = files(ada, shared)
    whole = first.read_bytes()
    first.write_bytes(whole[: len(whole) // 2])
    (shared / ada.key / "conflicted copy.json").write_text("{}")
    (shared / ada.key / ".partial.json.7f").write_text("{")
    done, problems = read(ben, ada, shared)
    assert sorted(problem.partition(":")[0] for problem in problems) == [first.name, "conflicted copy.json"]
    assert done.equal is None and len(list(ben.store.memories())) == 1
    first.write_bytes(whole)
    (shared / ada.key / "conflicted copy.json").unlink()
    done, problems = read(ben, ada, shared)
    assert (problems, done.equal) == ([], True) and second.exists()


def test_order_does_not_matter(homes, shared, tmp_path):
    ada, ben = homes("ada", "ben")
    for number in range(5):
        ada.tell(f"Boiler {number} was mended, because Omar asked for it.")
        write(ada, shared, max_rows=3)
    away = tmp_path / "away"
    away.mkdir()
    names = [path.name for path in files(ada, shared)]
    assert len(names) > 5
    for name in names:
        shutil.move(shared / ada.key / name, away / name)
    for name in reversed(names):
        shutil.copy(away / name, shared / ada.key / name)
        assert read(ben, ada, shared)[1] == []
    assert ben.hash() == ada.hash() and ben.store.verify().ok


def test_a_file_of_another_key_is_not_believed(homes, shared):
    ada, ben, eve = homes("ada", "ben", "eve")
    eve.tell(CELLO)
    write(eve, shared)
    shutil.copytree(shared / eve.key, shared / ada.key)
    _, problems = read(ben, ada, shared)
    assert "signed by" in problems[0] and not list(ben.store.memories())


def test_a_link_in_the_folder_is_not_followed(homes, shared, tmp_path):
    ada, ben = homes("ada", "ben")
    ada.tell(CELLO)
    write(ada, shared)
    (path,) = files(ada, shared)
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    _, problems = read(ben, ada, shared)
    assert "expected a file" in problems[0] and not list(ben.store.memories())


@requirement("sync:purge-travels")
def test_what_is_deleted_for_good_leaves_the_folder_too(homes, shared):
    ada, ben = homes("ada", "ben")
    id = ada.tell(CELLO)
    ada.tell(MONDAYS)
    write(ada, shared)
    read(ben, ada, shared)
    write(ben, shared)
    assert sum(b"plays the cello" in path.read_bytes() for path in shared.rglob("*.json")) == 2
    forget(ben.memory, id, "user_requested", soft=False)
    write(ben, shared)
    read(ada, ben, shared)
    write(ada, shared)
    assert not any(b"plays the cello" in path.read_bytes() for path in shared.rglob("*.json"))
    read(ben, ada, shared)
    assert ada.hash() == ben.hash() and not ada.store.existing([id])


def test_a_home_that_was_put_back_writes_anew(homes, shared, tmp_path):
    ada, ben = homes("ada", "ben")
    ada.tell(CELLO)
    copy = ada.store.backup(tmp_path / "copy.sqlite3")
    ada.tell(MONDAYS)
    write(ada, shared)
    read(ben, ada, shared)
    write(ben, shared)
    ada.store.restore(copy, ada.memory.author(ada.memory.caller))
    read(ada, ben, shared)
    write(ada, shared)
    assert ada.hash() == ben.hash() and len(list(ada.store.memories())) == 2
    assert read(ben, ada, shared)[1] == []


def test_many_files_become_few(homes, shared, monkeypatch):
    monkeypatch.setattr(folders, "MAX_FILES", 4)
    ada, ben = homes("ada", "ben")
    for number in range(8):
        ada.tell(f"Boiler {number} was mended.")
        write(ada, shared)
    assert len(files(ada, shared)) <= 5
    assert read(ben, ada, shared)[0].equal


def test_the_folder_is_no_way_around_the_stop(homes, shared):
    ada, ben = homes("ada", "ben")
    told = [ada.tell(f"Boiler {number} was mended.") for number in range(20)]
    write(ada, shared)
    read(ben, ada, shared)
    for id in told[:15]:
        forget(ada.memory, id, "user_requested", soft=False)
        write(ada, shared)
    with pytest.raises(SyncStopped):
        read(ben, ada, shared)
    assert len(ben.store.existing(told)) == 20


# What others who write into the folder try


def test_a_part_that_is_a_link_elsewhere_is_not_written_or_cleared(homes, shared, tmp_path):
    ada, _ = homes("ada", "ben")
    ada.tell(CELLO)
    elsewhere = tmp_path / "documents"
    elsewhere.mkdir()
    (elsewhere / "taxes.json").write_text("{}", "utf-8")
    (shared / ada.key).symlink_to(elsewhere)
    with pytest.raises(SyncRefused, match="link"):
        write(ada, shared)
    assert [path.name for path in elsewhere.iterdir()] == ["taxes.json"]


def test_files_of_others_in_the_own_part_are_left_alone(homes, shared):
    ada, _ = homes("ada", "ben")
    ada.tell(CELLO)
    write(ada, shared)
    (shared / ada.key / "notes.json").write_text("{}", "utf-8")
    ada.tell(MONDAYS)
    write(ada, shared)
    assert (shared / ada.key / "notes.json").exists()


@requirement("sync:purge-travels")
def test_a_file_that_a_killed_home_left_half_written_goes_with_a_deletion(homes, shared):
    ada, _ = homes("ada", "ben")
    id = ada.tell(CELLO)
    write(ada, shared)
    (first,) = files(ada, shared)
    partial = first.with_name(f".{first.name}.0123456789abcdef")
    shutil.copy(first, partial)
    forget(ada.memory, id, "user_requested", soft=False)
    write(ada, shared)
    assert not partial.exists()


def test_no_pipe_and_no_link_in_the_folder_is_read(homes, shared, tmp_path):
    ada, ben = homes("ada", "ben")
    own = shared / ada.key
    own.mkdir()
    os.mkfifo(own / "a.json")
    (tmp_path / "b.json").write_text("{}", "utf-8")
    (own / "b.json").symlink_to(tmp_path / "b.json")
    (own / "c\x1b[2J\n.json").write_text("{}", "utf-8")
    _, problems = read(ben, ada, shared)
    assert len(problems) == 3
    assert all("\x1b" not in problem and "\n" not in problem for problem in problems)


@pytest.mark.parametrize(
    "more", [{"time": "now"}, {"time": None}, {"time": [1]}, {"time": -1}, {"state": 7}, {"time": NOON * 2}]
)
def test_a_time_that_is_none_is_told_and_breaks_nothing(homes, shared, more):
    ada, ben = homes("ada", "ben")
    ada.tell(CELLO)
    write(ada, shared)
    (path,) = files(ada, shared)
    message = signed_by(path.read_bytes(), ada.key)
    path.write_bytes(sealed(ada.path, message | more))
    done, problems = read(ben, ada, shared)
    assert len(problems) == 1 and done.equal is None
    assert not list(ben.store.memories())


def test_too_many_files_of_a_peer_are_not_all_looked_at(homes, shared, monkeypatch):
    monkeypatch.setattr(folders, "MAX_PEER_FILES", 3)
    ada, ben = homes("ada", "ben")
    own = shared / ada.key
    own.mkdir()
    for n in range(5):
        (own / f"{n}.json").write_text("{}", "utf-8")
    _, problems = read(ben, ada, shared)
    assert len(problems) == 4 and "more than 3 files" in problems[-1]


def test_a_home_that_was_put_back_learns_again_from_the_folder_at_once(homes, shared, tmp_path):
    ada, ben = homes("ada", "ben")
    ada.tell(MONDAYS)
    write(ada, shared)
    read(ben, ada, shared)
    copy = ben.store.backup(tmp_path / "copy.sqlite3")
    lost = ada.tell(CELLO)
    write(ada, shared)
    read(ben, ada, shared)
    ben.store.restore(copy, ben.memory.author(ben.memory.caller))
    new = ada.tell("Omar mended the boiler.")
    write(ada, shared)
    assert read(ben, ada, shared)[0].equal
    assert ben.store.existing([lost, new]) == {lost, new}
