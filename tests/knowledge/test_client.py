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
