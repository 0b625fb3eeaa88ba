"""What a statement says of something that goes on: that it begins, ends or begins anew, or nothing of the kind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.reading.beginnings import state_of, turn_of

SAID = [
    ("I had the tandem", "We got a tandem!", "begins"),
    ("I had the tandem", "Bought Mum's old tandem.", "begins"),
    ("I had the tandem", "Swapped the scooter for a tandem.", "begins"),
    ("I had the tandem", "The tandem arrived today.", "begins"),
    ("I had the tandem", "I have had the tandem since 2020.", "begins"),
    ("I had the tandem", "Sold the scooter, bought a tandem.", "begins"),
    ("I had the tandem", "Someone stole the tandem.", "ends"),
    ("I had the tandem", "Got the tandem insured.", None),
    ("I had the tandem", "Got the tandem back from the garage.", None),
    ("I had the tandem", "Bought a tandem trailer.", None),
    ("I had the tandem", "The tandem I bought squeaks.", None),
    ("I had the tandem", "Haven't bought the tandem yet.", None),
    ("I had the tandem", "Bought a lock, the tandem is safe.", None),
    ("I been at Brisk", "Started as an accountant at Brisk.", "begins"),
    ("I been at Brisk", "Left Brisk and started at Tolk.", "ends"),
    ("I been at Brisk", "Became team lead at Brisk.", None),
    ("I been at Brisk", "My brother started at Brisk.", None),
    ("Ida and I been married", "Ida and I got married.", "begins"),
    ("I been retired", "Retired today.", "begins"),
    ("I been vegan", "Went vegan today.", "begins"),
    ("I been vegan", "Got a vegan cookbook.", None),
    ("I been running", "Running again!", "resumes"),
    ("I been running", "Went running again.", None),
    ("I been running", "I didn't stop running.", None),
    ("I lived in Namur", "Moved from Ghent to Namur.", "begins"),
    ("I lived in Namur", "Moved from Namur to Ghent.", "ends"),
    ("I known Clara", "Met Clara at a party.", "begins"),
    ("I known Clara", "Met Clara for lunch at Otto's.", None),
    ("I not smoked", "Quit smoking today.", "begins"),
    ("I not smoked", "Smoking again.", "ends"),
    ("I not smoked", "Smoked the last one, off to bed.", None),
    ("I been without a car", "Sold the car.", "begins"),
    ("we had Moss", "Adopted a puppy, Moss.", "begins"),
    ("we had Moss", "Bought Moss a bed.", None),
]


@pytest.mark.parametrize(("event", "text", "role"), SAID)
def test_what_a_statement_says_of_what_goes_on(event, text, role):
    turn = turn_of(text, state_of(event))
    assert (turn and turn.role) == role


@given(st.text(), st.text())
def test_any_text_is_read(event, text):
    turn = turn_of(text, state_of(event))
    assert turn is None or 0 <= turn.place <= len(text)
