"""A view is a file and an import line: the runtime makes it, feeds it, and has it let go of what is deleted."""

from collections import Counter

import pytest

from context_graph.derived import view as register
from context_graph.derived.view import VIEWS, IndexedView, MaterializedView
from context_graph.ingest.forget import forget
from context_graph.ingest.goals import add_goal, remove_goal
from context_graph.memory import Memory
from context_graph.recall.question import Question
from context_graph.store import Change
from tests.requirements import requirement


@pytest.fixture
def toys():
    """Two views beside those of the package: one that counts changes, one that counts what a corpus holds."""

    @register("count of changes", "store", "clock")
    class Changes(MaterializedView):
        def __init__(self, store, clock) -> None:
            self.supplied = store, clock
            super().__init__()

        def rebuild(self) -> None:
            self.seen: list[Change] = []
            self.dropped: list[tuple[list[str], dict[str, int]]] = []

        def apply(self, change: Change) -> None:
            self.seen.append(change)

        def drop(self, nodes, rows) -> None:
            self.dropped.append(([*nodes], dict(rows)))

    @register("count of rows")
    class Rows(IndexedView):
        def rebuild(self) -> None:
            self.rows, self.news = None, Counter()

        def apply(self, change: Change) -> None:
            self.news[change.table] += 1

        def count(self, corpus) -> int:
            with self._taking_in(corpus):
                if self.rows is None:
                    self.rows = len(corpus)
                return self.rows + self.news.pop("broken", 0)

    yield Changes, Rows
    del VIEWS["count of changes"], VIEWS["count of rows"]


@pytest.fixture
def memory(toys, memory):
    return memory


def ids_of(seen: list[Change]) -> set[str]:
    return {change.id for change in seen if change.table == "nodes"}


@requirement("architecture:registered-views")
def test_a_registered_view_is_made_fed_and_told_of_deletions(memory, toys, tell):
    assert len(memory.corpus) == 0
    changes = memory.view(toys[0])
    assert changes.supplied == (memory.store, memory.present)
    node_id = tell("Anna plays the clarinet in Leeds.")
    assert ids_of(changes.seen) >= {node_id} and {"nodes", "vectors"} <= {change.table for change in changes.seen}
    assert all(change.inserted for change in changes.seen if change.id == node_id)

    changes.seen.clear()
    forget(memory, node_id, "user_requested", soft=False)
    memory.catch_up()
    assert memory.view(toys[0]) is changes and not changes.seen
    ((nodes, rows),) = changes.dropped
    assert node_id in nodes and rows == {node_id: 0}


def test_what_reading_leaves_behind_changes_no_view(memory, toys, tell):
    tell("Anna plays the clarinet.")
    memory.corpus  # noqa: B018
    changes = memory.view(toys[0])
    changes.seen.clear()
    memory.recall(Question("clarinet"))
    assert memory.store.effects.flush()
    memory.catch_up()
    assert memory.store.events(1)[0].type == "effects" and changes.seen == []


def test_a_view_hears_of_other_processes(memory, toys, tell, clock, ids):
    tell("Anna plays the clarinet.")
    with Memory(memory.settings, clock=clock, ids=ids) as other:
        other.corpus  # noqa: B018
        node_id = tell("Bob paints tiles blue.")
        other.catch_up()
        assert node_id in ids_of(other.view(toys[0]).seen)


def test_after_a_restore_every_view_is_built_anew(memory, toys, tell):
    tell("Anna plays the clarinet.")
    before = memory.view(toys[0]), memory.view(toys[1])
    assert before[1].count(memory.corpus) == 1
    copy = memory.store.backup()
    tell("Bob paints tiles blue.")
    memory.store.restore(copy, memory.author(memory.caller))
    assert len(memory.corpus) == 1
    after = memory.view(toys[0]), memory.view(toys[1])
    assert after[0] is not before[0] and after[0].seen == []
    assert after[1] is not before[1] and after[1].rows is None and after[1].count(memory.corpus) == 1


def test_a_view_beside_the_index_begins_when_it_is_asked(memory, toys, tell):
    rows = memory.view(toys[1])
    tell("Anna plays the clarinet.")
    assert not rows.news, "it knows nothing yet, so nothing changes it"
    rows = memory.view(toys[1])
    assert rows.count(memory.corpus) == 1
    node_id = tell("Bob paints tiles blue.")
    assert rows.news["nodes"] >= 1 and rows.rows == 1
    forget(memory, node_id, "user_requested", soft=False)
    memory.catch_up()
    assert rows.rows is None and not rows.news, "one that says nothing of deletions is rebuilt"


def test_a_view_that_fails_on_the_way_is_rebuilt(memory, toys, tell):
    tell("Anna plays the clarinet.")
    rows = memory.view(toys[1])
    assert rows.count(memory.corpus) == 1
    rows.rows = "one"
    with pytest.raises(TypeError):
        rows.count(memory.corpus)
    assert rows.rows is None and rows.count(memory.corpus) == 1


def test_two_views_have_two_names(toys):
    with pytest.raises(ValueError, match="'facts' of Facts again"):
        register("facts", "store")(toys[0])
    assert VIEWS["facts"].kind is not toys[0]


def test_a_class_that_nobody_registered_is_no_view(memory):
    class Late(MaterializedView):
        def rebuild(self) -> None: ...

        def apply(self, change: Change) -> None: ...

    with pytest.raises(LookupError, match="got Late; put @view before it"):
        memory.view(Late)


def test_goals_are_known_from_the_next_question_on(memory, tell):
    from context_graph.derived import Goals

    tell("Anna plays the clarinet.")
    question = Question("clarinet", record=False)
    assert memory.recall(question).hits and memory.view(Goals).vectors().shape == (0, 1024)
    goal = add_goal(memory, "Learn the clarinet.")
    assert memory.recall(question).hits and len(memory.view(Goals).vectors()) == 1
    remove_goal(memory, goal.id[:8])
    assert memory.recall(question).hits and len(memory.view(Goals).vectors()) == 0
