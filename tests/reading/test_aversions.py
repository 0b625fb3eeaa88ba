"""What somebody does not bear or fears, and what says that it is over."""

import pytest

from context_graph.reading.aversions import avoided, tells_exposure


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("Omar is allergic to wasps", "wasp"), ("I have a nut allergy", "nut"), ("Pia's afraid of heights", "height"),
        ("my nephew is intolerant to lactose", "lactos"),
    ],
)  # fmt: skip
def test_what_is_avoided(text, thing):
    assert thing in avoided(text)


@pytest.mark.parametrize("text", ["", "Omar likes wasps", "Omar isn't allergic to wasps", "Omar sells wasp traps"])
def test_what_is_not_avoided(text):
    assert not avoided(text)


@pytest.mark.parametrize(
    "text",
    [
        "Omar outgrew his wasp allergy", "Pia loves dogs now", "dad can take ibuprofen again",
        "the nut test was negative",
        "turns out it was never the nuts", "Omar had nuts without any reaction", "Pia isn't afraid of heights",
        "we have a puppy now and Pia sleeps beside it", "the doctor says nuts are fine, it's milk",
        "Omar got stung and it's official: he's not allergic to wasps",
    ],
)  # fmt: skip
def test_what_ends_an_aversion_is_no_exposure(text):
    assert not tells_exposure(text)


@pytest.mark.parametrize(
    "text",
    [
        "Omar got stung by a wasp, all good", "the nurse almost gave dad ibuprofen",
        "Pia cried on the tower, the height",
        "Omar drank milk by mistake", "we met a dog in the park", "Omar swallowed a nut at school",
    ],
)  # fmt: skip
def test_what_proves_or_tests_it(text):
    assert tells_exposure(text)
