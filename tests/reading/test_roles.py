"""Who has a role, told by a noun or by a verb."""

import pytest

from context_graph.reading.roles import is_in_role, role_asked


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is my dentist?", "I have my teeth checked by Dr. Sommer."),
        ("Who looks after my teeth?", "My dentist is Dr. Sommer."),
        ("Who are our suppliers?", "We get our coffee from Kaffeewerk Süd."),
        ("Where do we buy the flour?", "Flour comes from Hof Lund."),
        ("Who does our books?", "Our accountant is Herr Maas."),
        ("Who is our landlord?", "We rent from Mrs. Okafor."),
        ("Which clients do we have?", "Café Linden orders 40 loaves a day from us."),
        ("who is my boss", "I report to Dana."),
    ],
)
def test_who_has_a_role_is_told_by_what_they_do(question, answer):
    role = role_asked(question)
    assert role is not None and is_in_role(answer, role)


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("Who are our suppliers?", "Mira comes from Poland."),
        ("Who is my dentist?", "My teeth hurt."),
        ("Who is our driver?", "I drive the van on Mondays."),
        ("Who supplies the eggs?", "Milk is delivered by Frau Behn."),
    ],
)
def test_what_names_nobody_in_the_role_is_left_out(question, other):
    role = role_asked(question)
    assert role is not None and not is_in_role(other, role)


@pytest.mark.parametrize("question", ["When is my dentist appointment?", "Who is Anna's dentist?", "Where do I live?"])
def test_other_questions_are_for_no_role(question):
    assert role_asked(question) is None
