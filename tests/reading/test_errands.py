"""What says that a task is done."""

import pytest

from context_graph.reading.errands import tells_done


@pytest.mark.parametrize(
    ("task", "later"),
    [
        ("Email Greta at the Arts Centre the stage plot by Friday.", "Sent Greta the stage plot this morning."),
        ("Send the council our accounts by 30 September.", "The council has our books, that's off my list."),
        ("Hand in the DVLA form by the 30th of May.", "The form has gone off to Swansea."),
        ("Get the permit papers to the planning office by 21 March.", "Took the papers to the planning office today."),
        ("Book the ferry to Dublin before the end of the month.", "The ferry is booked."),
    ],
)
def test_what_says_so_ends_a_task(task, later):
    assert tells_done(task, later)


@pytest.mark.parametrize(
    ("task", "later"),
    [
        ("Email Greta the stage plot by Friday.", "Greta liked the stage plot."),
        ("Book the ferry to Dublin before Sunday.", "The ferry was late."),
        ("Book the ferry to Dublin before Sunday.", "The ferry isn't booked yet."),
        ("Pay the plumber by Friday.", "Paid the rent."),
        ("The plumber comes on Friday.", "The plumber is paid."),
    ],
)
def test_what_says_something_else_ends_none(task, later):
    assert not tells_done(task, later)
