"""A question asked again is answered as before, at once, and only while nothing has changed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.ingest.draft import Draft
from context_graph.ingest.forget import forget
from context_graph.ingest.goals import add_goal
from context_graph.memory import Memory
from context_graph.recall.normalization import canonical, normalize, signature
from context_graph.recall.question import Question
from context_graph.runtime import answer_cache as cache
from context_graph.runtime.answer_cache import AnswerCache, CachedAnswer
from context_graph.settings import Settings
from tests.tools.contract import ask

SEEN = "Which instrument does Anna play?"


@pytest.fixture
def music(memory, tell):
    for text in ("Anna plays the clarinet.", "Bob plays chess in May.", "The harbour was foggy."):
        tell(text)
    return memory


def how(memory, text=SEEN, *, caller=None, **fields):
    return memory.recall(Question(text, **fields), caller=caller).reflex


def ids(answer):
    return [hit.node.id for hit in answer.hits]


@pytest.mark.parametrize(
    "again",
    [
        SEEN,
        "which instrument does anna play",
        "WHICH INSTRUMENT DOES ANNA PLAY?",
        "Which instrument does Anna play, please?",
        "Could you please tell me which instrument does Anna play?",
        "  Which   instrument does Anna play?! Thanks.",
    ],
)
def test_the_same_question_in_other_clothes_is_answered_at_once(music, again):
    first = music.recall(Question(SEEN))
    second = music.recall(Question(again))
    assert first.reflex is None and second.reflex == "exact"
    assert ids(second) == ids(first) == ids(music.recall(Question(again, record=False)))


def test_a_question_whose_phrases_stand_elsewhere_is_near(music):
    first = music.recall(Question("What does Bob play in May?"))
    assert how(music, "In May, what does Bob play?") == "exact"
    second = music.recall(Question("In May what does Bob play?"))
    assert second.reflex == "near" and ids(second) == ids(first)


def test_whom_a_question_names_first_is_part_of_it(memory):
    """The first of two speakers is whom it is about: with his clause in front another is."""
    memory.remember(Draft("I play chess in May.", "said", speaker="Bob"))
    memory.remember(Draft("I play the clarinet in May.", "said", speaker="Ann"))
    memory.recall(Question("What does Bob play with Ann in May?"))
    assert how(memory, "In May what does Bob play with Ann?") == "near"
    assert how(memory, "With Ann in May what does Bob play?") is None


def test_whether_several_answers_are_expected_is_part_of_a_question():
    assert signature("What books does Ann read in May?") != signature("In May what books does Ann read?")


@pytest.mark.parametrize(
    "other",
    [
        "Which instrument does Bob play?",
        "Which instrument does Anna not play?",
        "Which instrument doesn't Anna play?",
        "When does Anna play?",
        "Which instrument does Anna play in 2024?",
        "Which instruments does Anna play?",
        "Which tune does Anna play?",
    ],
)
def test_another_word_that_carries_meaning_makes_another_question(music, other):
    how(music)
    assert how(music, other) is None


@pytest.mark.parametrize(
    "fields",
    [
        {"top_k": 2},
        {"session_id": "0193a4b2-c1d2-4e3f-8a5b-6c7d8e9f0a1b"},
        {"domain": "code"},
        {"scope": "user"},
        {"as_of": 1_767_225_700_000_000},
        {"min_similarity": 0.1},
        {"min_importance": 0.1},
        {"created_after": 1},
        {"modality": "text"},
        {"johari_quadrants": ("open",)},
        {"agent_ids": ("claude",)},
        {"exclude_agent_ids": ("claude",)},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_other_filters_make_another_question(music, fields):
    how(music)
    assert how(music, **fields) is None
    assert how(music, **fields) == "exact"


def test_each_conversation_has_its_own_answers(music):
    how(music)
    elsewhere = replace(music.caller, context_id="another conversation")
    assert how(music, caller=elsewhere) is None
    assert how(music) == how(music, caller=elsewhere) == "exact"


def _goal(memory):
    add_goal(memory, "learn to play the clarinet")


def _forget(memory):
    forget(memory, ids(memory.recall(Question(SEEN, record=False)))[0], "obsolete")


def _store(memory):
    memory.remember(Draft("Anna plays the violin too.", "said by her brother"))


def _store_elsewhere(memory):
    with Memory(memory.settings, clock=memory.clock, ids=memory.new_id) as other:
        _store(other)


@pytest.mark.parametrize("change", [_goal, _forget, _store, _store_elsewhere])
def test_whatever_may_change_an_answer_empties_the_cache(music, change):
    how(music)
    change(music)
    assert how(music) is None
    assert ids(music.recall(Question(SEEN))) == ids(music.recall(Question(SEEN, record=False)))


def test_counting_accesses_changes_no_answer(music):
    how(music)
    music.store.effects.flush()
    assert how(music) == "exact"


def test_an_answer_ends_with_the_validity_of_a_memory(music, clock):
    columns = music.corpus.columns
    columns.valid_to[:1] = clock() + 60_000_000
    how(music)
    assert how(music) == "exact"
    clock.pass_time(seconds=61)
    assert how(music) is None


def test_where_the_mood_of_the_session_counts_an_answer_belongs_to_it(music):
    first = music.session(music.caller.session_id).modulators
    how(music)
    music.session(music.caller.session_id).modulators = replace(first, serotonin=1.0)
    assert how(music) == "exact"  # of no account: what consults it is off
    music.ranking["base"] = music.ranking["base"].changed([("note", "fused", 0.5)])
    music.session(music.caller.session_id).modulators = first
    assert how(music) is None
    music.session(music.caller.session_id).modulators = first
    assert how(music) == "exact"
    music.session(music.caller.session_id).modulators = replace(first, serotonin=1.0)
    assert how(music) is None


def test_a_hit_is_felt_like_a_search(music):
    first = music.recall(Question(SEEN))
    before, accesses = music.session(music.caller.session_id).pulse.interactions, music.interactions
    music.recall(Question(SEEN))
    assert (
        music.session(music.caller.session_id).pulse.interactions == before + 1 and music.interactions == accesses + 1
    )
    music.store.effects.flush()
    assert music.store.node(first.hits[0].node.id).access_count == 2


def test_the_explanation_says_that_it_was_a_reflex(music):
    ask(music, "search_graph", query=SEEN)
    told = ask(music, "search_graph", query=SEEN, explain=True)["explain"]
    assert told["hit"] == "exact" and told["layers_ms"]["L2_reflex"] >= 0 and "L3_memory" not in told["layers_ms"]
    fresh = ask(music, "search_graph", query="Who plays chess?", explain=True)["explain"]
    assert "hit" not in fresh and {"L2_reflex", "L3_memory"} <= set(fresh["layers_ms"])


def test_it_can_be_turned_off(tmp_path, clock):
    with Memory(Settings(home=tmp_path, tier="base", reflex=False), clock=clock) as memory:
        memory.remember(Draft("Anna plays the clarinet.", "a hobby of a friend"))
        assert how(memory) is None and how(memory) is None and len(memory.view(AnswerCache)) == 0


def test_the_cache_is_bounded_and_keeps_what_is_asked_for(monkeypatch):
    monkeypatch.setattr(cache, "KEPT", 3)
    answers = AnswerCache()
    kept = CachedAnswer((), 0.0, 0.0, None, None, 0, 100)
    for key in "abc":
        answers.keep(key, "alike", kept, answers.version)
    assert answers.exact("a", 1)
    answers.keep("d", "alike", kept, answers.version)
    assert len(answers) == 3 and answers.exact("b", 1) is None and answers.exact("a", 1)
    assert answers.exact("a", 100) is None


def test_an_answer_that_changed_while_it_was_looked_for_is_not_kept():
    answers = AnswerCache()
    version = answers.version
    answers.rebuild()
    answers.keep("a", "alike", CachedAnswer((), 0.0, 0.0, None, None, 0, 100), version)
    assert len(answers) == 0


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("What's the number of Anna's flat?", "What is the number of Anna's flat?"),
        ("Did it cost 3.50 or 350?", "Did it cost 3.50 or 350?"),
        ("What was the low of -5?", "What was the low of -5?"),
        ("What type of dog is it?", "what kind of dog is it?"),
        ("Why can't x[0] be null?", "Why can't x[0] be null?"),
        ("Please hold the line", "hold the line"),
        ("Is it 2026-03-02, or 16 June, 2023?", "Is it 2026-03-02 or 16 June 2023?"),
        ("please", "please"),
        ("???", "???"),
    ],
)
def test_a_question_is_read_without_courtesy_and_signs(text, read):
    assert normalize(text) == read


@given(st.text(max_size=60))
def test_reading_never_ends_with_nothing(text):
    read = normalize(text)
    assert bool(read.strip()) == bool(text.strip())
    signature(read)
    assert canonical(read).count(" ") == read.count(" ")


@pytest.mark.parametrize("text", [16_384 * ",", "in May, what " + 16_000 * "(" + "?x", 8_000 * ", " + "please"])
def test_a_question_of_marks_alone_is_read_at_once(text):
    assert normalize(text) == normalize(normalize(text))
