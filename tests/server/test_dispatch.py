"""Outcomes without a transport: defects, broken stores, sizes."""

import json
from dataclasses import replace

import pytest

from context_graph.errors import ToolNotFound
from context_graph.memory import Memory
from context_graph.presentation.pulse import RESTING
from context_graph.server.dispatch import Outcome, call, failed
from context_graph.server.host import Host
from context_graph.server.wire import LINE_BYTES, result_of
from context_graph.settings import Settings
from context_graph.tools import find, registry


@pytest.fixture
def memory(tmp_path):
    with Memory(Settings(home=tmp_path / "home", tier="base")) as memory:
        yield memory


def test_an_unknown_tool_raises_with_a_guess(memory):
    with pytest.raises(ToolNotFound, match="Unknown tool: get_helth; did you mean get_health"):
        call(memory, "get_helth")


@pytest.mark.parametrize(
    ("name", "meant"),
    [("add_memory", "store_memory"), ("search_memory", "search_graph"), ("searchMemories", "search_graph"),
     ("delete_memory", "forget_concept"), ("recall", "inject_context"), ("search_nodes", "kg_search_nodes")],
)  # fmt: skip
def test_what_other_memories_call_their_tools_is_told_by_what_it_does(memory, name, meant):
    with pytest.raises(ToolNotFound, match=f"did you mean {meant}"):
        call(memory, name)


def test_a_defect_is_answered_with_an_id_and_logged_with_its_traceback(memory, monkeypatch, caplog):
    def broken(memory, args, caller):
        raise ZeroDivisionError("secret detail")

    monkeypatch.setitem(registry._TOOLS, "get_health", replace(find("get_health"), function=broken))
    outcome = call(memory, "get_health")
    error = outcome.structured["error"]
    assert outcome.is_error and error["code"] == -32603
    assert "secret detail" not in str(outcome) and "Traceback" not in str(outcome)
    incident = error["message"].split("incident ")[1]
    assert incident in caplog.text and "secret detail" in caplog.text
    assert outcome.structured["pulse"]["suggested"] == "continue"


def test_a_store_that_cannot_be_opened_is_an_answer(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "graph.sqlite3").write_bytes(b"this is no database, it is a sentence of some length" * 50)
    outcome = Host(Settings(home=home, tier="base")).call("get_health", {})
    assert outcome.is_error and outcome.structured["error"]["code"] == "STORE_CORRUPT"
    assert outcome.structured["pulse"] == RESTING.values()


def test_a_closed_host_says_so(tmp_path):
    host = Host(Settings(home=tmp_path / "home", tier="base"))
    assert not host.call("get_health", {}).is_error
    host.close()
    host.close()
    assert "shutting down" in host.call("get_health", {}).texts[1]


def outcome_of(size):
    values = {"context": "\u0001é\n" * size, "pulse": RESTING.values()}
    return Outcome(values, (RESTING.line(), json.dumps(values, ensure_ascii=False), "a note"), False)


@pytest.mark.parametrize("size", [1, 1_000, 2_000, 3_000, 4_000, 5_000, 100_000])
def test_a_result_always_fits_in_a_line(size):
    outcome = outcome_of(size)
    result = result_of(outcome)
    assert len(json.dumps(result, ensure_ascii=False).encode()) < LINE_BYTES
    if result["isError"]:
        assert size == 100_000 and result["structuredContent"]["error"]["code"] == "ANSWER_TOO_LONG"
    else:
        assert result["structuredContent"] == outcome.structured
        assert result["content"][2]["text"] == "a note"


def test_a_failure_keeps_the_pulse():
    outcome = failed({"code": "X", "message": "it broke", "hint": "mend it", "retryable": False})
    assert outcome.texts == (RESTING.line(), "Error: it broke\nmend it")
