"""Spellings of a name meet under one key, in texts and in the store."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.ingest.concepts import join_spellings, spelt_apart
from context_graph.ingest.forget import restore
from context_graph.models import Node, NodeKind
from context_graph.names import name_key
from tests.requirements import requirement

ODD = [
    "Conor O'Brien",
    "Jean-Luc",
    "Rolls-Royce",
    "src/my-file.py",
    "Anna Lee",
    "D’Arcy",
    "AT&T Labs",
    "Jean-Luc O'Brien-Smith",
]


@requirement("ingest:one-name-is-one-concept")
@pytest.mark.parametrize("name", ODD)
def test_a_name_is_one_concept_however_often_it_is_mentioned(memory, tell, name):
    for text in (
        "We met {} at the gate.",
        "The lamp belongs to {} now.",
        "We saw {} again.",
        "I ask {} for the key.",
    ):
        tell(text.format(name))
    assert [node.name for node in memory.store.concepts() if name_key(node.name) == name_key(name)] == [name]
    assert len(memory.store.edges(memory.store.concept(name).id)) >= 4


@given(st.text(max_size=40))
def test_the_key_of_a_key_is_itself(text):
    assert name_key(name_key(text)) == name_key(text)


@pytest.fixture
def apart(memory, tell):
    """A store as versions before format 3 left it: a concept for each mention of a name with a hyphen."""
    ids = [tell(f"We saw Jean-Luc on tram {number}.") for number in (3, 5, 8)]
    oldest = memory.store.concept("Jean-Luc")
    for number, id in enumerate(ids):
        with memory.store.write("created", memory.author(memory.caller)) as tx:
            moment = memory.clock()
            other = Node(
                id=memory.new_id(), kind=NodeKind.CONCEPT, name="Jean-Luc", content="Jean-Luc", created_at=moment,
                occurred_at=moment, valid_from=moment, last_accessed=moment, session_id="s",
            )  # fmt: skip
            tx.put(other)
            edge = next(edge for edge in tx.edges(id) if edge.target == oldest.id)
            if number:
                tx.update_edge(edge.id, target=other.id)
    memory.committed()
    return ids, oldest


@requirement("ingest:split-names-can-be-joined")
def test_concepts_of_one_name_are_joined_by_one_write_that_can_be_undone(memory, apart):
    ids, oldest = apart
    before = {edge.id: edge for edge in memory.store.edges(ids)}
    assert [len(group) for group in spelt_apart(memory)] == [4]
    joined, hash = join_spellings(memory)
    assert joined == 3 and spelt_apart(memory) == []
    assert {edge.source for edge in memory.store.edges(oldest.id)} == set(ids)
    assert memory.store.verify().ok
    restore(memory, hash, preview=False)
    assert {edge.id: edge for edge in memory.store.edges(ids)} == before
    assert [len(group) for group in spelt_apart(memory)] == [4]


def test_where_nothing_is_split_nothing_is_written(memory, tell):
    tell("We saw Anna Lee.")
    events = memory.store.counts()["events"]
    assert join_spellings(memory) == (0, "")
    assert memory.store.counts()["events"] == events
