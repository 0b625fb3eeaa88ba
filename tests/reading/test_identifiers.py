"""Things that are told apart by a number behind one name."""

import pytest

from context_graph.reading.identifiers import numbered_apart, of_another_number


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Bug KES-103: the retry queue grows.", "KES-101 is fixed."),
        ("INC-6: checkout returns 500.", "INC-5 is resolved."),
        ("Server web-2 is down.", "web-1 is up again."),
        ("#12 crashes on start.", "#13 is done."),
    ],
)
def test_what_is_said_of_one_is_not_said_of_the_other(earlier, later):
    assert numbered_apart(earlier, later) and numbered_apart(later, earlier)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("My seat is B-12.", "My seat is B-14 now."),
        ("ADR-12: we use REST.", "ADR-15 supersedes ADR-12: GraphQL."),
        ("KES-101: the export fails.", "KES-101 is fixed."),
        ("We fly on the A-380.", "The plane was changed."),
    ],
)
def test_a_value_that_changes_or_a_reference_keeps_two_statements_together(earlier, later):
    assert not numbered_apart(earlier, later)


def test_a_question_for_one_is_not_about_another():
    assert of_another_number("Is KES-103 fixed?", "KES-101 is fixed.")
    assert not of_another_number("Is KES-103 fixed?", "KES-103 depends on KES-101.")
