"""The language model of the settings, asked in the background about what is stored while the process lives."""

import pytest

from context_graph import Draft, Memory
from context_graph.extraction.proposals import proposals_of
from context_graph.ingest.extracting import EXTRACTED
from context_graph.runtime.tasks import TASKS, task
from tests.endpoints.scripted import FALLBACK, MODEL, ChatService, claim, said
from tests.requirements import requirement

WHY = "worth keeping for later"
OBOE = said(claims=[claim("Ines", "plays", "oboe")])


@pytest.fixture
def service():
    service = ChatService()
    yield service
    service.close()


@pytest.fixture
def opened(service, tmp_path, clock, ids):
    """A memory that has the settings of the service."""
    memories = []

    def opened(**fields) -> Memory:
        settings = service.settings(home=tmp_path / "home", tier="base", **fields)
        memories.append(Memory(settings, clock=clock, ids=ids))
        return memories[-1]

    yield opened
    for memory in memories:
        memory.close()


def tell(memory, text: str) -> str:
    return memory.remember(Draft(text, rationale=WHY)).node.id


def asked_about(service) -> list[str]:
    return [request["messages"][1]["content"].rsplit(") ", 1)[1] for request in service.requests]


@requirement("extractor:in-the-background")
def test_what_is_stored_is_asked_about_afterwards(opened, service):
    memory = opened()
    service.lines = [OBOE]
    id = tell(memory, "Ines: oboe since spring.")
    memory.background.wait()
    assert proposals_of(memory.get(id)).model == MODEL and len(service.requests) == 1
    assert "(proposed by tiny:1b)" in repr(memory.entries("Ines"))
    tell(memory, "The clock stands in the hall.")
    memory.background.wait()
    assert len(service.requests) == 2
    memory.undo()
    assert [node.id for node in memory.list()] == [id]
    assert proposals_of(memory.get(id)) is not None, "undo takes back what the caller wrote, not the background"


@requirement("extractor:in-the-background")
def test_storing_does_not_wait_for_it(opened, service):
    memory = opened(extractor_seconds=20.0)
    service.lines = ["slow"]
    id = tell(memory, "Ines: oboe since spring.")
    assert not service.release.is_set() and proposals_of(memory.get(id)) is None, "it was stored while the model waits"
    service.release.set()
    memory.background.wait()


@requirement("extractor:in-the-background")
def test_what_was_there_before_is_left_to_the_command(opened, service, memory):
    tell(memory, "The pump hums at night.")
    later = opened()
    later.catch_up()
    later.background.wait()
    assert service.requests == []
    tell(later, "The valve hums at night.")
    later.background.wait()
    assert asked_about(service) == ["The valve hums at night."]


@requirement("extractor:in-the-background")
def test_each_round_asks_about_one_and_other_work_comes_between(opened, service):
    memory, order = opened(), []
    texts = ["The pump hums at night.", "The valve hums at night.", "A drill hums at night."]

    def first(body):
        for text in texts[1:]:
            tell(memory, text)
        return FALLBACK

    def second(body):
        memory.background.plan("between", ["x"])
        return FALLBACK

    def third(body):
        order.append("third")
        return FALLBACK

    @task("between")
    def between(memory, round):
        order.append("between")

    try:
        service.lines = [first, second, third]
        tell(memory, texts[0])
        memory.background.wait()
    finally:
        del TASKS["between"]
    assert asked_about(service) == [texts[0], texts[2], texts[1]], "the last stored first"
    assert order == ["between", "third"] and len(memory.store.events(10, type=EXTRACTED)) == 3


@requirement("extractor:in-the-background")
def test_a_model_that_does_not_answer_is_left_alone_for_a_while(opened, service, caplog):
    memory = opened()
    service.lines = [503] * 10
    id = tell(memory, "The pump hums at night.")
    memory.background.wait()
    assert len(service.requests) == 1 and memory.background.is_put_off("extract")
    assert caplog.text.count("did not answer in 1 attempts: status 503") == 1
    tell(memory, "The valve hums at night.")
    memory.background.wait()
    assert len(service.requests) == 1 and memory.store.events(10, type=EXTRACTED) == []
    assert memory.get(id).metadata == {}


@requirement("extractor:off-by-default")
@pytest.mark.parametrize("fields", [{"extractor_url": None}, {"extractor_model": None}])
def test_without_both_settings_nothing_is_planned(opened, service, fields, caplog):
    memory = opened(**fields)
    tell(memory, "The pump hums at night.")
    memory.background.wait()
    assert service.requests == [] and not memory.background.is_put_off("extract") and "extract" not in caplog.text


@requirement("extractor:in-the-background")
def test_a_command_that_ends_soon_asks_nothing(opened, service):
    memory = opened()
    memory.background.short = True
    tell(memory, "The pump hums at night.")
    memory.background.wait()
    assert service.requests == []
