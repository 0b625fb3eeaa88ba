"""Who is back or stays ends an absence, and nothing else that was said of them."""

import pytest

from context_graph.reading.returns import ends_absence, tells_return


@pytest.mark.parametrize(
    "text",
    [
        "Rahul is back.", "Rahul returned today", "Marco is back from holiday.", "Chen stays after all!",
        "Mira is well again and will play after all.", "Mum is home from hospital.", "The heating is back",
        "Rahul ist wieder da.", "Ana ha vuelto.", "Lena is back in the saddle!", "Otto's back with us",
        "Mira's back on her feet.", "The sauna is open again.", "The van works again.",
        "Rahul is back on duty from Monday",
    ],
)  # fmt: skip
def test_returns(text):
    assert tells_return(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "back", "The bike is at the back.", "I gave it back to Rahul.", "We are back on pnpm.",
        "I'm back to 50 mg",
        "The tests are green again.",
        "Kim is back in Berlin", "Kim is back in office politics",
        "The sauna is open again on Mondays only", "Rahul is back pain specialist", "word " * 20 + "is back.",
    ],
)  # fmt: skip
def test_what_goes_back_or_lies_there_does_not_return(text):
    assert not tells_return(text)


def test_an_absence_is_over_and_a_role_is_not():
    assert ends_absence("Rahul is out sick, Ines covers billing til he's back", "Rahul is back.")
    assert ends_absence("Chen is moving to another company", "Chen stays after all!")
    assert ends_absence("The sauna is shut, we shower at home.", "The sauna's open again.")
    assert ends_absence("The van is in the garage, I take the tram.", "The van's home.")
    assert not ends_absence("Mira is the soloist.", "Mira is well again.")
    assert not ends_absence("Ines is ill.", "Rahul is back.")
