"""What is offered to choose from, and what chooses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.reading.alternatives import chosen, offer


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("Tabs or spaces?", "spaces", "tabs"),
        ("Do we host on AWS or at Hetzner?", "moved to Hetzner", "all of it runs on AWS"),
        ("We're torn between a La Marzocco and a Sanremo.", "It's the Sanremo", "Bought the Marzocco"),
        ("Mache ich Yoga oder Pilates?", "Ich mache Pilates", "Yoga am Montag"),
    ],
)
def test_the_alternative_that_a_text_names_is_chosen(text, one, other):
    offered = offer(text)
    assert offered is not None
    assert {chosen(offered, one), chosen(offered, other)} == {0, 1}
    assert chosen(offered, f"{one}. {other}") is None
    assert chosen(offered, "The weather is fine") is None


@pytest.mark.parametrize(
    "text", ["", "or", "Is it on or off?", "Tea", "Tea or tea?", "between and", "either or neither"]
)
def test_where_nothing_is_offered_there_is_none(text):
    offered = offer(text)
    assert offered is None or all(offered)


@given(st.text())
def test_any_text_is_read(text):
    offered = offer(text)
    assert offered is None or (
        all(offered) and offered[0].isdisjoint(offered[1]) and chosen(offered, text) in (None, 0, 1)
    )
