"""Areas of life that texts are about."""

import numpy as np
import pytest

from context_graph.embed.wordpiece import pieces
from context_graph.reading.areas import AREAS, COUNT, areas_of, logits, named_areas


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("My daughter moves in with us.", "family"), ("The cardiologist doubled the tablets.", "health"),
        ("No onions in the soup, please.", "food"), ("The foreman called in sick.", "colleagues"),
        ("Our cat was sterilised.", "pets"), ("The mortgage runs for ten years.", "money"),
        ("New brake pads for the bike.", "vehicles"), ("The boiler leaks in the bathroom.", "home"),
        ("Mein Sohn ist krank.", "family"), ("Mi perro está enfermo.", "pets"),
    ],
)  # fmt: skip
def test_a_text_is_of_the_area_that_its_words_lie_near(text, area):
    assert area in areas_of(text)


@pytest.mark.parametrize("text", ["", "Answer in bullet points.", "It rained all day.", "???"])
def test_a_text_may_be_of_no_area(text):
    assert areas_of(text) == frozenset()


def test_texts_are_judged_one_by_one_as_together():
    texts = ["My uncle keeps goats.", "", "losartan since Tuesday", "x"]
    of_texts = [np.array(pieces(text), np.int64) for text in texts]
    together = logits(np.concatenate(of_texts), np.array([len(one) for one in of_texts]))
    assert together.shape == (4, COUNT)
    for row, one in zip(together, of_texts, strict=True):
        np.testing.assert_allclose(row, logits(one, np.array([len(one)]))[0], rtol=1e-5, atol=1e-5)


def test_names_of_areas_are_found_in_three_languages():
    assert named_areas("meine Familie, mi salud, our pets") == {
        "familie": {"family"}, "salud": {"health"}, "pets": {"pets"},
    }  # fmt: skip
    assert set().union(*named_areas("everything").values()) == set()
    assert len(set(AREAS)) == COUNT
