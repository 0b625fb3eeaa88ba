"""Who may see which node: one rule for every id in an argument."""

import pytest

from context_graph import Memory
from context_graph.citations import tag_of
from context_graph.errors import NodeNotFound, NotFound
from context_graph.ingest.draft import Draft
from context_graph.server.dispatch import call
from tests.requirements import requirement

WHY = "a probe of what a session may see"


@pytest.fixture
def private(memory):
    """A memory of another session, for that session alone."""
    return memory.remember(
        Draft("The salary of Ulrike is ninety thousand.", WHY, scope="session", session_id="hers")
    ).node


@pytest.fixture
def stranger(memory):
    with Memory(memory.settings) as other:
        yield other


@requirement("access:every-id-passes-one-rule")
@pytest.mark.parametrize(
    "spelling", [lambda node: node.id, lambda node: tag_of(node.id), lambda node: tag_of(node.id)[1:-1]]
)
def test_nobody_supersedes_or_links_what_they_may_not_see(stranger, private, spelling):
    named = [{"metadata": {key: spelling(private)}} for key in ("supersedes", "holds_beside")]
    for beside in (*named, {"link_to": (spelling(private),)}):
        with pytest.raises(NotFound):
            stranger.remember(Draft("The salary of Ulrike was cut to ten.", WHY, **beside))
    kept = stranger.store.node(private.id)
    assert kept.superseded_by is None and kept.valid_to is None
    assert stranger.store.edges(private.id) == []


@requirement("access:every-id-passes-one-rule")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("forget_concept", {"reason": "obsolete"}),
        ("get_node_lineage", {}),
        ("get_neighborhood", {}),
        ("hydrate_citation", {}),
        ("annotate_node", {"annotation": "seen"}),
        ("boost_importance", {}),
        ("merge_concepts", {"target_name": "hers"}),
    ],
)
def test_no_tool_acts_on_what_its_caller_may_not_see(stranger, private, tool, arguments):
    names = {
        "get_neighborhood": "focal_node_id", "hydrate_citation": "citation_tags", "merge_concepts": "source_node_ids",
    }  # fmt: skip
    name = names.get(tool, "node_id")
    for ref in (private.id, tag_of(private.id)):
        if name == "citation_tags":
            ref = [f"node_{ref}"] if "-" in ref else [ref]
        if name == "source_node_ids":
            own = stranger.remember(Draft("Ulf is paid ninety thousand.", WHY)).node
            ref = [own.id, ref]
        outcome = call(stranger, tool, {name: ref, **arguments})
        assert outcome.is_error
        assert "Ulrike" not in str(outcome.structured)


def test_what_became_of_anothers_memory_is_not_told(memory, stranger, private):
    call(memory, "forget_concept", {"node_id": private.id, "reason": "obsolete"}, caller=memory.caller.within("hers"))
    answer = call(stranger, "get_node_lineage", {"node_id": private.id}).structured["error"]["message"]
    assert answer == f"no node has the id {private.id!r}; search_graph finds nodes by their content"


@requirement("access:citation-tags-serve-as-ids")
def test_a_citation_tag_serves_as_an_id(memory, tell):
    old, tag = tell("The office is in Halle."), None
    tag = tag_of(old)
    linked = memory.remember(Draft("The office has a lift.", WHY, link_to=(tag,)))
    assert old in {edge.target for edge in memory.store.edges(linked.node.id)}
    memory.remember(Draft("The office is in Leipzig.", WHY, metadata={"supersedes": tag}))
    assert memory.store.node(old).superseded_by is not None
    for tool, name in (("get_node_lineage", "node_id"), ("get_neighborhood", "focal_node_id")):
        assert not call(memory, tool, {name: tag_of(linked.node.id)}).is_error
    compared = call(
        memory, "debug_compare_retrieval", {"query": "office", "ground_truth_node_ids": [tag_of(linked.node.id)]}
    )
    assert not compared.is_error
    gone = call(memory, "forget_concept", {"node_id": tag_of(linked.node.id), "reason": "obsolete"})
    assert not gone.is_error
    with pytest.raises(NodeNotFound):
        memory.store.node(linked.node.id)
