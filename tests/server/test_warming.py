"""What a server does before its client asks anything: it asks its own memory, and leaves no trace of it."""

import time

import pytest

from context_graph.memory import Memory
from context_graph.recall import inject as injecting
from context_graph.server.host import WARMING_QUESTIONS, Host
from context_graph.settings import Settings


@pytest.fixture
def host(tmp_path):
    settings = Settings(home=tmp_path / "home", tier="base")
    with Memory(settings) as memory:
        memory.remember("I moved to Ghent last week.")
        memory.remember("The doctor told my mother to walk more.")
    host = Host(settings)
    yield host
    host.close()


def asked_while_warming(host, monkeypatch):
    asked = []

    def inject(memory, question):
        asked.append(question)
        return original(memory, question)

    original = injecting.inject
    monkeypatch.setattr(injecting, "inject", inject)
    host.warm()
    host._warming.join()
    return asked


def test_what_a_first_question_waits_for_is_read_before_it(host, monkeypatch):
    asked = asked_while_warming(host, monkeypatch)
    assert [question.text for question in asked] == [*WARMING_QUESTIONS]


def test_warming_is_no_asking(host, monkeypatch):
    stamp, state = host.stamp(), host.memory().session(host.memory().caller.session_id).to_dict()
    asked_while_warming(host, monkeypatch)
    host.memory().store.effects.flush()
    assert host.stamp() == stamp and host.memory().session(host.memory().caller.session_id).to_dict() == state


def test_a_client_that_asks_is_not_kept_waiting(host, monkeypatch):
    host.call("search_graph", {"query": "Ghent"})
    assert asked_while_warming(host, monkeypatch) == []


def test_a_server_that_is_left_at_once_ends_at_once(start):
    server = start()
    server.begin()
    server.ask("tools/list")
    time.sleep(0.3)  # in the middle of it
    assert server.leave() == 0 and server.errors() == ""
