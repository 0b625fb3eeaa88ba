"""Phrases for the absence of something, in English, German and Spanish."""

import pytest

from context_graph.reading.absence import absent_thing


@pytest.mark.parametrize(
    ("phrase", "thing"),
    [
        ("stop the pump", "pump"), ("stopping all deliveries", "deliveries"), ("banning cars", "cars"),
        ("without sleep", "sleep"), ("lack of staff", "staff"), ("kein Strom", "Strom"), ("sin agua", "agua"),
        ("end of year report", None), ("nothing", None), ("endless rain", None), ("removal van", None), ("", None),
    ],
)  # fmt: skip
def test_a_phrase_names_the_thing_that_is_absent(phrase, thing):
    assert absent_thing(phrase) == thing
