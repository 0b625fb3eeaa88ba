"""Names and statements are read off the form of a text; edges conduct by the formula of the seed."""

import pytest

from context_graph.graph.edges import effective_weight, profile
from context_graph.graph.entities import mentions, node_name
from context_graph.graph.neighbourhood import around
from context_graph.graph.statements import statements
from context_graph.ingest.forget import forget, restore
from context_graph.models import Domain, Edge, EdgeType, Scope
from context_graph.names import name_key
from context_graph.visibility import Viewer


def names(text: str, **given) -> list[str]:
    return [mention.text for mention in mentions(text, **given)]


def test_names_paths_and_identifiers_are_found():
    found = names("We met Anna Berger at the Eiffel Tower; parse_config in src/config.py calls HttpClient.send().")
    assert {"Anna Berger", "Eiffel Tower", "parse_config", "src/config.py", "HttpClient.send"} <= set(found)


def test_the_first_word_of_a_sentence_is_no_name_by_itself():
    assert names("Yesterday it rained. Bread was cheap.") == []
    assert names("Lisbon is lovely.", known_keys=frozenset({"lisbon"})) == ["Lisbon"]
    assert "Clara" in names("Clara arrived. Then we saw Clara again.")


def test_spellings_meet_in_one_key():
    assert name_key("The Eiffel  Tower") == name_key("eiffel tower") == "eiffel tower"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# Install guide\nRun it.", "Install guide"),
        ("Short note.", "Short note."),
        ("```python\ndef clamp(x: int) -> int:\n    return x\n```", "def clamp(x: int) -> int:"),
        ("   ", "untitled"),
        ("x " * 200, None),
    ],
)
def test_a_memory_is_called_by_heading_or_first_phrase(text, name):
    found = node_name(text)
    assert len(found) <= 60
    assert name is None or found == name
    assert node_name(text, given="My name") == "My name"


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The flood was caused by a burst pipe.", "burst pipe", "flood"),
        ("Smoking leads to cancer.", "Smoking", "cancer"),
        ("He left the bank because the late shifts made him ill.", "late shifts made him ill", "He left the bank"),
        ("Because the disk was full, the backup failed.", "disk was full", "backup failed"),
        ("The outage resulted from a bad deploy.", "bad deploy", "outage"),
        ("The pipe burst, so the workshop closed.", "pipe burst", "workshop closed"),
    ],
)
def test_causes_and_effects_are_told_apart(text, cause, effect):
    found = [s for s in statements(text) if s.kind == "causal"]
    assert [(s.source, s.target) for s in found] == [(cause, effect)]


@pytest.mark.parametrize(
    ("text", "child", "parent"),
    [
        ("A jaguar is a kind of big cat.", "jaguar", "big cat"),
        ("The clarinet is a woodwind instrument.", "clarinet", "woodwind instrument"),
        ("We keep instruments such as violins.", "violins", "instruments"),
    ],
)
def test_kinds_are_found(text, child, parent):
    assert (child, parent) in [(s.source, s.target) for s in statements(text) if s.kind == "is_a"]


@pytest.mark.parametrize(
    "text", ["It is not caused by rain.", "Smoking never leads to health.", "He is a.", "", "She is a teacher."]
)
def test_negated_and_empty_statements_are_none(text):
    assert statements(text) == []


def edge(**changes) -> Edge:
    given = dict(
        id="e",
        source="a",
        target="b",
        edge_type=EdgeType.CAUSAL,
        weight=0.5,
        confidence=0.6,
        created_at=0,
        last_accessed=0,
    )
    return Edge(**(given | changes))


def test_effective_weight_is_the_formula_of_the_seed():
    assert effective_weight(edge(excitatory=0.4, inhibitory=0.1, modulatory=0.2)) == pytest.approx(
        0.5 * (1 + 0.4 - 0.1 + 0.1)
    )
    assert effective_weight(edge(weight=1.0, excitatory=1.0, modulatory=1.0)) == 2.5
    assert effective_weight(edge(inhibitory=1.0)) == 0.0


def test_domains_lean_on_their_kind_of_edge():
    assert profile(EdgeType.CAUSAL, Domain.MEDICAL)[0] > profile(EdgeType.CAUSAL, Domain.GENERAL)[0]
    assert all(0 <= part <= 1 for kind in EdgeType for domain in Domain for part in profile(kind, domain))


def test_a_neighbourhood_grows_from_its_focus_within_its_limit(memory, tell):
    first = tell("The harbour crane broke down.")
    others = [tell(f"Repair step {i} of the crane.", link_to=(first,)) for i in range(12)]
    near = around(memory.store, [first], Viewer(memory.caller.session_id), hops=1, limit=8)
    assert near.nodes[0].id == first and len(near.nodes) == 8
    assert {e.source for e in near.edges} | {e.target for e in near.edges} <= {node.id for node in near.nodes}
    assert around(memory.store, [others[0]], Viewer(memory.caller.session_id), hops=2, limit=50).focus == (others[0],)
    assert around(memory.store, ["nowhere"], Viewer(memory.caller.session_id)).nodes == ()


@pytest.fixture
def session(tell):
    """Four memories of one session, each about something else."""
    texts = ("The crane broke down.", "Anna plays the clarinet.", "Rent is due in May.", "Bob paints tiles blue.")
    return [tell(text, session_id="s") for text in texts]


def order(memory, focus: str, viewer: str = "s", context_id: str | None = None) -> set[tuple[str, str]]:
    """The Temporal edges around a memory, as a viewer sees them."""
    found = around(memory.store, [focus], Viewer(viewer, context_id), hops=1)
    return {(edge.source, edge.target) for edge in found.edges if edge.edge_type == EdgeType.TEMPORAL}


@pytest.mark.parametrize("cascade", [True, False])
def test_the_neighbours_of_what_is_forgotten_follow_each_other(memory, session, cascade):
    a, b, c, d = session
    first = forget(memory, b, "obsolete", cascade_edges=cascade)
    assert order(memory, a) == {(a, c)} and order(memory, c) == {(a, c), (c, d)}
    second = forget(memory, c, "obsolete", cascade_edges=cascade)
    assert order(memory, a) == {(a, d)}
    restore(memory, first.reversal_hash, preview=False)
    assert order(memory, b) == {(a, b), (b, d)}
    restore(memory, second.reversal_hash, preview=False)
    assert order(memory, b) == {(a, b), (b, c)} and order(memory, d) == {(c, d)}
    joined = around(memory.store, [a], Viewer("s"), hops=1).edges
    forget(memory, b, "user_requested", soft=False)
    assert order(memory, a) == {(a, c)}
    (kept,) = [edge for edge in joined if edge.target == b]
    (made,) = [edge for edge in around(memory.store, [a], Viewer("s"), hops=1).edges if edge.target == c]
    assert effective_weight(made) == effective_weight(kept) and made.confidence == kept.confidence


def test_what_another_may_not_see_does_not_part_its_neighbours(memory, tell):
    a = tell("The crane broke down.", session_id="s")
    hidden = tell("Anna plays the clarinet.", session_id="s", scope=Scope.CONTEXT)
    c = tell("Rent is due in May.", session_id="s")
    assert order(memory, a, "s", memory.caller.context_id) == {(a, hidden)}
    assert order(memory, c, "s", memory.caller.context_id) == {(hidden, c)}
    assert (a, c) in order(memory, a, "other") and (a, c) in order(memory, c, "s", "another conversation")


def test_sessions_have_an_order_each(memory, tell):
    first, other = tell("The crane broke down.", session_id="s"), tell("Rent is due in May.", session_id="t")
    second = tell("Anna plays the clarinet.", session_id="s")
    assert order(memory, first) == {(first, second)} and order(memory, other) == set()
