"""Trees of documents that benchmarks write and edit: as told, and a difference is seen."""

import random
from collections import Counter

import pytest

from benchmarks.quality import document_tree, editing
from context_graph import Memory
from context_graph.connectors.folder.documents import survey
from context_graph.connectors.folder.seeding import seed
from context_graph.server.dispatch import call
from context_graph.settings import Settings


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    for number in range(12):
        place = root / f"part{number % 3}/page{number}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"# Page {number}\n\nThe lamp {number} is lit at dusk.\n\n## More\n\nAnd a pump.\n", "utf-8")
    return root


@pytest.fixture
def memory(tmp_path, project):
    with Memory(Settings(home=tmp_path / "home", tier="base", project=project)) as memory:
        list(seed(memory, survey(project)))
        call(memory, "kg_graph_generate", {"docsPath": ".", "passages": False})
        yield memory


def test_every_kind_of_edit_is_followed_to_the_last_word(memory, project, tmp_path):
    editor = editing.Editor(project, random.Random(3), tmp_path / "away", pause=lambda seconds: None)
    for action in ("change", "insert", "rename", "delete", "create", "big", "garble", "move_folder", "replace"):
        getattr(editor, action)()
    for action in ("empty", "same_stamp", "front_matter", "burst"):
        getattr(editor, action)()
    editor.end()
    stale = editing.differences(memory, project)
    assert stale["lost passages"] and stale["invented passages"] and stale["stale documents"]
    list(seed(memory, survey(project)))
    call(memory, "kg_graph_generate", {"docsPath": ".", "passages": False, "incremental": True})
    assert not any(editing.differences(memory, project).values())


def test_the_same_seed_edits_in_the_same_way(project, tmp_path):
    kinds = []
    for name in ("one", "two"):
        root = tmp_path / name
        document = (project / "part0/page0.md").read_text("utf-8")
        for number in range(20):
            (root / "docs").mkdir(parents=True, exist_ok=True)
            (root / f"docs/n{number:02}.md").write_text(document, "utf-8")
        editor = editing.Editor(root, random.Random(5), tmp_path / "away", pause=lambda seconds: None)
        kinds.append([editor.edit() for _ in range(12)])
    texts = [{path.relative_to(tmp_path / name) for path in (tmp_path / name).rglob("*.md")} for name in ("one", "two")]
    assert kinds[0] == kinds[1] and texts[0] == texts[1] and len(Counter(kinds[0])) > 3


def test_what_is_missing_or_invented_is_named(memory, project):
    (project / "part0/page0.md").unlink()
    (project / "part1/page1.md").write_text("# Page 1\n\nAnother lamp.\n", "utf-8")
    (project / "part2/new.md").write_text("# New\n\nA gull on the pier.\n", "utf-8")
    wrong = editing.differences(memory, project)
    assert wrong["lost documents"] == ["part2/new.md"] and wrong["invented documents"] == ["part0/page0.md"]
    assert wrong["stale documents"] == ["part1/page1.md"] and wrong["passages stored too often"] == []
    assert any("gull" in one for one in wrong["lost passages"])
    assert any("part0/page0.md" in one for one in wrong["invented passages"])


def test_a_tree_has_as_many_documents_as_asked_for_all_of_them_linked(tmp_path, monkeypatch):
    monkeypatch.setattr(document_tree, "sentences", lambda data: (f"The lamp {n} is lit at dusk." for n in range(999)))
    document_tree.write_tree(tmp_path / "docs", tmp_path, 30)
    with Memory(Settings(home=tmp_path / "home", tier="base", project=tmp_path)) as memory:
        data = call(memory, "kg_graph_generate", {"passages": False}).structured["data"]
    assert (data["filesProcessed"], data["errorCount"], data["brokenLinkCount"]) == (30, 0, 0)
    assert data["edgesCreated"] > 30
