"""A statement that says again what was said takes the place of nothing."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.reading.restatements import restates
from context_graph.recall.question import Question

AGAIN = [
    ("The car needs 95 octane petrol.", "Our car takes petrol with 95 octane."),
    ("Dad's birthday is the 4th of May.", "Dad was born on May 4th."),
    ("My sister Agnes teaches maths in Cork.", "Agnes, my sister, is a maths teacher in Cork."),
    ("My brother Olli lives in Tampere and drives a tram.", "Olli, my brother, is a tram driver in Tampere."),
]
ANEW = [
    ("I run 30 km a week.", "I run 40 km a week."),
    ("Support answers by email on Monday.", "Support answers by phone on Monday."),
    ("Vera works at Acme as a tester.", "Vera works at Acme as a designer."),
    ("Ada is at Acme.", "Ada is no longer at Acme."),
    ("The API key of Orion expires in May.", "The API key of Orion never expires in May."),
    ("User's son Antek is in third grade.", "User's son Antek skipped a year and is in fifth grade."),
    ("Mon fils Léo joue au foot.", "Léo ne joue plus au foot."),
    ("I like tea.", "I like coffee."),
    ("", ""),
]


@pytest.mark.parametrize(("earlier", "later"), AGAIN)
def test_other_words_for_the_same_restate_it(earlier, later):
    assert restates(earlier, later)


@pytest.mark.parametrize(("earlier", "later"), ANEW)
def test_another_value_or_a_change_restates_nothing(earlier, later):
    assert not restates(earlier, later)


@pytest.mark.parametrize(("earlier", "later"), AGAIN)
def test_what_is_said_again_is_not_told_as_ended(memory, clock, earlier, later):
    for text in (earlier, "The neighbours have a trampoline.", later):
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))
    assert not [hit for hit in memory.recall(Question(later)).hits if hit.replaced_by]
