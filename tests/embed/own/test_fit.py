"""What is measured of a model once: a common direction goes, scores meet those that relevance was fitted on."""

import numpy as np
import pytest

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

import tiny_models

from context_graph.embed.encoder import Encoder
from context_graph.embed.minilm import model_file
from context_graph.embed.own import fit as fits
from context_graph.embed.own.description import Description
from context_graph.embed.own.folder_model import FolderModel
from context_graph.embed.own.probing import measure
from context_graph.errors import EmbeddingFailed
from tests.requirements import requirement


@pytest.mark.skipif(model_file() is None, reason="the minilm extra is not installed")
def test_the_anchors_are_what_the_package_s_model_scores():
    found = measure(Encoder(model_file(), threads=2))
    for name in ("late", "cosine"):
        assert abs(found[name].related - fits.RELATED[name]) < 0.01
        assert abs(found[name].foreign - fits.FOREIGN[name]) < 0.01


@requirement("models:scale")
def test_scores_are_put_where_the_package_s_model_has_them():
    measured = {"late": fits.Measured(0.95, 0.85), "cosine": fits.Measured(0.5, 0.3)}
    scale, apart = fits.scale_of(measured)
    for name, (factor, shift) in zip(("late", "cosine"), scale, strict=True):
        assert factor * measured[name].related + shift == pytest.approx(fits.RELATED[name])
        assert factor * measured[name].foreign + shift == pytest.approx(fits.FOREIGN[name])
    assert apart == pytest.approx((0.1 / 0.166, 0.2 / 0.185), rel=0.01)


@requirement("models:scale")
def test_a_model_that_tells_nothing_apart_has_no_say():
    scale, apart = fits.scale_of({"late": fits.Measured(0.9, 0.9), "cosine": fits.Measured(0.2, 0.3)})
    assert scale.late == (0.0, fits.FOREIGN["late"]) and scale.cosine == (0.0, fits.FOREIGN["cosine"])
    assert apart == (0.0, 0.0)


def test_a_common_direction_is_taken_away_and_little_else():
    rng = np.random.default_rng(0)
    plain = rng.standard_normal((60, 64)).astype(np.float32)
    plain /= np.linalg.norm(plain, axis=1, keepdims=True)
    assert not fits.centre_of(plain).any()
    leaning = plain + 2 * np.eye(64, dtype=np.float32)[0]
    leaning /= np.linalg.norm(leaning, axis=1, keepdims=True)
    centre = fits.centre_of(leaning)
    assert centre[0] > 0.8 and abs(centre[1:]).max() < 0.1


def test_the_basis_is_orthonormal_and_holds_what_tokens_have():
    rng = np.random.default_rng(0)
    tokens = rng.standard_normal((500, 20)).astype(np.float32) @ rng.standard_normal((20, 300)).astype(np.float32)
    basis = fits.basis_of(tokens)
    assert basis.shape == (300, 128) and np.allclose(basis.T @ basis, np.eye(128), atol=1e-4)
    unit = tokens / np.linalg.norm(tokens, axis=1, keepdims=True)
    assert np.allclose(np.linalg.norm(unit @ basis, axis=1), 1, atol=1e-4)
    assert fits.basis_of(tokens[:, :48]).shape == (48, 128)


def test_a_wide_vector_keeps_what_texts_differ_in():
    assert len(fits.short_texts()) > 900
    rng = np.random.default_rng(0)
    mixed = rng.standard_normal((200, 600)).astype(np.float32)  # what matters lies in 200 of 600 directions
    texts, pair = rng.standard_normal((900, 200)) @ mixed, rng.standard_normal((2, 200)) @ mixed
    narrow = pair @ fits.basis_of(texts.astype(np.float32), 384)

    def cosine(a, b):
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    assert cosine(*narrow) == pytest.approx(cosine(*pair), abs=1e-3)


def test_a_fit_is_made_once_and_kept_beside_the_memory(tmp_path):
    tiny_models.folder(tmp_path / "model")
    told = Description(folder=str(tmp_path / "model"))
    first = FolderModel(told, fits=tmp_path / "models")
    first.load()
    (file,) = (tmp_path / "models").glob("*.npz")
    again = FolderModel(told, fits=tmp_path / "models")
    again.load()
    assert np.array_equal(first.fit.basis, again.fit.basis) and first.scale == again.scale
    file.write_bytes(b"torn")
    with pytest.raises(EmbeddingFailed, match="remove it, and it is made anew"):
        FolderModel(told, fits=tmp_path / "models").load()


def test_what_languages_differ_in_is_taken_away_and_what_was_said_stays():
    draw = np.random.default_rng(0)
    meanings, languages = draw.standard_normal((8, 64)), 3 * draw.standard_normal((5, 64))
    vectors = languages[:, None] + meanings
    level = fits.without_languages(vectors.mean(axis=1))
    assert level.dtype == np.float32 and np.allclose(level, level.T, atol=1e-6)
    assert np.allclose(level @ level, level, atol=1e-5)  # once is enough
    assert np.linalg.matrix_rank(level, tol=1e-3) == 64 - (len(languages) - 1)
    left = vectors @ level
    assert np.abs(left - left[0]).max() < 1e-4 < 1 < np.abs(vectors - vectors[0]).max()


def test_every_language_says_the_same_sentences():
    languages = fits.parallel_sentences()
    assert {len(sentences) for sentences in languages} == {8} and len(languages) == 15
    assert len({sentence for sentences in languages for sentence in sentences}) == 8 * 15
    known = " ".join([*fits.probes()[0], *fits.probes()[1]])
    assert not any(sentence in known for sentences in languages for sentence in sentences)  # they judge nothing


def test_the_mean_of_token_vectors_is_kept_with_a_fit_that_has_one(tmp_path):
    plain = fits.neutral(16)
    for fit in (plain, plain._replace(token_centre=np.arange(16, dtype=np.float32))):
        file = tmp_path / f"{fit.token_centre is None}.npz"
        fits.stored(file, lambda fit=fit: fit)
        again = fits.stored(file, pytest.fail)
        assert (again.token_centre is None) is (fit.token_centre is None)
        assert fit.token_centre is None or np.array_equal(again.token_centre, fit.token_centre)
