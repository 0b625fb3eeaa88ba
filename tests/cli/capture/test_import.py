"""`import` of a folder that `export --format markdown` wrote."""

import json

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


OFFICIAL = (
    '{"type": "entity", "name": "Anna", "entityType": "person", "observations": ["Anna plays the clarinet."]}\n'
    '{"type": "relation", "from": "Anna", "to": "Leeds", "relationType": "lives_in"}\n'
)


@pytest.mark.parametrize("changed", ["with a mark of the byte order", "with line ends of Windows", "with both"])
@pytest.mark.parametrize("kind", ["export", "official"])
def test_a_file_that_an_editor_saved_is_taken_in(run, tmp_path, kind, changed):
    file = tmp_path / "memory.jsonl"
    if kind == "export":
        run("remember", "Anna plays the clarinet.")
        assert run("export", file).code == 0
    else:
        file.write_text(OFFICIAL, "utf-8")
    content = file.read_bytes()
    if changed != "with a mark of the byte order":
        content = content.replace(b"\n", b"\r\n")
    if changed != "with line ends of Windows":
        content = b"\xef\xbb\xbf" + content
    file.write_bytes(content)
    told = run("import", file, "--home", tmp_path / "other")
    assert told.code == 0, told.err
    assert "clarinet" in run("list", "--home", tmp_path / "other").out


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "is empty"), (b"\n \n", "is empty"), (b'\xef\xbb\xbf[{"type": "entity"}]', "JSON array")],
)
def test_what_cannot_be_imported_is_told_in_words_of_its_own(run, tmp_path, content, says):
    (tmp_path / "memory.json").write_bytes(content)
    told = run("import", tmp_path / "memory.json")
    assert told.code == 1 and says in told.err


@pytest.mark.parametrize("name", ["memory.json", "note.md", "notes"])
def test_every_kind_of_import_names_the_command_that_takes_it_back(run, tmp_path, name):
    path = tmp_path / name
    if name == "notes":
        path.mkdir()
        (path / "garden.md").write_text("# Garden\n\nThe tomatoes stand on the balcony.\n", "utf-8")
    else:
        path.write_text(OFFICIAL if name == "memory.json" else "The tomatoes stand on the balcony.\n", "utf-8")
    line = run("import", path).out.splitlines()[-1]
    assert line.startswith("context-graph undo ") and line.endswith(" takes it back")
    assert run("undo", *line.removesuffix(" takes it back").split()[2:]).code == 0
    assert run("list", "--json").json["memories"] == []


def test_an_import_that_is_interrupted_says_what_it_stored(run, tmp_path, monkeypatch):
    from context_graph.connectors import mcp_memory

    observations = [f"Anna has the lamp number {number}." for number in range(100)]
    entity = {"type": "entity", "name": "Anna", "entityType": "person", "observations": observations}
    (tmp_path / "memory.json").write_text(json.dumps(entity) + "\n", "utf-8")
    whole = mcp_memory.import_graph

    def interrupted(*arguments, **options):
        for number, new in enumerate(whole(*arguments, **options)):
            if number == 70:
                raise KeyboardInterrupt
            yield new

    monkeypatch.setattr(mcp_memory, "import_graph", interrupted)
    told = run("import", tmp_path / "memory.json")
    assert told.code == 130 and "100 memories and concepts were stored and stay" in told.err
    assert "context-graph undo " in told.err
    monkeypatch.setattr(mcp_memory, "import_graph", whole)
    assert "100 were known" in run("import", tmp_path / "memory.json").out
