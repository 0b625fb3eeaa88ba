"""`export` as a folder of Markdown."""


def test_a_folder_is_written_and_brought_up_to_date(run, tmp_path):
    run("remember", "Anna plays the clarinet.")
    vault = tmp_path / "vault"
    told = run("export", "--format", "markdown", vault)
    assert (told.code, told.err) == (0, "")
    assert "1 memories and 0 concepts" in told.out and "1 files written" in told.out
    again = run("export", vault, "--format", "markdown", "--json").json
    assert (again["memories"], again["written"], again["unchanged"], again["kept"]) == (1, 0, 1, [])


def test_an_edited_file_is_named(run, tmp_path):
    run("remember", "Anna plays the clarinet.")
    vault = tmp_path / "vault"
    run("export", "--format", "markdown", vault)
    path = next(vault.rglob("*.md"))
    path.write_text(path.read_text("utf-8").replace("clarinet.\n", "oboe.\n"), "utf-8")
    assert "stays as it is: edited since" in run("export", "--format", "markdown", vault).out


def test_a_deleted_file_is_written_again_and_named(run, tmp_path):
    run("remember", "Anna plays the clarinet.")
    vault = tmp_path / "vault"
    run("export", "--format", "markdown", vault)
    path = next(vault.rglob("*.md"))
    path.unlink()
    assert "1 file is gone, its memories" in run("import", vault).out
    lines = run("export", "--format", "markdown", vault).out.splitlines()
    assert lines[1].startswith("1 file deleted here and written again") and path.is_file()
    assert lines[2].endswith(f"context-graph import {vault} --forget-missing")
    assert lines[3] == path.relative_to(vault).as_posix()


def test_a_folder_of_somebody_else_and_standard_output_are_refused(run, empty, tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "one.md").write_text("mine", "utf-8")
    told = run("export", "--format", "markdown", tmp_path / "thesis")
    assert (told.code, "name a new folder" in told.err) == (1, True)
    assert run("export", "--format", "markdown", "-").code == 2
