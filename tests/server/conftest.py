"""Servers on one home."""

import pytest
from server_process import Attached, Server

from context_graph.server.host import Host
from context_graph.settings import Settings


@pytest.fixture
def start(tmp_path):
    """Starts servers on one home and ends them."""
    started = []

    def begin(**more):
        started.append(Server(tmp_path / "home", **more))
        return started[-1]

    yield begin
    for process in started:
        process.end()


@pytest.fixture
def attach(tmp_path):
    """Serves one home from this process, once a call, as `start` does from others."""
    attached = []

    def begin(tools="core"):
        settings = Settings(home=tmp_path / "home", tier="base", tools=tools, allow_permanent_deletion=True)
        attached.append(Attached(Host(settings)))
        return attached[-1]

    yield begin
    for each in attached:
        each.end()
