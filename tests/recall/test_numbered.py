"""Of several things told apart by a number, the one that is asked for comes first, and the others do not end it."""

import pytest

from context_graph.recall.apart.words import numbered_in_words

CHAPTERS = ["Chapter one has 30 pages.", "Chapter two has 24 pages.", "Chapter three is off, it was too long."]
ROUNDS = ["Round 1: Ada won with four points.", "Round 2: Bo won.", "The third round happens after all, on Friday."]


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (CHAPTERS, "How many pages has chapter 1?", 0),
        (CHAPTERS, "How long is the second chapter?", 1),
        (CHAPTERS, "Why is chapter 3 off?", 2),
        (ROUNDS, "Who won round one?", 0),
        (ROUNDS, "Who won the 2nd round?", 1),
        (ROUNDS, "When is round three?", 2),
    ],
)
def test_the_number_that_is_asked_for_comes_first(lines_for, told, question, answer):
    lines = lines_for(told, question)
    assert told[answer] in lines[0]
    assert "earlier" not in lines[0] and "until" not in lines[0]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (["We are in phase two.", "We are in phase three now."], "Are we in phase two?"),
        (["The meeting is at two.", "The meeting is at three now."], "Is the meeting at two?"),
        (["The lesson is at 4.", "The lesson is at 5 now."], "Is the lesson at 4?"),
        (["Round two is on Friday.", "Round two was moved to Sunday."], "When is the second round?"),
    ],
)
def test_another_number_may_be_the_new_value(lines_for, told, question):
    lines = lines_for(told, question)
    assert told[1] in lines[0]
    assert any("until" in line for line in lines if told[0] in line)


def test_small_words_and_days_are_no_numbered_things():
    assert not numbered_in_words("The last one is at two, on 5th June, for the third time this is it.") - {
        ("time", "3")
    }


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (["Ida takes her coffee black.", "Jonas has his coffee with milk."], "How does Ida take her coffee?"),
        (["Lund gets parcels by train.", "Brandt's parcels go out on the last day."], "How does Lund get parcels?"),
        (["Greta's lesson is on Mondays.", "Milo's lesson goes out to the lake."], "When is Greta's lesson?"),
        (
            ["Halden wants drafts as Word files.", "Rosenau: drafts in Docs."],
            "In which format does Halden want drafts?",
        ),
    ],
)
def test_what_opens_with_another_name_is_no_news(lines_for, told, question):
    lines = lines_for(told, question)
    assert told[0] in lines[0] and "earlier" not in lines[0] and "until" not in lines[0]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (["Paul Roth is my tax adviser.", "Paul Vogel died in March."], "Who is my tax adviser?"),
        (["Maria Lopez teaches yoga.", "Maria Conti is on leave, Jo is covering for her."], "Who teaches yoga?"),
        (["Tom Berger handles billing.", "Tom Fuchs quit."], "Who handles billing?"),
        (
            ["Ines Roth runs the bar, Ines Vogel runs the kitchen.", "Ines Vogel is ill, Udo takes over the kitchen."],
            "Who runs the bar?",
        ),
    ],
)
def test_a_namesake_is_somebody_else(lines_for, told, question):
    lines = lines_for(told, question)
    assert told[0] in lines[0] and "earlier" not in lines[0] and "until" not in lines[0]


def test_another_last_name_may_be_the_answer(lines_for):
    told = ["My doctor is Anna Berg.", "My doctor is Anna Stolz now."]
    lines = lines_for(told, "Who is my doctor?")
    assert told[1] in lines[0] and "until" in lines[1]


def test_a_corrected_surname_is_no_namesake(lines_for):
    texts = ["Ole Hansen is our vet.", "It's Ole Hanssen with two s, I had his surname wrong."]
    first, *_ = lines_for(texts, "What is Ole's surname?")
    assert "Hanssen" in first
