"""What is about something that one reads of, and what is a note of one's own."""

import pytest

from context_graph.reading.passages import is_impersonal, is_passage

PASSAGES = [
    "Sunny Fong (born 1977) is a Canadian fashion designer who owns VAWK.",
    "The US Model 1835 Musket was a .69 caliber flintlock musket.",
    "Finding the Sun is a one-act play by American playwright Edward Albee.",
    "Hoosick is a town in Rensselaer County, New York, United States. The population was 6,924 at the 2010 census. It"
    " was named from the Hoosic River, and its largest village lies at the border of the county, beside two railways.",
]
NOTES = [
    "I live in Graz.",
    "Sofia is the owner of billing.",
    "Rent is the biggest cost.",
    "Mr. Osei is a baker.",
    "Dr. Okafor is my orthopedist.",
    "Bistro Verde is our biggest customer.",
    "We deploy with Helm.",
    "Our office was a bakery once, until the owner of the house sold it to a friend of my brother, who has lived on the"
    " second floor ever since; the oven still stands in the yard, and every spring somebody asks whether it works.",
    "The gateway is slow.",
    "",
]


@pytest.mark.parametrize("text", PASSAGES)
def test_a_text_that_says_what_something_is_is_one(text):
    assert is_passage(text)


@pytest.mark.parametrize("text", NOTES)
def test_a_note_is_none(text):
    assert not is_passage(text) and not is_impersonal(text)


def test_only_a_long_text_in_which_nobody_speaks_is_impersonal():
    text = "The gateway was moved to another host, for the old one had too little memory for the logs of a whole week. "
    assert is_impersonal(2 * text) and not is_impersonal(text) and not is_impersonal(2 * text + "I did it.")
