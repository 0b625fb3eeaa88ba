"""A write reads what it has made as if it stood in the tables, whenever it goes there."""

from dataclasses import replace

import pytest
from store_scenes import AUTHOR, NOON, concept, edge, ids, memory

from context_graph.errors import NotFound
from context_graph.store.sqlite.queries.nodes import NodeQueries
from context_graph.store.sqlite.rows import encode, encode_edges


def four():
    new_id = ids(7)
    return [new_id() for _ in range(4)]


def test_new_nodes_are_read_beside_those_of_the_store(store):
    old, new, lamp, barn = four()
    with store.write("created", AUTHOR) as tx:
        tx.put(memory(old, tx.next_ordinal(), "The lamp is lit."))
        tx.put(concept(lamp, "Lamp"))
    with store.write("created", AUTHOR) as tx:
        tx.put(memory(new, tx.next_ordinal(), "The barn is shut.", position=1), new=True)
        tx.put(concept(barn, "Barn"), new=True)
        answers = [
            [node.id for node in tx.nodes([new, "nobody", old])],
            sorted(tx.columns_of(["id", "content"], [old, new, barn])),
            {key: node.id for key, node in tx.concepts_named(["lamp", "BARN", "roof"]).items()},
            [tx.has_node(id) for id in (old, new, lamp, barn, "nobody")],
        ]
        written = [
            [node.id for node in NodeQueries.nodes(tx, [new, "nobody", old])],
            sorted(NodeQueries.columns_of(tx, ["id", "content"], [old, new, barn])),
            {key: node.id for key, node in NodeQueries.concepts_named(tx, ["lamp", "BARN", "roof"]).items()},
            [id in tx.existing([old, new, lamp, barn]) for id in (old, new, lamp, barn, "nobody")],
        ]
        assert answers == written
        assert tx.ordinals_used() == 2
    assert [node.id for node in store.nodes([new, barn])] == [new, barn]


def test_of_concepts_of_one_name_the_oldest_is_read_wherever_it_stands(store):
    old, new, *_ = four()
    with store.write("created", AUTHOR) as tx:
        tx.put(concept(old, "Lamp"))
    for moment, expected in ((NOON - 1, new), (NOON + 1, old)):
        with pytest.raises(NotFound), store.write("created", AUTHOR) as tx:
            tx.put(replace(concept(new, "Lamp"), created_at=moment), new=True)
            assert tx.concepts_named(["lamp"])["lamp"].id == expected
            assert NodeQueries.concepts_named(tx, ["lamp"])["lamp"].id == expected
            raise NotFound("nothing of it stays")


@pytest.mark.parametrize("asked", [False, True])
def test_a_step_that_fails_takes_back_what_waited_and_what_was_written(store, asked):
    old, new, lamp, barn = four()
    with store.write("created", AUTHOR) as tx:
        tx.put(memory(old, tx.next_ordinal(), "The lamp is lit."), new=True)
        with pytest.raises(NotFound), tx.step():
            tx.put(memory(new, tx.next_ordinal(), "The barn is shut.", position=1), new=True)
            tx.put_edges([edge(barn, old, new)])
            tx.update(old, importance=0.9)
            if asked:
                assert len(tx.edges(old)) == 1 and tx.ordinals_used() == 2
            raise NotFound("the draft cannot be stored")
        assert not tx.has_node(new) and tx.node(old).importance == 0.5 and tx.edges(old) == []
        with tx.step():
            tx.put(memory(lamp, tx.next_ordinal(), "The roof is red.", position=1), new=True)
    assert [(node.id, node.ordinal) for node in store.memories()] == [(old, 0), (lamp, 1)]
    assert {change["key"][0] for change in tx.committed.payload["changes"]} == {old, lamp, "ordinal"}


def test_edges_that_are_encoded_together_are_those_that_are_encoded_alone():
    first, second, third, other = four()
    edges = [
        edge(first, other, second, weight=0.25),
        edge(second, other, third, weight=0.25, edge_type="Causal"),
        edge(third, other, first, weight=1, is_amortized_shortcut=True, confidence=0.0),
    ]
    assert encode_edges(edges) == [encode(each) for each in edges]
    assert encode_edges([]) == []
