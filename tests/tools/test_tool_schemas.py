"""What agents read of a tool: complete, short, and plain enough for every client."""

import json
import os
from pathlib import Path

import pytest

from context_graph.errors import InvalidInput
from context_graph.tools import all_tools, built, listed
from context_graph.tools.docs import markdown
from context_graph.tools.schema import resolve
from context_graph.tools.texts import (
    instructions,
    layer_guidance,
    prompt_fragment,
    server_instructions,
    troubleshooting,
)

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "tools.md"
TOOLS = all_tools()
each_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


@each_tool
def test_a_changed_schema_is_a_visible_difference(tool):
    """CONTEXT_GRAPH_WRITE_SCHEMAS=1 takes today's schemas as the new ones."""
    path = HERE / "schemas" / f"{tool.name}.json"
    now = {"description": tool.description, "input": tool.input_schema, "output": tool.output_schema}
    if os.environ.get("CONTEXT_GRAPH_WRITE_SCHEMAS"):
        path.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert now == json.loads(path.read_text(encoding="utf-8"))


def test_there_is_no_snapshot_of_a_tool_that_is_gone():
    assert sorted(path.stem for path in (HERE / "schemas").glob("*.json")) == sorted(built())


@each_tool
def test_the_description_is_short_and_the_name_portable(tool):
    assert 20 <= len(tool.description) <= 300
    assert tool.name.replace("_", "").isalnum() and len(tool.name) <= 64


@each_tool
def test_the_schemas_are_plain(tool):
    for schema in (tool.input_schema, tool.output_schema):
        assert schema["type"] == "object"
        assert not {"oneOf", "anyOf", "allOf", "$schema", "title"} & set(schema)
        assert all(not isinstance(node.get("title"), str) for node in _schemas(schema))
        assert all(node["$ref"].startswith("#/$defs/") for node in _schemas(schema) if "$ref" in node)


@each_tool
def test_every_argument_is_described(tool):
    for node in _schemas(tool.input_schema):
        for name, field in node.get("properties", {}).items():
            described = "description" in field or "description" in resolve(field, tool.input_schema)
            assert described, f"{tool.name}.{name}"


def test_the_default_list_is_small():
    core = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in listed("core")
    ]
    assert len(json.dumps(core)) < 14_000
    assert [tool["name"] for tool in core[:3]] == ["inject_context", "search_graph", "store_memory"]
    assert core[-1]["name"] == "use_tool"


def test_a_selection_of_tools_is_listed():
    assert [tool.name for tool in listed("get_health, search_graph")] == ["search_graph", "get_health"]
    assert listed("all") == all_tools()
    with pytest.raises(InvalidInput, match="must be core, all, or names from"):
        listed("nothing_like_it")


def test_no_text_names_a_tool_that_is_not_built():
    spec = json.loads((HERE.parent / "spec" / "tools.json").read_text(encoding="utf-8"))
    unbuilt = {tool["name"] for tool in spec["tools"]} - set(built())
    texts = [
        prompt_fragment(),
        instructions(),
        server_instructions(),
        *troubleshooting().values(),
        json.dumps(layer_guidance()),
    ]
    texts += [tool.description for tool in TOOLS]
    assert [(name, text) for name in unbuilt for text in texts if name in text] == []
    assert len(server_instructions().encode()) < 2_048


def test_the_page_of_tools_is_current():
    assert DOCS.read_text(encoding="utf-8") == markdown(), "run python -m context_graph.tools.docs > docs/tools.md"


def _schemas(schema):
    yield schema
    for key in ("properties", "$defs"):
        for inner in schema.get(key, {}).values():
            yield from _schemas(inner)
    if "items" in schema:
        yield from _schemas(schema["items"])
