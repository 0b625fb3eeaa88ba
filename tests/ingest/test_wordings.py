"""Words and phrases that say the same stand for each other, and their groups keep tenses apart."""

import pytest

from context_graph.ingest.wordings import groups, in_one_wording, past_of


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("Nils picked up the parcel", "Nils collected the package"),
        ("the app is out of order at present", "the application is broken now"),
        ("each week", "weekly"),
        ("the trip was called off", "the journey was cancelled"),
    ],
)
def test_the_longest_wording_counts(text, others):
    assert in_one_wording(text.split()) == in_one_wording(others.split())


@pytest.mark.parametrize("tenses", [("return", "returned"), ("come back", "came back"), ("close", "closed")])
def test_tenses_stay_apart(tenses):
    one, other = (in_one_wording(tense.split()) for tense in tenses)
    assert one != other


def test_a_wording_belongs_to_one_group():
    phrases = [phrase for group in groups() for phrase in group]
    assert len(phrases) == len({*phrases})


def test_what_stands_for_a_group_stays_as_it_is():
    assert all(in_one_wording(group[0]) == [*group[0]] for group in groups() if len(group) > 1)


def test_the_past_of_a_participle():
    assert (past_of("written"), past_of("painted")) == ("wrote", "painted")
