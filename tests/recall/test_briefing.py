"""A briefing: what an agent should know before it answers one turn, and nothing else."""

import pytest

from context_graph.citations import tag_of
from context_graph.derived import Facts
from context_graph.derived.beliefs import is_past
from context_graph.embed.wordpiece import token_count
from context_graph.ingest.draft import Draft
from context_graph.ingest.forget import forget, restore
from context_graph.memory import Memory
from context_graph.recall.briefing import brief
from context_graph.recall.inject import FACTS, inject
from context_graph.recall.question import Question

SHIP, SHOP = ["project:ship"], ["project:shop"]


@pytest.fixture
def believe(memory):
    """Store a belief by its name; returns the id of its node."""

    def believe(name: str, text: str, **metadata) -> str:
        given = {"name": name, "scope": SHIP} | metadata
        return memory.remember(Draft(text, rationale="said by the user", metadata=given)).node.id

    return believe


def names(nodes) -> list[str]:
    return [node.name for node in nodes]


def relevant(memory, question: str, scopes=SHIP, **fields) -> list[str]:
    return names(brief(memory, question, scopes=scopes, **fields).relevant)


def test_each_memory_has_its_place(memory, believe):
    believe("tone", "Answers should be short.", type="preference", scope=["user:all"])
    believe("units", "Use metric units in drawings.", type="preference")
    believe("hull", "The hull is of steel.", pinned=True)
    believe("rig", "Gaff or Bermuda rig? Not decided.", type="open question")
    told = brief(memory, "which units and rig, in which tone, for the hull?", scopes=SHIP)
    parts = (told.prelude, told.pinned, told.relevant, told.open_questions)
    assert [names(part) for part in parts] == [["tone"], ["hull"], ["units"], ["rig"]]
    assert told


def test_a_turn_without_words_gets_what_holds_for_any(memory, believe):
    believe("tone", "Answers should be short.", type="preference", scope=[])
    believe("hull", "The hull is of steel.", pinned=True)
    believe("mast", "The mast is of spruce.")
    told = brief(memory, " ", scopes=SHIP)
    assert (names(told.prelude), names(told.pinned), told.relevant) == (["tone"], ["hull"], ())
    assert not brief(memory, "", scopes=SHOP, user="nobody").pinned


def test_an_empty_memory_says_nothing(memory):
    assert not brief(memory, "what is the plan?")
    assert not brief(memory)


@pytest.mark.parametrize(
    "question", ["GRB settings", "the gearbox", "Gear-Boxes", "how loud is the gearbx?", "reduction gears"]
)
def test_a_name_an_alias_or_a_slip_of_them_is_enough(memory, believe, question):
    believe("gear_box", "Two speeds, made in Kiel.", aliases=["GRB", "reduction gear"])
    believe("anchor", "A stockless anchor of 60 kg.")
    assert relevant(memory, question) == ["gear_box"]


def test_likeness_alone_is_not_enough(memory, believe):
    believe("gear_box", "Two speeds, made in Kiel.")
    assert relevant(memory, "how many speeds are there, and what comes from Kiel?") == []
    assert relevant(memory, "tell me about the engine room") == []


def test_a_name_means_what_it_means_in_its_scope(memory, believe):
    believe("mercury_engine", "The outboard engine.", aliases=["Mercury"])
    believe("mercury_vendor", "The courier of the shop.", aliases=["Mercury"], scope=SHOP)
    assert relevant(memory, "is mercury ready?") == ["mercury_engine"]
    assert relevant(memory, "is mercury ready?", SHOP) == ["mercury_vendor"]
    assert sorted(relevant(memory, "is mercury ready?", [*SHIP, *SHOP])) == ["mercury_engine", "mercury_vendor"]
    assert sorted(relevant(memory, "is mercury ready?", None)) == ["mercury_engine", "mercury_vendor"]
    assert relevant(memory, "is mercury ready?", []) == []


def test_domain_and_tags_are_scopes_too(memory):
    for name, metadata in (("lathe", {"domain": "code"}), ("plane", {"tags": ["project:shop", "wood"]})):
        memory.remember(Draft(f"The {name} is new.", metadata={"name": name} | metadata))
    assert relevant(memory, "lathe and plane", ["domain:code"]) == ["lathe"]
    assert relevant(memory, "lathe and plane", SHOP) == ["plane"]


def test_of_a_project_nothing_of_another_is_told(memory, believe):
    believe("hull", "The hull is of steel.", pinned=True, project="ship", scope=[])
    believe("till", "The till is by Nils.", pinned=True, project="shop", scope=[])
    believe("tone", "Answers should be short.", type="preference", scope=[])
    told = brief(memory, project="Ship")
    assert names(told.pinned) == ["hull"]
    assert names(told.prelude) == ["tone"]
    assert sorted(names(brief(memory).pinned)) == ["hull", "till"]
    assert names(memory.brief("what is the till and the hull?", project="shop").pinned) == ["till"]


def test_what_was_replaced_gives_way_to_what_replaced_it(memory, believe):
    first = believe("paint_red", "The hull is painted red.", aliases=["vermilion"])
    second = believe("paint_blue", "The hull is painted blue.", supersedes=[first])
    believe("paint_green", "The hull is painted green.", supersedes=[second])
    assert relevant(memory, "where is the vermilion?") == ["paint_green"]
    assert relevant(memory, "paint blue") == ["paint_green"]


@pytest.mark.parametrize(
    "metadata",
    [
        {"type": "open_question", "resolved_at": "2026-01-01T00:00:00Z"},
        {"status": "Superseded"},
        {"status": "retracted"},
        {"superseded_by": "some other note"},
    ],
)
def test_what_is_past_is_told_neither_here_nor_by_a_search(memory, believe, metadata):
    assert is_past(metadata)
    believe("keel", "Fin keel or long keel?", pinned=True, **metadata)
    assert not brief(memory, "the keel", scopes=SHIP)
    assert memory.recall(Question("Fin keel or long keel?")).hits == ()


def test_a_solved_problem_is_still_a_fact(memory, believe):
    believe("leak", "The leak at the stern gland was sealed.", resolved_at="2026-01-01T00:00:00Z")
    assert relevant(memory, "any leak?") == ["leak"]


def test_other_users_keep_their_beliefs_to_themselves(memory, believe):
    believe("cabin", "The cabin is mine.", user="anna", pinned=True)
    believe("galley", "The galley has gas.")
    assert names(brief(memory, "cabin, galley", scopes=SHIP, user="anna").pinned) == ["cabin"]
    for user in ("bob", None):
        told = brief(memory, "cabin, galley", scopes=SHIP, user=user)
        assert (told.pinned, names(told.relevant)) == ((), ["galley"])


def test_a_relation_brings_those_it_joins_one_step_far(memory, believe):
    pump = believe("bilge_pump", "The pump runs on 12 volts.")
    believe("battery", "Two batteries of 100 Ah.", aliases=["house bank"])
    believe("charger", "Feeds the battery.", scope=SHOP)
    believe("fuse", "A fuse of 10 A.")
    believe("wiring", "Pump and fuse.", type="relation", participants=["fuse"])
    joined = [pump, "house bank", "charger", "wiring", "no such thing"]
    believe("pump_needs_power", "The pump needs the battery.", type="relation", aliases=["power"], participants=joined)
    assert relevant(memory, "what of the power?") == ["pump_needs_power", "bilge_pump", "battery", "wiring"]
    assert relevant(memory, "the bilge pump") == ["bilge_pump"]


def test_a_relation_follows_what_its_participants_became(memory, believe):
    old = believe("stove_gas", "A stove on gas.")
    believe("cooking", "Stove and sink share a wall.", type="relation", participants=[old])
    believe("stove_diesel", "A stove on diesel.", supersedes=[old])
    assert relevant(memory, "cooking") == ["cooking", "stove_diesel"]


def test_the_budget_goes_to_pinned_ones_first_and_among_them_to_what_is_asked(memory, believe):
    believe("hull", "The hull is of steel.", pinned=True, confirmed_at="2025-03-01T00:00:00Z")
    believe("deck", "The deck is of teak.", pinned=True, confirmed_at="2025-02-01T00:00:00Z")
    believe("sail", "The sail is tanned.")
    believe("rig", "Gaff or Bermuda?", type="open_question")
    believe("tone", "Answers should be short.", type="preference", scope=["user:all"])

    def told(question: str, budget: int) -> list[list[str]]:
        found = brief(memory, question, scopes=SHIP, budget=budget)
        assert names(found.prelude) == ["tone"]
        return [names(part) for part in (found.pinned, found.relevant, found.open_questions)]

    assert told("", 2) == [["hull", "deck"], [], []]  # the last confirmed first
    assert told("the deck and the sail", 1) == [["deck"], [], []]
    assert told("the deck and the sail", 3) == [["deck", "hull"], ["sail"], []]
    assert told("the deck and the sail", 4) == [["deck", "hull"], ["sail"], ["rig"]]
    assert told("the sail", 0) == [[], [], []]


def test_a_briefing_sees_every_write(memory, believe):
    id = believe("winch", "A winch of bronze.")
    assert relevant(memory, "the winch") == ["winch"]
    known = believe("winch", "A winch of bronze.", aliases=["capstan"])
    assert known == id
    assert memory.store.node(id).metadata["aliases"] == ["capstan"]
    assert relevant(memory, "the capstan") == ["winch"]
    gone = forget(memory, id, "sold")
    assert relevant(memory, "the capstan") == []
    restore(memory, gone.reversal_hash, preview=False)
    assert relevant(memory, "the capstan") == ["winch"]
    with Memory(memory.settings, clock=memory.clock, ids=memory.new_id) as other:
        assert relevant(other, "the capstan") == ["winch"]
        believe("cleat", "Cleats of steel.")
        assert relevant(other, "a cleat") == ["cleat"]


def test_an_alias_is_a_title_for_a_search_too(memory, believe):
    believe("windlass", "Hauls sixty metres of chain.", aliases=["ankerspill"])
    for i in range(8):
        believe(f"note_{i}", f"Chain number {i} lies in locker {i}.")
    best = memory.recall(Question("where is the ankerspill?")).hits[0]
    assert (best.node.name, best.parts["title"] > 0) == ("windlass", True)


def test_injected_context_begins_with_what_is_pinned_and_named(memory, believe):
    believe("harbour", "Never enter at night.", pinned=True, scope=["user:all"])
    believe("windlass", "Hauls sixty metres of chain.", aliases=["ankerspill"], scope=["user:all"])
    believe("oven", "The oven is never to be used.", pinned=True, scope=["domain:code"])
    memory.remember(Draft("The weather was fine in spring."))
    ask = "is the ankerspill fine?"
    assert [hit.node.name for hit in inject(memory, Question(ask)).hits][:2] == ["harbour", "windlass"]
    assert "at night" in inject(memory, Question(ask)).distilled.text.splitlines()[1]
    assert "oven" not in inject(memory, Question(ask)).distilled.text
    coding = inject(memory, Question(ask, domain="code"))
    assert {hit.node.name for hit in coding.hits} == {"harbour", "oven", "windlass"}
    then = inject(memory, Question(ask, as_of=memory.clock()))
    assert "at night" not in then.distilled.text


def test_users_who_say_the_same_are_both_remembered(memory, believe):
    for user in ("anna", "bob"):
        believe("knots", "Speeds are told in knots.", type="preference", scope=["user:all"], user=user)
    for user in ("anna", "bob"):
        assert names(brief(memory, scopes=SHIP, user=user).prelude) == ["knots"]


def test_a_scope_in_any_case_is_no_label(memory):
    memory.remember(Draft("The hull is of steel.", domain="code", metadata={"pinned": True, "scope": "User"}))
    assert not brief(memory, scopes=SHIP).pinned


def test_aliases_that_are_told_later_join_until_metadata_are_full(memory, believe):
    for letter in "abcdef":
        id = believe("hull", "The hull is of steel.", aliases=[8_000 * letter])
    assert [alias[0] for alias in memory.store.node(id).metadata["aliases"]] == ["a", "b", "c", "d"]


@pytest.fixture
def moved(tell):
    """What Ines said of where she lives, and a little more."""
    first = tell("I live in Ghent.", speaker="Ines", session_id="spring")
    second = tell("I moved to Lisbon, near the river.", speaker="Ines", session_id="autumn")
    tell("The crane broke down.", speaker="Otto", session_id="autumn")
    return first, second


def test_facts_of_whom_a_turn_names_are_told_in_the_room_that_is_left(memory, believe, moved):
    believe("hull", "The hull is of steel.", pinned=True)
    (entry,) = brief(memory, "where does Ines live?", scopes=SHIP).facts
    assert [(said.value, said.past, said.memories) for said in entry.values] == [
        ("Ghent", True, (moved[0],)), ("Lisbon", False, (moved[1],)),
    ]  # fmt: skip
    assert brief(memory, "where does Ines live?", scopes=SHIP, budget=1).facts == ()
    assert brief(memory, "where does the crane stand?", scopes=SHIP).facts == ()
    assert brief(memory, "", scopes=SHIP).facts == ()


def test_facts_are_told_only_of_what_may_be(memory, tell, believe, moved):
    tell("I live in Oslo.", speaker="Ines", metadata={"type": "fact", "user": "anna"})
    tell("I live in Riga.", speaker="Ines", metadata={"type": "fact", "scope": SHOP})
    tell("I live in Bonn.", speaker="Ines", domain="medical")
    tell("I live in Turin.", speaker="Ines", metadata={"type": "fact", "status": "retracted"})

    def told(**fields) -> set[str]:
        found = brief(memory, "where does Ines live?", **fields).facts
        return {said.value for entry in found for said in entry.values}

    assert told(scopes=SHIP) == {"Ghent", "Lisbon"}
    assert told(scopes=SHOP) == {"Ghent", "Lisbon", "Riga"}
    assert told(scopes=[*SHIP, "domain:medical"]) == {"Ghent", "Lisbon", "Bonn"}
    assert told(scopes=SHIP, user="anna") == {"Ghent", "Lisbon", "Oslo"}


def test_a_fact_that_a_memory_told_beside_it_says_is_not_said_again(memory, tell):
    question = Question("Where does Ines live?")
    tell("I play the clarinet and live in Lisbon.", speaker="Ines")
    assert memory.view(Facts).answering(memory.corpus, question.text, memory.corpus.columns.live)
    text = inject(memory, question).distilled.text
    assert "live in Lisbon" in text and FACTS not in text


def test_a_context_ends_with_facts_where_its_budget_has_room(memory, moved):
    question = Question("Where does Ines live?")
    found = inject(memory, question)
    head, line = found.distilled.text.splitlines()[-2:]
    assert head == FACTS and line.startswith("> Ines, live in: Ghent (last said 2026-01-01) [node_")
    assert {tag_of(id) for id in moved} <= set(found.tags)
    without = found.distilled.text.partition(f"\n{FACTS}")[0]
    for room in range(20, found.distilled.tokens):
        less = inject(memory, question, max_tokens=room).distilled
        assert less.tokens == token_count(less.text) <= room
    assert inject(memory, question, max_tokens=found.distilled.tokens - 1).distilled.text == without
    plain = inject(memory, question, verbosity=0)
    assert plain.distilled.text.endswith("Ines, live in: Ghent (last said 2026-01-01); Lisbon") and plain.tags == ()
    assert FACTS not in inject(memory, Question("Where does Ines live?", as_of=memory.clock())).distilled.text


def test_a_preference_that_is_pinned_is_told_at_every_turn(memory):
    metadata = {"type": "preference", "pinned": True}
    memory.remember(Draft("Never schedule calls before ten.", "asked for by the user", metadata=metadata))
    assert "before ten" in memory.inject("Write an e-mail to the venue").text
