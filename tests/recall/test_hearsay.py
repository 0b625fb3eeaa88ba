"""What is only said by somebody ends nothing, nor does what is told of another one of a name."""

import pytest

RUMOURS = [
    "Word is the pool shuts at nine.",
    "There's talk of the pool shutting at nine.",
    "Apparently the pool shuts at nine.",
    "Someone said the pool shuts at nine.",
    "People are saying the pool shuts at nine.",
    "I heard that the pool may shut at nine.",
    "Supposedly the pool shuts at nine.",
    "A bloke at the bar told me the pool shuts at nine.",
    "The neighbours claim the pool shuts at nine.",
    "Ole is convinced the pool shuts at nine.",
    "Rumours are going round that the pool shuts at nine.",
    "The paper says the pool shuts at nine, but I'll believe it when I see it.",
    "My aunt believes the pool shuts at nine.",
    "Ida guesses the pool will shut at nine.",
    "The pool is rumoured to shut at nine.",
]


@pytest.mark.parametrize("rumour", RUMOURS)
def test_a_rumour_ends_nothing(lines_for, rumour):
    lines = lines_for(["The pool shuts at eight.", rumour], "When does the pool shut?")
    (line,) = [line for line in lines if "shuts at eight" in line]
    assert "until" not in line and "earlier" not in line


@pytest.mark.parametrize(
    "news",
    [
        "The pool shuts at nine now.",
        "Turns out the rumour is true, the pool shuts at nine now.",
        "Ida was right, the pool shuts at nine now.",
    ],
)
def test_what_is_vouched_for_ends_what_was_so(lines_for, news):
    lines = lines_for(["The pool shuts at eight.", news], "When does the pool shut?")
    assert "at nine" in lines[0]
    assert all("until" in line or "earlier" in line for line in lines if "shuts at eight" in line)


NAMESAKES = [
    ("Lena is the head cook.", "The other Lena, from reception, has quit.", "Who is the head cook?"),
    ("Omar is my dentist.", "A different Omar moved in below us, he is a welder.", "Who is my dentist?"),
    ("Nils leads the brass band.", "The Nils at the corner has died.", "Who leads the brass band?"),
    (
        "Petra is my sister, she's a roofer.",
        "Petra from the office has become a baker.",
        "What does my sister Petra do?",
    ),
    ("Dr Voss is my dentist.", "Dr Voss at the college has retired.", "Who is my dentist?"),
    ("Jan is our landlord.", "Jan, not ours, sold his house.", "Who is our landlord?"),
]


@pytest.mark.parametrize(("fact", "of_another", "question"), NAMESAKES)
def test_another_one_of_the_name_ends_nothing(lines_for, fact, of_another, question):
    lines = lines_for([fact, of_another], question)
    (line,) = [line for line in lines if fact in line]
    assert "until" not in line and "earlier" not in line


def test_who_belongs_where_was_told_is_the_same_person(lines_for):
    told = ["Dr Voss is my dentist.", "Dr Voss at the practice has retired."]
    lines = lines_for(told, "Who is my dentist?")
    assert "until" in "".join(lines) or "earlier" in "".join(lines)
