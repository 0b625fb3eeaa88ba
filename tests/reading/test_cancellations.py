"""What is called off is so by the words that it was planned with."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.reading.cancellations import calls_off
from context_graph.recall.inject import inject
from context_graph.recall.question import Question

OFF = [
    ("Meeting with the bank on the 17th.", "The bank thing fell through."),
    ("Wednesday evening: parents' meeting at school.", "Skip the parents' meeting, Lasse's dad goes."),
    ("On the 3rd of May we fly to Sri Lanka.", "Sri Lanka is off, too hot."),
    ("Dentist for all three on the 25th.", "Cancel the dentist, Nora has a school trip."),
    ("We're meeting Priscilla at the Corner House on Thursday at 7.", "Thursday with Priscilla is off."),
    ("I want to run the marathon in April.", "My knee hurts, no marathon for me."),
    ("Montags gehe ich zum Chor.", "Mit dem Chor hab ich aufgehört."),
]
ON = [
    ("The bank is on Main Street.", "The dentist is off."),
    ("The meeting is on Monday.", "I skip breakfast on Mondays."),
    ("The lights are on.", "They are off."),
    ("Tea is at five.", "The tea is off-white."),
    ("The oven is a Miele.", "The oven is off."),
    ("Our box is blue.", "We dropped the box."),
    ("I take my coffee black.", "No milk for me, my coffee stays black."),
    ("", ""),
]


@pytest.mark.parametrize(("earlier", "later"), OFF)
def test_a_plan_is_called_off_by_its_words(earlier, later):
    assert calls_off(earlier, later)


@pytest.mark.parametrize(("earlier", "later"), ON)
def test_nothing_else_is_called_off(earlier, later):
    assert not calls_off(earlier, later)


@pytest.mark.parametrize(("question", "texts"), [
    ("What appointments do I have?", ("I have a meeting with the bank on the 17th.", "The bank thing fell through.")),
    ("What's on for Wednesday?", ("Wednesday evening: parents' meeting at school.", "Skip the parents' meeting.")),
])  # fmt: skip
def test_what_was_called_off_is_not_told_as_standing(memory, clock, question, texts):
    for text in texts:
        clock.pass_time(days=1)
        memory.remember(Draft(text, "said to you"))
    told = inject(memory, Question(question)).text
    assert told.index(texts[1]) < told.index(texts[0]) and "earlier than the line above" in told
