"""Adapters whose packages are absent: nothing else needs them, and importing one says what to install."""

import subprocess
import sys

import pytest

from tests.requirements import requirement

ABSENT = """
import sys
sys.modules[{package!r}] = None
import context_graph, context_graph.memory, context_graph.integrations
try:
    import context_graph.integrations.{adapter}
except ImportError as error:
    print(error)
"""


@requirement("python:adapters")
@pytest.mark.parametrize(
    ("adapter", "package", "extra"),
    [
        ("langchain", "langchain_core", "langchain"),
        ("llamaindex", "llama_index", "llamaindex"),
        ("openai_agents", "agents", "openai-agents"),
    ],
)
def test_without_its_package_an_adapter_says_what_to_install(adapter, package, extra):
    code = ABSENT.format(adapter=adapter, package=package)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert f"pip install 'ultimate-context-graph[{extra}]'" in done.stdout
