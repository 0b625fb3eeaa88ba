"""Lines with which a person installs and connects the server: each names what exists, what it starts answers."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from context_graph.cli import COMMANDS
from tests.requirements import requirement

REPOSITORY = Path(__file__).parents[2]
DOCUMENTS = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
TEXTS = {path.relative_to(REPOSITORY).as_posix(): path.read_text("utf-8") for path in DOCUMENTS}
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
INSTALLS = re.compile(r"pip install (?:-\S+ )*'(\.|[\w-]+)\[([\w,-]+)\]'")
STDIO = re.compile(r"^claude mcp add (?:--scope \w+ )?context-graph -- (?!docker )(.+)$", re.M)
HTTP = re.compile(r"^claude mcp add --transport http context-graph (\S+)$", re.M)


def blocks(language):
    return [
        (page, text) for page, all_text in TEXTS.items() for kind, text in BLOCK.findall(all_text) if kind == language
    ]


def servers():
    """How the documents say that clients start the server: the page, the client's format, the command."""
    for page, text in TEXTS.items():
        yield from ((page, "claude mcp add", shlex.split(command)) for command in STDIO.findall(text))
    for page, text in blocks("json"):
        for key in ("mcpServers", "servers"):
            server = json.loads(text).get(key, {}).get("context-graph")
            if server:
                yield page, key, [server["command"], *server["args"]]
    for page, text in blocks("toml"):
        server = tomllib.loads(text).get("mcp_servers", {}).get("context-graph")
        if server:
            yield page, "mcp_servers", [server["command"], *server["args"]]


SERVERS = list(servers())


def first_answer(command, home):
    """What a server says to `initialize`."""
    about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}) + "\n"
    done = subprocess.run(
        command, input=asked, capture_output=True, text=True, timeout=60, check=False,
        env=os.environ | {"CONTEXT_GRAPH_HOME": str(home), "CONTEXT_GRAPH_TIER": "base"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[0])["result"]


@requirement("docs:install-lines")
def test_every_extra_that_is_installed_exists():
    named = [(page, name, extra) for page, text in TEXTS.items() for name, extras in INSTALLS.findall(text)
             for extra in extras.split(",")]  # fmt: skip
    assert len(named) > 10
    assert [one for one in named if one[2] not in PROJECT["optional-dependencies"]] == []
    assert {name for _, name, _ in named} == {".", PROJECT["name"]}


@requirement("docs:install-lines")
def test_every_client_of_the_quickstart_has_lines():
    assert {kind for _, kind, _ in SERVERS} == {"claude mcp add", "mcpServers", "servers", "mcp_servers"}


@requirement("docs:install-lines")
@pytest.mark.parametrize(("page", "kind", "command"), SERVERS, ids=[f"{page} {kind}" for page, kind, _ in SERVERS])
def test_what_a_client_is_told_to_start_answers(page, kind, command, tmp_path):
    program, *arguments = command
    assert program in PROJECT["scripts"] and arguments[0] in COMMANDS
    script = Path(sys.executable).parent / program
    assert first_answer([script, *arguments], tmp_path / "home")["serverInfo"]["name"] == "context-graph"


@requirement("docs:install-lines")
def test_the_address_of_a_client_over_http_is_where_the_server_listens():
    named = [url for text in TEXTS.values() for url in HTTP.findall(text)]
    help_text = subprocess.run(
        [sys.executable, "-m", "context_graph.cli", "serve", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert named and set(named) == {"http://127.0.0.1:8765/mcp"}
    assert "8765" in help_text and "127.0.0.1" in help_text
