"""Hits as they are told."""

import numpy as np
import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.assembly import _rounded, meaning_of


def test_values_are_rounded_as_one_by_one():
    dice = np.random.default_rng(0)
    columns = [(dice.normal(size=2_000) * scale).astype(np.float32) for scale in (1e-5, 1e-3, 1.0, 100.0)]
    columns.append(np.array([0.00005, 0.00015, -0.00025, -1e-6, 0.12345, 0.5, -0.0, 1e12] * 250))
    columns.append(np.round(dice.normal(size=2_000), 5))
    expected = [[round(value, 4) for value in column.tolist()] for column in columns]
    assert repr(_rounded(columns, 2_000)) == repr(expected)
    assert _rounded([], 3) == []


def test_what_two_memories_mean_is_compared_and_what_was_deleted_is_like_nothing(memory):
    texts = ("The ferry was cancelled.", "The boat does not run.", "Nora plays chess.")
    ids = [memory.remember(Draft(text, "said to you")).node.id for text in texts]
    meaning = meaning_of(memory.corpus, [*ids, "node_that_was_deleted"])
    assert meaning.shape == (4, 4) and np.array_equal(meaning, meaning.T)
    assert np.diag(meaning) == pytest.approx([1, 1, 1, 0], abs=1e-3)
    assert meaning[0, 1] > meaning[0, 2]
