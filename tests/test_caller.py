"""One memory and many callers: what belongs to one of them stays with them."""

import threading
from dataclasses import replace

import pytest

from context_graph import Caller
from context_graph.citations import tag_of
from context_graph.errors import NodeNotFound
from context_graph.ingest.draft import Draft
from context_graph.ingest.forget import forget, restore
from context_graph.models import Scope
from context_graph.recall.briefing import brief
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from context_graph.server.dispatch import call
from tests.requirements import requirement

WHY = "what a caller keeps"
ANNA = Caller("annas session", "annas conversation", agent_id="planner")
BEN = Caller("bens session", "bens conversation", agent_id="writer")
PINS = {
    Scope.USER: "The safe of the office has a blue door.",
    Scope.SESSION: "The safe of the attic has a red door.",
    Scope.CONTEXT: "The safe of the cellar has a green door.",
}


def contents(answer) -> set[str]:
    return {hit.node.content for hit in answer.hits}


@pytest.fixture
def safes(memory):
    """A memory of each scope, told by Anna."""
    return {
        scope: memory.remember(Draft(text, WHY, scope=scope, speaker="Anna"), caller=ANNA).node
        for scope, text in PINS.items()
    }


@requirement("access:one-memory-serves-many-callers")
def test_a_memory_bears_the_names_of_its_caller(memory, safes):
    for node in safes.values():
        assert (node.session_id, node.context_id, node.agent_id) == (ANNA.session_id, ANNA.context_id, "planner")
    event = memory.store.events(1, type="created")[0]
    assert (event.author.session_id, event.author.agent_id) == (ANNA.session_id, "planner")
    (stored,) = memory.remember_many([Draft("The key hangs in the hall.", WHY)], caller=BEN)
    assert (stored.node.session_id, stored.node.context_id) == (BEN.session_id, BEN.context_id)
    assert memory.store.events(1, type="created")[0].author == memory.author(BEN)
    own = memory.remember(Draft("The lamp is broken.", WHY)).node
    assert (own.session_id, own.context_id) == (memory.caller.session_id, memory.caller.context_id)


@requirement("access:one-memory-serves-many-callers")
def test_what_a_call_names_comes_before_its_caller(memory):
    draft = Draft("The key hangs in the hall.", WHY, session_id="another", agent_id="clerk")
    node = memory.remember(draft, caller=ANNA).node
    assert (node.session_id, node.context_id, node.agent_id) == ("another", ANNA.context_id, "clerk")
    told = {"content": "The lamp is broken.", "rationale": WHY, "agent_id": "clerk", "metadata": {"session": "third"}}
    made = memory.store.node(call(memory, "store_memory", told, caller=ANNA).structured["node_id"])
    assert (made.session_id, made.context_id, made.agent_id) == ("third", ANNA.context_id, "clerk")


@requirement("access:one-memory-serves-many-callers")
def test_two_callers_in_turn_see_their_own_and_what_is_for_all(memory, safes):
    everything, own_session = set(PINS.values()), {PINS[Scope.USER], PINS[Scope.SESSION]}
    again = replace(ANNA, context_id="tomorrow")
    question = Question("Which door has the safe?")
    for caller, seen in ((ANNA, everything), (BEN, {PINS[Scope.USER]}), (again, own_session), (ANNA, everything)):
        answer = memory.recall(question, caller=caller)
        assert contents(answer) == seen
        # asked twice, the answer is that caller's own
        assert contents(memory.recall(question, caller=caller)) == seen
        told = inject(memory, question, caller=caller).distilled.text
        assert {text for text in PINS.values() if text in told} == seen
        assert {node.content for node in brief(memory, question.text, caller=caller).relevant} <= seen
        values = {said.memories[0] for entry in memory.entries(caller=caller) for said in entry.values}
        assert values <= {node.id for node in safes.values() if node.content in seen}
    assert memory.recall(question, caller=ANNA).reflex == memory.recall(question, caller=BEN).reflex == "exact"


@requirement("access:one-memory-serves-many-callers")
def test_a_tool_acts_for_its_caller(memory, safes):
    secret = safes[Scope.SESSION]
    question = {"query": "Which door has the safe?", "include_content": True}
    for caller, seen in ((ANNA, set(PINS.values())), (BEN, {PINS[Scope.USER]})):
        found = call(memory, "search_graph", question, caller=caller).structured["results"]
        assert {result["content"] for result in found} == seen
    for arguments in ({"node_id": secret.id}, {"node_id": tag_of(secret.id)}):
        assert call(memory, "get_node_lineage", arguments, caller=BEN).is_error
        assert not call(memory, "get_node_lineage", arguments, caller=ANNA).is_error
    with pytest.raises(NodeNotFound):
        memory.remember(Draft("The door was painted.", WHY, link_to=(secret.id,)), caller=BEN)
    link = {"content": "The door was painted.", "rationale": WHY, "link_to": [secret.id]}
    assert call(memory, "store_memory", link, caller=BEN).is_error


@requirement("access:one-memory-serves-many-callers")
def test_each_caller_has_the_state_of_its_session(memory, safes):
    focus = memory.session(ANNA.session_id).focus
    assert len(focus) == 3 and not memory.session(BEN.session_id).focus
    memory.recall(Question("Which door has the safe?"), caller=BEN)
    assert memory.session(BEN.session_id).pulse.interactions == 1
    assert memory.session(ANNA.session_id).pulse.interactions == 3
    assert not memory.session(memory.caller.session_id).focus, "of the memory itself"
    memory.store.effects.flush()
    agents = {session.id: session.agent_id for session in memory.store.sessions()}
    assert agents == {ANNA.session_id: "planner", BEN.session_id: "writer"}
    pulses = [call(memory, "get_system_instructions", caller=caller).structured["pulse"] for caller in (ANNA, BEN)]
    assert pulses[0] != pulses[1]


@requirement("access:one-memory-serves-many-callers")
def test_what_is_forgotten_is_forgotten_by_its_caller(memory, safes):
    gone = forget(memory, safes[Scope.USER].id, "obsolete", caller=BEN)
    assert memory.store.events(1, type="forgotten")[0].author == memory.author(BEN)
    assert memory.store.node(safes[Scope.USER].id, forgotten=True).state_by == "writer"
    restore(memory, gone.reversal_hash, preview=False, caller=ANNA)
    assert memory.store.events(1)[0].author == memory.author(ANNA)


@requirement("access:one-memory-serves-many-callers")
def test_a_caller_who_is_a_user_is_briefed_without_what_is_about_others(memory):
    for user in ("anna", "ben"):
        text = f"Answers to {user} should be short."
        memory.remember(Draft(text, WHY, metadata={"type": "preference", "user": user}))
    told = [node.content for node in brief(memory, caller=replace(memory.caller, user="anna")).prelude]
    assert told == ["Answers to anna should be short."]


@requirement("access:one-memory-serves-many-callers")
def test_callers_in_threads_do_not_mix(memory):
    callers = [Caller(f"session {i}", f"conversation {i}", agent_id=f"agent {i}") for i in range(4)]
    begin, wrong = threading.Barrier(len(callers)), []

    def work(number: int, caller: Caller) -> None:
        own = set()
        begin.wait()
        for turn in range(6):
            scope = Scope.SESSION if turn % 2 else Scope.CONTEXT
            text = f"Locker {turn} of row {number} holds parcel {10 * number + turn}."
            node = memory.remember(Draft(text, WHY, scope=scope), caller=caller).node
            own.add(text)
            names = (node.session_id, node.context_id, node.agent_id)
            found = contents(memory.recall(Question("Which locker holds which parcel?", top_k=50), caller=caller))
            if found != own or names != (caller.session_id, caller.context_id, caller.agent_id):
                wrong.append((caller, names, found ^ own))

    threads = [threading.Thread(target=work, args=each) for each in enumerate(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert [memory.session(caller.session_id).pulse.interactions for caller in callers] == [12] * 4
