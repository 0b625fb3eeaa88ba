"""The name of an agent goes with its last memory, and the chain still verifies."""

import gzip
from pathlib import Path

import apsw
import pytest
from store_scenes import AUTHOR, edge, forget, ids, memory, remember, tables

from context_graph.errors import StoreCorrupt
from context_graph.models import Author
from context_graph.store import Store
from context_graph.store.proofs import check
from tests.requirements import requirement

ANNA = Author(session_id="s-of-anna", agent_id="anna-bergmann", context_id="c-of-anna")
FORMAT_3 = Path(__file__).parent / "formats/format-3.sqlite3.gz"


def files_with(home, text: str) -> list[str]:
    return [file.name for file in home.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


def by_anna(store: Store, id: str, content: str = "The pass over the Arlberg is shut in June."):
    with store.write("created", ANNA) as tx:
        tx.put(memory(id, tx.next_ordinal(), content, agent_id=ANNA.agent_id))
        tx.put_session("s1", {"turn": id})
        tx.note.update(operation="created", nodes=[id])
    return tx.committed


@pytest.fixture
def spoken(store):
    """A store in which an agent did all that an agent can do, among others."""
    remember(store, "n1", "Something that stays.", agent_id="tester")
    by_anna(store, "pass-1")
    by_anna(store, "pass-2", "The pass is open in July.")
    with store.write("linked", ANNA) as tx:
        tx.put(edge("e1", "n1", "pass-1"))
        tx.put(edge("e2", "n1", "pass-2"))
    remember(store, "n2", "Something that was put away.", agent_id="tester")
    with store.write("forgotten", ANNA) as tx:
        tx.update("n2", state="forgotten", state_reason="test", state_at=tx.now, state_by=ANNA.agent_id)
    store.effects.add(ANNA, nodes=["n1", "pass-1"], state={"turn": 7})
    store.effects.flush()
    return store


@requirement("store:agent-names-go")
def test_the_name_is_in_no_file_after_the_last_memory_is_purged(spoken, home, clock):
    spoken.checkpoint(ANNA)
    spoken.backup()
    first = spoken.purge("pass-1", AUTHOR)
    assert first.agents == () and files_with(home, "anna-bergmann"), "another memory is hers"
    last = spoken.purge("pass-2", ANNA)
    assert (last.agents, last.named, last.unclean_backups) == (("anna-bergmann",), 0, ())
    assert files_with(home, "anna-bergmann") == []
    assert spoken.verify().ok and set(spoken.verify_backups().values()) == {""}
    assert spoken.replay().ok
    assert spoken.node("n1").content == "Something that stays."
    assert spoken.session("s1").state == {"turn": "pass-2"} and spoken.session("s1").agent_id is None
    with Store.open(home, clock=clock, new_id=ids(1), flush_seconds=None) as again:
        assert again.verify().ok


def test_what_others_did_can_still_be_undone(spoken):
    spoken.purge("pass-1", AUTHOR)
    before = tables(spoken)["nodes"]
    (event,) = spoken.events(1, type="forgotten")
    spoken.purge("pass-2", AUTHOR)
    assert spoken.undo(event.hash, AUTHOR).node_ids == ("n2",), "although who put it away is forgotten"
    assert spoken.node("n2").state == "live"
    assert [row[0] for row in tables(spoken)["nodes"]] == [row[0] for row in before if row[0] != "pass-2"]
    assert spoken.verify().ok


@pytest.mark.parametrize("kept", ["live", "forgotten", "undone"])
def test_it_stays_while_another_memory_is_hers(spoken, home, kept):
    if kept == "forgotten":
        forget(spoken, "pass-2")
    if kept == "undone":
        event = by_anna(spoken, "tunnel", "The tunnel is open all year.")
        spoken.purge("pass-2", AUTHOR)
        spoken.undo(event.hash, AUTHOR)
    assert spoken.purge("pass-1", AUTHOR).agents == ()
    assert files_with(home, "anna-bergmann")
    assert {event.author for event in spoken.events()} >= {ANNA}
    if kept == "undone":
        spoken.undo(spoken.events(1, type="undo")[0].hash, AUTHOR)
        assert spoken.node("tunnel").agent_id == ANNA.agent_id
    assert spoken.verify().ok


def test_other_agents_keep_their_names(spoken):
    for id in ("pass-1", "pass-2"):
        spoken.purge(id, AUTHOR)
    assert {event.author.agent_id for event in spoken.events()} == {"tester", None}
    assert spoken.node("n1").agent_id == "tester"


def test_a_later_purge_carries_on_what_an_earlier_one_unnamed(spoken):
    for id in ("pass-1", "pass-2"):
        spoken.purge(id, AUTHOR)
    remember(spoken, "n3", "A memory that was linked with what is gone.")
    spoken.purge("n1", AUTHOR)  # its edges to the two stand in the purges before
    assert spoken.verify().ok and spoken.replay().ok


def test_a_backup_with_nothing_of_hers_but_a_search_loses_the_name_too(store, home, clock):
    remember(store, "n1", agent_id="tester")
    store.effects.add(ANNA, nodes=["n1"], state={"turn": 1})
    store.effects.flush()
    store.backup()
    by_anna(store, "pass-1")
    assert store.purge("pass-1", AUTHOR).agents == ("anna-bergmann",)
    assert files_with(home, "anna-bergmann") == []
    assert set(store.verify_backups().values()) == {""}


def test_a_name_that_nobody_deleted_is_missed(spoken, home):
    connection = apsw.Connection(str(home / "graph.sqlite3"))
    connection.execute(
        "UPDATE events SET agent_id = NULL, session_id = '', context_id = NULL, author_salt = NULL WHERE seq = 3"
    )
    report = spoken.verify()
    assert report.first_bad_seq == 3 and "no purge says that it was removed" in report.reason


def test_a_proof_shows_the_author_or_that_it_was_deleted(spoken):
    event = spoken.events(10, type="linked")[0]
    spoken.checkpoint(AUTHOR)
    proof = spoken.prove(event.hash)
    assert proof["event"]["agent_id"] == "anna-bergmann" and check(proof)
    with pytest.raises(StoreCorrupt, match="the author is not"):
        check(proof | {"event": proof["event"] | {"agent_id": "somebody else"}})
    for id in ("pass-1", "pass-2"):
        spoken.purge(id, AUTHOR)
    proof = spoken.prove(event.hash)
    assert proof["event"]["agent_id"] is None and check(proof)
    with pytest.raises(StoreCorrupt, match="the author is not"):
        check(proof | {"event": proof["event"] | {"agent_id": "somebody else"}})


def test_of_events_of_older_formats_it_is_told_how_many_keep_the_name(home, clock):
    home.mkdir()
    (home / "graph.sqlite3").write_bytes(gzip.decompress(FORMAT_3.read_bytes()))
    with Store.open(home, clock=clock, new_id=ids(1), flush_seconds=None) as store:
        assert store.purge("m1", Author(session_id="s9")).agents == ()
        purged = store.purge("m2", Author(session_id="s9"))
        assert purged.agents == ("tester",) and purged.named == 6
        assert store._rows("SELECT 1 FROM sessions WHERE agent_id = 'tester'") == []
        assert b"tester" not in b"".join(body for (body,) in store._rows("SELECT payload FROM events") if body)
        assert store.verify().ok and store.replay().ok
