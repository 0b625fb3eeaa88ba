"""What a start may load: a client waits for it."""

import json
import subprocess
import sys

from tests.requirements import requirement

PROTOCOL = ("mcp", "mcp_types", "starlette", "uvicorn", "anyio", "asyncio", "context_graph.server.http")
"""The server speaks the protocol itself: the package of its authors costs more than all the rest of the start."""

HEAVY = (
    *PROTOCOL, "torch", "onnxruntime", "matplotlib", "faiss", "triton", "tokenizers", "pyAgrum", "z3", "scipy",
    "pandas",
)  # fmt: skip

WATCHED = """
import os, sys
from context_graph.settings import load_settings
from context_graph.server import serve
from context_graph.server.host import Host
Host.warm = lambda self: None  # what is loaded ahead of the first call comes after the answers
leave = os._exit
def told(code):
    print("MODULES", " ".join(sys.modules), file=sys.stderr, flush=True)
    leave(code)
os._exit = told
serve(load_settings()[0])
"""


def test_nothing_heavy_is_loaded_to_answer_initialize_and_list(start):
    server = start(program=("-c", WATCHED))
    server.begin()
    assert server.ask("tools/list")["result"]["tools"]
    assert server.leave() == 0
    modules = server.errors().split("MODULES ", 1)[1].split()
    assert [name for name in HEAVY if name in modules] == []
    assert "context_graph.memory" not in modules and "context_graph.store" not in modules and "numpy" not in modules


@requirement("server:light-start")
def test_nothing_heavy_is_loaded_to_store_and_find(start):
    server = start(program=("-c", WATCHED))
    server.begin()
    stored = server.call("store_memory", content="Anna plays the clarinet.", rationale="the hobby of a friend")
    found = server.call("search_graph", query="clarinet")
    assert not stored["isError"] and not found["isError"]
    assert server.leave() == 0
    modules = server.errors().split("MODULES ", 1)[1].split()
    assert "context_graph.memory" in modules and [name for name in HEAVY if name in modules] == []


def test_to_import_the_server_loads_neither_arrays_nor_a_store():
    code = "import json, sys, context_graph.server, context_graph.tools; print(json.dumps(list(sys.modules)))"
    modules = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
    assert not {*PROTOCOL, "numpy", "apsw"} & set(modules)
