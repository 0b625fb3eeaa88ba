"""`context-graph model`: listed, shown, removed, brought back, deleted for good; memories taken as its cases."""

import json

import pytest

from tests.requirements import requirement


def made(run, name="quality"):
    config = {"features": {"lines": {"type": "number", "weight": 2}}, "k": 3}
    arguments = {"name": name, "model_type": "case_based", "config": config}
    assert run("call", "create_cerebrum_model", json.dumps(arguments)).code == 0
    case = {"case_id": "c1", "features": {"lines": 50}, "outcome": "approved", "model": name}
    assert run("call", "add_case", json.dumps(case)).code == 0


@requirement("cases:models-are-records")
def test_a_model_is_listed_shown_removed_and_brought_back(run, empty):
    assert run("model", "list").out.strip() == "there are no models"
    made(run)
    assert run("model", "list").out.strip() == "quality  case_based, 0 steps"
    shown = run("model", "show", "quality", "--json").json
    assert shown["cases"] == 1 and shown["data"]["cases"]["k"] == 3
    assert shown["features"] == {"lines": {"type": "number", "weight": 2.0}}
    removed = run("model", "rm", "quality", "--json").json
    assert run("model", "list", "--json").json == []
    assert run("undo", removed["undo_hash"]).code == 0
    assert [one["name"] for one in run("model", "list", "--json").json] == ["quality"]
    assert run("verify").code == 0


@requirement("cases:models-are-records")
def test_a_model_is_deleted_for_good(run):
    made(run)
    assert "for good" in run("model", "rm", "quality", "--permanently").out
    assert run("model", "list", "--json").json == []
    assert run("verify").code == 0
    made_again = {"name": "quality", "model_type": "case_based"}
    assert run("call", "create_cerebrum_model", json.dumps(made_again)).code == 0


@pytest.mark.parametrize("file", [None, "model.onnx"])
def test_the_model_that_reads_is_named_and_not_the_setting(run, monkeypatch, file):
    monkeypatch.setenv("CONTEXT_GRAPH_TIER", "auto")
    monkeypatch.setattr("context_graph.embed.minilm.model_file", lambda: file)
    name = "minilm" if file else "base"
    assert f"reads      {name}, the setting tier being auto" in run("model", "show").out
    assert run("model", "show", "--json").json["reads"] == name


def test_what_is_misused_is_told(run, empty):
    for arguments, says in (
        (("rm",), "needs the name"), (("list", "x"), "takes no name"), (("show", "none"), "Model not found: 'none'"),
        (("list", "--permanently"), "belongs to rm"), (("take",), "needs the name"),
        (("rm", "x", "--yes"), "--yes belong to take"), (("list", "--from", "tag:x"), "--from belong to take"),
    ):  # fmt: skip
        answer = run("model", *arguments)
        assert answer.code != 0 and says in answer.err


TAKE = (
    "take", "outages", "--from", "tag:incident", "--feature", "service=word:billing|search", "--feature",
    "minutes=number:minutes", "--outcome", "word:rollback|restart",
)  # fmt: skip
INCIDENTS = (
    "Billing was down for 40 minutes after a bad deploy; a rollback helped.",
    "Search answered slowly for 90 minutes: the cache was full. A restart helped.",
    "The login page was slow today, nobody knows why.",
)


def incidents(run):
    features = {"service": "categorical", "minutes": "number"}
    arguments = {"name": "outages", "model_type": "case_based", "config": {"features": features}}
    assert run("call", "create_cerebrum_model", json.dumps(arguments)).code == 0
    for text in INCIDENTS:
        given = {"content": text, "rationale": "a report of an incident", "metadata": {"tags": ["incident"]}}
        assert run("call", "store_memory", json.dumps(given)).code == 0


@requirement("cases:memories-become-cases")
def test_memories_are_shown_first_and_taken_with_yes(run):
    incidents(run)
    shown = run("model", *TAKE).out.splitlines()
    assert shown[0] == "2 of 3 memories would become cases of outages"
    assert shown[1].startswith("[node_") and shown[1].endswith(INCIDENTS[0])
    assert shown[2:5] == [
        "  service = \"billing\"  (word:billing|search, 'Billing')",
        "  minutes = 40  (number:minutes, '40 minutes')",
        "  outcome = \"rollback\"  (word:rollback|restart, 'rollback')",
    ]
    assert shown[-2:] == ["  left out: no feature is in it", "nothing was stored; the same with --yes stores them"]
    assert run("model", "show", "outages", "--json").json["cases"] == 0
    taken = run("model", *TAKE, "--yes", "--json").json
    assert taken["stored"] is True and len(taken["cases"]) == 2 and taken["quarantined"] == 0
    assert run("model", "show", "outages", "--json").json["cases"] == 2
    again = run("model", *TAKE, "--yes")
    assert again.code == 1 and "2 of 2 memories are taken already" in again.err and again.err.count("\n") == 1
    assert "taken already as case node_" in run("model", *TAKE).out
    assert "all that could be cases are taken already" in run("model", *TAKE, "--yes", "--on-conflict", "skip").out
    assert "takes the place of case node_" in run("model", *TAKE, "--on-conflict", "update").out
    assert run("undo", taken["undo_hash"]).code == 0
    assert run("model", "show", "outages", "--json").json["cases"] == 0
    assert run("verify").code == 0


def test_a_take_that_says_too_little_or_too_much_is_told(run):
    incidents(run)
    for arguments, says in (
        (TAKE[:2], "--feature NAME=SOURCE for at least one feature"),
        ((*TAKE[:2], "--feature", "service"), "got 'service'"),
        ((*TAKE, "--feature", "minutes=date"), "one --feature of each name"),
        ((*TAKE[:2], "--feature", "minutes=date"), "expected which memories to take"),
        ((*TAKE, "--from", "colour:red"), "got 'colour:red'"),
        ((*TAKE, "--from", "scope:user", "--from", "scope:session"), "expected one scope, got 2"),
        ((*TAKE, "--from", "scope:moon"), "scope must be one of user, session, context"),
        ((*TAKE, "--from", "since:never"), "since"),
        (("take", "none", *TAKE[2:]), "Model not found: 'none'"),
    ):
        answer = run("model", *arguments)
        assert answer.code != 0 and says in answer.err and answer.err.count("\n") == 1, answer.err
