"""The schemas made from the models are those of the contract: nothing missing, nothing different."""

import pytest

from context_graph.tools import all_tools
from context_graph.tools.schema import resolve
from tests.tools.contract import contract

TOOLS = all_tools()
KEYWORDS = (
    "type", "format", "enum", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern",
    "default",
)  # fmt: skip


def names(tools):
    return [tool.name for tool in tools]


@pytest.mark.parametrize("tool", TOOLS, ids=names(TOOLS))
def test_input_is_that_of_the_contract(tool):
    ours, theirs = tool.input_schema, contract()[tool.name]["input_schema"]
    assert sorted(ours.get("required", [])) == sorted(theirs.get("required", []))
    assert _differences(ours, ours, theirs, theirs) == []


@pytest.mark.parametrize("tool", TOOLS, ids=names(TOOLS))
def test_what_we_add_to_the_input_is_optional(tool):
    added = set(tool.input_schema["properties"]) - set(contract()[tool.name]["input_schema"]["properties"])
    assert not added & set(tool.input_schema.get("required", ()))


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool.name != "use_tool"], ids=lambda tool: tool.name)
def test_output_has_every_field_of_the_contract(tool):
    ours, theirs = tool.output_schema, contract()[tool.name]["output_schema"]
    assert set(theirs["required"]) <= set(ours["required"])
    assert _missing(ours, ours, theirs, theirs) == set()


@pytest.mark.parametrize("tool", TOOLS, ids=names(TOOLS))
def test_title_and_hints_are_those_of_the_contract(tool):
    theirs = contract()[tool.name]
    assert tool.title == theirs["title"]
    assert tool.annotations == theirs["annotations"]


def test_the_listed_tools_are_those_of_the_contract_that_are_built():
    by_default = {name for name, tool in contract().items() if tool.get("listed_by_default")}
    assert {tool.name for tool in TOOLS if tool.tier == 1} == by_default


def _differences(ours, root, theirs, their_root, place=""):
    ours, theirs = resolve(ours, root), resolve(theirs, their_root)
    found = [
        f"{place}: {key} is {ours.get(key)!r}, not {theirs.get(key)!r}"
        for key in KEYWORDS
        if (ours.get(key), key in ours) != (theirs.get(key), key in theirs)
    ]
    if "items" in theirs:
        found += _differences(ours.get("items", {}), root, theirs["items"], their_root, f"{place}[]")
    for name, schema in theirs.get("properties", {}).items():
        if name not in ours.get("properties", {}):
            found.append(f"{place}.{name} is missing")
        else:
            found += _differences(ours["properties"][name], root, schema, their_root, f"{place}.{name}")
    return found


def _missing(ours, root, theirs, their_root, place=""):
    ours, theirs = resolve(ours, root), resolve(theirs, their_root)
    if "items" in theirs:
        return _missing(ours.get("items", {}), root, theirs["items"], their_root, place)
    found = set()
    for name, schema in theirs.get("properties", {}).items():
        path = f"{place}.{name}".lstrip(".")
        if name in ours.get("properties", {}):
            found |= _missing(ours["properties"][name], root, schema, their_root, path)
        elif name == "_cognitive_pulse" or "properties" in ours:
            found.add(path)
    return found
