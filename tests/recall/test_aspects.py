"""What is told of a thing, and not of what is asked about it, ends nothing."""

import pytest

from tests.requirements import requirement

HELD = [
    ("The boiler is a Vaillant from 2015.", "Cleaned the boiler this morning.", "What make is the boiler?"),
    ("The trumpet case hangs behind the door.", "Still happy with the trumpet.", "Where is the trumpet case?"),
    ("The van takes diesel.", "The van's been serviced.", "What fuel does the van take?"),
    ("Ilse works at the harbour.", "Went for a walk with Ilse.", "Where does Ilse work?"),
    ("The tent cost 640.", "A man came to look at the tent.", "How much did the tent cost?"),
]  # fmt: skip
CHANGED = [
    ("The boiler is a Vaillant from 2015.", "The boiler is a Bosch now.", "What make is the boiler?"),
    ("Ilse works at the harbour.", "Ilse started at the airport.", "Where does Ilse work?"),
    ("My desk is on the second floor.", "They put my desk in the attic.", "Where is my desk?"),
    ("The heating runs on oil.", "Had a heat pump put in for the heating.", "How is the house heated?"),
]  # fmt: skip


@requirement("recall:other-aspects")
@pytest.mark.parametrize(("earlier", "later", "question"), HELD)
def test_what_was_done_with_it_ends_no_value(lines_for, earlier, later, question):
    first, *_ = lines_for((earlier, "The bread was stale.", later), question)
    assert earlier in first and "earlier than" not in first and "until" not in first


@requirement("recall:other-aspects")
@pytest.mark.parametrize(("earlier", "later", "question"), CHANGED)
def test_another_value_does(lines_for, earlier, later, question):
    first, *_ = lines_for((earlier, "The bread was stale.", later), question)
    assert later in first
