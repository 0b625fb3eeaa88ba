"""`context-graph model`: listed, shown, removed, brought back, deleted for good."""

import json

from tests.requirements import requirement


def made(run, name="quality"):
    config = {"features": {"lines": {"type": "number", "weight": 2}}, "k": 3}
    arguments = {"name": name, "model_type": "case_based", "config": config}
    assert run("call", "create_cerebrum_model", json.dumps(arguments)).code == 0
    case = {"case_id": "c1", "features": {"lines": 50}, "outcome": "approved", "model": name}
    assert run("call", "add_case", json.dumps(case)).code == 0


@requirement("cases:models-are-records")
def test_a_model_is_listed_shown_removed_and_brought_back(run):
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


def test_what_is_misused_is_told(run):
    for arguments, says in (
        (("rm",), "needs the name"), (("list", "x"), "takes no name"), (("show", "none"), "Model not found: 'none'"),
        (("list", "--permanently"), "belongs to rm"),
    ):  # fmt: skip
        answer = run("model", *arguments)
        assert answer.code != 0 and says in answer.err
