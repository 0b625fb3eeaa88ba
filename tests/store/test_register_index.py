"""Which write each register comes from: folded from the log alone, whatever was purged, put back or lost."""

import json

import pytest
from store_scenes import AUTHOR, forget, link, memory, remember

from context_graph.errors import StoreCorrupt
from context_graph.store import OWN, Change, Position, Registers, Stamp
from context_graph.store.registers import written_registers

A, B, C = (f"{digit}0000000-0000-4000-8000-000000000000" for digit in "abc")


def registers(store, table, *ids):
    with store.registers.opened() as rows, store.snapshot() as seen:
        rows.catch_up(seen)
        return rows.registers(table, ids)


def purged(store):
    with store.registers.opened() as rows, store.snapshot() as seen:
        rows.catch_up(seen)
        return rows.all_purged()


def test_a_row_has_the_stamp_of_its_write_and_a_register_that_of_its_own(store):
    made = remember(store, A)
    with store.write("edited", AUTHOR) as tx:
        tx.update(A, rationale="why")
    found = registers(store, "nodes", A, B)
    assert found.keys() == {A}
    assert found[A].of("text") == Stamp(made.hlc, OWN)
    assert found[A].of("rationale") == Stamp(tx.committed.hlc, OWN)


def test_reading_writes_no_register(store):
    remember(store, A)
    before = registers(store, "nodes", A)
    store.effects.add(AUTHOR, nodes=[A])
    store.effects.flush()
    assert registers(store, "nodes", A) == before


def test_what_has_gone_is_known_to_have_gone(store):
    event = remember(store, A)
    store.undo(event.hash, AUTHOR)
    assert not registers(store, "nodes", A)[A].alive
    store.undo(store.events(1)[0].hash, AUTHOR)
    assert registers(store, "nodes", A)[A].alive


def test_rows_come_in_the_order_of_their_writes(store):
    remember(store, A)
    remember(store, B)
    link(store, C, A, B)
    forget(store, A)
    with store.registers.opened() as rows, store.snapshot() as seen:
        rows.catch_up(seen)
        page = rows.page(Position(), 10)
        assert [at.id for at, _ in page] == [B, A, C]
        assert [at for at, _ in rows.page(page[0][0], 1)] == [page[1][0]]
        assert Position(3).name < Position(3, 1, "a").name < Position(3, 4, "~").name < Position(20).name


def test_two_memories_of_one_event_are_purged_one_after_the_other(store):
    with store.write("created", AUTHOR) as tx:
        for id in (A, B, C):
            tx.put(memory(id, tx.next_ordinal(), f"Something that only {id} says."))
        tx.note.update(operation="created", nodes=[A, B, C])
    before = registers(store, "nodes", C)
    for id in (A, B):
        store.purge(id, AUTHOR)
    assert store.event_at(2).payload is None, "the second purge emptied the first"
    for _ in range(2):
        assert purged(store) == [A, B]
        assert registers(store, "nodes", A, B, C) == before
        store.registers.path.unlink()
    assert store.verify().ok


def test_a_log_that_was_put_back_is_folded_anew(store, tmp_path):
    remember(store, A)
    copy = store.backup(tmp_path / "copy.sqlite3")
    remember(store, B)
    assert registers(store, "nodes", A, B).keys() == {A, B}
    store.restore(copy, AUTHOR)
    assert registers(store, "nodes", A, B).keys() == {A}


def test_a_nonce_is_used_once_and_forgotten_in_time(store):
    with store.registers.opened() as rows:
        assert rows.first_use("one", 100, 0, 2) and not rows.first_use("one", 150, 0, 2)
        assert rows.first_use("two", 200, 0, 2) and not rows.first_use("three", 200, 0, 2), "no more than may be kept"
        assert rows.first_use("one", 300, 150, 2)


def test_what_fails_in_the_middle_leaves_the_file_as_it_was(store):
    remember(store, A)
    with pytest.raises(ZeroDivisionError), store.registers.opened() as rows:
        rows.set_state("peer", {"met": 1})
        raise ZeroDivisionError
    with store.registers.opened() as rows:
        assert rows.state("peer") == {}


def test_a_change_before_the_row_was_written_is_damage():
    change = Change("nodes", (A,), {"rationale": ""}, {"rationale": "why"})
    with pytest.raises(StoreCorrupt, match="before it was written"):
        written_registers([change], Stamp(7, OWN), {})


def test_registers_are_told_in_json_and_read_back():
    found = Registers(True, Stamp(5, "ab" * 32), {"text": Stamp(9, OWN)})
    assert Registers.from_json(json.loads(json.dumps(found.to_json()))) == found
