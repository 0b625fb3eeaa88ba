"""Folders of documents that are watched."""

import time
from threading import Event

import pytest

from context_graph.agents.watching import MAX_WATCHED_FOLDERS, stop_watching, watch_documents, watched
from context_graph.knowledge.project import documents, project_name
from tests.requirements import requirement

PATIENCE_S = 30.0
"""Until a test gives up; what it waits for comes within a second on an idle machine."""


def until(what):
    """Wait for something that another thread does."""
    end, never = time.monotonic() + PATIENCE_S, Event()
    while not what():
        assert time.monotonic() < end
        never.wait(0.02)


def paths_of(memory):
    return {node.document.path for node in documents(memory).graph(project_name(memory)).nodes}


@requirement("knowledge:watch")
@pytest.mark.parametrize("polling", [False, True], ids=["told", "polling"])
def test_a_changed_document_is_in_the_graph_while_its_folder_is_watched(memory, project, ask, polling):
    ask("kg_graph_generate", passages=False)
    watch_documents(memory, ("docs",), polling=polling)
    (folder,) = watched(memory)
    assert folder.begun.wait(PATIENCE_S)
    assert ("asked for" in folder.how) == polling
    (project / "docs/fresh.md").write_text("# Fresh\n", "utf-8")
    until(lambda: "docs/fresh.md" in paths_of(memory))
    (project / "docs/lonely.md").unlink()
    until(lambda: "docs/lonely.md" not in paths_of(memory))
    until(lambda: (folder.added, folder.removed) == (1, 1))
    head = memory.store.head()
    (project / "docs/picture.png").write_bytes(b"no document")
    (project / "docs/index.md").touch()
    stop_watching(memory)
    assert watched(memory) == [] and folder.stop.is_set() and memory.store.head() == head


@requirement("knowledge:watch")
def test_sync_watches_the_folders_that_it_is_given_and_says_so(memory, project, ask):
    ask("kg_graph_generate", passages=False)
    inputs = {"options": {"watchPaths": ["./docs/guides", "docs/concepts"]}}
    assert ask("kg_workflow_start", workflowId="sync", input=inputs)["outcome"] == "completed"
    for folder in watched(memory):
        assert folder.begun.wait(PATIENCE_S)
    (project / "docs/guides/new.md").write_text("# New\n", "utf-8")
    until(lambda: "docs/guides/new.md" in paths_of(memory))
    until(lambda: watched(memory)[1].runs == 1)
    service = ask("kg_workflow_status", includeConfig=True)["service"]
    assert service["watchedPaths"] == ["docs/concepts", "docs/guides"]
    assert service["watching"][1]["added"] == 1 and service["watching"][1]["how"]
    assert service["lastActivity"] >= service["watching"][1]["lastChange"]
    listed = ask("kg_workflow_list")["serviceStatus"]
    assert listed["watchedPaths"] == 2 and listed["lastActivity"] == service["lastActivity"]
    ask("kg_workflow_start", workflowId="sync", input={"options": {"watchPaths": []}})
    assert ask("kg_workflow_status")["service"]["watchedPaths"] == []


@requirement("knowledge:watch")
def test_a_document_just_written_into_a_watched_folder_starts_a_workflow(memory, project, ask):
    ask("kg_graph_generate", passages=False)
    ask("kg_workflow_start", workflowId="sync", input={"options": {"watchPaths": ["docs"]}})
    (folder,) = watched(memory)
    assert folder.begun.wait(PATIENCE_S)
    (project / "docs/plan.md").write_text("---\ngoal: [gaps.measured]\n---\n# Plan\n", "utf-8")
    done = ask("kg_workflow_start", workflowId="custom", input={"docPath": "docs/plan.md"})
    assert done["outcome"] == "completed" and done["artifacts"][0]["type"] == "plan"


@requirement("knowledge:watch")
def test_a_link_out_of_the_folder_is_not_followed(memory, project, ask, tmp_path):
    """The system would watch all that lies behind it, with `/` the whole machine."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (project / "docs/away").symlink_to(outside)
    ask("kg_graph_generate", passages=False)
    watch_documents(memory, ("docs",))
    (folder,) = watched(memory)
    assert folder.begun.wait(PATIENCE_S)
    assert "away leads out of the folder" in folder.how
    (project / "docs/fresh.md").write_text("# Fresh\n", "utf-8")
    until(lambda: "docs/fresh.md" in paths_of(memory))


def test_watching_ends_with_the_memory_and_has_a_bound(opened, project, ask):
    for i in range(MAX_WATCHED_FOLDERS + 1):
        (project / f"docs/f{i}").mkdir()
    with opened("other") as memory:
        watch_documents(memory, tuple(f"docs/f{i}" for i in range(MAX_WATCHED_FOLDERS)))
        folders = watched(memory)
        with pytest.raises(Exception, match="at most 8 folders"):
            watch_documents(memory, ("docs/f8",))
    assert all(one.stop.is_set() for one in folders)


def test_a_folder_outside_is_not_watched(memory, refused):
    inputs = {"options": {"watchPaths": ["../elsewhere"]}}
    assert "must stay inside" in refused("kg_workflow_start", workflowId="sync", input=inputs)[0]
    assert watched(memory) == []
