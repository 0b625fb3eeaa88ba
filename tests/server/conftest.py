"""Servers on one home."""

import pytest
from server_process import Server


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
