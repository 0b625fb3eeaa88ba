"""Within a write, the ends of sessions are known as the tables have them, whatever the write does."""

import random

import pytest
from store_scenes import AUTHOR, concept, ids, memory

from context_graph.errors import NotFound
from context_graph.store.sqlite.queries.sessions import SessionQueries

SESSIONS = ("s1", "s2")


def check(tx) -> None:
    for session in SESSIONS:
        assert tx.session_position(session) == SessionQueries.session_position(tx, session)
        assert tx.last_said(session) == SessionQueries.last_said(tx, session)


@pytest.mark.parametrize("seed", range(12))
def test_the_ends_of_sessions_are_those_of_the_tables(store, seed):
    chosen, new_id = random.Random(seed), ids(1)
    with store.write("created", AUTHOR) as tx:
        there: list[str] = []

        def change() -> None:
            step = chosen.choice(("append", "append", "append", "between", "replace", "update", "remove", "concept"))
            session = chosen.choice(SESSIONS)
            if step in ("append", "between"):
                there.append(new_id())
                position = tx.session_position(session) if step == "append" else chosen.randrange(4)
                state = chosen.choice(("live", "live", "quarantined"))
                tx.put(
                    memory(there[-1], tx.next_ordinal(), step, session_id=session, position=position, state=state),
                    new=chosen.random() < 0.5,
                )
            elif step == "concept":
                tx.put(concept(new_id(), "mill", session_id=session))
            elif there and step == "replace":
                node = tx.node(chosen.choice(there))
                tx.put(memory(node.id, node.ordinal, "other", session_id=session, position=chosen.randrange(9)))
            elif there and step == "update":
                column, value = chosen.choice(
                    (
                        ("state", "quarantined"),
                        ("content", "new"),
                        ("position", 7),
                        ("importance", 0.9),
                        ("speaker", "Ana"),
                    )
                )
                tx.update(chosen.choice(there), **{column: value})
            elif there and step == "remove":
                tx.remove_node(there.pop(chosen.randrange(len(there))))

        for _ in range(60):
            if chosen.random() < 0.2:
                before = list(there)
                with pytest.raises(NotFound), tx.step():
                    change()
                    check(tx)
                    raise NotFound("taken back")
                there[:] = before
            else:
                change()
            if chosen.random() < 0.7:
                check(tx)
        check(tx)


def test_what_one_write_adds_is_read_once(store, monkeypatch):
    asked: list[str] = []
    read = SessionQueries.last_said
    monkeypatch.setattr(SessionQueries, "last_said", lambda tx, session: asked.append(session) or read(tx, session))
    said_before = None
    for names in ("abc", "def"):
        with store.write("created", AUTHOR) as tx:
            for id in names:
                said = tx.last_said("s1")
                assert (said and said.content) == said_before
                said_before = f"text {id}"
                tx.put(memory(id, tx.next_ordinal(), said_before, position=tx.session_position("s1")), new=True)
        assert asked == ([] if names == "abc" else ["s1"])  # nothing was said in a session without memories
