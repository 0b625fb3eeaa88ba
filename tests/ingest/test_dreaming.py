"""A dream proposes; applied, it strengthens what was found together and links what belongs together, undoably."""

import pytest
from store_scenes import tables

from context_graph import Draft, Question
from context_graph.ingest import scratchpad
from context_graph.ingest.dreaming import dream
from context_graph.ingest.forget import restore
from tests.requirements import requirement
from tests.tools.contract import ask, refused

HERE = "0193a4b2-c1d2-4e3f-8a5b-6c7d8e9f0a1b"


def state(memory):
    memory.store.effects.flush()
    return {name: rows for name, rows in tables(memory.store).items() if name in ("nodes", "edges", "vectors")}


@pytest.fixture
def together(memory, tell):
    """Two linked memories that are found together again and again."""
    one = tell("Anna plays the clarinet in the town orchestra.")
    other = tell("The town orchestra of Anna rehearses on Mondays.", link_to=(one,))
    tell("The printer needs a new toner.")
    for time in range(4):
        memory.recall(Question(f"the orchestra of Anna {time}", top_k=2))
    return one, other


@pytest.fixture
def far(memory, tell):
    """Two memories that only a name joins."""
    one = tell("Benjamin Meier repairs steam engines.")
    tell("It rained all week in Lisbon.")
    return one, tell("Cinnamon rolls taste best, says Benjamin Meier.")


def weight(memory, ends):
    return {edge.id: edge.weight for edge in memory.store.edges_between(ends) if edge.edge_type != "Temporal"}


@requirement("dream:proposes-and-never-merges")
def test_a_dream_proposes_and_changes_nothing(memory, together, far):
    before = state(memory)
    found = dream(memory)
    assert state(memory) == before
    assert (found.strengthened, found.created, found.reversal_hash) == (0, 0, None)
    assert found.completed == ("nrem", "rem") and found.blind_spots >= 1
    kinds = {(one.kind, frozenset((one.first, one.second))) for one in found.proposals}
    assert ("strengthen", frozenset(together)) in kinds and ("link", frozenset(far)) in kinds
    event = memory.store.events(1, type="dreamed")[0]
    assert memory.store.head()[0] == event.seq  # it says what was dreamed, and nothing else


@requirement("dream:applied-it-is-one-event")
def test_applied_it_strengthens_and_links_and_is_taken_back(memory, together, far):
    before, weights = state(memory), weight(memory, together)
    found = dream(memory, apply=True)
    assert (found.strengthened, found.created) >= (1, 1)
    grown = weight(memory, together)
    assert all(weights[id] < grown[id] <= 1 for id in weights)
    (edge,) = [edge for edge in memory.store.edges_between(far) if edge.origin == "dream"]
    assert (edge.weight, edge.confidence) == (0.3, 0.5)
    assert not [one for one in dream(memory, "rem").proposals if {one.first, one.second} == set(far)]
    restore(memory, found.reversal_hash, preview=False)
    assert state(memory) == before and memory.store.verify().ok


def test_two_memories_get_one_link_however_many_reasons_there_are_for_it(memory, far):
    for time in range(4):
        memory.recall(Question(f"Benjamin Meier {time}", top_k=2))
    outcome = dream(memory)
    assert outcome.blind_spots == 1
    assert [one.kind for one in outcome.proposals if {one.first, one.second} == set(far)] == ["link"]
    dream(memory, apply=True)
    assert len([edge for edge in memory.store.edges_between(far) if edge.origin == "dream"]) == 1


def test_what_was_never_found_together_is_not_strengthened(memory, tell):
    one = tell("Anna plays the clarinet.")
    tell("The clarinet of Anna is new.", link_to=(one,))
    found = dream(memory, "nrem", apply=True)
    assert found.proposals == [] and found.strengthened == 0 and found.replayed == 0


@pytest.mark.parametrize(
    ("other", "proposed"),
    [("The rent of our flat is 900 euros.", True), ("The rent of the flat is 950 euros.", False)],
)
def test_a_merge_is_proposed_where_nothing_differs(memory, tell, other, proposed):
    ids = {tell("The rent of the flat is 900 euros."), tell(other)}
    found = dream(memory, "rem", apply=True)
    assert (ids in [{one.first, one.second} for one in found.proposals if one.kind == "merge"]) is proposed
    assert all(memory.store.node(id).valid_to is None for id in ids)  # proposed, not done


def test_it_wakes_when_it_is_told_to(memory, together, far):
    found = dream(memory, apply=True, over=lambda: True)
    assert found.interrupted and found.completed == () and (found.strengthened, found.created) == (0, 0)


def test_it_does_not_dream_of_what_others_keep_to_themselves(memory, far):
    secret = memory.remember(
        Draft("Benjamin Meier earns ninety thousand.", "why", scope="session", session_id="hers")
    ).node.id  # fmt: skip
    found = dream(memory)
    assert secret not in {id for one in found.proposals for id in (one.first, one.second)}


@requirement("dream:ripe-notes-become-memories")
def test_ripe_notes_become_memories_when_it_is_applied(memory, tell):
    for text in ("Anna plays the clarinet.", "The printer needs toner."):
        tell(text)
    caller = memory.caller.within(HERE, "planner")
    scratchpad.store(memory, "The falcon nests on the chimney.", caller, threshold=0.3)
    scratchpad.store(memory, "Anna plays the clarinet.", caller, threshold=0.3)
    assert dream(memory).committed == 0 and len(scratchpad.read(memory, caller).items) == 2
    assert dream(memory, apply=True, caller=caller).committed == 1
    assert [item.content for item in scratchpad.read(memory, caller).items] == ["Anna plays the clarinet."]
    (hit,) = memory.recall(Question("Where does the falcon nest?", top_k=1), caller=caller).hits
    assert hit.node.content == "The falcon nests on the chimney." and hit.node.agent_id == "planner"


def noted(memory, count):
    """Working notes that are new enough for the memory."""
    caller = memory.caller.within(HERE, "planner")
    texts = ("The falcon nests on the chimney.", "The crane is rented until June.", "Tom cleans the pump on Fridays.")
    for text in texts[:count]:
        scratchpad.store(memory, text, caller, threshold=0.3)
    return caller


def woken(memory):
    """Whether an interaction has come since now, as a dream asks it."""
    before = memory.interactions
    return lambda: memory.interactions != before


@requirement("dream:ripe-notes-become-memories")
def test_what_a_dream_stores_does_not_wake_it(memory):
    caller = noted(memory, 3)
    outcome = dream(memory, apply=True, caller=caller, over=woken(memory))
    assert (outcome.committed, outcome.interrupted) == (3, False)
    assert scratchpad.read(memory, caller).items == ()


def test_a_dream_that_a_query_wakes_between_two_notes_says_so(memory, monkeypatch):
    caller, commit = noted(memory, 3), scratchpad.remember

    def remember_and_ask(*arguments, **more):
        memory.recall(Question("Where does the falcon nest?"))
        return commit(*arguments, **more)

    monkeypatch.setattr(scratchpad, "remember", remember_and_ask)
    outcome = dream(memory, apply=True, caller=caller, over=woken(memory))
    assert (outcome.committed, outcome.interrupted) == (1, True)
    assert len(scratchpad.read(memory, caller).items) == 2


@requirement("dream:private-notes-stay-private")
def test_a_dream_of_somebody_else_makes_no_memory_of_a_private_note(memory):
    for privacy in ("private", "team"):
        text = f"The {privacy} falcon nests on the chimney."
        caller = memory.caller.within(HERE, "planner")
        scratchpad.store(memory, text, caller, privacy=privacy, threshold=0.3)
    for other in (memory.caller.within(HERE, "writer"), memory.caller.within(HERE)):
        dream(memory, apply=True, caller=other)
    hits = memory.recall(Question("Where does the falcon nest?"), caller=memory.caller.within(HERE, "writer")).hits
    assert [hit.node.content for hit in hits] == ["The team falcon nests on the chimney."]
    assert [item.privacy for item in scratchpad.read(memory, caller).items] == ["private"]


# trigger_dream


@requirement("dream:ripe-notes-become-memories")
def test_the_tool_commits_every_ripe_note_and_the_log_counts_them(memory):
    noted(memory, 3)
    told = ask(memory, "trigger_dream", HERE, blocking=True, apply=True, agent_id="planner")
    assert (told["notes_committed"], told["was_interrupted"]) == (3, False)
    (entry,) = ask(memory, "get_system_logs", HERE, log_type="dream_actions")["entries"]
    assert "committed 3" in entry["reason"]
    assert {memory.store.node(id).agent_id for id in entry["node_ids"]} == {"planner"} and len(entry["node_ids"]) == 3


@requirement("dream:proposes-and-never-merges")
def test_the_tool_tells_what_was_written_and_what_it_rests_on(memory, together, far):
    told = ask(memory, "trigger_dream", blocking=True)
    assert told["phase_completed"] == "full_cycle" and not told["applied"] and not told["was_interrupted"]
    assert (told["edges_strengthened"], told["new_edges_created"]) == (0, 0) and told["proposals"]
    assert told["blind_spots_discovered"] == 1
    (entry,) = ask(memory, "get_system_logs", log_type="dream_actions")["entries"]
    assert "Proposed: " in entry["reason"] and all(one["kind"] in entry["reason"] for one in told["proposals"][:1])
    done = ask(memory, "trigger_dream", blocking=True, apply=True, phase="nrem")
    assert (done["phase_completed"], done["edges_strengthened"] >= 1) == ("nrem", True)
    entries = ask(memory, "get_system_logs", log_type="dream_actions")["entries"]
    assert [entry["recoverable"] for entry in entries] == [True, False]
    back = ask(memory, "restore_from_hash", reversal_hash=done["reversal_hash"], preview=False)
    assert back["original_operation"] == "dream" and back["restored_edges"] == done["edges_strengthened"]
    assert "removed_edges" not in back


@requirement("dream:proposes-and-never-merges")
def test_the_undo_of_a_dream_tells_the_links_that_it_removes(memory, together, far):
    done = ask(memory, "trigger_dream", blocking=True, apply=True)
    before = memory.store.counts()["edges"]
    assert done["new_edges_created"] > 0
    for preview in (True, False):
        back = ask(memory, "restore_from_hash", reversal_hash=done["reversal_hash"], preview=preview)
        assert back["removed_edges"] == done["new_edges_created"]
        assert back["restored_edges"] == done["edges_strengthened"]
    assert memory.store.counts()["edges"] == before - done["new_edges_created"]


def test_in_the_background_the_log_tells_what_came_of_it(memory, together):
    told = ask(memory, "trigger_dream", phase="full", apply=True)
    assert told["phase_completed"] == "none" and told["edges_strengthened"] == 0
    memory.background.wait()
    (entry,) = ask(memory, "get_system_logs", log_type="dream_actions")["entries"]
    assert "strengthened" in entry["reason"] and entry["reversal_hash"]


def test_an_empty_memory_dreams_of_nothing(memory):
    told = ask(memory, "trigger_dream", blocking=True, apply=True)
    assert told["proposals"] == [] and told["phase_completed"] == "full_cycle"


@pytest.mark.parametrize("arguments", [{"duration_minutes": 0}, {"synthetic_query_count": 9}, {"phase": "deep"}])
def test_a_wrong_dream_is_refused(memory, arguments):
    error = refused(memory, "trigger_dream", **arguments)
    assert (error["code"], error["field"]) == (-32602, next(iter(arguments)))
