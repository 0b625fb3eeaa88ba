"""Clients that others wrote, each in an environment of its own: the whole surface, over pipes and HTTP."""

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from environments import node_packages, node_program, python_with
from every_tool import EXTRAS, calls_of_every_tool
from http_process import HttpServer
from server_process import environment

from context_graph import Memory
from context_graph.prompts import all_prompts
from context_graph.resources import all_resources
from context_graph.settings import Settings
from context_graph.tools import built
from tests.requirements import requirement

FOLDER = Path(__file__).parent
INSPECTOR = "@modelcontextprotocol/inspector"
LIMIT_S = 300

CLIENTS = {
    "mcp 2.3, 2026-07-28": ("mcp2.py", (), "auto", "2026-07-28"),
    "mcp 2.3, handshake": ("mcp2.py", (), "legacy", "2025-11-25"),
    "mcp 1.30": ("mcp1.py", ("mcp==1.30.0",), "legacy", "2025-11-25"),
    "fastmcp 4.2.3, 2026-07-28": ("fastmcp_client.py", ("fastmcp==4.2.3",), "auto", "2026-07-28"),
    "fastmcp 4.2.3, handshake": ("fastmcp_client.py", ("fastmcp==4.2.3",), "legacy", "2025-11-25"),
    "TypeScript sdk 1.32": ("sdk1.mjs", ("@modelcontextprotocol/sdk@1.32.2",), "legacy", "2025-11-25"),
    "TypeScript client 2.4": ("client2.mjs", ("@modelcontextprotocol/client@2.4.0",), "auto", "2026-07-28"),
    "TypeScript client 2.4, handshake": (
        "client2.mjs", ("@modelcontextprotocol/client@2.4.0",), "legacy", "2025-11-25",
    ),
}  # fmt: skip
"""By name: the program, what it needs, how it begins, and the revision that it then speaks."""

PROMPTS = {
    "agent_handbook": {"lifecycle": "growth"},
    "explain_amnesia": {"what": "the pump of hall 3"},
    "fact_check": {"summary": "The pump of hall 3 moves 21 litres of brine."},
    "memory_map": {"topic": "pump"},
    "search_failed": {"query": "the pump of hall 3", "problem": "empty"},
    "should_i_store": {"content": "The pump of hall 3 moves 21 litres of brine."},
}
"""Arguments of those that want some."""

WITH_SCHEMAS = "inject_context,search_graph,store_memory,get_memetic_status,get_graph_manifest,forget_concept"
"""Tools that are listed with the schemas of their answers, against which clients check these."""


@pytest.fixture
def job(tmp_path, monkeypatch):
    """A store of pumps, and what a client is to do with it."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Pump\n\nA pump moves brine. [[Pump]] #pump\n", "utf-8")
    monkeypatch.setenv("CONTEXT_GRAPH_PROJECT", str(tmp_path))
    with Memory(Settings(home=tmp_path / "home", tier="base", project=tmp_path)) as memory:
        calls = calls_of_every_tool(memory)
        node = next(arguments["node_id"] for name, arguments in calls if name == "get_node_lineage")
    return {"calls": calls, "uris": [f"graph://{node}"], "prompts": PROMPTS, "node": node}


@requirement("http:foreign-clients")
@pytest.mark.long
@pytest.mark.parametrize("transport", ["stdio", "http", "http with schemas"])
@pytest.mark.parametrize("client", CLIENTS)
def test_a_foreign_client_uses_the_whole_surface(tmp_path, job, client, transport):
    program, packages, mode, revision = CLIENTS[client]
    command = (
        _python_client(program, packages) if program.endswith(".py") else _node_client(tmp_path, program, packages)
    )
    tools = WITH_SCHEMAS if transport == "http with schemas" else "all"
    variables = environment(tmp_path / "home", tools)
    job |= {
        "mode": mode,
        "url": None,
        "command": [sys.executable, "-m", "context_graph.cli", "serve"],
        "env": variables,
    }
    server = None if transport == "stdio" else HttpServer(tmp_path / "home", tools=tools)
    try:
        done = subprocess.run(
            command, input=json.dumps(job | ({"url": server.mcp} if server else {})), cwd=tmp_path,
            capture_output=True, text=True, timeout=LIMIT_S, check=False,
        )  # fmt: skip
    finally:
        if server:
            server.end()
    assert done.returncode == 0, done.stderr[-4_000:]
    _check(json.loads(done.stdout), job, revision, built() if tools == "all" else WITH_SCHEMAS.split(","))


@requirement("http:foreign-clients")
@pytest.mark.long
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_inspector_uses_the_whole_surface(tmp_path, job, transport):
    folder, (node, _) = node_packages(f"{INSPECTOR}@2.12.0"), node_program()
    cli = folder / "node_modules" / INSPECTOR / "clients" / "launcher" / "build" / "index.js"
    variables = environment(tmp_path / "home", "all")
    server = None if transport == "stdio" else HttpServer(tmp_path / "home", tools="all")
    settings = [
        part for name in variables if name.startswith("CONTEXT_GRAPH_") for part in ("-e", f"{name}={variables[name]}")
    ]
    target = [server.mcp] if server else [*settings, sys.executable, "-m", "context_graph.cli", "serve"]

    def ask(method, *options):
        done = subprocess.run(
            [node, cli, "--cli", *target, "--method", method, *options],
            cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=LIMIT_S, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (method, options, done.stdout[-2_000:], done.stderr[-2_000:])
        return json.loads(done.stdout)

    try:
        # --strict: no schema in the list that a host is known to drop.
        assert [tool["name"] for tool in ask("tools/list", "--strict")["tools"]] == built()
        calls = dict(job["calls"])
        for name in ("search_graph", "store_memory", "get_graph_manifest", "get_node_lineage", "get_health"):
            options = [f"{key}={json.dumps(value)}" for key, value in calls[name].items()]
            result = ask("tools/call", "--tool-name", name, *(["--tool-arg", *options] if options else []))
            assert not result.get("isError") and result["structuredContent"]["pulse"], name
        for resource in ask("resources/list")["resources"]:
            assert ask("resources/read", "--uri", resource["uri"])["contents"][0]["text"]
        assert len(ask("prompts/list")["prompts"]) == len(all_prompts())
        assert ask("prompts/get", "--prompt-name", "memory_map", "--prompt-args", "topic=pump")["messages"]
    finally:
        if server:
            server.end()


def _python_client(program, packages):
    return [python_with(*packages) if packages else sys.executable, FOLDER / program]


def _node_client(folder, program, packages):
    """Node resolves packages beside the program, so it is copied beside them."""
    (folder / "node_modules").symlink_to(node_packages(*packages) / "node_modules")
    for name in (program, "session.mjs"):
        shutil.copy(FOLDER / name, folder)
    return [node_program()[0], folder / program]


def _check(seen, job, revision, listed):
    assert (seen["revision"], seen["tools"]) == (revision, listed)
    assert list(seen["calls"]) == [name for name, _ in job["calls"]] and set(seen["calls"]) == set(built())
    wrong = {name: call for name, call in seen["calls"].items() if call["error"]}
    assert [name for name in wrong if name not in EXTRAS or find_spec(EXTRAS[name])] == [], wrong
    for name, call in seen["calls"].items():
        assert call["text"].startswith("Pulse: ") and call["values"]["pulse"], name
    assert seen["refused"]["error"] and "query must be" in seen["refused"]["text"]
    assert seen["unknown"] == -32602
    listed = [uri for one in all_resources() for uri in one.listed]
    assert list(seen["resources"]) == [*listed, *job["uris"]] and all(seen["resources"].values())
    assert seen["templates"] == len([one for one in all_resources() if one.parameters])
    assert set(seen["prompts"]) == {one.name for one in all_prompts()} and all(seen["prompts"].values())
