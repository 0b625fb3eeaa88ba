"""Typed records: kept as a type, read as a type, apart by scope, clean of personal data."""

from dataclasses import dataclass
from dataclasses import replace as changed

import pytest

from context_graph import Memory
from context_graph.errors import InvalidInput, NotFound, StoreCorrupt
from context_graph.models import Scope
from context_graph.runtime.records import MAX_RECORD_CHARACTERS, RECORD_TYPES, Records, check_record, record_type
from context_graph.settings import Settings
from tests.requirements import requirement


@pytest.fixture
def plan(monkeypatch):
    """A type of record that only these tests know."""
    monkeypatch.setattr("context_graph.runtime.records.RECORD_TYPES", dict(RECORD_TYPES))
    from context_graph.runtime import records

    records._adapter.cache_clear()

    @record_type("plan")
    @dataclass(frozen=True)
    class Plan:
        steps: tuple[str, ...] = ()
        weight: float = 1.0

    return Plan


@pytest.fixture
def memory(tmp_path):
    with Memory(Settings(home=tmp_path / "home", tier="base")) as memory:
        yield memory


@requirement("store:records-are-events")
def test_a_value_is_kept_changed_removed_and_brought_back_as_its_type(memory, plan):
    shelf = Records(memory, plan)
    first = shelf.add("release", plan(("build", "ship"), 0.5))
    assert shelf.get("release").value == plan(("build", "ship"), 0.5)
    again = shelf.change(shelf.get("release"), plan(("ship",)))
    assert shelf.get("release").value == plan(("ship",)) and again.record.created_at == first.record.created_at
    memory.store.undo(again.event_hash, memory.author(memory.caller))
    assert shelf.get("release").value.weight == 0.5
    gone = shelf.remove(shelf.get("release"))
    with pytest.raises(NotFound, match="Plan not found: 'release'; there are: no plan yet"):
        shelf.get("release")
    memory.store.undo(gone.event_hash, memory.author(memory.caller))
    assert [entry.name for entry in shelf.all()] == ["release"] and memory.store.verify().ok


def test_what_is_of_a_session_comes_first_there_and_is_not_seen_elsewhere(memory, plan):
    here, there = (memory.caller.within(name) for name in ("one", "two"))
    Records(memory, plan, here).add("p", plan(weight=1))
    Records(memory, plan, here).add("p", plan(weight=2), scope=Scope.SESSION)
    Records(memory, plan, there).add("q", plan(weight=3), scope=Scope.SESSION)
    assert Records(memory, plan, here).get("p").value.weight == 2
    assert Records(memory, plan, there).get("p").value.weight == 1
    assert [entry.name for entry in Records(memory, plan, here).all()] == ["p", "p"]


def test_personal_data_are_replaced_in_names_and_values(memory, plan):
    entry = Records(memory, plan).add("of ines@example.org", plan(("write to ines@example.org",)))
    assert "ines@" not in entry.name and "ines@" not in entry.value.steps[0]
    assert "ines@" not in str(memory.store.records("plan"))


@pytest.mark.parametrize("name", ["", " ", "x" * 129, "a\nb", "\u202ex"])
def test_a_name_that_is_none_is_told(memory, plan, name):
    with pytest.raises(InvalidInput, match="1 to 128 printable characters"):
        Records(memory, plan).add(name, plan())
    assert memory.store.head()[0] == 0


def test_a_value_that_is_too_large_is_told(memory, plan):
    with pytest.raises(InvalidInput, match=f"below {MAX_RECORD_CHARACTERS} characters"):
        Records(memory, plan).add("p", plan(("x" * 1_000,) * 1_100))
    assert memory.store.head()[0] == 0


def test_data_of_another_version_are_told_and_a_kind_nobody_knows(memory, plan):
    entry = Records(memory, plan).add("p", plan())
    with memory.store.write("plan", memory.author(memory.caller)) as tx:
        tx.put(changed(entry.record, data={"steps": 7}))
    with pytest.raises(StoreCorrupt, match="does not fit this version"):
        Records(memory, plan).get("p")
    with pytest.raises(InvalidInput, match=r"expected a record of .*, plan, got 'spell'"):
        check_record(changed(entry.record, kind="spell"))


def test_two_types_do_not_share_a_kind(plan):
    with pytest.raises(ValueError, match="'plan' of Plan again"):
        record_type("plan")(plan)
