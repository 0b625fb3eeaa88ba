"""What was told of a matter after it, and alone answers, is found though it has no word of the question."""

import pytest

TOLD = [
    "The boiler is leaking, called Mrs Brandt, she comes on Friday.",
    "Our cat is called Mona.",
    "Brandt was here, it was the valve, 240 euros.",
    "The dryer makes a strange noise, booked a technician.",
    "He came, it was the belt. Cost 85 euros.",
    "The gym is 39 euros a month.",
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was wrong with the boiler?", TOLD[2]),
        ("What did the boiler repair cost?", TOLD[2]),
        ("What was wrong with the dryer?", TOLD[4]),
        ("What does the gym cost?", TOLD[5]),
        ("What's our cat called?", TOLD[1]),
    ],
)
def test_what_came_of_it_comes_first_where_it_alone_answers(lines_for, question, answer):
    assert answer in lines_for(TOLD, question)[0]


def test_what_is_out_of_order_still_answers_where_nothing_came_of_it(lines_for):
    assert TOLD[0] in lines_for(TOLD[:2], "What's wrong with the boiler?")[0]
