"""What is refused, and that it changes nothing: strangers, changed and repeated messages, bad clocks, nonsense."""

import copy
import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sync_scenes import USER

from context_graph.errors import InvalidInput, SyncRefused
from context_graph.store import Position
from context_graph.sync.batch import Batch, opened, sealed
from context_graph.sync.exchange import exchange
from context_graph.sync.fold import fold
from context_graph.sync.outgoing import batch_after
from tests.requirements import requirement

CELLO = "Anna plays the cello in the Riga orchestra."


def told(home) -> dict:
    """All that a home has, as a batch."""
    return json.loads(json.dumps(batch_after(home.store, home.key, USER, Position()).to_json()))


def take(home, sender, values):
    return fold(home.memory, Batch.from_json(sender.key, values), home.key, sender.name, USER)


def question(home, other, **changed) -> bytes:
    message = {
        "to": other.key, "time": home.clock(), "nonce": "0123456789abcdef", "after": None, "scopes": ["user"],
        "batch": None, "compare": False,
    }  # fmt: skip
    return sealed(home.path, message | changed)


@requirement("sync:unknown-refused")
def test_who_is_not_known_is_refused(homes):
    ada, ben, eve = homes("ada", "ben", "eve", known=False)
    ada.knows(ben)
    eve.knows(ada)
    before = ada.store.head()
    with pytest.raises(SyncRefused, match="no peer's here"):
        eve.meet(ada)
    assert ada.store.head() == before


def test_an_answer_of_somebody_else_is_refused(homes):
    ada, _, eve = homes("ada", "ben", "eve")
    eve.tell(CELLO)
    before = ada.store.head()
    with pytest.raises(SyncRefused, match="another home answers"):
        exchange(ada.memory, ada.peers.of("ben"), lambda data: sealed(eve.path, {"scopes": ["user"]}))
    assert ada.store.head() == before


@requirement("sync:unknown-refused")
@pytest.mark.parametrize("side", ["question", "answer"])
def test_what_was_changed_on_its_way_is_refused(homes, side):
    ada, ben = homes("ada", "ben")
    ada.tell(CELLO)
    ben.tell("Omar mended the boiler.")

    def changed(data: bytes) -> bytes:
        return data.replace(b"cello", b"viola").replace(b"boiler", b"heater")

    def ask(data: bytes) -> bytes:
        return ben.answering.answer(changed(data)) if side == "question" else changed(ben.answering.answer(data))

    with pytest.raises((SyncRefused, InvalidInput), match="changed on its way"):
        exchange(ada.memory, ada.peers.of("ben"), ask)
    assert not any(
        "viola" in node.content or "heater" in node.content for home in (ada, ben) for node in home.store.memories()
    )


@pytest.mark.parametrize(
    ("changed", "told_why"),
    [
        ({"to": "0" * 64}, "for another home"),
        ({"time": 0}, "set both clocks right"),
        ({"nonce": "short"}, "16 to 64"),
        ({"time": "now"}, "names its time"),
        ({"after": [1, 2]}, "a position of a log"),
        ({"after": [-1, 0, "", ""]}, "a position of a log"),
    ],
)
def test_a_question_that_does_not_fit_is_refused(homes, changed, told_why):
    ada, ben = homes("ada", "ben")
    with pytest.raises((SyncRefused, InvalidInput), match=told_why):
        ben.answering.answer(question(ada, ben, **changed))


def test_a_question_that_came_before_is_refused(homes):
    ada, ben = homes("ada", "ben")
    data = question(ada, ben)
    ben.answering.answer(data)
    with pytest.raises(SyncRefused, match="came before"):
        ben.answering.answer(data)


def test_an_answer_to_another_question_is_refused(homes):
    ada, ben = homes("ada", "ben")
    earlier = ben.answering.answer(question(ada, ben))
    with pytest.raises(SyncRefused, match="another question"):
        exchange(ada.memory, ada.peers.of("ben"), lambda data: earlier)


@requirement("sync:bad-clock-refused")
def test_a_clock_that_is_far_ahead_does_not_win_for_ever(homes):
    ada, ben = homes("ada", "ben")
    id = ada.tell(CELLO)
    ada.meet(ben)
    ben.clock.set_ahead(3_600)
    with ben.store.write("edited", ben.memory.author(ben.memory.caller)) as tx:
        tx.update(id, rationale="from the future")
    before = ada.store.head()
    with pytest.raises(InvalidInput, match="in the future"):
        take(ada, ben, told(ben))
    assert ada.store.head() == before
    ada.clock.set_ahead(3_000)  # as time passes, it is let in
    take(ada, ben, told(ben))
    assert ada.store.node(id).rationale == "from the future"


def entries(values, of):
    return [entry for entry in values["entries"] if entry["of"] == of]


def node_values(values, group):
    return entries(values, "nodes")[0]["registers"][group]["values"]


HOSTILE = {
    "no entry": lambda v: v.update(entries=7),
    "a format of tomorrow": lambda v: v.update(format=99),
    "another table": lambda v: v["entries"][0].update(of="sessions"),
    "an id that is none": lambda v: v["entries"][0].update(id="../../etc"),
    "a stamp of nobody": lambda v: v["entries"][0].update(at=[5, "nobody"]),
    "a stamp below zero": lambda v: v["entries"][0].update(at=[-5, "0" * 64]),
    "a stamp that is text": lambda v: v["entries"][0].update(at=["5", "0" * 64]),
    "a register too few": lambda v: v["entries"][0]["registers"].pop("text"),
    "a register too many": lambda v: v["entries"][0]["registers"].update(all={"values": {}}),
    "a column too many": lambda v: node_values(v, "text").update(ordinal=4),
    "a birth too many": lambda v: v["entries"][0]["birth"].update(access_count=4),
    "an empty text": lambda v: node_values(v, "text").update(content=" "),
    "a text too long": lambda v: node_values(v, "text").update(content="x" * 70_000),
    "half of a pair": lambda v: node_values(v, "text").update(content="\ud800 and more"),
    "a number as text": lambda v: node_values(v, "text").update(content=7),
    "no scope": lambda v: node_values(v, "made").update(kind="secret"),
    "too important": lambda v: node_values(v, "importance").update(importance=7.0),
    "a year that is none": lambda v: node_values(v, "told").update(occurred_at=10**18),
    "metadata that are none": lambda v: node_values(v, "metadata").update(metadata=["a"]),
    "metadata too deep": lambda v: node_values(v, "metadata").update(metadata={"a": json.loads("[" * 60 + "]" * 60)}),
    "a state that is none": lambda v: node_values(v, "state").update(state="admin"),
    "itself in its own place": lambda v: node_values(v, "validity").update(superseded_by=entries(v, "nodes")[0]["id"]),
    "a deletion without an id": lambda v: v.update(purged=[["*", 4]]),
    "a position that is none": lambda v: v.update(upto=["a", "b", "c"]),
}  # fmt: skip


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_no_row_can_hold_changes_nothing(homes, hostile):
    ada, ben = homes("ada", "ben")
    ada.tell("The Riga orchestra rehearses on Mondays.")
    ben.tell(CELLO)
    values, before = told(ben), (ada.store.head(), ada.hash())
    HOSTILE[hostile](values)
    with pytest.raises(InvalidInput):
        take(ada, ben, values)
    assert (ada.store.head(), ada.hash()) == before
    assert ada.store.verify().ok


def test_a_memory_becomes_no_concept(homes):
    ada, ben = homes("ada", "ben")
    ben.tell(CELLO)
    values = told(ben)
    take(ada, ben, values)
    made = entries(values, "nodes")[0]
    made["registers"]["made"] = {
        "at": [made["at"][0] + 5, ben.key],
        "values": node_values(values, "made") | {"kind": "concept"},
    }
    with pytest.raises(InvalidInput):
        take(ada, ben, values)


NONSENSE = [None, True, -1, 2**70, 1e308, "", "x", "\x00", [], {}, ["x"], {"x": 1}]


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_nonsense_breaks_a_home(homes_once, data):
    ada, ben, values = homes_once
    broken = copy.deepcopy(values)
    place = broken
    for _ in range(data.draw(st.integers(1, 6))):  # walk to some place, and put something else there
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
            place = place[key]
        else:
            place[key] = data.draw(
                st.sampled_from([None, True, -1, 2**70, 1e308, "", "x", "\x00", [], {}, ["x"], {"x": 1}])
            )
            break
    with suppress(InvalidInput):
        take(ada, ben, broken)
    assert ada.store.verify().ok


@pytest.fixture
def homes_once(homes):
    ada, ben = homes("ada", "ben")
    ben.tell(CELLO)
    ben.tell("Omar mended the boiler because Anna asked for it.")
    return ada, ben, told(ben)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b'{"message": 7}', b'{"message": {}, "signature": ""}', b"\xff" * 9, b"[" * 5_000],
)
def test_what_is_no_message_is_refused_in_words(data):
    with pytest.raises(InvalidInput):
        opened(data)


def test_a_message_too_long_is_not_read():
    with pytest.raises(InvalidInput, match="may have"):
        opened(b" " * 9_000_000)
