"""Homes that know each other, in this process and from the command line."""

import json

import pytest
from sync_scenes import Home, acquainted

from context_graph.cli import main


@pytest.fixture
def homes(tmp_path):
    """Makes homes, and closes them."""
    opened = []

    def make(*names, known=True, **more):
        opened.extend(made := [Home(tmp_path, name, **more) for name in names])
        if known:
            acquainted(*made)
        return made

    yield make
    for home in opened:
        home.close()


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs a command on a home; its JSON, or its words where it fails without any."""
    monkeypatch.setenv("CONTEXT_GRAPH_TIER", "base")

    def run(home, *arguments, code=0):
        capsys.readouterr()
        assert main([*map(str, arguments), "--home", str(home), "--json"]) == code
        out, err = capsys.readouterr()
        return json.loads(out) if out.strip() else err

    return run
