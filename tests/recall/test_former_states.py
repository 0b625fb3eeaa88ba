"""Who tells of their old car says nothing against the one they drive, though it was told later."""

import pytest


@pytest.mark.parametrize(
    ("current", "former", "question"),
    [
        ("I drive a Skoda.", "My previous car was a Golf.", "What car do I drive?"),
        ("Our landlord is Mr. Feld.", "Our former landlord was Mrs. Okafor.", "Who is our landlord?"),
        ("My boss is Irene.", "My boss used to be Karl.", "Who is my boss?"),
        ("Unser Vermieter ist Herr Feld.", "Unser früherer Vermieter hieß Okafor.", "Wer ist unser Vermieter?"),
        ("Vivo en Madrid.", "Antes vivía en Sevilla.", "¿Dónde vivo?"),
    ],
)
@pytest.mark.parametrize("told_last", ["current", "former"])
def test_what_is_stands_above_what_was(current, former, question, told_last, lines_for):
    first, *others = lines_for((current, former) if told_last == "former" else (former, current), question)
    assert current in first and "earlier" not in first and "until" not in first
    assert all("until" not in line for line in others)


def test_a_question_for_what_was_gets_it_first(lines_for):
    lines = lines_for(("I live in Kassel.", "I lived in Rome as a student."), "Where did I live as a student?")
    assert "Rome" in lines[0] and "earlier time" not in lines[0]


def test_what_is_told_as_former_no_longer_holds(lines_for):
    lines = lines_for(("Karl is my boss.", "Karl used to be my boss."), "Who is my boss?")
    assert "used to" in lines[0] and "earlier than the line above" in lines[1]
