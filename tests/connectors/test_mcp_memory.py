"""The file of the official MCP memory server becomes memories, concepts and edges."""

import json

import pytest

from context_graph import Memory, Question
from context_graph.connectors.mcp_memory import import_graph, read_graph
from context_graph.errors import InvalidInput
from context_graph.models import EdgeType
from context_graph.settings import Settings

FILE = [
    {"type": "entity", "name": "Anna_Berg", "entityType": "person",
     "observations": ["plays the clarinet", "Anna_Berg likes rain"]},
    {"type": "entity", "name": "Redis", "entityType": "database", "observations": []},
    {"type": "relation", "from": "Anna_Berg", "to": "Redis", "relationType": "works_with"},
    {"type": "relation", "from": "Redis", "to": "database", "relationType": "is_a"},
    {"type": "relation", "from": "timeout", "to": "outage", "relationType": "causes"},
]  # fmt: skip


def lines(objects) -> list[str]:
    return [json.dumps(item) + "\n" for item in objects]


@pytest.fixture
def memory(tmp_path):
    with Memory(Settings(home=tmp_path, tier="base")) as memory:
        yield memory


def test_observations_and_relations_are_remembered(memory):
    assert list(import_graph(memory, *read_graph(lines(FILE)))) == [True, True, True, True, False, True]
    contents = [node.content for node in memory.store.memories()]
    assert contents == [
        "Anna_Berg: plays the clarinet", "Anna_Berg likes rain", "Redis is a database.", "Anna_Berg works with Redis.",
        "timeout causes outage.",
    ]  # fmt: skip
    hits = memory.recall(Question("Who plays the clarinet?")).hits
    assert hits[0].node.content == "Anna_Berg: plays the clarinet"
    assert "Anna_Berg (person)" in hits[0].node.rationale
    assert hits[0].node.metadata["entity_type"] == "person"


def test_relations_become_edges_between_concepts(memory):
    list(import_graph(memory, *read_graph(lines(FILE))))
    names = {node.id: node.name for node in memory.store.concepts()}
    joined = {
        (names[edge.source], edge.edge_type, names[edge.target])
        for edge in memory.store.all_edges()
        if edge.origin == "explicit" and edge.source in names and edge.target in names
    }
    assert joined == {
        ("Anna_Berg", EdgeType.RELATIONAL, "Redis"),
        ("Redis", EdgeType.HIERARCHICAL, "database"),
        ("timeout", EdgeType.CAUSAL, "outage"),
    }
    assert memory.store.verify().ok


def test_a_second_import_adds_nothing(memory):
    list(import_graph(memory, *read_graph(lines(FILE))))
    head = memory.store.head()
    assert not any(import_graph(memory, *read_graph(lines(FILE))))
    assert memory.store.head() == head


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"type": "entity", "name": "", "entityType": "x"}, "name must be"),
        ({"type": "entity", "name": "x", "entityType": 7}, "entityType must be"),
        ({"type": "entity", "name": "x", "entityType": "x", "observations": "text"}, "observations must be"),
        ({"type": "entity", "name": "x", "entityType": "x", "observations": [7]}, "observations must be"),
        ({"type": "relation", "from": "x", "to": "y"}, "relationType must be"),
        ({"type": "idea"}, "expected type"),
        ({}, "expected type"),
        ([], "expected a JSON object"),
    ],
)
def test_a_line_that_is_not_understood_is_named(bad, says):
    with pytest.raises(InvalidInput, match=f"line 6: .*{says}"):
        read_graph([*lines(FILE), json.dumps(bad)])


def test_an_empty_file_is_told():
    with pytest.raises(InvalidInput, match="holds none"):
        read_graph(["\n", " \n"])
