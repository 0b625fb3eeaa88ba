"""Other names of a thing lead to the memories that use one of them, from the moment they are told."""

import pytest

from context_graph import Draft, Question
from context_graph.derived import Aliases
from context_graph.derived.aliases import AliasMatch, widened
from context_graph.ingest.forget import forget, restore
from context_graph.models import Scope

WHY = "needed by a test"
ABOUT = "The system that runs our containers, in the cellar."
NOISE = (
    "Anna plays the clarinet.", "Rent is due in May.", "Bob paints tiles blue.", "The crane broke down.",
    "Tea is at four.", "It rained in Leeds.",
)  # fmt: skip


@pytest.fixture
def told(memory, tell):
    """A thing that has one name, a note and a turn of a dialogue that use it, and others."""
    for text in NOISE:
        tell(text)
    thing = tell(ABOUT, name="Kubernetes")
    note = tell("Upgrades of Kubernetes happen on Mondays.")
    turn = tell("I broke kubernetes again.", speaker="Dora")
    return thing, note, turn


def join(memory, alias: str) -> None:
    """Tell what is known again, with another name."""
    again = memory.remember(Draft(ABOUT, WHY, name="Kubernetes", metadata={"aliases": [alias]}))
    assert not again.stored


def found(memory, node_id: str, question: str = "kbx", **fields) -> bool:
    """Whether a memory answers a question: it is likely to matter, as it is not without a word of the question."""
    relevance = {hit.node.id: hit.relevance for hit in memory.recall(Question(question, 50, **fields)).hits}
    return relevance[node_id] > 0.5


def test_what_uses_a_name_is_found_by_an_alias_told_later(memory, told):
    assert not any(found(memory, node_id) for node_id in told)
    join(memory, "kbx")
    assert all(found(memory, node_id) for node_id in told)
    first, second, third = (hit.node.id for hit in memory.recall(Question("kbx")).hits[:3])
    assert first == told[0] and {second, third} == set(told[1:])


def test_a_name_leads_to_what_uses_an_alias(memory, told, tell):
    nickname = tell("Keight is down since noon.")
    assert not found(memory, nickname, "Kubernetes")
    join(memory, "keight")
    assert found(memory, nickname, "Kubernetes")


def test_another_process_hears_of_it(memory, told, clock, ids):
    from context_graph.memory import Memory

    with Memory(memory.settings, clock=clock, ids=ids) as other:
        assert not found(other, told[2])
        join(memory, "kbx")
        assert found(other, told[2])
    with Memory(memory.settings, clock=clock, ids=ids) as later:
        assert found(later, told[2])


def test_aliases_go_and_come_with_what_says_them(memory, told):
    join(memory, "kbx")
    gone = forget(memory, told[0], "obsolete")
    assert not found(memory, told[2])
    restore(memory, gone.reversal_hash, preview=False)
    assert found(memory, told[2])
    memory.store.undo(memory.store.events(1, type="reinforced")[0].hash, memory.author(memory.caller))
    memory.committed()
    assert not found(memory, told[2]) and len(memory.view(Aliases)) == 0


def test_an_alias_that_one_may_not_see_changes_nothing(memory, tell):
    turn = tell("I broke kubernetes again.", speaker="Dora")
    metadata = {"aliases": ["kbx"]}
    memory.remember(Draft(ABOUT, WHY, name="Kubernetes", metadata=metadata, scope=Scope.SESSION, session_id="s"))
    assert found(memory, turn, session_id="s") and not found(memory, turn, session_id="other")
    assert found(memory, turn, session_id="s", scope="user"), "what may not answer may still say what others are called"


def test_a_question_is_read_with_each_other_name(memory):
    vectors = memory.embedder.query("which words about kbx?")
    assert widened(vectors, []) is vectors and widened(vectors, [AliasMatch(0, "kbx", ())]) is vectors
    (reading,) = widened(vectors, [AliasMatch(0, "kbx", ("Dead Letter Queue",))]).renamed
    assert sorted(reading.values()) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1.0])
    assert len(reading.keys() & vectors.terms.keys()) == 1
