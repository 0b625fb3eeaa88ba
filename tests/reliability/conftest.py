"""Servers that are started, killed and waited for by the dozen."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from server_process import Server


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers on one home, unmeasured, and ends those that are left."""
    started: list[Server] = []

    def begin(home: Path | None = None, **more) -> Server:
        started.append(Server(home or tmp_path / "home", measured=False, **more))
        return started[-1]

    yield begin
    for server in started:
        server.end()
