"""What was written lately is known by its ids, or known to be unknown."""

from context_graph.derived import News
from context_graph.derived import news as module


def test_news_names_what_was_written_since_a_moment(memory, tell):
    first = tell("The pier is closed.")
    _ = memory.corpus
    number = memory.view(News).since(0).number
    assert memory.view(News).since(number).nodes == frozenset()
    second = tell("The lock is open.")
    later = memory.view(News).since(number)
    assert second in later.nodes and first not in later.nodes and later.number > number
    memory.recall("Is the lock open?")
    memory.store.effects.flush()
    memory.catch_up()
    assert memory.view(News).since(later.number) == (later.number, frozenset()), "what is asked changes nothing"
    memory.forget(first)
    assert memory.view(News).since(later.number).nodes == {first}


def test_what_is_too_long_ago_or_deleted_for_good_is_not_known(memory, tell, monkeypatch):
    monkeypatch.setattr(module, "MAX_REMEMBERED_CHANGES", 3)
    memory.view(News).rebuild()
    start = memory.view(News).since(0).number
    ids = [tell(f"Berth {number} is free.") for number in range(3)]
    assert memory.view(News).since(start).nodes is not None
    ids += [tell(f"Berth {number} is let.") for number in range(3, 8)]
    assert memory.view(News).since(start).nodes is None
    last = memory.view(News).since(start).number
    assert memory.view(News).since(last).nodes == frozenset()
    memory.view(News).erase([ids[0]], {ids[0]: 0})
    assert memory.view(News).since(last).nodes is None


def test_another_process_is_heard_of_too(memory, tell, tmp_path):
    from context_graph.memory import Memory
    from context_graph.settings import Settings

    tell("The pier is closed.")
    _ = memory.corpus
    number = memory.view(News).since(0).number
    with Memory(Settings(home=tmp_path / "home", tier="base")) as other:
        id = other.remember("The lock is open.").node.id
    memory.catch_up()
    assert id in memory.view(News).since(number).nodes
