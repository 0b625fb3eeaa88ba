"""Whatever is sent: a clear answer, a server that lives, a store that did not change."""

import json
import math

import pytest
from hostile import TEXTS, VALUES, named
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from context_graph import Memory
from context_graph.errors import InvalidInput
from context_graph.server.dispatch import call
from context_graph.settings import Settings
from context_graph.tools import all_tools, find
from tests.tools.contract import contract, error_of

TOOLS = [tool.name for tool in all_tools()]
FIELDS = [(tool.name, field) for tool in all_tools() for field in tool.input_schema.get("properties", {})]
UNKNOWN = "7e57ab1e-0000-4000-8000-000000000000"
OF_NO_STORE = {
    "get_system_instructions", "get_health", "get_graph_manifest", "use_tool", "check_adversarial",
    "get_neuromodulation", "temporary_scratchpad", "kg_health", "kg_health_check",
}  # fmt: skip
"""What answers without the database."""

BESIDE = {("annotate_node", "reference_node_id"): {"annotation_type": "reference"}}
"""What an argument is taken with."""

VALID = {
    "create_cerebrum_model": {"name": "m", "model_type": "case_based"},
    "add_case": {"case_id": "c1", "features": {"x": 1}},
    "reason_with_cases": {"query_features": {"x": 1}},
    "bayesian_inference": {"network_name": "m", "query": {"x": None}},
    "visualize_model": {"model_type": "cases", "model_name": "m"},
    "transform_model": {"model_name": "m", "transformation": "adapt_to_case", "case_id": "c1"},
    "debug_compare_retrieval": {"query": "Anna"},
    "expand_causal_path": {"start_concept": "Anna", "end_concept": "clarinet"},
    "find_causal_path": {"start_concept": "Anna", "end_concept": "clarinet"},
    "query_causal": {"action": "Anna"},
    "omni_infer": {"query": "Anna"},
    "reflect_on_memory": {"goal": "find out what Anna plays"},
    "generate_search_plan": {"goal": "find what Anna plays"},
    "store_memory": {"content": "Anna plays the clarinet.", "rationale": "a hobby of a friend"},
    "search_graph": {"query": "clarinet"},
    "inject_context": {"query": "clarinet"},
    "forget_concept": {"reason": "user_requested"},
    "restore_from_hash": {"reversal_hash": "0123456789abcdef"},
    "hydrate_citation": {"citation_tags": ["[node_0123456789]"]},
    "use_tool": {"name": "get_health"},
    "search_tombstones": {"query": "clarinet"},
    "annotate_node": {"annotation": "as Tom says"},
    "merge_concepts": {"source_node_ids": [UNKNOWN, UNKNOWN[:-1] + "1"], "target_name": "the clarinet"},
    "critique_context": {"reasoning_summary": "Anna never plays the clarinet in the band."},
    "get_steering_feedback": {"content": "Anna plays the oboe."},
    "temporary_scratchpad": {"action": "retrieve", "session_id": UNKNOWN, "agent_id": "tester"},
    "check_adversarial": {"content": "Anna plays the oboe."},
    "utl_status": {"session_id": UNKNOWN},
    "kg_agent_spawn": {"type": "researcher", "task": "find what Anna plays"},
    "kg_graph_query": {"query": "clarinet"},
    "kg_search_nodes": {"query": "clarinet"},
    "kg_search_tags": {"tags": ["music"]},
    "kg_vector_search": {"query": "clarinet", "vector": [0.5] * 1536},
    "kg_vector_upsert": {"id": "anna", "vector": [0.5] * 1536},
    "kg_workflow_start": {"workflowId": "analysis"},
}
BOUNDED = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@pytest.fixture
def memory(tmp_path):
    (tmp_path / "project" / "docs").mkdir(parents=True)
    (tmp_path / "project" / "docs" / "home.md").write_text("# Home\n", "utf-8")
    settings = Settings(home=tmp_path / "home", tier="base", project=tmp_path / "project")
    with Memory(settings, session_id="5e551011-0000-4000-8000-000000000001") as memory:
        call(memory, "store_memory", VALID["store_memory"])
        yield memory


def base_of(memory, tool: str) -> dict:
    """Arguments that the tool takes."""
    node = next(iter(memory.store.memories())).id
    given = dict(VALID.get(tool, {}))
    properties = find(tool).input_schema.get("properties", {})
    return given | ({"node_id": node} if "node_id" in properties else {})


def written(memory) -> list:
    """Everything that is kept, but for what reading leaves behind; what an earlier call began is done."""
    memory.background.wait()
    memory.store.effects.flush()
    rows = memory.store._rows("SELECT seq, hash FROM events WHERE type <> 'effects'")
    nodes = memory.store._rows("SELECT id, content, state, metadata, rationale FROM nodes ORDER BY id")
    return [rows, nodes, memory.store._rows("SELECT id FROM edges ORDER BY id")]


def judged(memory, tool: str, arguments: object) -> bool:
    """Call a tool; a refusal is typed, in words and changes nothing. Returns whether it was refused."""
    before = written(memory)
    outcome = call(memory, tool, arguments)
    json.dumps(outcome.structured, allow_nan=False)
    for text in outcome.texts:
        assert "Traceback" not in text
    if outcome.is_error:
        error = error_of(outcome)
        assert error["code"] != -32603, error
        assert len(error["message"]) > 15 and len(error["message"]) < 4_000, "short enough to read, long enough to help"
        assert written(memory) == before, (tool, error)
    return outcome.is_error


def allowed(schema: dict, arguments: object) -> bool:
    return Draft202012Validator(schema).is_valid(arguments)


@pytest.mark.parametrize(("tool", "field"), FIELDS)
def test_no_hostile_value_of_an_argument_breaks_a_tool_or_passes_the_contract(memory, tool, field):
    """A third of the values, another third for the next argument."""
    first = FIELDS.index((tool, field)) % 3
    try_values(memory, tool, field, VALUES[first::3])


@pytest.mark.long
@pytest.mark.parametrize("tool", TOOLS)
def test_no_hostile_value_of_any_argument_of_a_tool_does(memory, tool):
    for field in find(tool).input_schema.get("properties", {}):
        try_values(memory, tool, field, VALUES)


def try_values(memory, tool: str, field: str, values: list) -> None:
    base, schema = base_of(memory, tool), find(tool).input_schema
    for value in values:
        arguments = base | {field: value}
        refused = judged(memory, tool, arguments)
        if not refused:
            assert allowed(schema, arguments), f"{tool}.{field} took {named(value)}"
    assert memory.store.verify().ok


@pytest.mark.parametrize("tool", TOOLS)
def test_arguments_that_are_no_object_or_have_odd_names_are_refused(memory, tool):
    for arguments in ([], "x", 7, True, 1.5, [{}], {"": 1}, {"\x00": 1}, {"\ud800": 1}):
        assert judged(memory, tool, arguments), named(arguments)


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("examples", [10, pytest.param(50, marks=pytest.mark.long)])
def test_what_the_contract_forbids_is_refused(memory, tool, examples):
    """Any mixture of known and unknown names with any JSON: 0 malformed accepted, 0 crashes."""
    base, schema = base_of(memory, tool), contract()[tool]["input_schema"]
    ours = find(tool).input_schema
    names = st.sampled_from(sorted(ours.get("properties", {})) or ["x"]) | st.text(max_size=6)

    @settings(BOUNDED, max_examples=examples)
    @given(st.dictionaries(names, ANY_JSON, max_size=3), st.booleans())
    def any_arguments(given, on_top):
        arguments = base | given if on_top else given
        refused = judged(memory, tool, arguments)
        if set(arguments) <= set(schema.get("properties", {})) and not allowed(schema, arguments):
            assert refused, arguments
        if not allowed(ours, arguments):
            assert refused, arguments

    any_arguments()


def test_two_aliases_that_contradict_each_other_are_refused(memory):
    for pair in ({"top_k": 3, "topK": 4}, {"min_similarity": 0.1, "minSimilarity": 0.2}):
        error = call(memory, "search_graph", {"query": "x"} | pair).structured["error"]
        assert error["code"] == -32602 and "different values" in error["message"]
    assert not call(memory, "search_graph", {"query": "x", "top_k": 3, "topK": 3}).is_error


@pytest.mark.parametrize("tool", TOOLS)
def test_a_closed_database_is_told(memory, tool):
    arguments = base_of(memory, tool)
    memory.close()
    outcome = call(memory, tool, arguments)
    if outcome.is_error:
        assert error_of(outcome)["code"] in ("STORE_ERROR", -32602), outcome.structured
        assert "closed" in error_of(outcome)["message"]
    else:
        assert tool in OF_NO_STORE, tool


@pytest.mark.parametrize("text", TEXTS, ids=named)
def test_a_hostile_text_is_stored_cleanly_or_refused(memory, text):
    """What is stored can be found, exported and read back: nothing in it is lost but what no file can hold."""
    from context_graph.connectors.jsonl.exporter import export

    arguments = {"content": f"Anna said: {text}", "rationale": f"because {text}"[:500]}
    if judged(memory, "store_memory", arguments):
        return
    node = list(memory.store.memories())[-1]
    node.content.encode()
    assert "\x00" not in node.content
    assert all(json.loads(line) for line in export(memory))
    assert not judged(memory, "inject_context", {"query": "What did Anna say?"})
    assert memory.store.verify().ok


@pytest.mark.parametrize("value", [value for value in VALUES if not isinstance(value, str)], ids=named)
def test_hostile_metadata_is_kept_exactly_or_refused(memory, value):
    arguments = {"content": "Bo likes rain.", "rationale": "a test of metadata", "metadata": {"value": value}}
    if judged(memory, "store_memory", arguments):
        assert not finite(value) or named(value).startswith("["), named(value)
        return
    kept = ["\ufffd"] if value in (["\ud800"], ["\x00"]) else value  # what no file can hold
    assert list(memory.store.memories())[-1].metadata["value"] == kept


def finite(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def test_an_unknown_id_is_told_by_every_tool_that_takes_one(memory):
    for tool, field in FIELDS:
        if find(tool).input_schema["properties"][field].get("format") == "uuid" and "session" not in field:
            arguments = base_of(memory, tool) | BESIDE.get((tool, field), {}) | {field: UNKNOWN}
            error = call(memory, tool, arguments).structured.get("error")
            assert error is not None and UNKNOWN in error["message"], (tool, field)


@pytest.mark.parametrize("bad", [{"content": "x" * 70_000}, {"content": ""}, {"content": " \n\t"}])
def test_a_draft_that_cannot_be_kept_is_refused(memory, bad):
    from context_graph import Draft

    before = written(memory)
    with pytest.raises(InvalidInput):
        memory.remember(Draft(rationale="needed by a test", **bad))
    assert written(memory) == before
