"""`import` of a folder that `export --format markdown` wrote."""

import pytest

from tests.requirements import requirement


@pytest.fixture
def vault(run, tmp_path):
    run("remember", "Anna plays the clarinet.")
    run("remember", "The garden gate squeaks.")
    run("export", "--format", "markdown", tmp_path / "vault")
    return tmp_path / "vault"


def edit(vault, old, new):
    path = next(path for path in vault.rglob("*.md") if f"{old}\n\n%%" in path.read_text("utf-8"))
    path.write_text(path.read_text("utf-8").replace(f"{old}\n\n%%", f"{new}\n\n%%"), "utf-8")


@requirement("markdown:correction")
def test_an_edit_is_answered_and_undo_takes_it_back(run, vault):
    edit(vault, "Anna plays the clarinet.", "Anna plays the oboe.")
    planned = run("import", vault, "--dry-run")
    assert planned.out.startswith("it would be 1 corrected, 0 changed, 0 new; 1 unchanged")
    told = run("import", vault, "--json").json
    assert (told["format"], len(told["corrected"]), told["unchanged"]) == ("markdown", 1, 1)
    answer = run("ask", "What does Anna play?").out
    assert "oboe" in answer and "clarinet" not in answer
    assert run("undo", told["events"][0]).code == 0
    answer = run("ask", "What does Anna play?").out
    assert "clarinet" in answer and "oboe" not in answer


def test_the_command_that_a_report_prints_takes_all_of_an_import_back(run, vault):
    edit(vault, "Anna plays the clarinet.", "Anna plays the oboe.")
    edit(vault, "The garden gate squeaks.", "The garden gate is oiled.")
    (vault / "new.md").write_text("The kiln is blue.\n", "utf-8")
    line = next(line for line in run("import", vault).out.splitlines() if line.startswith("context-graph undo "))
    hashes = line.removeprefix("context-graph undo ").removesuffix(" takes it back").split()
    assert len(hashes) > 1 and run("undo", *hashes).code == 0
    listed = run("list").out
    assert "clarinet" in listed and "squeaks" in listed and "kiln" not in listed and "oboe" not in listed


@requirement("markdown:missing")
def test_a_file_that_is_gone_is_named_and_forgotten_when_asked(run, vault):
    next(vault.rglob("*gate*")).unlink()
    assert "remembered still; --forget-missing forgets them" in run("import", vault).out
    assert "1 forgotten" in run("import", vault, "--forget-missing").out
    assert "gate" not in run("list").out


def test_options_of_an_exported_folder_go_with_no_other(run, notes):
    told = run("import", notes, "--dry-run")
    assert (told.code, "--format markdown" in told.err) == (2, True)
    assert run("import", notes, "--json").json["format"] == "folder"
    assert run("import", notes, "--format", "markdown", "--json").json["stored"] == ["garden.md"]
    assert run("import", notes / "none", "--format", "markdown").code == 1
