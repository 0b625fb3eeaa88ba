"""A folder that is watched."""

import sys
from functools import partial
from threading import Event, Thread

import pytest

from context_graph.connectors.folder.watching import watch
from tests.requirements import requirement

LAMP = "The lighthouse lamp is lit at dusk by the keeper {}.\n"


def followed(memory, source, *edits, **options):
    """What each edit of a folder leads to; each waits for what the one before led to."""
    stop, refreshes = Event(), []
    for refresh in watch(memory, source, stop=stop, **options):
        assert not refresh.problem
        refreshes.append({(step.path, step.change) for step in refresh.steps})
        if len(refreshes) > len(edits):
            stop.set()
        else:
            Thread(target=edits[len(refreshes) - 1]).start()
    return refreshes


@requirement("seed:watch")
@pytest.mark.parametrize("polling", [False, True], ids=["told", "polling"])
def test_a_change_of_a_file_is_brought_to_the_memory_while_it_is_watched(memory, tmp_path, polling):
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "lamp.txt").write_text(LAMP.format("Mira"), "utf-8")
    (folder / "pump.txt").write_text("The pump in the cellar moves forty litres of brine.\n", "utf-8")

    def edit():
        (folder / "lamp.txt").write_text(LAMP.format("Jonas"), "utf-8")

    def add():
        (folder / "sub").mkdir()
        (folder / "sub" / "crane.md").write_text("# Crane\n\nThe crane lifts nine tons at noon.\n", "utf-8")

    def remove():
        (folder / "pump.txt").unlink()

    refreshes = followed(memory, folder, edit, add, remove, polling=polling)
    assert refreshes == [
        {("lamp.txt", "added"), ("pump.txt", "added")},
        {("lamp.txt", "changed")},
        {("sub/crane.md", "added")},
        {("pump.txt", "removed")},
    ]
    assert "Jonas" in memory.recall("Who lights the lamp?")[0].content


@requirement("seed:watch")
def test_a_file_is_watched_alone(memory, tmp_path):
    lamp, other = tmp_path / "lamp.txt", tmp_path / "other.txt"
    lamp.write_text(LAMP.format("Mira"), "utf-8")

    def edit():
        other.write_text("This is beside it, and nobody asked for it.\n", "utf-8")
        lamp.write_text(LAMP.format("Jonas"), "utf-8")

    assert followed(memory, lamp, edit) == [{("lamp.txt", "added")}, {("lamp.txt", "changed")}]


@requirement("seed:watch")
def test_a_rule_that_appears_counts_from_then_on(memory, tmp_path):
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "lamp.txt").write_text(LAMP.format("Mira"), "utf-8")

    def edit():
        (folder / ".gitignore").write_text("secret.txt\n", "utf-8")
        (folder / "secret.txt").write_text("Nobody should read this at all.\n", "utf-8")
        (folder / "lamp.txt").write_text(LAMP.format("Jonas"), "utf-8")

    assert followed(memory, folder, edit)[1] == {("lamp.txt", "changed")}


@requirement("seed:watch")
def test_where_the_system_tells_of_no_changes_all_files_are_looked_at_and_that_is_said(memory, tmp_path, monkeypatch):
    lamp, notices = tmp_path / "lamp.txt", []
    lamp.write_text(LAMP.format("Mira"), "utf-8")

    def limited(*paths, **more):
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr("watchfiles.watch", limited)
    edit = partial(lamp.write_text, LAMP.format("Jonas"), "utf-8")
    assert followed(memory, tmp_path, edit, notice=notices.append)[1] == {("lamp.txt", "changed")}
    assert "OS file watch limit reached" in notices[0] and "all files are looked at" in notices[0]


@requirement("seed:missing-extra")
def test_without_watchfiles_all_files_are_looked_at_and_it_is_said_what_to_install(memory, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    lamp, notices = tmp_path / "lamp.txt", []
    lamp.write_text(LAMP.format("Mira"), "utf-8")
    edit = partial(lamp.write_text, LAMP.format("Jonas"), "utf-8")
    assert followed(memory, lamp, edit, notice=notices.append)[1] == {("lamp.txt", "changed")}
    assert "[watch]" in notices[0]
