"""The client: a server of its own, its answers, and an end to waiting."""

import sys

import pytest

from context_graph.client import Client
from context_graph.errors import Cancelled, InvalidInput, StoreError
from tests.requirements import requirement


@pytest.fixture
def command(tmp_path, project, monkeypatch):
    """A server of a home and a project of its own."""
    monkeypatch.setenv("CONTEXT_GRAPH_PROJECT", str(project))
    return [sys.executable, "-m", "context_graph.cli", "serve", "--home", str(tmp_path / "served")]


def test_a_client_calls_the_tools_of_its_own_server(command):
    with Client(command) as client:
        missing = client.call_tool("kg_stats")
        assert (missing["success"], missing["error"]) == (False, "Database not initialized")
        assert client.call_tool("kg_graph_generate", {"passages": False})["data"]["filesProcessed"] == 4
        assert client.call_tool("kg_stats")["data"]["totalNodes"] == 4
    with pytest.raises(StoreError):
        client.call_tool("kg_stats")


class Silent:
    """A way to a server that answers its start and nothing else."""

    def __init__(self):
        self.sent = []

    def send(self, message):
        self.sent.append(message)

    def receive(self, seconds):
        return {"id": 1, "result": {}} if len(self.sent) == 1 else None

    def close(self):
        pass


@requirement("knowledge:client")
def test_a_call_that_is_not_answered_is_given_up_and_cancelled():
    way = Silent()
    client = Client(way, timeout=0.5)
    with pytest.raises(Cancelled, match=r"longer than 0\.5 s"):
        client.call_tool("kg_stats")
    assert way.sent[-1]["method"] == "notifications/cancelled" and way.sent[-1]["params"] == {"requestId": 2}


def test_an_address_is_refused():
    with pytest.raises(InvalidInput, match="got an address"):
        Client("http://localhost:3001")


@pytest.mark.parametrize(
    ("server", "what"),
    [
        ("no-such-server --x", "'no-such-server' cannot be run"),
        ("", "got none"),
        ([], "got none"),
        ("context-graph 'serve", "quotation"),
        (5, "a Transport, got int 5"),
        (None, "a Transport, got NoneType None"),
    ],
)
def test_what_starts_no_server_is_refused_and_told_what_was_expected(server, what):
    with pytest.raises(InvalidInput, match=what) as refused:
        Client(server)
    assert "context-graph serve" in str(refused.value)


def test_arguments_that_have_no_names_are_refused_before_they_are_sent():
    way = Silent()
    client = Client(way, timeout=0.5)
    with pytest.raises(InvalidInput, match=r"arguments of kg_query by their names, such as .*, got 'pump'"):
        client.call_tool("kg_query", "pump")
    with pytest.raises(InvalidInput, match="expected the name of a tool, such as 'kg_stats', got None"):
        client.call_tool(None)
    assert len(way.sent) == 2, "the start alone"


def test_a_server_that_ends_at_once_is_told_with_its_command_and_status():
    with pytest.raises(StoreError, match=r"raise SystemExit.*has ended with status 3; run it in a terminal"):
        Client([sys.executable, "-c", "raise SystemExit(3)"])


def test_a_closed_client_says_that_it_is_closed(command):
    client = Client(command)
    client.close()
    with pytest.raises(StoreError, match="this client is closed"):
        client.call_tool("kg_stats")


def test_what_is_no_message_is_passed_over(command):
    noisy = f"print('hello', flush=True); import subprocess, sys; sys.exit(subprocess.call({command!r}))"
    with Client([sys.executable, "-c", noisy]) as client:
        assert client.call_tool("get_health")["status"] == "healthy"
