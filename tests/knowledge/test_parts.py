"""Vectors, the cache, health, the audit of the log and its checkpoints, and what is synchronised."""

import math

import numpy as np
import pytest

from context_graph.knowledge.audit import query
from context_graph.runtime.records import RECORD_TYPES
from context_graph.store import EVENT_TYPES, proofs
from tests.requirements import requirement
from tests.tools import contract

DIMENSIONS = 1_536


@pytest.fixture
def whole(memory):
    """The whole answer of a call that must succeed."""
    return lambda tool, /, **arguments: contract.ask(memory, tool, **arguments)


def vector(seed):
    return [float(x) for x in np.random.default_rng(seed).standard_normal(DIMENSIONS)]


def kept(ask, id, seed, **more):
    return ask("kg_vector_upsert", id=id, vector=vector(seed), **more)


# Vectors


@requirement("knowledge:vectors")
def test_vectors_are_created_updated_and_found_by_cosine(ask, whole, opened, memory):
    for seed in range(20):
        meta = {"title": f"Paper {seed}", "type": "guide" if seed % 2 else "concept", "tags": ["ml"], "own": seed}
        data = kept(ask, f"v{seed}", seed, metadata=meta, namespace="a" if seed < 15 else "b")
        assert data["operation"] == "created" and data["dimensions"] == DIMENSIONS and data["hasMetadata"]
    again = whole("kg_vector_upsert", id="v3", vector=vector(3), namespace="a", metadata={"title": "Paper 3"})
    assert again["data"]["operation"] == "updated" and again["metadata"]["wasUpdate"]
    assert again["metadata"]["totalVectors"] == 20
    query = np.array(vector(3)) + 0.5 * np.array(vector(4))
    rows = np.array([vector(seed) for seed in range(20)])
    cosines = rows @ query / np.linalg.norm(rows, axis=1) / np.linalg.norm(query)
    found = ask("kg_vector_search", query="x", vector=query.tolist(), k=5, includeVectors=True)
    best = np.argsort(-cosines)[:5]
    expected = [f"v{place}" for place in best if cosines[place] >= 0]
    assert [one["id"] for one in found["results"]] == expected
    assert [one["score"] for one in found["results"]] == pytest.approx(cosines[best][: len(expected)], abs=1e-5)
    assert found["results"][0]["vector"] == pytest.approx(vector(3), rel=1e-6) and found["queryVector"] == "given"
    assert [one["id"] for one in ask("kg_vector_search", query="v3", minScore=0.9)["results"]] == ["v3"]
    assert all(one["namespace"] == "b" for one in ask("kg_vector_search", query="v16", namespace="b")["results"])
    assert all(
        one["metadata"]["type"] == "guide" for one in ask("kg_vector_search", query="v1", type="guide")["results"]
    )
    memory.close()
    with opened() as again:
        found = contract.ask(again, "kg_vector_search", query="v3", minScore=0.9)
        assert found["data"]["results"][0]["id"] == "v3" and found["metadata"]["totalVectors"] == 20


def test_an_id_stands_for_the_question_whatever_may_be_an_answer(ask):
    kept(ask, "q1", 1, metadata={"type": "service"}, namespace="a")
    kept(ask, "q1", 2, metadata={"type": "service"}, namespace="b")
    near = (np.array(vector(1)) + 0.5 * np.array(vector(3))).tolist()
    ask("kg_vector_upsert", id="g1", vector=near, metadata={"type": "guide"}, namespace="a")
    ask("kg_vector_upsert", id="g2", vector=near, metadata={"type": "guide", "title": "q2"}, namespace="c")
    for more, own, ids in (
        ({"type": "guide"}, "of q1", ["g1", "g2"]),
        ({"type": "guide", "namespace": "a"}, "of q1", ["g1"]),
        ({"namespace": "c"}, "of q1 in the namespace a", ["g2"]),
        ({"namespace": "nope"}, "of q1 in the namespace a", []),
        ({"type": "concept"}, "of q1", []),
    ):
        answer = ask("kg_vector_search", query="q1", **more)
        assert ([one["id"] for one in answer["results"]], answer["queryVector"]) == (ids, own)
    kept(ask, "q2", 5, namespace="b")
    assert ask("kg_vector_search", query="q2", namespace="c")["queryVector"] == "mean of the 1 best by words"


def test_hybrid_fuses_the_ranks_of_both(ask):
    kept(ask, "a", 1, metadata={"title": "clarinet"})
    kept(ask, "b", 2, metadata={"title": "clarinet and oboe"})
    kept(ask, "c", 3, metadata={"title": "lighthouse"})
    found = ask("kg_vector_search", query="clarinet", vector=vector(3), hybrid=True)
    by_id = {one["id"]: one for one in found["results"]}
    assert found["searchMode"] == "hybrid" and by_id["c"]["source"] == "vector"
    assert by_id["c"]["combinedScore"] == pytest.approx(1 / 61, abs=1e-7)
    assert by_id["c"]["keywordScore"] == 0 < by_id["a"]["keywordScore"] if "a" in by_id else True
    words = ask("kg_vector_search", query="lighthouse")
    assert words["results"][0]["id"] == "c" and words["queryVector"] == "mean of the 1 best by words"
    assert ask("kg_vector_search", query="nothing of it")["results"] == []


def test_hybrid_keeps_what_has_the_words_whatever_its_cosine_is(ask):
    towards = vector(1)
    kept(ask, "near", 1, metadata={"title": "kafka"})
    away = [-number for number in towards]
    ask("kg_vector_upsert", id="away", vector=away, metadata={"title": "envoy gateway"})
    found = ask("kg_vector_search", query="envoy", vector=towards, hybrid=True)["results"]
    by_id = {one["id"]: one for one in found}
    assert set(by_id) == {"near", "away"} and by_id["away"]["source"] == "keyword"
    assert by_id["away"]["score"] < 0 < by_id["away"]["keywordScore"]
    above = ask("kg_vector_search", query="envoy", vector=towards, hybrid=True, minScore=0.1)["results"]
    assert [one["id"] for one in above] == ["near"], "minScore is the lowest cosine"
    assert [one["id"] for one in ask("kg_vector_search", query="envoy", vector=towards)["results"]] == ["near"]


def test_a_vector_that_was_given_stood_for_the_question_where_nothing_is(ask):
    kept(ask, "a", 1, metadata={"title": "clarinet"})
    found = ask("kg_vector_search", query="clarinet", vector=vector(1), namespace="nope")
    assert found["results"] == [] and found["queryVector"] == "given"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"id": "i" * 5_000, "vector": [0.5] * DIMENSIONS}, "ID must have at most 512 characters, got 5000"),
        (
            {"id": "a", "vector": [0.5] * DIMENSIONS, "namespace": "n" * 5_000},
            "Namespace must have at most 512 characters, got 5000",
        ),
        ({"id": "", "vector": [0.0] * DIMENSIONS}, "ID cannot be empty"),
        ({"id": 5, "vector": [0.0] * DIMENSIONS}, "ID must be a string"),
        ({"vector": [0.0] * DIMENSIONS}, "ID must be a string"),
        ({"id": "a", "vector": [0.0] * 3}, "Vector dimension mismatch"),
        ({"id": "a", "vector": ["x"] * DIMENSIONS}, "Invalid vector element"),
        ({"id": "a", "vector": [1e300] * DIMENSIONS}, "Invalid vector element"),
        ({"id": "a", "vector": [math.inf] * DIMENSIONS}, "Invalid vector element"),
        ({"id": "a", "vector": [0.0] * DIMENSIONS}, "Vector has no direction"),
        ({"id": "a", "vector": [1e-300] * DIMENSIONS}, "Vector has no direction"),
    ],
)  # fmt: skip
def test_what_is_no_vector_is_refused_in_the_words_of_the_contract(refused, arguments, says):
    assert refused("kg_vector_upsert", **arguments)[0] == says


def test_of_a_vector_of_another_length_it_is_told_how_many_numbers_came(refused):
    hint = refused("kg_vector_upsert", id="a", vector=[0.5] * 768)[1]
    assert hint.startswith("vector must be a list of 1536 items, each a number, got [0.5, ")
    assert "... (768 items)" in hint


def test_a_question_without_direction_is_refused(ask, refused):
    kept(ask, "a", 1)
    assert refused("kg_vector_search", query="a", vector=[0.0] * DIMENSIONS)[0] == "Vector has no direction"


def test_without_vectors_a_search_says_so(refused):
    assert refused("kg_vector_search", query="a")[0] == "Vector store not initialized"


# Cache and health


@requirement("knowledge:cache")
def test_an_answer_is_given_again_until_the_documents_change(ask, whole, project):
    ask("kg_graph_generate", passages=False)
    asked = lambda: whole("kg_search_nodes", query="token")  # noqa: E731
    first, second = asked(), asked()
    assert (first["metadata"]["cached"], second["metadata"]["cached"]) == (False, True)
    assert first["data"] == second["data"]
    assert not whole("kg_search_nodes", query="home")["metadata"]["cached"]
    stats = ask("kg_cache_stats")
    assert (stats["totalEntries"], stats["staleEntries"], stats["hits"], stats["misses"]) == (2, 0, 1, 2)
    assert stats["hitRate"] == pytest.approx(1 / 3, abs=1e-6) and stats["sizeBytes"] > len(str(first["data"])) / 2
    (project / "docs/lonely.md").write_text("A token at the lighthouse.", "utf-8")
    ask("kg_graph_generate", incremental=True, passages=False)
    assert ask("kg_cache_stats")["staleEntries"] == 2
    third = asked()
    assert not third["metadata"]["cached"] and third["data"]["count"] == first["data"]["count"] + 1
    assert ask("kg_cache_stats")["staleEntries"] == 1


def test_health_is_probed(ask, project, refused):
    before = ask("kg_health")
    assert (before["database"], before["cache"]) == (False, True) and before["projectRoot"] == project.as_posix()
    assert ask("kg_health_check")["components"]["database"] == "degraded"
    ask("kg_graph_generate", passages=False)
    assert ask("kg_health")["database"] is True
    data = ask("kg_health_check", detailed=True)
    assert data["status"] == "healthy" and set(data["components"]) == {"database", "cache", "agents", "memory"}
    assert set(data["probeMs"]) == set(data["components"]) and data["memory"]["rss"] > 1_000_000
    assert data["nodeVersion"] == f"none: Python {data['pythonVersion']}"
    assert set(ask("kg_health_check", components=["memory"])["components"]) == {"memory"}
    assert "components" in refused("kg_health_check", components=["peers"])[0]
    assert "components" in refused("kg_health_check", components=[])[0], "nothing was looked at"


# Audit


@requirement("knowledge:audit")
def test_the_log_is_read_by_type_and_time(ask, memory, refused):
    contract.keep(memory, "Anna plays the clarinet.")
    ask("kg_graph_generate", passages=False)
    every = ask("kg_audit_query")
    assert every["totalCount"] == every["count"] == memory.store.head()[0] and not every["hasMore"]
    heights = [event["height"] for event in every["events"]]
    assert heights == sorted(heights, reverse=True)
    made = ask("kg_audit_query", eventType="NodeCreated", includePayload=True)["events"]
    assert [event["type"] for event in made] == ["memory_stored"] or len(made) == 1
    assert "clarinet" not in str(every) + str(made), "the audit repeats no memory"
    assert made[0]["parents"] == [] or made[0]["parentCount"] == 1
    assert {event["type"] for event in ask("kg_audit_query", eventType="document")["events"]} == {"document"}
    one = ask("kg_audit_query", limit=1)
    assert one["hasMore"] and one["count"] == 1 and one["totalCount"] == every["totalCount"]
    last = every["events"][0]["timestamp"]
    later = ask("kg_audit_query", startTime=last)["events"]
    assert every["events"][0]["id"] in [event["id"] for event in later] and len(later) < every["count"]
    assert ask("kg_audit_query", endTime="2020-01-01T00:00:00Z")["totalCount"] == 0
    assert "ISO 8601" in refused("kg_audit_query", startTime="yesterday")[0]
    backwards = {"startTime": "2026-11-28T00:00:00Z", "endTime": "2026-11-27T00:00:00Z"}
    assert "must not be before startTime" in refused("kg_audit_query", **backwards)[0]
    for type in ("merged", "NodeDeleted", "CheckpointCreated"):
        nothing = contract.call(memory, "kg_audit_query", {"eventType": type})
        assert nothing.structured["data"]["totalCount"] == 0 and "No event of this time" in nothing.texts[-1]
    says = refused("kg_audit_query", eventType="NodeMade")[0]
    assert "created" in says and "NodeCreated" in says and "got 'NodeMade'" in says


def test_an_audit_knows_the_types_of_all_records():
    assert {*RECORD_TYPES} <= {*EVENT_TYPES}


def test_a_type_that_only_an_older_version_wrote_is_found(memory):
    with memory.store.write("ancient", memory.author(memory.caller)) as tx:
        tx.note.update(operation="ancient")
    assert query(memory.store, type="ancient").total == 1


def test_a_page_of_the_log_reads_no_event_that_it_does_not_tell(ask, memory, monkeypatch):
    ask("kg_graph_generate", passages=False)
    read = []
    events = memory.store.events
    monkeypatch.setattr(memory.store, "events", lambda *args, **span: read.append(events(*args, **span)) or read[-1])
    assert memory.store.head()[0] > 1
    for given in ({}, {"startTime": "2020-01-01T00:00:00Z"}, {"eventType": "document"}):
        read.clear()
        assert ask("kg_audit_query", limit=1, **given)["count"] == 1
        assert [len(page) for page in read] == [1]


@requirement("knowledge:checkpoint")
def test_a_checkpoint_signs_the_log_and_the_state(ask, memory):
    contract.keep(memory, "Anna plays the clarinet.")
    first = ask("kg_audit_checkpoint", name="before", tags=["v1"])
    assert first["height"] == memory.store.head()[0] - 1 and first["metadata"] == {"name": "before", "tags": ["v1"]}
    assert first["stats"]["previousCheckpointHeight"] == 0
    proof = memory.store.prove(memory.store.event_at(1).hash)
    assert proof["checkpoint"]["root"] == first["eventRoot"] and "signed" in proofs.check(proof)
    same = ask("kg_audit_checkpoint")
    assert same["stateRoot"] == first["stateRoot"], "a checkpoint changes no state"
    assert same["eventRoot"] != first["eventRoot"]
    assert same["stats"]["eventsSincePreviousCheckpoint"] == 1
    contract.keep(memory, "Tom repairs the pump.")
    assert ask("kg_audit_checkpoint")["stateRoot"] != first["stateRoot"]
    events = ask("kg_audit_query", includePayload=True)["events"]
    by_height = {event["height"]: event for event in events}
    assert by_height[1]["signature"] == first["signature"] and by_height[1]["signedAtHeight"] == first["height"]
    assert {one["type"] for one in ask("kg_audit_query", eventType="CheckpointCreated")["events"]} == {"checkpoint"}
    assert memory.store.verify().ok


def test_a_checkpoint_takes_no_long_name(refused):
    assert "at most 200 characters" in refused("kg_audit_checkpoint", name="x" * 300)[0]


# Peers


@requirement("knowledge:no-peers")
def test_without_peers_the_state_of_this_store_is_told(ask, refused, memory):
    data = ask("kg_sync_status")
    assert data["peers"] == [] and data["summary"]["totalPeers"] == 0 and not data["serviceStatus"]["running"]
    assert (data["local"]["height"], data["local"]["head"]) == memory.store.head()
    ask("kg_audit_checkpoint")
    data = ask("kg_sync_status", detailed=True)
    assert data["local"]["lastCheckpoint"] == memory.store.head()[1]
    assert data["local"]["lastCheckpointHeight"] == memory.store.head()[0] - 1
    assert "none is configured" in refused("kg_sync_status", peerId="elsewhere")[0]
