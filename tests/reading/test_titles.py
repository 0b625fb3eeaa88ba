"""Titles are no words of a statement."""

import pytest

from context_graph.reading.supersession import change_of, logit
from context_graph.reading.titles import without_titles


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("We watched 'Gone with the Wind' on Friday.", "We watched … on Friday."),
        ('Her book "No Longer Human" is due.', "Her book … is due."),
        ("She read Things Fall Apart in school.", "She read … in school."),
        ("Ich lese „Der Prozess“ gerade.", "Ich lese … gerade."),
        ("I said 'I have quit'.", "I said 'I have quit'."),
        ("It's the kids' turn.", "It's the kids' turn."),
        ("I left Acme.", "I left Acme."),
        ("NOT ANY MORE", "NOT ANY MORE"),
        ("", ""),
    ],
)
def test_only_titles_are_left_out(text, plain):
    assert without_titles(text) == plain


def test_a_word_of_a_title_tells_of_no_change():
    assert not change_of("We are reading 'The Left Hand of Darkness' in the book club.").changed
    assert change_of("We have left the book club.").changed


def test_a_title_ends_nothing():
    earlier = "I work nights at the hospital as a nurse."
    titled, plain = "I'm reading 'What I Left Behind' for my book club.", "I'm reading a novel for my book club."
    assert abs(logit(earlier, titled) - logit(earlier, plain)) < 1
