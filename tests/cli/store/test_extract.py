"""`context-graph extract`: the model of the settings is asked, and what it proposes is told."""

import pytest

from tests.endpoints.scripted import MODEL, ChatService, claim, said
from tests.requirements import requirement

TEXT = "Anna's clarinet: bought in Graz, now with her uncle Bertram (Berti)."
ANSWER = said(
    claims=[claim("Anna's clarinet", "is with", "uncle Bertram"), claim("Anna", "live in", "Vienna")],
    aliases=[{"name": "Bertram", "alias": "Berti"}],
)


@pytest.fixture
def service(home, monkeypatch):
    service = ChatService()
    monkeypatch.setenv("CONTEXT_GRAPH_EXTRACTOR_URL", service.url)
    monkeypatch.setenv("CONTEXT_GRAPH_EXTRACTOR_MODEL", MODEL)
    yield service
    service.close()


@requirement("extractor:off-by-default")
def test_without_a_model_it_says_how_one_is_set(run, empty):
    ran = run("extract")
    assert ran.code == 1 and "set extractor_url and extractor_model" in ran.err and ran.err.count("\n") == 1


def test_it_tells_what_is_proposed_and_how_it_is_undone(run, service):
    run("remember", TEXT)
    service.lines = [ANSWER, ANSWER]
    dry = run("extract", "--dry-run")
    assert "  Anna's clarinet, be with: uncle Bertram\n  Bertram, also Berti\n  (dropped: 1 foreign words)" in dry.out
    assert "takes it back" not in dry.out
    (one,) = run("extract", "--json").json["memories"]
    assert one["claims"] == [{"subject": "Anna's clarinet", "relation": "be with", "object": "uncle Bertram"}]
    assert one["dropped"] == {"foreign words": 1} and one["times"] == [] and one["problem"] is None
    assert "_proposed" in str(run("inspect", one["node_id"], "--json").json["metadata"])
    told = run("inspect", one["node_id"]).out
    assert f"proposed by {MODEL}\n  Anna's clarinet, be with: uncle Bertram\n  Bertram, also Berti\n" in told
    assert f"be with: uncle Bertram (proposed by {MODEL})" in run("facts", "Anna's clarinet").out
    assert run("extract").out == f"nothing is left open that {MODEL} was not asked\n"
    assert run("undo", one["undo"]).code == 0
    assert "_proposed" not in str(run("inspect", one["node_id"], "--json").json["metadata"])
    assert len(service.requests) == 2


def test_a_model_that_is_away_is_told_in_one_line(run, service):
    run("remember", TEXT)
    service.lines = [401]
    ran = run("extract")
    assert ran.code == 1 and "refused with status 401" in ran.err and ran.err.count("\n") == 1 and not ran.out
    service.lines = [ANSWER, 401]
    run("remember", "The valve hums at night.")
    ran = run("extract")
    assert ran.code == 1 and "refused with status 401" in ran.err and "no answer" in ran.out
    assert run("extract", "--json").json["memories"][0]["problem"] is None
