"""Proofs about the log, checked without the store; and what a checkpoint is worth."""

import copy
import json

import pytest
from store_scenes import AUTHOR, remember

from context_graph.errors import InvalidInput, Refused, StoreCorrupt
from context_graph.store.proofs import check


@pytest.fixture
def signed(store):
    """Nine events, a checkpoint after the third and the last."""
    events = []
    for i in range(7):
        events.append(remember(store, f"n{i}", f"memory {i}"))
        if i == 2:
            first = store.checkpoint(AUTHOR)
    return events, first, store.checkpoint(AUTHOR)


def through_json(proof):
    return json.loads(json.dumps(proof))


def test_each_event_is_proven(store, signed):
    events, *_ = signed
    for event in events:
        proof = through_json(store.prove(event.hash))
        assert check(proof).startswith(f"event {event.hash[:16]} is number {event.seq} of the 8")
        assert "payload" not in proof


def test_a_proof_may_show_what_the_event_says(store, signed):
    proof = through_json(store.prove(signed[0][0].hash, content=True))
    assert "and what it says" in check(proof)
    assert "memory 0" in proof["payload"]
    proof["payload"] = proof["payload"].replace("memory 0", "memory 9")
    with pytest.raises(StoreCorrupt, match="the payload is not the one"):
        check(proof)


def test_the_log_only_grew(store, signed):
    _, first, last = signed
    proof = through_json(store.prove_growth(first.hash))
    assert check(proof).startswith("the log of 8 events begins with the 3 of the older checkpoint")
    assert proof == through_json(store.prove_growth(last.hash, first.hash)), "in either order"


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (("event", "type"), "not the one that was hashed"),
        (("event", "hash"), "not the one that was hashed"),
        (("checkpoint", "root"), "does not lead to the root"),
        (("checkpoint", "signature"), "signature"),
        (("checkpoint", "public_key"), "signature"),
        (("checkpoint", "head"), "signature"),
    ],
)
def test_a_changed_proof_does_not_hold(store, signed, place, says):
    proof = copy.deepcopy(through_json(store.prove(signed[0][1].hash)))
    part, name = place
    text = proof[part][name]
    proof[part][name] = ("0" if text[0] != "0" else "1") + text[1:]
    with pytest.raises(StoreCorrupt, match=says):
        check(proof)


def test_a_rewritten_past_cannot_be_proven(store, home, signed):
    """Even by someone who computes all hashes anew: the older checkpoint was signed over other ones."""
    _, first, _ = signed
    proof = through_json(store.prove_growth(first.hash))
    proof["from"]["root"] = "00" * 32
    with pytest.raises(StoreCorrupt, match="does not begin with"):
        check(proof)


@pytest.mark.parametrize("what", [{}, {"kind": "inclusion"}, {"kind": "consistency", "from": 3}, {"kind": ["x"]}])
def test_what_is_no_proof_is_told(what):
    with pytest.raises(InvalidInput, match="expected a proof"):
        check(what)


def test_without_a_checkpoint_there_is_nothing_to_prove(store):
    event = remember(store, "n1")
    with pytest.raises(Refused, match="no checkpoint"):
        store.prove(event.hash)
    with pytest.raises(Refused, match="no checkpoint"):
        store.prove_growth(event.hash)
    store.checkpoint(AUTHOR)
    with pytest.raises(InvalidInput, match="not a checkpoint"):
        store.prove_growth(event.hash)
    later = remember(store, "n2")
    with pytest.raises(Refused, match="after the last checkpoint"):
        store.prove(later.hash)


def test_a_deleted_event_is_proven_without_its_content(store, signed):
    events, *_ = signed
    store.purge("n1", AUTHOR)
    assert "number 2" in check(store.prove(events[1].hash))
    with pytest.raises(Refused, match="permanently deleted"):
        store.prove(events[1].hash, content=True)
