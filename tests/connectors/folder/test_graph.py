"""Documents of the graph that are as they were are not parsed again, and the answer is that of a full reading."""

from pathlib import Path

import pytest

from context_graph import Memory
from context_graph.connectors.folder import graph
from context_graph.connectors.folder import readings as module
from context_graph.connectors.folder.graph import Generation, generate
from context_graph.settings import Settings

FILES = {
    "home.md": "# Home\n\nSee [the pump](pump.md), [[Lamp]] and [nothing](gone.md).\n",
    "pump.md": "# Pump\n\nWrite to anna@brine.io about the pump.\n",
    "Lamp.md": "---\ntags: [a\n---\n# Lamp\n\nThe lamp is lit at dusk.\n",
    "alone.md": "# Alone\n\nNobody links here.\n",
}


@pytest.fixture
def docs(tmp_path) -> Path:
    docs = tmp_path / "project" / "docs"
    docs.mkdir(parents=True)
    for name, text in FILES.items():
        (docs / name).write_text(text, "utf-8")
    return docs


@pytest.fixture
def memory(tmp_path, docs, clock, ids):
    with Memory(Settings(home=tmp_path / "home", tier="base", project=docs.parent), clock=clock, ids=ids) as memory:
        yield memory


@pytest.fixture
def parsed(monkeypatch) -> list[str]:
    """The paths of documents that are parsed."""
    paths: list[str] = []
    read = graph.document_of

    def document_of(project, path, hash, text):
        paths.append(path.rpartition("/")[2])
        return read(project, path, hash, text)

    monkeypatch.setattr(graph, "document_of", document_of)
    return paths


def taken(paths: list[str]) -> list[str]:
    """The paths so far; from now on others are gathered."""
    so_far = sorted(paths)
    paths.clear()
    return so_far


def full(memory, monkeypatch) -> Generation:
    """A run that knows of no earlier reading."""
    with monkeypatch.context() as patch:
        patch.setattr(module.Readings, "get", lambda self, place, content: None)
        return generate(memory, "docs")


def test_an_unchanged_tree_is_told_as_by_a_full_reading(memory, docs, parsed, monkeypatch):
    first = generate(memory, "docs")
    assert len(taken(parsed)) == 4
    again = generate(memory, "docs")
    assert taken(parsed) == ["Lamp.md"], "its problem is told again"
    assert again == full(memory, monkeypatch) and len(taken(parsed)) == 4
    assert (again.unchanged, again.added, again.files) == (4, 0, first.files)
    assert (again.errors, again.broken, again.orphans) == (first.errors, first.broken, first.orphans)
    assert [one.target for one in again.broken] == ["gone.md"] and again.orphans == ("docs/alone.md",)
    assert len(again.errors) == 1 and again.errors[0].startswith("docs/Lamp.md: front matter")
    step = generate(memory, "docs", incremental=True)
    assert taken(parsed) == [] and (step.unchanged, step.errors) == (4, ())
    generate(memory, "docs", force=True)
    assert len(taken(parsed)) == 4
    assert generate(memory, "docs", incremental=True).unchanged == 4 and taken(parsed) == []


@pytest.mark.parametrize("incremental", [False, True])
def test_an_edited_renamed_removed_or_new_file_is_seen(memory, docs, parsed, monkeypatch, incremental):
    generate(memory, "docs")
    (docs / "home.md").write_text(FILES["home.md"].replace("gone.md", "alone.md"), "utf-8")
    (docs / "pump.md").rename(docs / "pump2.md")
    (docs / "Lamp.md").unlink()
    (docs / "new.md").write_text("# New\n\nSee [[alone]].\n", "utf-8")
    taken(parsed)
    run = generate(memory, "docs", incremental=incremental)
    assert taken(parsed) == ["home.md", "new.md", "pump2.md"]
    assert (run.added, run.updated, run.removed, run.unchanged) == (1, 2, 1, 1)
    assert sorted(one.target for one in run.broken) == ["Lamp", "pump.md"] and run.orphans == ("docs/pump2.md",)
    last = generate(memory, "docs")
    assert taken(parsed) == [] and last == full(memory, monkeypatch)


@pytest.mark.parametrize("incremental", [False, True])
@pytest.mark.parametrize("what", ["programs", "rules"])
def test_other_programs_or_rules_read_all_anew(memory, parsed, monkeypatch, what, incremental):
    generate(memory, "docs")
    text = next(record.data["text"] for record in memory.store.records("document") if "pump" in record.data["path"])
    assert "anna@brine.io" not in text
    taken(parsed)
    if what == "programs":
        monkeypatch.setattr(module, "_programs", lambda: b"another version of the parser")
    else:
        monkeypatch.setattr(type(memory.settings), "redacted", frozenset())
    run = generate(memory, "docs", incremental=incremental)
    assert len(taken(parsed)) == 4
    assert run.updated == (1 if what == "rules" else 0)
    assert generate(memory, "docs", incremental=True).unchanged == 4 and taken(parsed) == []


def test_a_record_that_was_taken_back_is_read_anew(memory, parsed, monkeypatch):
    generate(memory, "docs")
    monkeypatch.setattr(type(memory.settings), "redacted", frozenset())
    assert generate(memory, "docs", incremental=True).updated == 1
    event = next(event for event in memory.store.events(10) if event.type == "document")
    memory.store.undo(event.hash, memory.author(memory.caller))
    memory.committed()
    assert generate(memory, "docs", incremental=True).updated == 1


def test_where_the_programs_are_not_known_a_full_run_parses_all(memory, parsed, monkeypatch):
    monkeypatch.setattr(module, "_programs", lambda: b"")
    generate(memory, "docs")
    taken(parsed)
    assert generate(memory, "docs").unchanged == 4 and len(taken(parsed)) == 4
    assert generate(memory, "docs", incremental=True).unchanged == 4 and taken(parsed) == []
