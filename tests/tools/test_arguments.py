"""Arguments from strangers: every wrong one is told, none breaks anything."""

from copy import deepcopy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from context_graph.server.dispatch import call
from context_graph.tools import all_tools, find
from context_graph.tools.schema import expected, resolve
from tests.tools.contract import checked, contract, error_of, keep, refused

TOOLS = [tool.name for tool in all_tools()]
BOUNDED = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

several = pytest.mark.parametrize("examples", [6, pytest.param(30, marks=pytest.mark.long)])
ANYTHING = st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.lists(st.text(max_size=5), max_size=3)


def values(schema, root=None):
    """Values a schema allows; hypothesis-jsonschema 0.23 makes leaves only, its objects fail with new Hypothesis."""
    root = schema if root is None else root
    schema = resolve(schema, root)
    if schema.get("minItems", 0) > 100:  # numbers that Hypothesis cannot make one by one
        return values(schema["items"], root).map(lambda one: [one] * schema["minItems"])
    if schema.get("type") == "array" and resolve(schema["items"], root).get("type") == "object":
        return st.lists(values(schema["items"], root), max_size=3)
    if not {"type", "enum", "const"} & set(schema):
        return ANYTHING
    if schema.get("type") != "object":
        return from_schema(deepcopy(dict(schema)), custom_formats={"uuid": st.uuids().map(str)})
    fields = {name: values(field, root) for name, field in schema.get("properties", {}).items()}
    if not fields:
        return st.dictionaries(st.text(max_size=10), ANYTHING, max_size=3)
    required = {name: fields.pop(name) for name in schema.get("required", ())}
    return st.fixed_dictionaries(required, optional=fields)


@pytest.mark.parametrize(
    ("tool", "arguments", "field", "says"),
    [
        ("search_graph", {}, "query", "query parameter not provided; expected text"),
        ("search_graph", {"query": ""}, "query", "Query string is empty"),
        ("search_graph", {"query": "  "}, "query", "Query string is empty"),
        ("search_graph", {"query": None}, "query", "query must be text of 1 characters or more, got null"),
        ("search_graph", {"query": 5}, "query", "query must be text of 1 characters or more, got 5"),
        ("search_graph", {"query": "x", "top_k": "5"}, "top_k", 'top_k must be an integer from 1 to 100, got "5"'),
        ("search_graph", {"query": "x", "top_k": 5.5}, "top_k", "got 5.5"),
        ("search_graph", {"query": "x", "top_k": True}, "top_k", "got true"),
        ("search_graph", {"query": "x", "top_k": 101}, "top_k", "from 1 to 100, got 101"),
        ("search_graph", {"query": "x", "min_similarity": True}, "min_similarity", "a number from 0 to 1, got true"),
        ("search_graph", {"query": "x", "include_content": "yes"}, "include_content", "must be true or false"),
        ("search_graph", {"query": "x", "topk": 5}, "topk", "did you mean top_k?"),
        ("search_graph", {"query": "x", "filters": {"johari": []}}, "filters", "did you mean johari_quadrants?"),
        ("search_graph", {"query": "x", "as_of": "soon"}, "as_of", "must be a date-time such as"),
        ("search_graph", {"query": "x", "session_id": "me"}, "session_id", "must be a UUID such as"),
        ("search_graph", {"query": "x", "session_id": None}, "session_id", "leave it out"),
        ("search_graph", {"query": "x", "filters": {"johari_quadrants": ["ajar"]}}, "filters", "johari_quadrants[0]"),
        ("inject_context", {"query": "x" * 4097}, "query", "of 1 to 4096 characters, got"),
        ("inject_context", {"query": "x", "verbosity_level": True}, "verbosity_level", "one of 0, 1, 2, got true"),
        ("store_memory", {"content": "x", "rationale": "short"}, "rationale", "of 10 to 500 characters"),
        ("store_memory", {"rationale": "long enough it is", "data_uri": "x"}, "data_uri", "text that matches ^data:"),
        ("get_health", {"verbose": True}, "verbose", "known: none"),
        ("use_tool", {"name": "get_health", "arguments": []}, "arguments", "must be an object"),
    ],
)
def test_a_wrong_argument_is_told_in_words(memory, tool, arguments, field, says):
    outcome = call(memory, tool, arguments)
    error = outcome.structured["error"]
    assert outcome.is_error and error["code"] == -32602
    assert error["field"] == field
    assert says in error["message"]


def test_what_is_required_is_not_to_be_left_out(memory):
    assert "leave it out" not in refused(memory, "search_graph", query=None)["message"]


def test_all_problems_are_told_at_once(memory):
    message = refused(memory, "inject_context", max_tokens=1, verbosity_level=7, typo=1)["message"]
    assert message.count(";") >= 3 and "query parameter not provided" in message


def test_whole_floats_are_integers(memory):
    assert not call(memory, "search_graph", {"query": "x", "top_k": 5.0}).is_error


def test_arguments_that_are_no_object_are_refused(memory):
    outcome = call(memory, "search_graph", ["query"])  # type: ignore[arg-type]
    assert outcome.is_error and "must be an object" in outcome.structured["error"]["message"]


@several
@pytest.mark.parametrize("name", TOOLS)
def test_valid_arguments_never_break_a_tool(memory, name, examples):
    keep(memory, "Anna plays the clarinet because she loves music.")

    @settings(BOUNDED, max_examples=examples)
    @given(values(find(name).input_schema))
    def valid(arguments):
        outcome = call(memory, name, arguments)
        if outcome.is_error:
            assert error_of(outcome)["code"] != -32603, outcome.texts
        elif name != "use_tool":
            checked(name, arguments, outcome)

    valid()


@several
@pytest.mark.parametrize("name", [name for name in TOOLS if contract()[name]["input_schema"]["properties"]])
def test_a_mutated_argument_is_an_error_with_guidance(memory, name, examples):
    schema = find(name).input_schema

    @settings(BOUNDED, max_examples=examples)
    @given(values(schema), st.data())
    def mutated(arguments, data):
        kinds = {name: resolve(one, schema) for name, one in schema["properties"].items()}
        field = data.draw(
            st.sampled_from(sorted(name for name, one in kinds.items() if "type" in one or "enum" in one))
        )
        wrong = data.draw(st.sampled_from([None, [[]], {"no such key": 1}, -1.5]))
        if kinds[field].get("type") == "object" and isinstance(wrong, dict):
            wrong = "not an object"
        outcome = call(memory, name, arguments | {field: wrong})
        assert outcome.is_error
        error = error_of(outcome)
        assert error["code"] == -32602
        assert field.casefold() in error["message"].casefold() or field in error["hint"]

    mutated()


def test_an_empty_object_is_told_what_it_lacks():
    assert expected({"type": "object", "minProperties": 1}, {}) == "an object with an entry"
    assert expected({"type": "object"}, {}) == "an object"


@pytest.mark.parametrize(
    ("tool", "arguments", "hint"),
    [
        ("inject_context", {}, "What should I know before we start?"),
        ("inject_context", {"query": ""}, "What should I know before we start?"),
        ("store_memory", {"content": "a" * 65_537, "rationale": "too long for one"}, "in parts"),
    ],
)
def test_an_error_says_what_to_do_next(memory, tool, arguments, hint):
    error = call(memory, tool, arguments).structured["error"]
    assert hint in error["hint"]
