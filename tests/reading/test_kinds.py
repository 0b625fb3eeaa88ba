"""Of what kind a thing with a name is, and changes from one to another."""

import pytest

from context_graph.reading.kinds import kinds_asked, kinds_of, names_another

CHANGES = [
    ("We deploy to Heroku by hand.", "Hosting goes to Fly.io, merging ships automatically."),
    ("The queue runs on Celery.", "Background jobs were rewritten with Dramatiq."),
    ("For the kitchen we want a granite worktop.", "The granite was too dear: it'll be a laminate top."),
    ("Auth uses session cookies.", "We dropped cookies; clients log in with JWTs now."),
]
BESIDE = [
    ("Data is kept in MySQL.", "The reports moved to a second database, DuckDB, beside it."),
    ("Data is kept in MySQL.", "Maybe we'll switch to Postgres."),
    ("Our dog is a beagle.", "We got a kitten now."),
    ("I take metformin.", "Switched my mother's pills to ramipril."),
    ("Data is kept in MySQL.", "MySQL was moved to a new box."),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which database do we use?", "Moved everything to Postgres 16."),
        ("What vehicle do we travel in?", "We've rented a Vivaro through June."),
        ("What colour will the lounge be?", "The living room will be painted green."),
        ("Where can we stay in Bristol?", "My sister puts us up whenever we play there."),
        ("Are soft drinks allowed?", "No fizzy drinks in the house."),
    ],
)
def test_a_question_for_a_kind_is_of_what_names_a_thing_of_it(question, answer):
    assert kinds_asked(question) & kinds_of(answer)


@pytest.mark.parametrize(("earlier", "later"), CHANGES)
def test_another_thing_of_a_kind_of_which_one_has_one_takes_the_place_of_the_first(earlier, later):
    assert names_another(earlier, later)
    assert not names_another(later, later)


@pytest.mark.parametrize(("earlier", "later"), BESIDE)
def test_what_is_had_beside_or_only_thought_of_takes_the_place_of_nothing(earlier, later):
    assert not names_another(earlier, later)
