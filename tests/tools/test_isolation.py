"""What is kept for one session or conversation is shown to no other, by whatever tool one asks."""

import pytest

from tests.tools.contract import ask, keep, refused

MINE = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"


@pytest.fixture(params=["session", "context"])
def secret(memory, request):
    return keep(memory, "Anna Weber hides the treasure under the oak.", session_id=MINE, scope=request.param)


def test_the_owner_sees_it_everywhere(memory, secret):
    assert ask(memory, "search_graph", query="treasure", session_id=MINE)["count"] == 1
    assert ask(memory, "hydrate_citation", MINE, citation_tags=[f"node_{secret}"])
    assert ask(memory, "get_node_lineage", MINE, node_id=secret)["versions"]
    assert ask(memory, "get_recent_context", session_id=MINE)["nodes"]
    assert ask(memory, "get_neighborhood", session_id=MINE, focal_node_id=secret)["nodes"]


@pytest.mark.parametrize("session", [OTHER, None])
def test_nobody_else_sees_it_anywhere(memory, secret, session):
    assert ask(memory, "search_graph", session, query="treasure")["count"] == 0
    assert ask(memory, "inject_context", session, query="Where is the treasure?")["nodes_retrieved"] == []
    assert ask(memory, "get_recent_context", session)["nodes"] == []
    assert (
        refused(memory, "hydrate_citation", session, citation_tags=[f"node_{secret}"])["code"] == "CITATION_NOT_FOUND"
    )
    for tool, more in (("get_node_lineage", {}), ("forget_concept", {"reason": "obsolete"})):
        assert refused(memory, tool, session, node_id=secret, **more)["code"] == "NODE_NOT_FOUND"
    assert refused(memory, "get_neighborhood", session, focal_node_id=secret)["code"] == "NODE_NOT_FOUND"


def test_its_trash_and_its_reversal_are_its_own(memory, secret):
    gone = ask(memory, "forget_concept", MINE, node_id=secret, reason="obsolete")
    assert ask(memory, "search_tombstones", OTHER, query="treasure")["tombstones"] == []
    error = refused(memory, "restore_from_hash", OTHER, reversal_hash=gone["reversal_hash"], preview=False)
    assert error["code"] == "REVERSAL_NOT_FOUND"
    assert ask(memory, "search_tombstones", MINE, query="treasure")["tombstones"]
    assert ask(memory, "restore_from_hash", MINE, reversal_hash=gone["reversal_hash"], preview=False)["success"]


def test_neighbours_and_concepts_of_others_do_not_show(memory):
    shared = keep(memory, "Anna Weber plays the clarinet.")
    hidden = keep(
        memory, "Project Nightingale: Anna Weber moves to Oslo.", session_id=MINE, scope="session", link_to=[shared]
    )
    keep(memory, "Project Nightingale starts in May.", session_id=MINE, scope="session")
    seen = ask(memory, "get_neighborhood", OTHER, focal_node_id=shared)
    assert hidden not in {node["node_id"] for node in seen["nodes"]}
    assert "Nightingale" not in str(seen)
    assert "Nightingale" not in str(ask(memory, "get_memetic_status", OTHER)["top_active_concepts"])
    assert "Nightingale" in str(ask(memory, "get_memetic_status", MINE)["top_active_concepts"])
    concept = memory.store.concept("Project Nightingale")
    assert ask(memory, "get_neighborhood", MINE, focal_node_id=concept.id)["nodes"]
    assert refused(memory, "get_neighborhood", OTHER, focal_node_id=concept.id)["code"] == "NODE_NOT_FOUND"
    assert (
        refused(memory, "hydrate_citation", OTHER, citation_tags=[f"node_{concept.id}"])["code"] == "CITATION_NOT_FOUND"
    )
