"""What tells of a change is told from what holds, in words that no list has."""

import math

import pytest

from context_graph.reading.news import news_odds

NEWS = [
    "The goalkeeper has jacked it in.", "Ben rang, it'll be the twelfth.", "I've gone over to a mill near Enns.",
    "Staging followed last night.", "They voted in young Petra on Monday.",
]  # fmt: skip
HOLDS = [
    "The goalkeeper is Ruben.", "Our dentist is in the old town.", "Planks come from a mill near Enns.",
    "Staging has two nodes.", "I am allergic to walnuts.",
]  # fmt: skip


@pytest.mark.parametrize(("news", "holds"), [*zip(NEWS, HOLDS, strict=True)])
def test_a_change_in_unlisted_words_is_likelier_news_than_what_holds(news, holds):
    assert news_odds(news) > news_odds(holds)


def test_a_text_without_known_words_is_as_good_as_any():
    assert news_odds("") == news_odds("  ") and math.isfinite(news_odds(""))


def test_the_odds_stay_within_four():
    assert all(abs(news_odds(" ".join([text] * 50))) <= 4.0 for text in (*NEWS, *HOLDS))
