"""A folder of Markdown as records: full and incremental, truly counted, inside the project."""

import os
from unicodedata import normalize

import pytest

from context_graph.server.dispatch import call
from tests.knowledge.conftest import FILES
from tests.requirements import requirement


def generate(ask, **more):
    return ask("kg_graph_generate", **({"passages": False} | more))


def by_path(ask):
    return {node["path"]: node["id"] for node in ask("kg_query")}


@requirement("knowledge:documents")
def test_a_tree_becomes_documents_with_links_tags_and_front_matter(ask):
    data = generate(ask)
    assert (data["mode"], data["filesProcessed"], data["nodesGenerated"], data["edgesCreated"]) == ("full", 4, 4, 3)
    assert data["errors"] == [] and data["orphans"] == ["docs/lonely.md"]
    assert [(one["source"], one["target"], one["line"]) for one in data["brokenLinks"]] == [
        ("docs/concepts/Tokens.md", "Authentication flow.png", 3),
        ("docs/guides/auth.md", "../index.md#nowhere", 17),
        ("docs/index.md", "gone.md", 3),
    ]
    node = ask("kg_get_node", path="docs/guides/auth.md")
    assert (node["title"], node["type"], node["status"]) == ("Authentication", "guide", "draft")
    assert node["tags"] == ["security", "api", "Security/login"]
    assert node["frontmatter"]["tags"] == ["security", "api"] and node["content"] == FILES["docs/guides/auth.md"]
    assert [link["path"] for link in node["outgoingLinks"]] == ["docs/index.md", "docs/index.md"]
    assert [(link["path"], link["heading"]) for link in node["incomingLinks"]] == [("docs/index.md", "log-in")]
    assert ask("kg_get_node", id=node["id"]) == node
    assert ask("kg_get_node", path="docs/lonely.md")["type"] == "service"


@requirement("knowledge:incremental")
def test_incremental_counts_what_was_added_changed_moved_and_removed(ask, project, memory):
    generate(ask)
    before, head = by_path(ask), memory.store.head()
    unchanged = generate(ask, incremental=True)
    assert unchanged["nodesUnchanged"] == 4 and unchanged["nodesGenerated"] == unchanged["edgesCreated"] == 0
    assert memory.store.head() == head, "nothing was written"
    (project / "docs/new.md").write_text("[[lonely]]", "utf-8")
    (project / "docs/index.md").write_text("# Home\n\n[t](concepts/Tokens.md)\n", "utf-8")
    (project / "docs/guides/auth.md").unlink()
    (project / "docs/concepts/Tokens.md").rename(project / "docs/Tokens.md")
    data = generate(ask, incremental=True)
    counts = [data[f"nodes{what}"] for what in ("Added", "Updated", "Removed", "Unchanged")]
    assert counts == [1, 2, 1, 1] and data["filesProcessed"] == 4 and data["nodesMoved"] == 1
    after = by_path(ask)
    assert after["docs/Tokens.md"] == before["docs/concepts/Tokens.md"], "a file that moved keeps its id"
    assert after["docs/index.md"] == before["docs/index.md"] and "docs/guides/auth.md" not in after
    assert data["edgesCreated"] == 1 and "docs/lonely.md" not in data["orphans"]
    assert [one["target"] for one in data["brokenLinks"]] == ["Authentication flow.png", "concepts/Tokens.md"]
    assert memory.store.verify().ok


def test_a_full_run_ends_in_the_same_graph_as_steps(ask, project, memory, opened):
    generate(ask)
    (project / "docs/index.md").write_text("[[lonely]] #new", "utf-8")
    generate(ask, incremental=True)
    stats = ask("kg_graph_stats", detailed=True)
    with opened("other") as other:
        from tests.tools import contract

        contract.ask(other, "kg_graph_generate", passages=False)
        fresh = contract.ask(other, "kg_graph_stats", detailed=True)["data"]
    for key in ("totalNodes", "totalEdges", "orphanNodes", "density", "components", "topTags", "nodesByType"):
        assert stats[key] == fresh[key]


@requirement("knowledge:errors-per-file")
def test_a_file_that_cannot_be_read_is_told_and_the_others_are_read(ask, project):
    (project / "docs/bad.md").write_bytes(b"\xff\xfe")
    (project / "docs/front.md").write_text("---\na: [\n---\n# Kept\n", "utf-8")
    data = generate(ask)
    assert data["errorCount"] == 2 and data["nodesGenerated"] == 5
    assert any(error.startswith("docs/bad.md: not text in UTF-8") for error in data["errors"])
    assert any(error.startswith("docs/front.md: front matter:") for error in data["errors"])
    assert ask("kg_get_node", path="docs/front.md")["title"] == "Kept"


def test_a_document_that_is_refused_is_not_counted_and_the_limits_are_told(ask, project):
    (project / "docs/long.md").write_text("# Long\n\n" + "word\n" * 199_990, "utf-8")
    (project / "docs/huge.md").write_text("word " * 250_000, "utf-8")
    data = generate(ask)
    assert data["nodesGenerated"] == len(by_path(ask)) == 4 and data["filesProcessed"] == 5
    assert [error.partition(":")[0] for error in data["errors"]] == ["docs/huge.md", "docs/long.md"]
    assert "too large: at most 1,000,000 bytes are read" in data["errors"][0]
    assert "below 1000000 characters" in data["errors"][1]
    assert generate(ask, incremental=True)["nodesAdded"] == 0


def test_attachments_are_found_by_name_and_by_the_end_of_their_path(ask, project):
    (project / "docs/assets/2026").mkdir(parents=True)
    (project / "docs/assets/logo.png").write_bytes(b"png")
    (project / "docs/assets/2026/Report.pdf").write_bytes(b"pdf")
    (project / ".cache").mkdir()
    (project / ".cache/hidden.png").write_bytes(b"png")
    text = "![[logo.png]] ![[logo.png|200]] [[report.pdf]] [[2026/Report.pdf]] ![[assets/logo.png]]\n"
    broken = "![[hidden.png]] ![[gone.png]] [[2025/Report.pdf]] [by path](logo.png)\n"
    (project / "docs/guides/media.md").write_text(text + broken, "utf-8")
    told = [one["target"] for one in generate(ask)["brokenLinks"] if one["source"] == "docs/guides/media.md"]
    assert told == ["2025/Report.pdf", "gone.png", "hidden.png", "logo.png"]


def test_what_cannot_be_read_now_stays_known(ask, project):
    generate(ask)
    known = by_path(ask)
    (project / "docs/lonely.md").write_bytes(b"\xff")
    data = generate(ask, incremental=True)
    assert data["nodesRemoved"] == 0 and data["errorCount"] == 1 and by_path(ask) == known


@requirement("knowledge:inside-the-project")
def test_nothing_outside_of_the_project_is_read(ask, refused, project, tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "plan.md").write_text("# The hidden plan\n", "utf-8")
    os.symlink(secret / "plan.md", project / "docs/link.md")
    os.symlink(secret, project / "docs/linked")
    os.symlink(secret, project / "away")
    data = generate(ask)
    assert "docs/link.md" not in by_path(ask) and not any("linked/" in path for path in by_path(ask))
    assert {error.partition(":")[2].strip() for error in data["errors"]} == {"outside the folder", "a link to a folder"}
    for path in ("..", "/etc", "away", "docs/../../secret"):
        assert "docsPath must stay inside the project" in refused("kg_graph_generate", docsPath=path)[0]
    assert "is none" in refused("kg_graph_generate", docsPath="nothing")[0]
    assert "docsPath must be" in refused("kg_graph_generate", docsPath="a\0b")[0]


def test_another_folder_of_the_project_is_added_and_another_project_is_apart(ask, project, opened, memory, tmp_path):
    (project / "specs").mkdir()
    (project / "specs/one.md").write_text("[d](../docs/lonely.md)", "utf-8")
    generate(ask)
    assert generate(ask, docsPath="specs")["edgesCreated"] == 1, "that of the folder, and none of the others"
    assert len(by_path(ask)) == 5
    generate(ask, incremental=True)
    assert len(by_path(ask)) == 5, "a run over one folder leaves the others alone"


def test_secrets_in_documents_are_replaced(ask, project):
    (project / "docs/key.md").write_text("# Key\n\nOur key is AKIAIOSFODNN7EXAMPLQ, mail anna@example.com\n", "utf-8")
    generate(ask)
    node = ask("kg_get_node", path="docs/key.md")
    assert "anna@example.com" not in str(node) and "[REDACTED:EMAIL]" in node["content"]


@requirement("knowledge:passages")
def test_passages_are_memories_that_search_finds_with_path_and_line(ask, memory, project):
    from tests.tools import contract

    generate(ask, passages=True)
    memory.background.wait()
    hit = contract.ask(memory, "search_graph", query="Who links to the lighthouse?")["results"][0]
    assert hit["source"] == "lonely.md:4"
    assert "passages are memories" in ask("kg_graph_stats", detailed=True)["passages"]["docs"]
    text = "Intro of the page about towers by the sea.\n\n# Tower\n\nNobody links to the lighthouse.\n"
    (project / "docs/lonely.md").write_text(text, "utf-8")
    generate(ask, incremental=True, passages=True)
    memory.background.wait()
    hit = contract.ask(memory, "search_graph", query="Who links to the lighthouse?")["results"][0]
    assert hit["source"] == "lonely.md:3-5"


def test_an_undone_run_is_undone_in_the_graph(ask, memory):
    generate(ask)
    event = next(event for event in memory.store.events(10) if event.type == "document")
    memory.store.undo(event.hash, memory.author(memory.caller))
    memory.committed()
    assert ask("kg_query") == []


@requirement("knowledge:first-the-graph")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("kg_query", {}), ("kg_stats", {}), ("kg_get_node", {"id": "x"}), ("kg_list_tags", {}),
        ("kg_search_tags", {"tags": ["a"]}), ("kg_search_nodes", {"query": "a"}), ("kg_graph_query", {"query": "a"}),
        ("kg_graph_stats", {}),
    ],
)  # fmt: skip
def test_without_a_graph_each_says_how_to_make_one(refused, tool, arguments):
    message, hint = refused(tool, **arguments)
    assert message == "Database not initialized" and "kg_graph_generate" in hint


def test_documents_survive_export_import_and_restart(ask, memory, opened):
    generate(ask)
    before = by_path(ask)
    memory.close()
    with opened() as again:
        from tests.tools import contract

        assert {node["path"]: node["id"] for node in contract.ask(again, "kg_query")["data"]} == before


def edges_of(graph):
    return [(edge.source, edge.target, edge.link) for edge in graph.edges], graph.broken(lambda path: False)


def test_one_changed_document_is_read_alone_and_follows_few_links(ask, project, memory, monkeypatch):
    """Of ten thousand documents the others cost nothing but a look at their files."""
    from context_graph.knowledge.graph import DocumentGraph
    from context_graph.knowledge.links import Resolver
    from context_graph.knowledge.project import documents, project_name

    for number in range(30):
        (project / f"docs/n{number}.md").write_text(f"# N {number}\n\nTo [[n{(number + 1) % 30}]].\n", "utf-8")
    (project / "docs/far.md").write_text("# Far\n\nTo [[n7#later]] and [[n9#n-9]].\n", "utf-8")
    assert [one["target"] for one in generate(ask)["brokenLinks"] if one["source"] == "docs/far.md"] == ["n7#later"]
    followed, follow, read = [], Resolver.target, []
    monkeypatch.setattr(
        Resolver, "target", lambda self, source, link: followed.append(source) or follow(self, source, link)
    )
    records = memory.store.records
    monkeypatch.setattr(memory.store, "records", lambda kind: read.append(kind) or records(kind))
    (project / "docs/n7.md").write_text("# N 7\n\nTo [[n3]].\n\n## Later\n\nMore.\n", "utf-8")
    data = generate(ask, incremental=True)
    assert (data["nodesUpdated"], data["nodesUnchanged"]) == (1, 34)
    assert "n7#later" not in [one["target"] for one in data["brokenLinks"]], "its heading is there now"
    assert sorted(followed) == ["docs/far.md", "docs/far.md", "docs/n6.md", "docs/n7.md"], "what may lead elsewhere"
    assert "document" not in read, "one record of thirty-five is asked for by its id"
    graph = documents(memory).graph(project_name(memory))
    assert edges_of(graph) == edges_of(DocumentGraph(graph.nodes)), "as if made anew"


def test_many_changed_documents_are_read_at_once(ask, project, memory, monkeypatch):
    for number in range(30):
        (project / f"docs/n{number}.md").write_text(f"# N {number}\n", "utf-8")
    generate(ask)
    single, record = [], memory.store.record
    monkeypatch.setattr(memory.store, "record", lambda id: single.append(id) or record(id))
    for number in range(30):
        (project / f"docs/n{number}.md").write_text(f"# Number {number}\n", "utf-8")
    assert generate(ask, incremental=True)["nodesUpdated"] == 30
    assert 0 < len(single) <= 16
    assert {node["title"] for node in ask("kg_query", query="number")} >= {"Number 3", "Number 29"}


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_of_other_systems_change_nothing_of_what_is_read(ask, project, line_end):
    text = (
        "---\ntitle: From the front matter\ntype: guide\nstatus: draft\ntags: [one]\n---\n# Head\n\nSee [[lonely]].\n"
    )
    for name, content in (("unix", text), ("other", text.replace("\n", line_end))):
        (project / f"docs/{name}.md").write_bytes(content.encode())
    assert generate(ask)["errors"] == []
    unix, other = (ask("kg_get_node", path=f"docs/{name}.md") for name in ("unix", "other"))
    assert unix["title"] == "From the front matter" and unix["tags"] == ["one"]
    for key in ("title", "type", "status", "tags", "frontmatter", "wordCount", "content"):
        assert other[key] == unix[key]
    assert [link["line"] for link in other["outgoingLinks"]] == [9]


@pytest.mark.parametrize(("of_files", "of_links"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_accents_lead_to_the_same_whether_they_are_composed_or_not(ask, project, of_files, of_links):
    target, source = normalize(of_files, "docs/Café.md"), "docs/links.md"
    links = "[[Café]] [[Café#Über]] [a](Café.md#über) ![[Plän.png]] [b](Plän.png) #größe\n"
    (project / target).write_text(normalize(of_files, "---\ntags: [größe]\n---\n# Café\n\n## Über\n"), "utf-8")
    (project / normalize(of_files, "docs/Plän.png")).write_bytes(b"")
    (project / source).write_text(normalize(of_links, links), "utf-8")
    data = generate(ask)
    assert not [one for one in data["brokenLinks"] if one["source"] == source]
    for form in ("NFC", "NFD"):
        assert ask("kg_get_node", path=normalize(form, "docs/Café.md"))["path"] == target
        found = ask("kg_search_nodes", query=normalize(form, "café"))["nodes"]
        assert [one["path"] for one in found] == [target, source]
        assert ask("kg_search_tags", tags=[normalize(form, "größe")])["totalMatching"] == 2


def test_every_broken_link_and_orphan_can_be_listed(ask, memory, project):
    links = "\n\n".join(f"[a](none{i}.md)" for i in range(250))
    (project / "docs/links.md").write_text(links, "utf-8")
    for i in range(60):
        (project / f"docs/alone{i}.md").write_text("Alone.", "utf-8")
    broken, orphans, offset, notes = [], [], 0, []
    while offset is not None:
        arguments = {"incremental": bool(offset), "passages": False, "offset": offset}
        outcome = call(memory, "kg_graph_generate", arguments)
        data, metadata = outcome.structured["data"], outcome.structured["metadata"]
        broken += data["brokenLinks"]
        orphans += data["orphans"]
        notes.append(outcome.texts[2:])
        offset = metadata.get("nextOffset")
    assert data["brokenLinkCount"] == len(broken) == 253 and data["orphanCount"] == len(orphans) == 61 + 1
    assert len({(one["source"], one["target"]) for one in broken}) == 253 and len(set(orphans)) == 62
    assert "50 of 253 broken links, 50 of 62 orphans: call again with offset=50" in notes[0][0]
    assert ask("kg_graph_stats", detailed=True)["brokenLinks"] == 253
    assert notes[1:4] == [
        (f"50 of 253 broken links: call again with offset={at} for the next.",) for at in (100, 150, 200)
    ]
