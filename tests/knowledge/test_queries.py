"""What is asked of the documents, and that the numbers are those of the field's own library."""

import random
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
import pytest

from context_graph.knowledge.document import document_of
from context_graph.knowledge.graph import DocumentGraph, DocumentNode
from tests.requirements import requirement
from tests.tools import contract

LIBRARY = pytest.mark.skipif(find_spec("networkx") is None, reason="networkx is not installed")


@pytest.fixture
def ask(ask):
    ask("kg_graph_generate", passages=False)
    return ask


def paths(nodes):
    return [node["path"] for node in nodes]


def test_documents_are_found_by_words_type_status_and_tag(ask):
    assert paths(ask("kg_query")) == sorted(paths(ask("kg_query"))) and len(ask("kg_query")) == 4
    assert paths(ask("kg_query", query="passwords")) == ["docs/guides/auth.md"]
    assert paths(ask("kg_query", type="service")) == ["docs/lonely.md"]
    assert paths(ask("kg_query", status="draft")) == ["docs/guides/auth.md"]
    assert paths(ask("kg_query", tag="#SECURITY")) == ["docs/guides/auth.md"]
    assert ask("kg_query", query="password", type="service") == []
    node = ask("kg_query", query="home", includeContent=True, limit=1)[0]
    assert node["content"].startswith("# Home") and (node["outgoingLinkCount"], node["incomingLinkCount"]) == (2, 2)
    assert "content" not in ask("kg_query", limit=1)[0]


def test_a_list_that_was_cut_tells_how_many_there_are_and_where_it_goes_on(ask, memory, project):
    for number in range(300):
        (project / f"docs/n{number:03}.md").write_text(f"# Lamp number {number}\n\n#lamp #t{number}\n", "utf-8")
    ask("kg_graph_generate", passages=False)
    for tool, arguments, total in (
        ("kg_query", {"limit": 100_000}, 304),
        ("kg_query", {"tag": "lamp", "limit": 7}, 300),
        ("kg_search_nodes", {"query": "lamp", "limit": 100}, 300),
        ("kg_list_tags", {"limit": 50}, 304),
    ):
        seen, offset = [], 0
        while offset is not None:
            outcome = contract.call(memory, tool, arguments | {"offset": offset})
            contract.checked(tool, arguments, outcome)
            answer = outcome.structured
            listed, about = answer["data"], answer["metadata"]
            if isinstance(listed, dict):
                listed, about = listed["nodes"], listed
            assert about["totalAvailable"] == total and listed
            seen += [one.get("path") or one["tag"] for one in listed]
            offset = about.get("nextOffset")
            note = f"{len(listed)} of {total} "
            assert (note in outcome.texts[-1] and f"offset={offset} " in outcome.texts[-1]) == (offset is not None)
        assert len(seen) == len(set(seen)) == total


def test_the_links_of_a_document_are_counted_and_all_can_be_asked_for(ask, memory, project):
    for number in range(120):
        (project / f"docs/n{number:03}.md").write_text("[[hub]]\n" if number < 60 else "# None\n", "utf-8")
    (project / "docs/hub.md").write_text("".join(f"[[n{number:03}]]\n" for number in range(120)), "utf-8")
    ask("kg_graph_generate", passages=False)
    gone_to, came_from, offset = [], [], 0
    while offset is not None:
        outcome = contract.call(memory, "kg_get_node", {"path": "docs/hub.md", "linksOffset": offset})
        node = outcome.structured["data"]
        assert (node["outgoingLinkCount"], node["incomingLinkCount"]) == (120, 60)
        gone_to += paths(node["outgoingLinks"])
        came_from += paths(node["incomingLinks"])
        offset = node.get("nextLinksOffset")
        assert (f"linksOffset={offset} " in outcome.texts[-1]) == (offset is not None)
    assert gone_to == [f"docs/n{number:03}.md" for number in range(120)] and came_from == gone_to[:60]


def test_statistics_count_documents_and_pairs(ask):
    stats = ask("kg_stats")
    assert (stats["totalNodes"], stats["totalEdges"], stats["orphanNodes"]) == (4, 3, 1)
    assert stats["avgLinksPerNode"] == 0.75 and stats["nodesByStatus"] == {"active": 3, "draft": 1}
    assert stats["nodesByType"] == {"concept": 2, "guide": 1, "service": 1}


def test_a_node_that_is_not_there_is_told(ask, refused):
    assert refused("kg_get_node")[0] == "Either id or path required"
    assert refused("kg_get_node", path="docs/none.md")[0] == "Node not found"


def test_tags_are_listed_and_searched(ask):
    assert ask("kg_list_tags", limit=2) == [{"tag": "api", "count": 1}, {"tag": "security", "count": 1}]
    one = ask("kg_search_tags", tags=["SECURITY", "none"])
    assert paths(one["nodes"]) == ["docs/guides/auth.md"]
    assert one["nodes"][0]["matchedTags"] == ["security", "Security/login"]
    assert ask("kg_search_tags", tags=["security", "none"], matchAll=True)["totalMatching"] == 0
    assert ask("kg_search_tags", tags=["security", "#api"], matchAll=True)["totalMatching"] == 1


def test_a_search_shows_the_passage_that_matches(ask, refused):
    found = ask("kg_search_nodes", query="signed key")
    assert paths(found["nodes"]) == ["docs/concepts/Tokens.md"]
    assert "signed with a key" in found["nodes"][0]["snippet"] and found["filters"] == {"type": None, "status": None}
    assert ask("kg_search_nodes", query="signed", status="archived")["count"] == 0
    for arguments in ({}, {"query": 5}):
        assert refused("kg_search_nodes", **arguments)[0] == "Query parameter is required and must be a string"


def test_relations_neighbourhoods_and_ways(ask, refused, memory, project):
    found = ask("kg_graph_query", query="home", includeRelations=True, limit=1)
    assert [link["path"] for link in found["nodes"][0]["outgoingLinks"]] == [
        "docs/guides/auth.md", "docs/concepts/Tokens.md",
    ]  # fmt: skip
    assert "outgoingLinks" not in ask("kg_graph_query", query="home")["nodes"][0]
    near = ask("kg_graph_query", query="", near="docs/concepts/Tokens.md", depth=1)
    assert paths(near["nodes"]) == ["docs/concepts/Tokens.md", "docs/index.md"] and near["totalAvailable"] == 2
    way = {"pathFrom": "docs/guides/auth.md", "pathTo": "docs/concepts/Tokens.md"}
    assert ask("kg_graph_query", query="", **way)["path"] == [
        "docs/guides/auth.md", "docs/index.md", "docs/concepts/Tokens.md",
    ]  # fmt: skip
    assert ask("kg_graph_query", query="", **way)["pathDirection"] == "forwards"
    back = {"pathFrom": "docs/concepts/Tokens.md", "pathTo": "docs/index.md"}
    for _ in range(2):  # the second from the cache
        found = contract.call(memory, "kg_graph_query", {"query": "", **back})
        data = found.structured["data"]
        assert data["path"] == ["docs/concepts/Tokens.md", "docs/index.md"] and data["pathDirection"] == "backwards"
        assert "No links lead from pathFrom to pathTo" in found.texts[-1]
    (project / "docs/other.md").write_text("# Other\n\n[Tokens](concepts/Tokens.md)\n", "utf-8")
    ask("kg_graph_generate", passages=False)
    joined = {"pathFrom": "docs/other.md", "pathTo": "docs/index.md"}
    either = ask("kg_graph_query", query="", **joined)
    assert either["path"] == ["docs/other.md", "docs/concepts/Tokens.md", "docs/index.md"]
    assert either["pathDirection"] == "either"
    nowhere = {"pathFrom": "docs/lonely.md", "pathTo": "docs/index.md"}
    none = contract.call(memory, "kg_graph_query", {"query": "", **nowhere})
    assert none.structured["data"]["path"] == [] and "No way of links joins pathFrom and pathTo" in none.texts[-1]
    for one, missing in (("pathFrom", "pathTo"), ("pathTo", "pathFrom")):
        assert f"give {missing} too" in refused("kg_graph_query", query="", **{one: "docs/index.md"})[0]
    assert refused("kg_graph_query", query="", near="nothing")[0] == "Node not found"
    assert refused("kg_graph_query")[0] == "Query parameter is required and must be a string"


def test_details_are_told_on_request(ask):
    assert set(ask("kg_graph_stats")) == {"totalNodes", "totalEdges", "averageLinksPerNode", "orphanNodes"}
    data = ask("kg_graph_stats", detailed=True)
    assert data["mostConnected"][0]["path"] == data["mostCentral"][0]["path"] == "docs/index.md"
    assert (data["components"], data["largestComponent"], data["brokenLinks"]) == (2, 3, 3)
    assert data["density"] == 0.25 and data["totalTags"] == 3


def random_graph(seed, n=60):
    dice = random.Random(seed)
    nodes = []
    for number in range(n):
        links = "".join(f"[x](n{dice.randrange(n)}.md) " for _ in range(dice.randrange(4)))
        document, _ = document_of("/p", f"n{number}.md", str(number), links)
        nodes.append(DocumentNode(f"id{number}", document, 0))
    return DocumentGraph(nodes)


@LIBRARY
@requirement("knowledge:measures")
@pytest.mark.parametrize("seed", range(5))
def test_measures_are_those_of_networkx(seed):
    import networkx
    from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python

    ours = random_graph(seed)
    theirs = networkx.DiGraph()
    theirs.add_nodes_from(range(len(ours.nodes)))
    theirs.add_edges_from(ours.pairs)
    assert ours.density == pytest.approx(networkx.density(theirs))
    parts = {frozenset(part) for part in networkx.weakly_connected_components(theirs)}
    assert {frozenset(part) for part in ours.components} == parts
    degree = networkx.degree_centrality(theirs)
    np.testing.assert_allclose(ours.degree_centrality, [degree[place] for place in theirs])
    rank = _pagerank_python(theirs, tol=1e-12, max_iter=500)
    np.testing.assert_allclose(ours.page_rank, [rank[place] for place in theirs], atol=1e-8)
    assert ours.page_rank.sum() == pytest.approx(1)
    lengths = networkx.single_source_shortest_path_length(theirs, 0)
    for end in range(len(ours.nodes)):
        way = ours.path(0, end)
        assert len(way) - 1 == lengths.get(end, -1)
        assert all(pair in ours.pairs for pair in pairwise(way))
    near = networkx.single_source_shortest_path_length(theirs.to_undirected(), 0, cutoff=2)
    assert set(ours.neighbourhood(0, 2, 1_000)) == set(near) - {0}
    isolated = set(networkx.isolates(theirs))
    assert set(ours.orphans) == isolated


def test_bm25_prefers_what_says_it_more_and_in_fewer_words():
    from context_graph.knowledge.search import KeywordIndex, WordCounts

    words = ({"pump": 1, "a": 9}, {"pump": 3}, {"lamp": 1}, {"pump": 1})
    index = KeywordIndex([WordCounts(one, sum(one.values())) for one in words])
    assert [match.place for match in index.matches("pumps")] == [1, 3, 0]
    assert index.matches("nothing") == [] == KeywordIndex([]).matches("pump")


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("日本語で検索できる文書です", ["日本語", "検索", "文書", "語"]),
        ("我们的数据库运行在三个节点上。", ["节点", "数据库", "三"]),
        ("데이터베이스를 백업했습니다", ["데이터베이스", "백업"]),
    ],
)
def test_words_that_stand_without_blanks_are_found(ask, project, text, queries):
    filler = "Nothing of it is said here. " * 30
    (project / "docs/unspaced.md").write_text(f"# Notes\n\n{filler}\n\n{text}\n", "utf-8")
    (project / "docs/other.md").write_text("新しい索引を語らない\n", "utf-8")
    ask("kg_graph_generate", passages=False)
    for query in queries:
        first = ask("kg_search_nodes", query=query)["nodes"][0]
        assert first["path"] == "docs/unspaced.md" or len(query) == 1
        assert first["path"] != "docs/unspaced.md" or text in first["snippet"]
    assert ask("kg_search_nodes", query="存在")["nodes"] == []


def test_a_tag_finds_its_parts(ask, project):
    (project / "docs/nested.md").write_text("#project/alpha #other\n", "utf-8")
    (project / "docs/plain.md").write_text("#Project #projects\n", "utf-8")
    ask("kg_graph_generate", passages=False)
    found = ask("kg_search_tags", tags=["project"])["nodes"]
    assert [(one["path"], one["matchedTags"]) for one in found] == [
        ("docs/nested.md", ["project/alpha"]),
        ("docs/plain.md", ["Project"]),
    ]
    assert ask("kg_search_tags", tags=["project", "other"], matchAll=True)["totalMatching"] == 1
    assert ask("kg_search_tags", tags=["project/alpha", "project"], matchAll=True)["totalMatching"] == 1
    assert len(ask("kg_query", tag="#project/")) == 2
