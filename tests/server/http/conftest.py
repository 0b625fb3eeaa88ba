"""Servers over HTTP on one home."""

import httpx
import pytest
from http_process import DEADLINE_S, HttpServer


@pytest.fixture
def serve(tmp_path):
    """Starts servers over HTTP on one home and ends them."""
    started = []

    def begin(*options, **more):
        started.append(HttpServer(tmp_path / "home", *options, **more))
        return started[-1]

    yield begin
    for process in started:
        process.end()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server without tokens for the requests of a file."""
    process = HttpServer(tmp_path_factory.mktemp("http") / "home")
    yield process
    process.end()


@pytest.fixture
def http():
    with httpx.Client(timeout=DEADLINE_S, trust_env=False) as client:
        yield client
