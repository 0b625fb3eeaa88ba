"""The contract of the wire, and calling a tool under its eye."""

import json
from copy import deepcopy
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator

from context_graph.server.dispatch import call
from context_graph.tools import find

SPEC = Path(__file__).parents[1] / "spec" / "tools.json"


@cache
def contract():
    """Every tool of the contract by name."""
    return {tool["name"]: tool for tool in json.loads(SPEC.read_text(encoding="utf-8"))["tools"]}


MORE_VALUES = {
    ("restore_from_hash", "original_operation"): ["annotate", "boost", "manifest", "dream", "supersede", "transform"]
}
"""Values that an answer may have beside those of the contract: more can be taken back than it knows of."""


@cache
def _validator(name):
    schema = deepcopy(contract()[name]["output_schema"])
    for (tool, field), values in MORE_VALUES.items():
        if tool == name:
            schema["properties"][field]["enum"] += values
    return Draft202012Validator(schema)


@cache
def _own_validator(name):
    return Draft202012Validator(find(name).output_schema)


def ask(memory, name, session=None, /, **arguments):
    """The values of a call that must succeed, checked against the contract and our own schema."""
    outcome = call(memory, name, arguments, caller=memory.caller.within(session))
    assert not outcome.is_error, outcome.texts
    checked(name, arguments, outcome)
    return outcome.structured


def failed(memory, name, /, **arguments):
    """The values of a call that must fail and say what was done until then, checked against the contract."""
    outcome = call(memory, name, arguments, caller=memory.caller)
    values = outcome.structured
    assert outcome.is_error and outcome.texts[1].startswith(f"Error: {values['error']}\n{values['details']['hint']}\n")
    assert values["success"] is False and values["details"]["message"] == values["error"]
    _validator(name).validate(values)
    return values


def checked(name, arguments, outcome):
    told = arguments["name"] if name == "use_tool" else name
    _validator(told).validate(outcome.structured)
    _own_validator(told).validate(outcome.structured)
    assert outcome.texts[0].startswith("Pulse: { Entropy: ")
    assert json.loads(outcome.texts[1]) == outcome.structured


def error_of(outcome):
    """The error of a call that failed; a tool whose contract has a status tells it beside its message."""
    return outcome.structured["details" if "details" in outcome.structured else "error"]


def refused(memory, name, session=None, /, **arguments):
    """The error of a call that must fail."""
    outcome = call(memory, name, arguments, caller=memory.caller.within(session))
    assert outcome.is_error
    assert outcome.texts[0].startswith("Pulse: { Entropy: ")
    error = error_of(outcome)
    assert outcome.texts[1].startswith(f"Error: {error['message']}")
    stated = {"status", "success", "details", "metadata"} & set(outcome.structured)
    assert set(outcome.structured) - stated == {"error", "pulse"}
    assert isinstance(error["retryable"], bool)
    return error


def keep(memory, content, rationale="needed by a test of the tools", session=None, **more):
    """The id of a memory stored through the tool."""
    return ask(memory, "store_memory", session, content=content, rationale=rationale, **more)["node_id"]
