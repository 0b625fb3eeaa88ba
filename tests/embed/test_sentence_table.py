"""What a table of word pieces makes of a whole text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.embed import static_table
from context_graph.embed.sentence_table import DIMENSIONS, SENTENCE_ROWS, SENTENCE_SCALE, unit_sums, vector

PIECES = st.lists(st.integers(0, 30_521), max_size=30)


def test_every_word_piece_has_a_row():
    assert np.load(SENTENCE_ROWS, mmap_mode="r").shape == (static_table.piece_count(), DIMENSIONS)
    assert np.load(SENTENCE_SCALE).shape == (static_table.piece_count(),)


@given(st.lists(PIECES, max_size=6))
def test_sums_of_texts_side_by_side_are_those_of_each_alone(texts):
    flat = np.array([piece for text in texts for piece in text], np.int64)
    lengths = np.array([len(text) for text in texts], np.int64)
    units = unit_sums(flat, lengths)
    assert units.shape == (len(texts), DIMENSIONS)
    for text, unit in zip(texts, units, strict=True):
        alone = unit_sums(np.array(text, np.int64), np.array([len(text)]))[0]
        assert np.allclose(unit, alone, atol=1e-5)
        assert np.isclose(np.linalg.norm(unit), 1.0, atol=1e-4) if text else not unit.any()


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("Who looks after our children?", "Ulla watches the kids on Mondays.", "The library closes at six."),
        ("What did the repair cost?", "We paid 180 euros for the mechanic.", "The car is blue."),
        ("How do I get to the office?", "I cycle to work.", "My boss likes jazz."),
    ],
)
def test_what_means_alike_lies_near_though_it_shares_no_word(question, answer, other):
    assert vector(question) @ vector(answer) > vector(question) @ vector(other)
