"""What holds from a day to come is told behind what holds until then, and before it from that day on."""

import pytest

PAIRS = [
    ("Membership is 30 euros a month.", "Membership goes up to 36 euros from May.", "How much is the membership?"),
    ("Choir practice is on Mondays.", "From 1 June choir practice is on Wednesdays.", "When is choir practice?"),
    ("My manager is Inga.", "Starting in April my manager is Tomas.", "Who is my manager?"),
]


@pytest.mark.parametrize(("now", "to_come", "question"), PAIRS)
def test_what_is_to_come_comes_second_until_it_has_begun(lines_for, clock, now, to_come, question):
    before = lines_for([now, "The cellar is damp.", to_come], question)
    assert now in before[0] and to_come in before[1] and "earlier" not in before[0]
    clock.pass_time(days=200)
    assert to_come in lines_for([], question)[0]


@pytest.mark.parametrize(
    ("now", "to_come", "question"),
    [(*PAIRS[0][:2], "How much will the membership be in July?"), (*PAIRS[2][:2], "Who will be my manager in May?")],
)
def test_a_question_for_then_is_told_what_holds_then(lines_for, now, to_come, question):
    assert to_come in lines_for([now, to_come], question)[0]


def test_what_began_already_is_told_first(lines_for):
    assert (
        "36" in lines_for(["Membership is 30 euros.", "Membership is 36 euros from now on."], "What is membership?")[0]
    )
