"""A store whose model changes answers as well as before while it is embedded anew."""

import shutil
from contextlib import suppress

import pytest

from context_graph.embed.minilm import model_file
from context_graph.index.loader import behind
from context_graph.ingest.draft import Draft
from context_graph.ingest.forget import forget
from context_graph.ingest.renewal import renew
from context_graph.memory import Memory
from context_graph.recall.question import Question
from context_graph.server.dispatch import call
from context_graph.settings import Settings
from tests.requirements import requirement

pytestmark = pytest.mark.skipif(model_file() is None, reason="the minilm extra is not installed")

TEXTS = (
    "Anna plays the clarinet in the town orchestra.", "The rent of the flat is due on the third of May.",
    "Bob repairs old bicycles in his garage.", "The pump in the cellar moves forty litres of brine an hour.",
    "Clara sells blue tiles at the harbour market.", "The lighthouse lamp is lit at dusk by Mira.",
    "Dora collects lamps of brass from old ships.", "We deploy with Ansible from the release branch.",
)  # fmt: skip
QUESTIONS = (
    "Who repairs bicycles?", "When is the rent due?", "How do we deploy?", "Which instrument does Anna play?",
    "What moves brine?", "Who lights the lamp?",
)  # fmt: skip


@pytest.fixture
def home(tmp_path):
    with Memory(Settings(home=tmp_path / "home", tier="base")) as memory:
        for text in TEXTS:
            memory.remember(Draft(text, "worth keeping", session_id="s"))
    return tmp_path / "home"


def opened(home, *, short: bool = True, **settings) -> Memory:
    """With `short`, as a command opens it: nothing is embedded beside what is asked."""
    memory = Memory(Settings(home=home, **({"tier": "minilm"} | settings)))
    memory.background.short = short
    return memory


def answers(memory, ask=QUESTIONS) -> list[list[tuple[str, float]]]:
    """What each question finds, with relevances."""
    found = (memory.recall(Question(question, record=False, top_k=3)).hits for question in ask)
    return [[(hit.node.content, round(hit.relevance, 3)) for hit in hits] for hits in found]


def of_base(home) -> list[list[tuple[str, float]]]:
    with opened(home, tier="base") as memory:
        return answers(memory)


def by_model(memory) -> int:
    return len(TEXTS) - len(behind(memory.store, memory.model.makers))


@requirement("embedding:change-of-models")
def test_a_store_of_the_base_tier_answers_as_before_until_it_is_embedded(home):
    before = of_base(home)
    with opened(home) as memory:
        assert answers(memory) == before
        for count in (2, 5):
            assert renew(memory, behind(memory.store, memory.model.makers)[: count - by_model(memory)])
            assert by_model(memory) == count and answers(memory) == before
            with opened(home) as later:  # which never met the vectors that were replaced
                assert answers(later) == before and later.embedder.tier == "base"
        renew(memory, behind(memory.store, memory.model.makers))
        memory.renewed()
        assert memory.embedder is memory.model and not memory.notices()
        after = answers(memory)
        assert [hits[0][0] for hits in after] == [hits[0][0] for hits in before] and after != before
        assert memory.store.verify().ok
    with opened(home) as memory:
        assert memory.embedder is memory.model and answers(memory) == after


@requirement("embedding:change-of-models")
def test_a_server_embeds_it_in_the_background_and_what_is_stored_meanwhile_too(home):
    with opened(home, short=False) as memory:
        memory.remember(Draft("Edda keeps bees behind the mill.", "a hobby"))
        assert memory.recall(Question("Who keeps bees?")).hits[0].relevance > 0.5
        memory.background.wait()
        assert memory.embedder is memory.model and not behind(memory.store, memory.model.makers)
        assert "bees" in answers(memory, ["Who looks after insects?"])[0][0][0]


@requirement("embedding:change-of-models")
def test_going_back_to_the_base_tier_finds_all_and_leaves_the_better_vectors(home):
    before = of_base(home)
    with opened(home) as memory:
        renew(memory, behind(memory.store, memory.model.makers))
    assert of_base(home) == before
    with opened(home, tier="base") as memory:
        memory.remember(Draft("Edda keeps bees behind the mill.", "a hobby"))
        forget(memory, memory.recall(Question("clarinet")).hits[0].node.id, "user_requested", soft=False)
        assert "bees" in answers(memory, ["Who keeps bees?"])[0][0][0]
    with opened(home) as memory:
        assert len(behind(memory.store, memory.model.makers, main=True)) <= 2


@requirement("embedding:change-of-models")
@pytest.mark.long
def test_another_model_of_ones_own_is_a_change_too(home, tmp_path):
    own = tmp_path / "my-model"
    own.mkdir()
    shutil.copy(model_file(), own / "model.onnx")
    before = of_base(home)
    with opened(home) as memory:
        renew(memory, behind(memory.store, memory.model.makers))
    with opened(home, model_folder=own) as memory:
        assert memory.embedder.tier == "base" and answers(memory) == before
        renew(memory, behind(memory.store, memory.model.makers))
        memory.renewed()
        assert memory.embedder is memory.model
        assert [hits[0][0] for hits in answers(memory)] == [hits[0][0] for hits in before]


@requirement("embedding:change-of-models")
def test_two_processes_embed_one_store_and_both_change_over(home):
    with opened(home, short=False) as one, opened(home, short=False) as other:
        answers(one)
        answers(other)
        one.background.wait()
        other.background.wait()
        assert one.embedder is one.model and other.embedder is other.model
        assert answers(one) == answers(other)
        written = [event for event in one.store.events(100) if event.type == "embedded"]
        assert len(written) <= 2  # none twice, but for what both had begun


@requirement("embedding:change-of-models")
def test_an_interruption_loses_what_is_not_written_and_no_more(home, monkeypatch):
    before = of_base(home)
    with opened(home) as memory:
        embed, calls = memory.model.fingerprint, []

        def interrupted(*arguments, **named):
            calls.append(1)
            if len(calls) > 3:
                raise KeyboardInterrupt
            return embed(*arguments, **named)

        left = behind(memory.store, memory.model.makers)
        renew(memory, left[:2])
        monkeypatch.setattr(memory.model, "fingerprint", interrupted)
        with suppress(KeyboardInterrupt):
            renew(memory, left)
        assert by_model(memory) == 2 and answers(memory) == before
    with opened(home) as memory:
        assert by_model(memory) == 2 and answers(memory) == before
        renew(memory, behind(memory.store, memory.model.makers))
        assert by_model(memory) == len(TEXTS)


@requirement("embedding:change-of-models")
def test_what_a_process_of_the_base_tier_stores_is_embedded_by_one_that_runs_with_the_model(home):
    with opened(home) as memory, opened(home, tier="base") as lesser:
        renew(memory, behind(memory.store, memory.model.makers))
        memory.renewed()
        answers(memory)
        lesser.remember(Draft("Edda keeps bees behind the mill.", "a hobby"))
        answers(memory)
        memory.background.wait()
        assert not behind(memory.store, memory.model.makers)
        assert "bees" in answers(memory, ["Who looks after insects?"])[0][0][0]
        assert "bees" in answers(lesser, ["Who keeps bees?"])[0][0][0]


@requirement("embedding:change-of-models")
def test_the_change_is_told(home):
    with opened(home) as memory:
        gone = memory.remember(Draft("Fred sails.", "a hobby")).node.id
        forget(memory, gone, "obsolete")  # and is not counted
        for tool in ("search_graph", "inject_context"):
            told = call(memory, tool, {"query": "Who repairs bicycles?"}).texts
            assert any("0 of 8 memories are embedded anew" in text and "base tier" in text for text in told)
        health = call(memory, "get_health", {}).structured
        assert "0 of 8 memories" in health["components"]["embedder"]
        renew(memory, behind(memory.store, memory.model.makers))
        memory.renewed()
        assert not any("base tier" in text for text in call(memory, "search_graph", {"query": "bicycles"}).texts)
