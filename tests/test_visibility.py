"""Who may see a memory: the three forms of one rule agree, in a store and its index."""

import itertools
import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from context_graph import Memory
from context_graph.index.vector_codec import vectors_of
from context_graph.models import Author, Node, NodeState, Scope
from context_graph.settings import Settings
from context_graph.visibility import ANYONE, Viewer, answers, may_see
from tests.requirements import requirement

NOON = 1_767_268_800_000_000
SESSIONS, CONTEXTS = ("hers", "his", ""), ("here", "there")
WRITER = Author("tests")

moments = st.integers(-2, 3).map(lambda hours: NOON + hours * 3_600_000_000)
viewers = st.builds(
    Viewer, st.sampled_from((*SESSIONS, None, "unknown")), st.sampled_from((*CONTEXTS, None, "unknown"))
)
states = st.sampled_from(NodeState)
fields = st.fixed_dictionaries(
    {
        "scope": st.sampled_from(Scope),
        "session_id": st.sampled_from(SESSIONS),
        "context_id": st.sampled_from((*CONTEXTS, None)),
        "agent_id": st.sampled_from(("one", "two", None)),
        "state": states,
        "valid_from": moments,
        "valid_to": st.one_of(st.none(), moments),
        "taint": st.sampled_from((0.0, 0.5, 1.0)),
        "speaker": st.sampled_from(("Anna", None)),
    }
)
later = st.one_of(
    st.none(),
    st.fixed_dictionaries({"state": states}),
    st.fixed_dictionaries({"valid_to": st.one_of(st.none(), moments)}),
)


@pytest.fixture(scope="module")
def shared_memory(tmp_path_factory):
    """One memory for all examples: each looks at the nodes that it has stored itself."""
    ids = (str(uuid.UUID(int=number)) for number in itertools.count(1))
    settings = Settings(home=tmp_path_factory.mktemp("visibility"), tier="base")
    with Memory(settings, clock=lambda: NOON, ids=lambda: next(ids)) as memory:
        yield memory


def stored(memory: Memory, given: dict) -> str:
    fingerprint = memory.embedder.fingerprint("The cat sat on the mat.")
    with memory.store.write("created", WRITER) as tx:
        node = Node(
            id=memory.new_id(), ordinal=tx.next_ordinal(), name="cat", content="The cat sat on the mat.",
            created_at=NOON, occurred_at=NOON, last_accessed=NOON, position=tx.session_position(given["session_id"]),
            **given,
        )  # fmt: skip
        tx.put(node, new=True)
        tx.put_vectors(node.id, vectors_of(node, fingerprint, memory.embedder.makers))
    return node.id


@requirement("access:one-rule-in-three-forms")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given=st.lists(st.tuples(fields, later), min_size=1, max_size=5), viewer=viewers, moment=moments)
def test_store_index_and_node_agree_on_who_may_see_a_memory(shared_memory, given, viewer, moment):
    memory, ids = shared_memory, []
    for each, change in given:
        ids.append(stored(memory, each))
        if change:
            with memory.store.write("modulated", WRITER) as tx:
                tx.update(ids[-1], **change)
    corpus = memory.corpus
    nodes = memory.store.nodes(ids)
    by_node = {node.id for node in nodes if answers(node, viewer, moment)}
    mask = corpus.visible(viewer, now=moment)
    by_mask = {id for id in ids if mask[corpus.row_of[id]]}
    by_sql = {node.id for node in memory.store.recent(NOON, 1_000_000, viewer=viewer, moment=moment)} & set(ids)
    assert by_node == by_mask == by_sql
    at_any_time = {node.id for node in memory.store.recent(NOON, 1_000_000, viewer=viewer)} & set(ids)
    assert at_any_time == {node.id for node in nodes if answers(node, viewer)}
    assert by_node <= at_any_time <= {node.id for node in nodes if may_see(node, viewer)}


@pytest.mark.parametrize(
    ("scope", "seen_by"),
    [
        (Scope.USER, {"anyone", "other session", "other conversation", "its own"}),
        (Scope.SESSION, {"other conversation", "its own"}),
        (Scope.CONTEXT, {"its own"}),
    ],
)
def test_a_scope_says_who_may_see_a_memory(scope, seen_by):
    node = Node(
        id="n", name="n", content="n", created_at=NOON, occurred_at=NOON, valid_from=NOON, last_accessed=NOON,
        session_id="hers", context_id="here", scope=scope,
    )  # fmt: skip
    viewers = {
        "anyone": ANYONE,
        "other session": Viewer("his", "here"),
        "other conversation": Viewer("hers", "there"),
        "its own": Viewer("hers", "here"),
    }
    assert {name for name, viewer in viewers.items() if may_see(node, viewer)} == seen_by


def test_who_has_no_conversation_sees_none_of_those_that_have_none():
    node = Node(
        id="n", name="n", content="n", created_at=NOON, occurred_at=NOON, valid_from=NOON, last_accessed=NOON,
        session_id="hers", scope=Scope.CONTEXT,
    )  # fmt: skip
    assert not may_see(node, Viewer("hers"))
