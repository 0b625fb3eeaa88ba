"""What disagrees and cannot be ordered is told together and said so; what both holds is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.ingest.draft import Draft
from context_graph.reading.contradiction import contradiction
from context_graph.recall.conflicts import Conflict, together
from context_graph.recall.question import Question
from context_graph.server.dispatch import call
from tests.requirements import requirement

TRIAL = ("The trial is free.", "The trial costs 5 euros a month.", "What does the trial cost?")
ONE_MOMENT = [
    TRIAL,
    ("The office has parking.", "The office has no parking.", "Does the office have parking?"),
    ("The printer works over wifi.", "The printer doesn't work over wifi.", "Is the printer working?"),
    ("The fridge is set to 7 degrees.", "The fridge is set to 4 degrees.", "How cold is the fridge?"),
    ("Der Vermieter heißt Olsen.", "Der Vermieter heißt Dahl.", "Wie heißt der Vermieter?"),
    ("The gallery is open on Monday.", "The gallery is closed on Monday.", "Is the gallery open on Monday?"),
]
BOTH = [
    ("My daughter is called Ida.", "My son is called Leo.", "What are my children called?"),
    ("The front door is blue.", "The back door is green.", "What colour are the doors?"),
    ("We use Redis for caching.", "We use Postgres for reports.", "What do we use Redis and Postgres for?"),
    ("The retro in March is in Aspen.", "The retro in April is in Birch.", "Where is the retro?"),
    ("My sister lives in Oslo.", "My sister lives in Rome.", "Where do my sisters live?"),
    ("The museum is free on Sundays.", "The museum costs 12 euros on weekdays.", "What does the museum cost?"),
    ("The ticket costs 12 euros.", "The ticket costs 8 euros for children.", "What does the ticket cost?"),
    ("The fair is on 6 March.", "The fair is on 6 March 2027.", "When is the fair?"),
    ("Heron uses two servers.", "Heron uses three databases.", "What does Heron use?"),
    ("Kai speaks Dutch.", "Kai speaks French.", "What does Kai speak?"),
    ("Maybe the project is called Falcon.", "The project is called Kestrel.", "What is the project called?"),
    ("Der Kurs für Kinder ist am Montag.", "Der Kurs für Erwachsene ist am Freitag.", "Wann ist der Kurs?"),
]


@pytest.fixture
def say(memory):
    """Tell a text as of one day; returns its id."""

    def say(text: str, day: str = "2026-01-01", **fields) -> str:
        return memory.remember(Draft(text, "said to you", metadata={"date": day}, **fields)).node.id

    say("The neighbours have a trampoline.")
    return say


def lines(memory, question, **more):
    answer = call(memory, "inject_context", {"query": question, **more}).structured
    return answer, answer["context"].splitlines()


@requirement("recall:what-disagrees-is-said")
@pytest.mark.parametrize(("first", "second", "question"), ONE_MOMENT)
def test_two_statements_of_one_moment_that_disagree_are_told_together(memory, say, first, second, question):
    ids = [say(first), say(second)]
    say("The trampoline of the neighbours is three years old.")
    hits = memory.recall(Question(question)).hits
    places = sorted(i for i, hit in enumerate(hits) if hit.node.id in ids)
    assert places[1] == places[0] + 1
    assert [hits[place].disputes[0].other for place in places] == [hits[place].node.id for place in reversed(places)]
    assert not any(hit.replaced_by for hit in hits)


@requirement("recall:what-disagrees-is-said")
def test_a_context_marks_both_and_says_in_one_line_that_they_disagree(memory, say):
    first, second, question = TRIAL
    say(first)
    say(second)
    answer, told = lines(memory, question)
    tags = answer["citation_tags"][:2]
    assert f"These two disagree: {tags[0]} {tags[1]}; which holds is not known." in told
    marked = [line for line in told if "disputed" in line]
    assert len(marked) == 2 and all("trial" in line for line in marked)
    assert len([line for line in told if "disagree" in line]) == 1


def test_without_tags_the_line_names_the_mark(memory, say):
    first, second, question = TRIAL
    say(first)
    say(second)
    _, told = lines(memory, question, verbosity_level=0)
    assert "What is marked disputed disagrees; which holds is not known." in told


@pytest.mark.parametrize("max_tokens", [100, 130, 2048])
def test_the_line_is_part_of_the_budget(memory, say, max_tokens):
    first, second, question = TRIAL
    say(first)
    say(second)
    answer, _ = lines(memory, question, max_tokens=max_tokens)
    assert answer["tokens_used"] <= max_tokens


@requirement("recall:what-disagrees-is-said")
def test_two_speakers_who_state_different_values_disagree(memory, say):
    anna = say("The release is on Tuesday.", speaker="Anna")
    tom = say("The release is on Friday.", day="2026-01-04", speaker="Tom")
    hits = {hit.node.id: hit for hit in memory.recall(Question("When is the release?")).hits}
    assert [one.other for one in hits[anna].disputes] == [tom]
    assert [one.other for one in hits[tom].disputes] == [anna]


@requirement("recall:both-hold-is-no-conflict")
@pytest.mark.parametrize(("first", "second", "question"), BOTH)
def test_what_both_holds_is_no_conflict(memory, say, first, second, question):
    ids = {say(first), say(second)}
    hits = memory.recall(Question(question)).hits
    assert ids <= {hit.node.id for hit in hits}
    assert not any(hit.disputes for hit in hits)


@requirement("recall:both-hold-is-no-conflict")
@pytest.mark.parametrize(
    ("anna", "tom"),
    [
        ("I live in Oslo.", "I live in Bergen."),
        ("My car is red.", "My car is blue."),
        ("Our rent is 900 euros.", "Our rent is 700 euros."),
        ("I eat meat.", "I don't eat meat."),
    ],
)
def test_two_people_speak_of_themselves(memory, say, anna, tom):
    say(anna, speaker="Anna")
    say(tom, speaker="Tom")
    assert contradiction(anna, tom)
    assert not any(hit.disputes for hit in memory.recall(Question(anna)).hits)


def test_what_an_assistant_says_contradicts_nobody(memory, say):
    say("The trial is free.", speaker="user")
    say("The trial costs 5 euros a month.", speaker="assistant")
    assert not any(hit.disputes for hit in memory.recall(Question("What does the trial cost?")).hits)


def test_what_was_said_later_is_no_conflict_but_an_update(memory, say):
    old = say("The choir meets on Monday.")
    new = say("The choir meets on Thursday.", day="2026-02-01")
    hits = {hit.node.id: hit for hit in memory.recall(Question("When does the choir meet?")).hits}
    assert hits[old].replaced_by == new
    assert not any(hit.disputes for hit in hits.values())


@requirement("recall:both-hold-is-no-conflict")
def test_what_somebody_said_to_hold_beside_is_no_conflict(memory, say):
    first = say("The trial is free.")
    beside = {"date": "2026-01-01", "holds_beside": [first]}
    memory.remember(Draft("The trial costs 5 euros a month.", "of the other shop", metadata=beside))
    assert not any(hit.disputes for hit in memory.recall(Question("What does the trial cost?")).hits)


PAIRS = [*ONE_MOMENT, *BOTH]


@pytest.mark.parametrize(("first", "second"), [pair[:2] for pair in PAIRS])
def test_a_contradiction_has_no_order(first, second):
    one, other = contradiction(first, second), contradiction(second, first)
    assert (one and one.kind) == (other and other.kind)
    assert contradiction(first, first) is None


@given(
    st.permutations(range(6)), st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda p: p[0] < p[1]))
)
def test_every_place_is_told_once_where_some_disagree(order, pairs):
    told = together(order, [Conflict(first, second, "value", 0.9, "") for first, second in sorted(pairs)])
    assert sorted(told) == list(range(6))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Anna is the tech lead of Atlas.", "Carol is the tech lead of Atlas."),
        ("Postgres is our main database.", "MySQL is our main database."),
        ("A yak is a kind of bovid.", "A yak is not a kind of bovid."),
        ("Frost causes lost harvests.", "Frost does not cause lost harvests."),
    ],
)
def test_two_holders_of_a_post_and_a_denied_kind_or_cause_disagree(first, second):
    assert contradiction(first, second) is not None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Anna is the best cook.", "Carol is the best cook."),
        ("Anna is the mother of Tom.", "Eva is the mother of Ben."),
        ("A yak is a kind of bovid.", "A yak is a kind of pet."),
        ("Frost causes ice.", "Frost causes lost harvests."),
        ("Ole is the captain.", "Ole is the coach."),
    ],
)
def test_two_posts_kinds_or_effects_both_hold(first, second):
    assert contradiction(first, second) is None
