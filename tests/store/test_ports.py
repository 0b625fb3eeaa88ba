"""The ports of the store: what answers them answers all of them, and nothing else is asked of it."""

import ast
from pathlib import Path

import pytest
from store_scenes import AUTHOR, STORES, edge, ids, link, memory, record, remember

import context_graph
from context_graph.errors import InvalidInput
from context_graph.models import Edge, Goal, Node, Record
from context_graph.store import Pair, Reader, Session, Storage, Transaction, check_item
from tests.requirements import requirement

PACKAGE = Path(context_graph.__file__).parent


@pytest.fixture(params=STORES)
def opened(request, home, clock):
    """Everything that answers the ports."""
    with STORES[request.param](home, clock, ids()) as store:
        yield store


def asked_of(port: type) -> set[str]:
    """What a port names: methods, properties and attributes."""
    return {
        name
        for base in port.__mro__
        if base.__module__ == port.__module__
        for name in {*vars(base), *vars(base).get("__annotations__", {})}
        if not name.startswith("_")
    }


def test_a_store_a_snapshot_and_a_transaction_answer_every_port(opened):
    assert [name for name in asked_of(Storage) if not hasattr(opened, name)] == []
    with opened.snapshot() as seen:
        assert [name for name in asked_of(Reader) if not hasattr(seen, name)] == []
    with opened.write("looked", AUTHOR) as tx:
        assert [name for name in asked_of(Transaction) if not hasattr(tx, name)] == []


@requirement("architecture:store-behind-ports")
def test_nothing_is_asked_of_the_store_of_a_memory_that_no_port_names():
    asked = {
        (path.relative_to(PACKAGE).as_posix(), node.attr)
        for path in PACKAGE.rglob("*.py")
        if ".store." in (text := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr == "store"
    }
    assert len(asked) > 100
    named = asked_of(Storage)
    assert {(path, name) for path, name in asked if name not in named} == set()


def test_a_scan_gives_every_item_once_memories_first(opened):
    for number in (2, 0, 1):
        remember(opened, f"n{number}")
    link(opened, "e1", "n0", "n1")
    with opened.write("grown", AUTHOR) as tx:
        tx.put(memory("a concept", None, "Leeds", kind="concept"))
        tx.put(Goal(id="g1", text="Ship it.", created_at=tx.now))
        tx.put(record("r1", "iris"))
        tx.put_session("s1", {"focus": []})
        tx.count_pair("n1", "n0")
    kinds = (Node, Edge, Goal, Record, Session, Pair)
    found = {kind: [item for page in opened.scan(kind) for item in page] for kind in kinds}
    assert [node.id for node in found[Node]] == ["n2", "n0", "n1", "a concept"]
    assert [edge.id for edge in found[Edge]] == ["e1"] and [goal.id for goal in found[Goal]] == ["g1"]
    assert [session.id for session in found[Session]] == ["s1"] and [one.id for one in found[Record]] == ["r1"]
    assert [(pair.first, pair.second) for pair in found[Pair]] == [("n0", "n1")]


def test_vectors_are_told_by_node_and_of_some_spaces(opened):
    with opened.write("created", AUTHOR) as tx:
        for id in ("n0", "n1"):
            tx.put(memory(id, tx.next_ordinal()))
        tx.put_vectors("n0", {"E9": ("m", b"nine"), "E1": ("m", b"one")})
    assert opened.vectors_of(["n0", "n1"]) == {"n0": [("E1", "m", b"one"), ("E9", "m", b"nine")]}
    assert opened.vectors_of(["n0"], ["E9"]) == {"n0": [("E9", "m", b"nine")]}
    assert opened.vectors_of(["n0"], ["E2"]) == {} == opened.vectors_of(["n1"])


def test_ordinals_that_were_lost_elsewhere_are_skipped(opened):
    assert opened.ordinals_used() == 0
    with opened.write("imported", AUTHOR) as tx:
        assert not tx.has_changes()
        tx.skip_ordinals(7)
        assert tx.has_changes() and tx.next_ordinal() == 7
    assert opened.ordinals_used() == 8


def test_a_write_knows_what_is_there(opened):
    remember(opened, "n0"), remember(opened, "n1")
    pair = Pair(first="n0", second="n1", count=3, last_seen=4)
    with opened.write("imported", AUTHOR) as tx:
        assert tx.has(memory("n0", 0)) and not tx.has(pair) and not tx.has(edge("e1", "n0", "n1"))
        tx.put(pair)
        assert tx.has(pair)
    assert opened.pairs(["n0"]) == [pair]


def test_what_no_row_can_keep_is_refused_before_it_is_written():
    check_item(memory("n0", 0))
    with pytest.raises(InvalidInput, match="count expects a 64-bit integer"):
        check_item(Pair(first="a", second="b", count=2**63, last_seen=0))


def test_the_engine_is_told_by_name(opened):
    assert set(opened.engine) <= set(STORES) and all(opened.engine.values())
