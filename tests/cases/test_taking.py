"""Memories become cases by a mapping: shown first, stored by one write, undone by one, gone with their memories."""

import re

import pytest

from context_graph import errors
from context_graph.cases import selection
from context_graph.cases.preview import preview_cases
from context_graph.cases.selection import MAX_TAKEN, Selection
from context_graph.cases.taking import take_cases
from context_graph.connectors.jsonl.exporter import export
from context_graph.connectors.jsonl.importer import check, import_lines
from context_graph.ingest.draft import Draft
from context_graph.ingest.forget import forget
from context_graph.models import Caller
from context_graph.recall.catalogue import Filter
from tests.requirements import requirement

INCIDENTS = Selection(which=Filter(tags=("incident",)))
FEATURES = {
    "service": "word:billing|search",
    "minutes": "number:minutes",
    "severity": "metadata:severity",
    "deploy": "word:deploy",
}
OUTCOME = "word:rollback|restart"
TEXTS = [
    ("Billing was down for 40 minutes after a bad deploy; a rollback helped.", "High"),
    ("Search answered slowly for 90 minutes: the cache was full. A restart helped.", "low"),
    ("Billing lost its database for 15 minutes, and a restart brought it back.", None),
    ("The login page was slow today, nobody knows why.", "low"),
]


@pytest.fixture
def incidents(memory, ask):
    """The ids of four incidents, and a model of them."""
    features = {
        "service": "categorical", "minutes": "number", "deploy": "boolean",
        "severity": {"type": "ordinal", "order": ["low", "high"]},
    }  # fmt: skip
    ask("create_cerebrum_model", name="outages", model_type="case_based", config={"features": features})
    return [
        memory.remember(text, tags=["incident"], metadata={"severity": severity} if severity else {}).id
        for text, severity in TEXTS
    ]


def previewed(memory, selection=INCIDENTS, features=FEATURES, outcome=OUTCOME, model="outages", caller=None, **more):
    return preview_cases(memory, model, selection, features, caller or memory.caller, outcome=outcome, **more)


def take(memory, plan):
    return take_cases(memory, plan, memory.caller)


def count(memory) -> int:
    memory.catch_up()
    return len(memory.cases.all())


def undo(memory, event_hash):
    return memory.store.undo(event_hash, memory.author(memory.caller))


@requirement("cases:memories-become-cases")
def test_a_preview_tells_values_where_they_stand_and_what_is_missing_and_writes_nothing(memory, incidents):
    head = memory.store.head()
    plan = previewed(memory)
    assert memory.store.head() == head
    assert [one.node_id for one in plan.planned] == incidents
    first, _, third, last = plan.planned
    told = {name: (one.value, one.source, one.quote) for name, one in first.readings.items()}
    assert told == {
        "service": ("billing", "word:billing|search", "Billing"),
        "minutes": (40, "number:minutes", "40 minutes"),
        "severity": ("high", "metadata:severity", '"High"'),
        "deploy": (True, "word:deploy", "deploy"),
    }
    assert (first.outcome.value, first.case_id) == ("rollback", f"node_{incidents[0].replace('-', '')[:10]}")
    assert third.missing == {"severity": "metadata:severity is not in it"}
    assert third.readings["deploy"].value is False and third.readings["deploy"].quote == ""
    assert last.left_out == f"no outcome: {OUTCOME} is not in it"
    assert len(plan.becoming) == 3


@requirement("cases:memories-become-cases")
def test_what_was_shown_is_stored_by_one_write_linked_to_its_memories_and_undone_by_one(memory, incidents, ask):
    before = len(memory.store.events(1_000))
    taken = take(memory, previewed(memory))
    created = [event for event in memory.store.events(1_000) if event.type == "created"]
    assert created[0].hash == taken.event_hash and len(memory.store.events(1_000)) - before <= 2
    assert [one.stored for one in taken.stored] == [True] * 3
    for case, source in zip(taken.stored, incidents, strict=False):
        assert case.node.metadata["case"]["source"] == source and case.node.derived_from == (source,)
        assert source in {edge.target for edge in memory.store.edges(case.id) if edge.origin == "explicit"}
    answer = ask("reason_with_cases", query_features={"service": "billing", "minutes": 38, "deploy": True}, k=1)
    assert answer["prediction"] == "rollback" and answer["evidence"]["base"] == 3
    memory.remember("Billing is fine again.")  # linked to what came before it in the session
    undo(memory, taken.event_hash)
    assert count(memory) == 0 and memory.store.verify().ok
    assert [memory.get(id).content for id in incidents] == [text for text, _ in TEXTS]
    assert len(take(memory, previewed(memory)).stored) == 3, "what was undone can be taken again"


@requirement("cases:memories-become-cases")
def test_a_memory_is_not_taken_twice(memory, incidents):
    first = take(memory, previewed(memory))
    head = memory.store.head()
    again = previewed(memory)
    assert len(again.conflicts) == 3
    with pytest.raises(errors.NameTaken, match=r"3 of 3 memories are taken already.*on_conflict skip"):
        take(memory, again)
    skipped = take(memory, previewed(memory, on_conflict="skip"))
    assert (skipped.stored, skipped.event_hash) == ((), "") and memory.store.head() == head
    updated = take(memory, previewed(memory, on_conflict="update", features=FEATURES | {"minutes": "number:min"}))
    assert count(memory) == 3 and memory.store.node(first.stored[0].id).superseded_by == updated.stored[0].id
    assert "minutes" not in updated.stored[0].node.metadata["case"]["features"]
    undo(memory, updated.event_hash)
    assert count(memory) == 3
    assert {case.node_id for case in memory.cases.all()} == {one.id for one in first.stored}
    both = take(memory, previewed(memory, on_conflict="keep_both"))
    assert count(memory) == 6
    assert both.plan.becoming[0].case_id == f"{first.plan.becoming[0].case_id}-2"


def test_only_what_is_new_is_taken_with_skip(memory, incidents):
    take(memory, previewed(memory))
    new = memory.remember("Search was gone for 5 minutes until a restart.", tags=["incident"])
    taken = take(memory, previewed(memory, on_conflict="skip"))
    assert [one.node_id for one in taken.plan.becoming] == [new.id] and count(memory) == 4


def test_a_memory_that_took_the_place_of_another_is_the_same_for_its_case(memory, incidents):
    first = take(memory, previewed(memory))
    right = memory.remember(
        "Billing was down for 50 minutes after a bad deploy; a rollback helped.", tags=["incident"],
        supersedes=incidents[0],
    )  # fmt: skip
    assert count(memory) == 3, "a case stays until it is taken again"
    plan = previewed(memory, on_conflict="update")
    (one,) = (one for one in plan.planned if one.node_id == right.id)
    assert one.replaces == (first.stored[0].id,) and incidents[0] not in {each.node_id for each in plan.planned}
    take(memory, plan)
    assert sorted(case.features["minutes"] for case in memory.cases.all()) == [15, 50, 90]


@requirement("cases:go-with-their-memory")
def test_a_case_goes_and_comes_back_with_its_memory(memory, incidents, opened):
    taken = take(memory, previewed(memory))
    gone = forget(memory, incidents[0], "user_requested")
    assert count(memory) == 2 and memory.cases.of_source(incidents[0]) == []
    with opened() as other:
        assert len(other.cases.all()) == 2, "also for who reads the store anew"
    undo(memory, gone.reversal_hash)
    assert count(memory) == 3
    forget(memory, taken.stored[1].id, "user_requested")
    assert count(memory) == 2 and memory.get(incidents[1]).content == TEXTS[1][0], "the memory of a case stays"


@requirement("cases:go-with-their-memory")
def test_deleting_a_memory_for_good_deletes_its_case_and_not_the_other_way_round(memory, incidents):
    taken = take(memory, previewed(memory))
    forget(memory, incidents[0], "user_requested", soft=False)
    assert count(memory) == 2 and memory.store.verify().ok
    with pytest.raises(errors.NotFound):
        memory.store.node(taken.stored[0].id, forgotten=True)
    gone = forget(memory, taken.stored[1].id, "user_requested", soft=False)
    assert memory.get(incidents[1]).content == TEXTS[1][0]
    assert len(gone.remains) == 1 and gone.remains[0].startswith("it was read from [node_")


@requirement("cases:nothing-half-written")
def test_what_has_changed_since_the_preview_is_shown_again_first(memory, incidents):
    plan = previewed(memory)
    forget(memory, incidents[2], "user_requested")
    head = memory.store.head()
    with pytest.raises(errors.InvalidInput, match=r"have changed.*look at the preview again"):
        take(memory, plan)
    assert memory.store.head() == head and count(memory) == 0


@requirement("cases:nothing-half-written")
def test_where_one_case_cannot_be_stored_none_is(memory, incidents, monkeypatch):
    from context_graph.cases import taking

    plan = previewed(memory)
    drafted = taking.drafted

    def one_is_wrong(case_id, *arguments, source, **more):
        draft = drafted(case_id, *arguments, source=source, **more)
        return Draft(draft.content, link_to=("none",)) if source.id == incidents[1] else draft

    monkeypatch.setattr(taking, "drafted", one_is_wrong)
    head = memory.store.head()
    with pytest.raises(errors.NotFound):
        take(memory, plan)
    assert memory.store.head() == head and count(memory) == 0 and len(memory.list()) == 4
    monkeypatch.undo()
    assert len(take(memory, plan).stored) == 3


@requirement("cases:nothing-half-written")
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"model": "none"}, "Model not found"),
        (
            {"features": {"colour": "text"}},
            "the model has no feature 'colour'; features: deploy, minutes",
        ),
        ({"features": {"service": "smell:bad"}}, "expected text, date, speaker.*got 'smell:bad'"),
        ({"features": {"service": "word"}}, "got 'word'"),
        ({"features": {"service": "text:x"}}, "got 'text:x'"),
        ({"features": {"service": "word:|"}}, r"words with \| between"),
        ({"features": {}}, "features"),
        ({"outcome": "nothing"}, "got 'nothing'"),
        ({"features": {"service": "word:payroll", "minutes": "number:hours"}}, "reads nothing in 4 memories"),
        ({"features": {"deploy": "word:migration"}}, "reads nothing in 4 memories"),
        ({"outcome": "metadata:cause.root"}, "expected an outcome, metadata:cause.root reads none in 4"),
        ({"selection": Selection()}, "expected which memories to take.*got none"),
        ({"selection": Selection(which=Filter(tags=("holiday",)))}, "expected memories, none is selected"),
        ({"selection": Selection(ids=["none"])}, "none"),
        ({"selection": Selection(ids=["x"] * (MAX_TAKEN + 1))}, f"at most {MAX_TAKEN} ids, got {MAX_TAKEN + 1}"),
    ],
)
def test_what_is_wrong_is_told(memory, incidents, wrong, says):
    with pytest.raises((errors.InvalidInput, errors.NotFound)) as error:
        previewed(memory, **wrong)
    assert re.search(says, str(error.value))


def test_a_network_without_cases_takes_none(memory, ask, incidents):
    network = {"variables": {"a": [True, False]}, "cpts": {"a": [0.5, 0.5]}}
    ask("create_cerebrum_model", name="net", model_type="bayesian", config=network)
    with pytest.raises(errors.InvalidInput, match="case_based or hybrid"):
        previewed(memory, model="net")


def test_too_many_memories_are_refused(memory, ask, monkeypatch):
    monkeypatch.setattr(selection, "MAX_TAKEN", most := 20)
    ask("create_cerebrum_model", name="outages", model_type="case_based")
    memory.remember_many([f"Note {number} is {number} pages long." for number in range(most + 1)])
    with pytest.raises(errors.InvalidInput, match=f"at most {most} memories at once"):
        previewed(memory, Selection(which=Filter(scope="user")), {"pages": "number:pages"}, None)


def test_memories_are_chosen_by_id_by_a_search_and_by_what_they_are(memory, incidents):
    chosen = lambda *a, **more: {one.node_id for one in previewed(memory, Selection(*a, **more)).planned}  # noqa: E731
    assert chosen([incidents[1]]) == {incidents[1]}
    assert chosen((), "the database of billing was lost") >= {incidents[2]}
    assert chosen(incidents, None, Filter(tags=("incident",))) == set(incidents)
    assert chosen([incidents[2], incidents[3]], "the database of billing was lost") >= {incidents[2]}


def test_cases_are_never_made_of_cases(memory, incidents):
    take(memory, previewed(memory))
    everything = previewed(memory, Selection(which=Filter(scope="user")), on_conflict="skip")
    assert {one.node_id for one in everything.planned} == set(incidents)


def test_a_case_is_as_private_as_its_memory(memory, ask, incidents):
    private = memory.remember("Billing hung for 7 minutes, a restart helped.", tags=["incident"], scope="session")
    take(memory, previewed(memory))
    other = Caller("another session", "another conversation")
    mine, theirs = (
        {one.node_id for one in previewed(memory, caller=caller, on_conflict="skip").planned}
        for caller in (memory.caller, other)
    )
    assert private.id in mine and private.id not in theirs
    (case,) = memory.cases.of_source(private.id)
    assert case.scope == "session"


def test_ids_of_cases_are_read_too(memory, ask):
    ask("create_cerebrum_model", name="outages", model_type="case_based")
    for ticket, minutes in (("T-1", 5), ("T-2", 6), ("T-2", 7), (None, 8)):
        memory.remember(
            f"The queue of {minutes} things stood for {minutes} minutes.", tags=["incident"],
            metadata={"ticket": ticket} if ticket else {},
        )  # fmt: skip
    asked = {"features": {"minutes": "number:minutes"}, "outcome": None, "case_id": "metadata:ticket"}
    plan = previewed(memory, **asked)
    assert [one.case_id for one in plan.becoming] == ["T-1", "T-2"]
    assert [one.left_out for one in plan.planned if one.left_out] == [
        "another of these memories has the case id 'T-2'", "no case id: metadata:ticket is not in it",
    ]  # fmt: skip
    both = take(memory, previewed(memory, on_conflict="keep_both", **asked))
    assert [one.case_id for one in both.plan.becoming] == ["T-1", "T-2", "T-2-2"]


def test_cases_and_their_memories_go_with_an_export(memory, incidents, opened):
    take(memory, previewed(memory))
    with opened("two") as two:
        lines = list(export(memory))
        import_lines(two, lines, check(two, lines))
        assert len(two.cases.all()) == 3
        forget(two, incidents[0], "user_requested")
        assert count(two) == 2
