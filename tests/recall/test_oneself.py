"""Questions about oneself: who asks says neither the attribute nor their name when they tell of it."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from tests.requirements import requirement

TOLD = [
    "I'm Karin, I work as a baker on the old square.", "My brother Ruben lives in Malaga and drives a taxi.",
    "We rent a flat above the pharmacy.", "I take the ferry to work.", "Our dog is called Muffin.",
    "I'm on a vegan diet.", "The recycling is collected on Fridays.",
]  # fmt: skip


@pytest.fixture
def told(memory, clock):
    for text in TOLD:
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))
    return memory


@requirement("recall:what-i-do-is-mine")
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do I live?", "above the pharmacy"), ("Where do we live?", "above the pharmacy"),
        ("How do I commute?", "the ferry"), ("What is my job?", "baker"), ("What's my job?", "baker"),
        ("Where does my brother live?", "in Malaga"), ("What do I eat?", "vegan"),
    ],
)  # fmt: skip
def test_a_question_about_oneself_finds_what_one_said_of_it(told, question, answer):
    assert answer in told.recall(Question(question)).hits[0].node.content


@requirement("recall:what-i-do-is-mine")
def test_what_i_do_for_a_living_is_not_who_lives_where(told):
    first, second, *_ = told.recall(Question("What do I do for a living?")).hits
    assert "a baker" in first.node.content + second.node.content
    assert "Ruben" not in first.node.content + second.node.content


@requirement("recall:what-i-do-is-mine")
def test_a_move_is_told_first_and_the_old_home_as_earlier(told, clock):
    clock.pass_time(days=30)
    told.remember(Draft("We moved to a cottage in Drobeta, with chickens.", "said to you"))
    clock.pass_time(days=1)
    lines = inject(told, Question("Where do I live?")).distilled.text.splitlines()[1:]
    assert "Drobeta" in lines[0] and "pharmacy" in lines[1] and "earlier" in lines[1]


def test_ones_age_is_told_by_what_has_no_word_of_the_question(memory, clock):
    for text in ("Hi, I'm Esra, 34, and I run a law office.", "My assistant's birthday is June 5.", "I like tea."):
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))
    lines = inject(memory, Question("How old am I?")).distilled.text.splitlines()
    assert any(line.startswith("> ") and "34" in line for line in lines[:2])


THIRD_PERSON = [
    "User's name is Noor Haddad, a cook at the Blue Door in Ghent.", "User takes the tram to the restaurant.",
    "User is vegetarian.", "User climbs at the bouldering gym twice a week.", "User banks with Argenta.",
    "The service runs on Postgres 14.", "User prefers short answers.", "User is allergic to penicillin.",
]  # fmt: skip


@pytest.fixture
def noted(memory, clock):
    for text in THIRD_PERSON:
        clock.pass_time(minutes=3)
        memory.remember(Draft(text, "the agent noted it"))
    return memory


@requirement("recall:keywords")
@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("user name", "Noor"), ("user's employer", "Blue Door"), ("commute", "tram"), ("diet", "vegetarian"),
        ("dietary restrictions", "vegetarian"), ("hobbies", "bouldering"), ("allergies", "penicillin"),
        ("bank", "Argenta"), ("user preferences", "short answers"), ("user profile", "Noor"),
        ("where does the user work", "Blue Door"),
    ],
)  # fmt: skip
def test_keywords_find_what_an_agent_noted_of_the_user(noted, query, answer):
    assert answer in inject(noted, Question(query)).text


@requirement("recall:keywords")
def test_all_that_is_known_of_the_user_begins_with_their_name(noted):
    assert "Noor" in inject(noted, Question("Tell me about the user")).hits[0].node.content


@requirement("recall:what-is-known-of-me")
def test_what_changes_a_part_of_an_introduction_stands_behind_it_in_a_profile(memory, clock):
    for text in ("Hi, I'm Renske, a nurse, and I work four days a week.", "From this month on I only work three days."):
        clock.pass_time(days=9)
        memory.remember(Draft(text, "said to you"))
    assert "Renske" in inject(memory, Question("Who am I?")).hits[0].node.content


@requirement("recall:what-is-known-of-me")
def test_an_introduction_of_which_a_part_has_changed_is_still_one(memory, clock):
    for text in (
        "I'm Jo, I play bass in a band called Tarmac and I live in Hull.",
        "I don't play bass now, I switched to keys.",
    ):
        clock.pass_time(days=1)
        memory.remember(Draft(text, "said to you"))
    assert "Jo" in inject(memory, Question("user profile")).hits[0].node.content


@requirement("recall:keywords")
@pytest.mark.parametrize("query", ["quantum physics", "tectonic plates", "thanks"])
def test_other_keywords_are_told_nothing(noted, query):
    assert inject(noted, Question(query)).abstained


@requirement("recall:latest")
@pytest.mark.parametrize(
    "question",
    ["What was the last thing I told you?", "What did I tell you most recently?", "recent memories", "What's new?",
     "What did we talk about last time?", "all memories", "*", "Was habe ich dir zuletzt erzählt?"],
)  # fmt: skip
def test_what_was_said_last_is_told_first(told, question):
    texts = [hit.node.content for hit in inject(told, Question(question)).hits]
    assert texts == TOLD[::-1]


@requirement("recall:latest")
def test_the_last_of_something_is_no_question_for_what_was_said_last(told):
    assert "Muffin" in inject(told, Question("What did I say last about the dog?")).hits[0].node.content
