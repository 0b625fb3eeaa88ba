"""The client's model over HTTP: the question goes out on a stream, the answer is POSTed in the session."""

import asyncio
import json
import sys
import threading
from contextlib import contextmanager

import anyio
import httpx
import pytest
from harbour import CITED, SAMPLING, TASK, answered, note_of, report_of, written
from http_process import DEADLINE_S, INITIALIZE, HttpServer, enveloped
from mcp.client import Client
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CreateMessageResult, ErrorData, TextContent
from server_process import environment

from context_graph.server.http.outlets import Outlets
from tests.requirements import requirement

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
BOTH = {"Accept": "application/json, text/event-stream"}
SECTION = "## Written by the client's model"
SPAWN = {
    "jsonrpc": "2.0", "id": 7, "method": "tools/call",
    "params": {"name": "kg_agent_spawn", "arguments": {"type": "researcher", "task": TASK}},
}  # fmt: skip


@pytest.fixture(scope="module")
def allowed(tmp_path_factory):
    """The environment of a person who allows sampling, in the project of a harbour."""
    folder = tmp_path_factory.mktemp("sampling")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONTEXT_GRAPH_SAMPLING", "true")
        patch.setenv("CONTEXT_GRAPH_SAMPLING_SECONDS", str(DEADLINE_S))
        patch.setenv("CONTEXT_GRAPH_PROJECT", str(written(folder / "project")))
        yield folder / "home"


@pytest.fixture(scope="module")
def server(allowed):
    process = HttpServer(allowed, transport="sse", tools="all")
    yield process
    process.end()


def begun(server, http, **headers):
    """The headers of a new session of a client that offers sampling, in which the documents were read."""
    params = INITIALIZE["params"] | {"capabilities": {"sampling": {}}}
    answer = http.post(server.mcp, json=INITIALIZE | {"params": params}, headers=BOTH | headers)
    assert answer.status_code == 200, answer.text
    session = {**BOTH, **headers, "Mcp-Session-Id": answer.headers["Mcp-Session-Id"]}
    assert http.post(server.mcp, json=_note("notifications/initialized"), headers=session).status_code == 202
    call = {"name": "kg_graph_generate", "arguments": {"passages": False}}
    made = http.post(server.mcp, json=SPAWN | {"id": 2, "params": call}, headers=session)
    assert '"isError":false' in made.text.replace(" ", ""), made.text
    return session


def _note(method, **params):
    return {"jsonrpc": "2.0", "method": method, "params": params}


def messages(response):
    """The messages of a stream, as they come."""
    for line in response.iter_lines():
        if line.startswith("data: ") and line != "data: ":
            yield json.loads(line.removeprefix("data: "))


@contextmanager
def called(server, session):
    """The messages on the response to the call of a researcher."""
    with (
        httpx.Client(timeout=DEADLINE_S, trust_env=False) as own,
        own.stream("POST", server.mcp, json=SPAWN, headers=session) as response,
    ):
        yield messages(response)


def posted(server, http, session, question, text=CITED):
    answer = {"jsonrpc": "2.0", "id": question["id"], **answered(text)}
    return http.post(server.mcp, json=answer, headers=session).status_code


def data_of(message):
    return message["result"]["structuredContent"]["data"]


@requirement("sampling:over-http")
def test_the_question_comes_on_the_response_of_its_call_and_is_answered_by_post(server, http):
    session = begun(server, http)
    with called(server, session) as coming:
        question = next(coming)
        assert question["method"] == SAMPLING and TASK in question["params"]["messages"][0]["content"]["text"]
        ping = {"jsonrpc": "2.0", "id": 8, "method": "ping"}
        assert http.post(server.mcp, json=ping, headers=session).json()["result"] == {}, "the session goes on"
        assert posted(server, http, session, question) == 202
        (answer,) = coming
    assert answer["id"] == SPAWN["id"] and SECTION in report_of(data_of(answer))
    assert posted(server, http, session, question) == 202, "a late one is thrown away"


@requirement("sampling:over-http")
def test_another_session_cannot_answer_and_another_token_does_not_reach_the_session(allowed, http):
    server = HttpServer(allowed.parent / "shared", tools="all")
    try:
        mine, other = server.token("mine"), server.token("other")
        session, same_token, foreign = (
            begun(server, http, **mine),
            begun(server, http, **mine),
            begun(server, http, **other),
        )
        with called(server, session) as coming:
            question = next(coming)
            wrong = "The mayor signs them [docs/keys.md:3]."
            assert posted(server, http, same_token, question, wrong) == 202
            assert posted(server, http, foreign, question, wrong) == 202
            assert posted(server, http, session | other, question, wrong) == 404
            assert posted(server, http, {**BOTH, **mine}, question, wrong) == 202
            assert posted(server, http, session, question) == 202
            (answer,) = coming
        assert "mayor" not in report_of(data_of(answer)) and SECTION in report_of(data_of(answer))
    finally:
        server.end()


@requirement("sampling:over-http")
def test_where_the_response_is_no_stream_the_question_comes_on_that_of_the_session(server, http):
    session = begun(server, http)
    answers = []

    def call():
        headers = session | {"Accept": "application/json"}
        with httpx.Client(timeout=DEADLINE_S, trust_env=False) as own:
            answers.append(own.post(server.mcp, json=SPAWN, headers=headers).json())

    calling = threading.Thread(target=call)
    calling.start()  # the question may come before the stream is open: it waits there
    with http.stream("GET", server.mcp, headers=session | {"Accept": "text/event-stream"}) as stream:
        question = next(messages(stream))
        with httpx.Client(timeout=DEADLINE_S, trust_env=False) as own:
            assert question["method"] == SAMPLING and posted(server, own, session, question) == 202
        calling.join(DEADLINE_S)
    assert SECTION in report_of(data_of(answers[0]))


@requirement("sampling:over-http")
def test_a_question_that_waited_for_a_stream_in_vain_is_not_sent_later():
    async def waited(*ended):
        outlets = Outlets(asyncio.get_running_loop())
        for number in (1, 2):
            question = {"jsonrpc": "2.0", "id": f"context-graph-{number}", "method": SAMPLING}
            outlets.send_within(SPAWN["id"], question)
        for id in ended:
            outlets.send_within(SPAWN["id"], _note("notifications/cancelled", requestId=id))
        await asyncio.sleep(0)  # what was sent is delivered
        stream = outlets.open_stream()
        stream.end()
        left = [await stream._messages.get() for _ in range(stream._messages.qsize())]
        return [one["id"] for one in left if one is not None]

    assert asyncio.run(waited()) == ["context-graph-1", "context-graph-2"]
    assert asyncio.run(waited("context-graph-1")) == ["context-graph-2"]


@requirement("sampling:never-in-the-way")
def test_a_session_that_ends_while_it_is_asked_leaves_no_thread_waiting(server, http):
    for _ in range(5):  # more than may be open at once
        session = begun(server, http)
        with called(server, session) as coming:
            assert next(coming)["method"] == SAMPLING
            assert http.delete(server.mcp, headers=session).status_code == 204
            assert not [one for one in coming if "result" in one]
    session = begun(server, http)
    with called(server, session) as coming:
        assert posted(server, http, session, next(coming)) == 202
        assert SECTION in report_of(data_of(*coming))


@requirement("sampling:allowed-and-offered")
def test_requests_without_a_session_are_never_asked_back(server, http):
    body, headers = enveloped("tools/call", name="kg_agent_spawn", arguments=SPAWN["params"]["arguments"])
    body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = {"sampling": {}}
    begun(server, http)  # the documents are read
    answer = http.post(server.mcp, json=body, headers=headers)
    assert SAMPLING not in answer.text and answer.headers["Content-Type"] == "application/json"
    assert "since revision 2026-07-28 of the protocol a server asks its clients nothing" in note_of(
        data_of(answer.json())
    )


def model(seen, refuse=False):
    """The sampling callback of a client."""

    async def write(context, params):
        seen.append(params)
        if refuse:
            return ErrorData(code=-1, message="User rejected sampling request")
        return CreateMessageResult(role="assistant", model="scripted-2", content=TextContent(type="text", text=CITED))

    return write


async def talked(transport, mode, callback):
    """The data of a researcher's answer to the client of the protocol's authors."""
    async with Client(transport, mode=mode, sampling_callback=callback) as client:
        await client.call_tool("kg_graph_generate", {"passages": False})
        result = await client.call_tool("kg_agent_spawn", SPAWN["params"]["arguments"])
        assert not result.is_error
        return result.structured_content["data"]


@requirement("sampling:a-section-of-its-own")
@pytest.mark.parametrize("transport", ["pipes", "http"])
@pytest.mark.parametrize(
    ("mode", "refuse"), [("legacy", False), pytest.param("legacy", True, marks=pytest.mark.long), ("auto", False)]
)
def test_the_client_of_the_protocols_authors_is_asked(server, allowed, transport, mode, refuse):
    seen = []
    command = ["-m", "context_graph.cli", "serve"]
    pipes = StdioServerParameters(command=sys.executable, args=command, env=environment(allowed, "all"))
    data = anyio.run(talked, pipes if transport == "pipes" else server.mcp, mode, model(seen, refuse))
    if mode == "auto":
        assert seen == [] and SECTION not in report_of(data)
        return
    (params,) = seen
    assert params.include_context == "none" and TASK in params.messages[0].content.text
    if refuse:
        assert SECTION not in report_of(data)
        assert note_of(data).endswith("the client refused: User rejected sampling request (code -1).")
    else:
        assert "(scripted-2) wrote this" in report_of(data) and "> The Lantern Key" in report_of(data)


@requirement("sampling:over-http")
def test_a_client_of_the_first_revision_is_asked_over_sse(server, monkeypatch):
    monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", "2024-11-05")
    seen = []

    async def talk():
        async with Client(sse_client(f"{server.url}/sse"), mode="legacy", sampling_callback=model(seen)) as client:
            assert client.protocol_version == "2024-11-05"
            await client.call_tool("kg_graph_generate", {"passages": False})
            result = await client.call_tool("kg_agent_spawn", SPAWN["params"]["arguments"])
            return result.content[1].text

    assert "scripted-2" in anyio.run(talk) and len(seen) == 1
