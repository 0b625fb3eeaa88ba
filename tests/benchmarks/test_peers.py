"""Memory servers of others in the harness: the client of their pipes, what they find, and one that is missing."""

import json
import os
import sys
from pkgutil import resolve_name
from typing import ClassVar
from unittest.mock import patch

import pytest

from benchmarks.environments import Unavailable, node_packages, python_with
from benchmarks.quality import beam, peers, truth, truth_ablation
from benchmarks.quality.peers.peer import Match, Peer
from benchmarks.quality.peers.server_memory import VERSION, ServerMemory, ServerMemoryByWords
from benchmarks.quality.peers.stdio import StdioServer

UPDATE = {
    "id": "u1", "kind": "replaced", "question": "Where do I live now?", "asked_at": "2026-05-20T10:00:00Z",
    "memories": [
        {"text": "I live in Graz.", "at": "2026-03-01T10:00:00Z"},
        {"text": "I moved to Linz, where I live now.", "at": "2026-05-01T10:00:00Z"},
    ],
    "current": [1], "stale": [0], "others": [], "answers": ["Linz"], "stale_answers": ["Graz"],
}  # fmt: skip


class Ourselves(Peer):
    """Our own server over its pipes, as a peer."""

    package: ClassVar[str] = "context_graph of this checkout"
    way: ClassVar[str] = "store_memory and search_graph"

    def command(self):
        return [sys.executable, "-m", "context_graph.server"]

    def variables(self):
        paths = os.pathsep.join(path for path in sys.path if path)
        return {"CONTEXT_GRAPH_HOME": str(self.folder / "home"), "CONTEXT_GRAPH_TIER": "base", "PYTHONPATH": paths}

    def store(self, text):
        said = self.server.call("store_memory", {"content": text, "rationale": "told in a conversation"})
        return said["structuredContent"]["node_id"]

    def search(self, question, limit):
        asked = {"query": question, "top_k": limit, "include_content": True}
        results = self.server.call("search_graph", asked)["structuredContent"]["results"]
        return [Match(hit["node_id"], hit["content"]) for hit in results]

    def stored(self, key):
        raise NotImplementedError


class Missing(Ourselves):
    def command(self):
        raise Unavailable("needs a machine of tomorrow")


@pytest.fixture
def ourselves(monkeypatch):
    for name, peer in (("ourselves", Ourselves), ("missing", Missing)):
        monkeypatch.setitem(peers.PEERS, name, peer)


@pytest.fixture
def data(tmp_path):
    (tmp_path / "updates.jsonl").write_text(json.dumps(UPDATE) + "\n", "utf-8")
    return tmp_path


def test_a_server_is_asked_through_its_own_tools_an_empty_store_an_item(ourselves, data):
    with truth.systems("ourselves") as opened:
        (row,) = truth.updates(opened, truth.read(data, "updates"))
        assert row["id"] == "u1" and row["told"] and row["ranked"]
        with opened(None) as empty:
            assert empty.search(UPDATE["question"]) == [] and empty.context(UPDATE["question"]) == ""


def test_a_server_that_is_missing_is_named_and_has_no_figures(ourselves, data):
    outcome, rows = truth.measured("missing", data, ["updates"], None)
    assert outcome == {"not measured": "needs a machine of tomorrow"} and rows == []


def test_a_failing_tool_and_a_server_that_ends_are_errors_with_its_words(tmp_path):
    peer = Ourselves(tmp_path)
    peer.clear()
    with pytest.raises(RuntimeError, match="expected exactly one of content"):
        peer.server.call("store_memory", {"rationale": "it was told"})
    peer.close()
    dying = "import sys; print('no disk left', file=sys.stderr)"
    with pytest.raises(RuntimeError, match="no disk left"):
        StdioServer([sys.executable, "-c", dying], dict(os.environ), tmp_path / "log")


@pytest.mark.parametrize(("peer", "found"), [(ServerMemory, []), (ServerMemoryByWords, ["#00001"])])
def test_the_official_server_finds_words_but_no_question(peer, found, tmp_path):
    try:
        node_packages(f"@modelcontextprotocol/server-memory@{VERSION}")
    except Unavailable as missing:
        pytest.skip(str(missing))
    server = peer(tmp_path)
    server.clear()
    keys = [server.store(text) for text in ("The choir meets on Mondays.", "The garden is open on Fridays.")]
    assert [match.key for match in server.search("When is the garden open?", 5)] == found
    assert server.stored(keys[0]) == "The choir meets on Mondays."
    assert [match.text for match in server.search("meets", 5)] == ["The choir meets on Mondays."]
    server.close()


def test_a_python_that_cannot_do_what_is_needed_is_not_taken(tmp_path, monkeypatch):
    monkeypatch.setenv("CG_TEST_CACHE", str(tmp_path))
    with pytest.raises(Unavailable, match="able to run 'import no_such_module'"):
        python_with("pip", versions=("3.11", "3.12"), needs="import no_such_module")


def test_of_a_long_result_its_beginning_is_the_context():
    long = "word " * beam.TOKENS * 2
    first, *others = beam._first_tokens(["the answer is Linz", long, "never reached"])
    assert first == "the answer is Linz"
    assert len(others) == 1 and 0 < len(others[0]) < len(long) * 0.6


@pytest.mark.parametrize("mechanism", truth_ablation.MECHANISMS, ids=lambda mechanism: mechanism.name)
def test_each_mechanism_that_is_turned_off_is_there(mechanism):
    for place, nothing in mechanism.off.items():
        before = resolve_name(place)
        with patch(place, nothing):  # raises where nothing stands there
            assert resolve_name(place) is nothing
        assert resolve_name(place) is before is not nothing


def test_changes_are_paired_and_counted_over_items():
    def rows(shares):
        return [
            {"set": "profile", "kind": "profile", "id": f"p{i // 2}/{i}", "recall": s, "noise": 0.0, "empty": False}
            for i, s in enumerate(shares)
        ]

    table = truth_ablation.changes(rows([1.0, 1.0, 0.0, 1.0]), rows([1.0, 0.0, 0.0, 0.0]))
    value, change, low, high = table["profile, recall"]
    assert (value, change, low, high) == (25.0, -50.0, -50.0, -50.0)
    assert table["profile, noise"] == [0.0, 0.0, 0.0, 0.0]
