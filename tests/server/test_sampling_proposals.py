"""A dream that writes may ask the client's model what the rules do not read; what it proposes is checked and undone."""

import json

import pytest
from harbour import SAMPLING, answered, questions
from server_process import Attached

from context_graph.server.host import Host
from context_graph.settings import Settings
from tests.endpoints.scripted import claim, said
from tests.requirements import requirement

NOTE = "Ines: oboe since spring."
ANSWER = said(claims=[claim("Ines", "plays", "oboe"), claim("Ines", "plays", "horn")])


@pytest.fixture
def serve(tmp_path):
    attached = []

    def serving(**settings):
        more = {"sampling": True, "sampling_seconds": 60} | settings
        attached.append(Attached(Host(Settings(home=tmp_path / f"home {len(attached)}", tier="base", **more))))
        server = attached[-1]
        server.begin("2025-11-25", {"sampling": {}})
        return server

    yield serving
    for each in attached:
        each.end()


def store(server, text: str) -> str:
    answer = server.call("store_memory", content=text, rationale="worth keeping for later")
    return answer["structuredContent"]["node_id"]


def dream(server, **arguments) -> str:
    result = server.call("trigger_dream", **{"blocking": True, "apply": True, "phase": "nrem", **arguments})
    assert not result.get("isError"), result
    return json.dumps(result["content"], ensure_ascii=False)


@requirement("extractor:sampling")
def test_a_dream_that_writes_asks_and_keeps_what_counts(serve):
    server = serve()
    node = store(server, NOTE)
    server.answering[SAMPLING] = lambda message: answered(ANSWER)
    told = dream(server)
    assert f"The client's model (scripted-1) proposed of [node_{node.replace('-', '')[:10]}]: 1 kept, 1 dropped" in told
    (question,) = questions(server.before_answer)
    text = question["params"]["messages"][0]["content"]["text"]
    assert text.endswith(NOTE) and question["params"]["includeContext"] == "none"
    hash = told.split("restore_from_hash('")[1].split("'")[0]
    restored = server.call("restore_from_hash", reversal_hash=hash, preview=False)["structuredContent"]
    assert restored["restored_nodes"] == [node] and restored["original_operation"] == "annotate"
    assert "The client's model" not in dream(server) and questions(server.before_answer) == [], "asked once"


@requirement("extractor:sampling")
@pytest.mark.parametrize(
    ("settings", "arguments"), [({"sampling": False}, {}), ({}, {"apply": False}), ({}, {"blocking": False})]
)
def test_without_leave_or_in_a_dream_that_only_proposes_nobody_is_asked(serve, settings, arguments):
    server = serve(**settings)
    store(server, NOTE)
    server.answering[SAMPLING] = lambda message: answered(ANSWER)
    assert "client's model" not in dream(server, **arguments)
    assert questions(server.before_answer) == []


@requirement("extractor:sampling")
def test_a_user_who_refuses_is_not_asked_again_in_that_dream(serve):
    server = serve()
    for i in range(3):
        store(server, f"Ines: oboe number {i} since spring.")
    refusal = {"error": {"code": -1, "message": "User rejected sampling request"}}
    server.answering[SAMPLING] = lambda message: refusal
    assert "asked no further: the client refused: User rejected sampling request (code -1)." in dream(server)
    assert len(questions(server.before_answer)) == 1


@requirement("extractor:sampling")
def test_a_dream_asks_about_three_memories_at_most(serve):
    server = serve()
    for i in range(5):
        store(server, f"Ines: oboe number {i} since spring.")
    server.answering[SAMPLING] = lambda message: answered(ANSWER)
    dream(server)
    assert len(questions(server.before_answer)) == 3
