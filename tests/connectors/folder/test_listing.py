"""Which files of a folder are read."""

import os
import subprocess

import pytest

from context_graph.connectors.folder.documents import Survey, survey, text_files
from tests.requirements import requirement

TEXT = "The lamp is lit at dusk by the keeper Mira.\n"
FILES = ("a.txt", "keep/b.txt", "keep/c.log.txt", "out/d.txt", "keep/deep/e.txt", "keep/deep/f.txt", "notes/g.txt")
RULES = {
    ".gitignore": "out/\n*.log.txt\n/notes/*\n# a comment\n\n",
    "keep/deep/.gitignore": "*.txt\n!e.txt\n",
}


@pytest.fixture(params=["alone", "checkout"])
def folder(tmp_path, request):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(TEXT, "utf-8")
    for name, text in RULES.items():
        (tmp_path / name).write_text(text, "utf-8")
    if request.param == "checkout":
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
    return tmp_path


@requirement("seed:gitignore")
def test_a_gitignore_counts_with_or_without_git(folder):
    look = survey(folder)
    assert set(look.parts) == {"a.txt", "keep/b.txt", "keep/deep/e.txt"}
    assert {"out", "keep/c.log.txt", "keep/deep/f.txt"} <= {
        skipped.path for skipped in look.skipped if skipped.reason == "ignored by git"
    }


@requirement("seed:gitignore")
def test_a_folder_inside_a_checkout_is_read_by_the_rules_above_it(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / ".gitignore").write_text("*.log.txt\n", "utf-8")
    for name in ("a.txt", "b.log.txt"):
        (tmp_path / "sub" / name).write_text(TEXT, "utf-8")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert set(survey(tmp_path / "sub").parts) == {"a.txt"}


@requirement("seed:gitignore")
def test_a_broken_rule_is_passed_over(tmp_path):
    (tmp_path / ".gitignore").write_text("!\n[\nout/\n\\\n", "utf-8")
    (tmp_path / "out").mkdir()
    for name in ("a.txt", "out/b.txt"):
        (tmp_path / name).write_text(TEXT, "utf-8")
    assert set(survey(tmp_path).parts) == {"a.txt"}


def test_what_was_deleted_in_a_checkout_and_not_staged_is_not_there(tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(TEXT, "utf-8")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "add", "-A"], check=True)
    (tmp_path / "b.txt").unlink()
    look = survey(tmp_path)
    assert set(look.parts) == {"a.txt"} and not look.skipped


@requirement("seed:hostile-files")
def test_no_link_leads_out_of_the_folder(tmp_path):
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "a.txt").write_text(TEXT, "utf-8")
    os.symlink(outside, inside / "linked")
    os.symlink(outside / "a.txt", inside / "b.txt")
    os.symlink(inside, inside / "round")
    look = survey(inside)
    assert set(look.parts) == {"a.txt"}
    assert dict(look.skipped) == {
        "b.txt": "outside the folder", "linked": "a link to a folder", "round": "a link to a folder",
    }  # fmt: skip


def test_lock_files_are_left_out(tmp_path):
    (tmp_path / "package-lock.json").write_text('{"a": "' + "x" * 100 + '"}', "utf-8")
    look = survey(tmp_path)
    assert not look.parts and look.skipped == [("package-lock.json", "a lock file")]


def test_a_folder_is_looked_up_once_whatever_it_holds(tmp_path, monkeypatch):
    """A look along each path costs most of a second look at ten thousand documents."""
    for number in range(20):
        (tmp_path / f"n{number}.md").write_text("words enough to be read", "utf-8")
    (tmp_path / "inside.md").symlink_to(tmp_path / "n3.md")
    outside = tmp_path.with_name(f"{tmp_path.name}-outside.md")
    outside.write_text("words of another folder", "utf-8")
    (tmp_path / "out.md").symlink_to(outside)
    done, looked, realpath = Survey(tmp_path.resolve(), tmp_path.resolve()), [], os.path.realpath
    monkeypatch.setattr(os.path, "realpath", lambda place, **more: looked.append(place) or realpath(place, **more))
    assert len(list(text_files(done))) == 21, "a link within the folder is read too"
    assert [tuple(one) for one in done.skipped] == [("out.md", "outside the folder")]
    assert len(looked) == 3, "the folder, and two links"
