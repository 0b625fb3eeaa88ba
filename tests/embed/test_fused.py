"""All spaces as one vector: what is missing has no say, what is present has one, and a batch is its rows."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.embed import Embedder
from context_graph.embed.experts import PLACE, READ, WIDTH, of_fingerprints, of_questions
from context_graph.embed.fused import INDEX, TOP, attention, fusion, spaces_for
from context_graph.errors import EmbeddingFailed

ROUNDING = {"rtol": 1e-5, "atol": 1e-6}
TEXTS = (
    "The cello is a bowed instrument with four strings, tuned in fifths.",
    "The bridge closed because the river had flooded the road.",
    "def add(a, b):\n    '''Sum of two numbers.'''\n    return a + b\n",
)


@pytest.fixture(scope="module")
def embedder():
    return Embedder("base")


@pytest.fixture(scope="module")
def memories(embedder):
    return of_fingerprints([embedder.fingerprint(text) for text in TEXTS])


@pytest.fixture(scope="module")
def model():
    return fusion("base")


def spaces(inputs, row):
    return {f"E{i + 1}" for i in np.flatnonzero(inputs.present[row])}


def equally_rare(terms):
    return np.ones(len(terms), np.float32)


def test_a_text_has_the_spaces_that_it_has_content_for(memories):
    always = {"E1", "E6", "E9", "E12", "E13"}
    assert [spaces(memories, i) - always for i in range(3)] == [set(), {"E5"}, {"E7"}]
    assert all(always <= spaces(memories, i) for i in range(3))


def test_each_space_is_laid_out_at_unit_length_or_left_empty(memories):
    lengths = np.linalg.norm(memories.placed, axis=2)
    assert_allclose(lengths, memories.present[:, INDEX], atol=1e-5)


def test_laying_out_keeps_cosines(embedder):
    prints = [embedder.fingerprint(text) for text in TEXTS]
    placed = of_fingerprints(prints).placed[:, PLACE["E1"]]
    semantic = np.stack([fingerprint.semantic for fingerprint in prints])
    assert_allclose(placed @ placed.T, semantic @ semantic.T, atol=1e-5)


def test_two_spaces_of_one_text_agree_by_chance_only(memories):
    row = memories.placed[0]
    cosines = (row @ row.T)[np.triu_indices(len(READ), 1)]
    assert np.abs(cosines).max() < 5 / np.sqrt(WIDTH)  # five standard deviations of chance


def test_fused_vectors_have_unit_length_and_weights_a_sum_of_one(model, memories):
    fused = model(memories)
    assert fused.vectors.shape == (3, WIDTH) and fused.vectors.dtype == np.float32
    assert_allclose(np.linalg.norm(fused.vectors, axis=1), 1.0, **ROUNDING)
    assert_allclose(fused.weights.sum(axis=1), 1.0, **ROUNDING)
    assert (np.count_nonzero(fused.weights, axis=1) == TOP).all()


def test_a_missing_space_has_no_weight_and_the_rest_share_its_part(model, memories):
    whole = model.weights(memories, k=8)[0]
    for id in ("E1", "E6", "E12"):
        gone = int(id[1:]) - 1
        present = memories.present.copy()
        present[:, gone] = False
        weights = model.weights(replace(memories, present=present), k=8)[0]
        assert weights[gone] == 0
        rest = np.arange(13) != gone
        assert_allclose(weights[rest], whole[rest] / whole[rest].sum(), rtol=1e-4, atol=1e-6)


def test_a_text_without_any_space_is_zero(model, memories):
    nothing = replace(memories, placed=np.zeros_like(memories.placed), present=np.zeros_like(memories.present))
    fused = model(nothing)
    assert not fused.vectors.any() and not fused.weights.any()


def test_a_batch_is_its_rows(model, memories):
    whole = model(memories)
    for i in range(3):
        one = model(memories[i : i + 1])
        assert_allclose(one.vectors[0], whole.vectors[i], **ROUNDING)
        assert_array_equal(one.weights[0], whole.weights[i])


@pytest.mark.parametrize("id", ["E1", "E5", "E6", "E7", "E9", "E12", "E13"])
def test_every_space_that_is_chosen_tells(model, memories, id):
    """A block in another order would mean another text: the vector must notice, or the space fills room only."""
    row = {"E5": 1, "E7": 2}.get(id, 0)
    placed = memories.placed.copy()
    placed[row, PLACE[id]] = np.random.default_rng(0).permutation(placed[row, PLACE[id]])
    before, after = (model(inputs, k=8).vectors[row] for inputs in (memories, replace(memories, placed=placed)))
    assert before @ after < 0.998


@pytest.mark.parametrize(("serotonin", "spaces"), [(0.0, 2), (0.25, 3), (0.5, 4), (0.75, 6), (1.0, 8)])
def test_serotonin_widens_the_choice(model, memories, serotonin, spaces):
    assert spaces_for(serotonin) == spaces
    chosen = np.count_nonzero(model.weights(memories, spaces), axis=1)
    assert_array_equal(chosen, np.minimum(spaces, memories.present.sum(axis=1)))


def test_a_question_is_near_what_answers_it(model, embedder, memories):
    questions = [embedder.query(text) for text in ("how is a cello tuned", "why was the bridge closed")]
    asked = of_questions(questions, equally_rare, nonempty_spaces=("E5", "E7"))
    assert (model(asked).vectors @ model(memories).vectors.T).argmax(axis=1).tolist() == [0, 1]


def test_a_question_has_no_space_that_no_memory_has(embedder):
    question = [embedder.query("python function that adds two numbers")]
    assert "E7" in spaces(of_questions(question, equally_rare), 0)
    assert "E7" not in spaces(of_questions(question, equally_rare, nonempty_spaces=()), 0)


def test_attention_hears_only_the_chosen():
    dice = np.random.default_rng(1)
    read, matrix = dice.standard_normal((2, 4, 3)), np.eye(3)
    chosen = np.array([[True, False, True, False], [False] * 4])
    listens = attention(read, chosen, matrix, matrix)
    assert_allclose(listens.sum(axis=2), [[1] * 4, [0] * 4])
    assert not listens[0][:, [1, 3]].any() and not listens[1].any()


def test_the_model_is_small_and_of_the_base_tier():
    from context_graph.embed.fused import MODEL

    assert MODEL.stat().st_size < 1e6
    assert fusion("base").up.dtype == np.float16
    with pytest.raises(EmbeddingFailed, match=r"no fusion of tier 'minilm'; make one with context_graph\.train"):
        fusion("minilm")


def test_a_file_that_is_no_fusion_says_what_to_do(tmp_path):
    with pytest.raises(EmbeddingFailed, match=r"context_graph\.train"):
        fusion("base", tmp_path / "missing.npz")
    np.savez(tmp_path / "other.npz", a=np.zeros(1))
    with pytest.raises(EmbeddingFailed, match="no fusion of tier 'base'"):
        fusion("base", tmp_path / "other.npz")
