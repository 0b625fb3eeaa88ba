"""The first thing a newcomer runs."""

import json
from pathlib import Path

import pytest

from context_graph.cli.ops.quickstart import QUESTIONS

ANSWERS = ("allergic", "late shifts", "Tuesday", "flooded", "26th of September")


@pytest.fixture
def shown(run, tmp_path):
    return run("quickstart", "--source", tmp_path, "--json").json


def test_every_question_is_answered_by_its_first_memory(shown):
    first = [entry["hits"][0]["content"] for entry in shown["questions"]]
    assert len(first) == len(QUESTIONS) == len(ANSWERS)
    for content, answer in zip(first, ANSWERS, strict=True):
        assert answer in content


def test_an_agent_is_given_the_answer_with_its_source(shown):
    assert "mushrooms" in shown["context"]
    assert shown["questions"][0]["hits"][0]["citation"] in shown["context"]


def test_it_ends_with_the_lines_for_each_client(run, tmp_path):
    out = run("quickstart", "--source", tmp_path).out
    assert "built-in tier" in out
    for client in ("Claude Code", "Claude Desktop", "Cursor", "VS Code"):
        assert client in out


def test_the_lines_for_clients_are_valid(shown):
    blocks = [json.loads(text) for text in shown["connect"].values() if text.startswith("{")]
    assert [next(iter(block)) for block in blocks] == ["mcpServers", "mcpServers", "servers"]
    assert all(server["context-graph"]["args"] == ["serve"] for block in blocks for server in block.values())


def test_documents_of_a_checkout_are_read_too(run, tmp_path):
    (tmp_path / "README.md").write_text("# Undo\n\nEvery write has a hash; undo takes it back.\n", encoding="utf-8")
    out = run("quickstart", "--source", tmp_path).out
    assert "1 parts of documents" in out
    assert "How do I undo a write?" in out


def test_the_own_memory_stays_as_it_is(run, home, tmp_path):
    run("quickstart", "--source", tmp_path)
    assert not Path(home).exists()


def test_it_survives_the_absence_of_the_model(run, tmp_path, monkeypatch):
    monkeypatch.delenv("CONTEXT_GRAPH_TIER")
    monkeypatch.setattr("context_graph.embed.embedder.model_file", lambda folder=None: None)
    assert run("quickstart", "--source", tmp_path, "--json").json["tier"] == "base"
