"""A cross-encoder scores pairs as its graph says, and its scores are added to the totals of the first results."""

import numpy as np
import pytest

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

import tiny_models

from context_graph.embed.own.cross_encoder import CrossEncoder
from context_graph.errors import EmbeddingFailed
from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.recall.question import Question
from context_graph.recall.reranking import reranked
from context_graph.retrieval.types import CandidatePool
from context_graph.settings import Settings
from tests.requirements import requirement

WHY = "Needed when it is asked about."


def folder(path, *, labels: int = 1, kind: str = "wordpiece") -> tuple[np.ndarray, object]:
    """A cross-encoder whose score of a pair is the sum of its tokens' weights."""
    path.mkdir()
    tokenizer = tiny_models.tokenizer(kind)
    tokenizer.save(str(path / "tokenizer.json"))
    table = np.random.default_rng(3).standard_normal((tokenizer.get_vocab_size(), labels)).astype(np.float32)
    (path / "model.onnx").write_bytes(tiny_models.pair_encoder(table))
    return table, tokenizer


@pytest.mark.parametrize("kind", tiny_models.KINDS)
@pytest.mark.parametrize("labels", [1, 2])
def test_a_score_is_that_of_the_pair(tmp_path, kind, labels):
    table, tokenizer = folder(tmp_path / "cross", labels=labels, kind=kind)
    texts = [f"The cat sat on {thing}." for thing in ("the mat", "a chair with four legs", "me")] * 9
    found = CrossEncoder(tmp_path / "cross").scores("Where did the cat sit?", texts)
    sums = np.array([table[tokenizer.encode("Where did the cat sit?", text).ids].sum(axis=0) for text in texts])
    assert np.allclose(found, sums[:, 0] if labels == 1 else sums[:, 1] - sums[:, 0], atol=1e-4)


def test_a_pair_that_is_too_long_is_cut(tmp_path):
    folder(tmp_path / "cross")
    (tmp_path / "cross" / "config.json").write_text('{"max_position_embeddings": 32}', "utf-8")
    model = CrossEncoder(tmp_path / "cross")
    assert len(model._tokenizer("Who?", ["The cat sat. " * 100])[0].ids) == 32
    assert model.scores("Who?", []).shape == (0,)


@pytest.mark.parametrize("name", ["three labels", "no tokenizer", "no model"])
def test_what_is_no_cross_encoder_is_an_error(tmp_path, name):
    folder(tmp_path / "cross", labels=3 if name == "three labels" else 1)
    if name == "no tokenizer":
        (tmp_path / "cross" / "tokenizer.json").unlink()
    if name == "no model":
        (tmp_path / "cross" / "model.onnx").unlink()
    with pytest.raises(EmbeddingFailed, match=r"expected (a|.* to give)"):
        CrossEncoder(tmp_path / "cross").scores("Who?", ["Anna."])


@requirement("models:reranker")
def test_what_the_cross_encoder_thinks_is_added_to_the_totals_of_the_first_results(tmp_path):
    table, tokenizer = folder(tmp_path / "cross")
    table[:] = 0
    table[tokenizer.encode("rain", add_special_tokens=False).ids] = 1.0
    (tmp_path / "cross" / "model.onnx").write_bytes(tiny_models.pair_encoder(table))
    home, told = tmp_path / "home", [f"Note {i}: the cat sat on chair {i}." for i in range(30)]
    with Memory(Settings(home=home, tier="base")) as memory:
        for text in [*told, "Note 31: the cat sat on chair 31 in rain, rain."]:
            memory.remember(Draft(text, rationale=WHY))
        plain = [hit.node.content for hit in memory.recall(Question("Where did the cat sit?", top_k=5)).hits]
    with Memory(Settings(home=home, tier="base", reranker=tmp_path / "cross")) as memory:
        answer = memory.recall(Question("Where did the cat sit?", top_k=5))
        assert "rain, rain" in answer.hits[0].node.content and len(answer.hits) == 5
        assert not any("rain" in text for text in plain)
        relevance = [hit.relevance for hit in answer.hits]
        assert relevance == sorted(relevance, reverse=True)
        stage = next(stage for stage in answer.stages if stage["stage"] == "rerank")
        assert stage["in"] == 31 and stage["out"] == 5


def test_scores_are_standardised_and_added(tmp_path):
    folder(tmp_path / "cross")
    model, texts = CrossEncoder(tmp_path / "cross"), ["The cat.", None, "Four legs.", "Me, a chair, the mat."]
    scores = model.scores("Where?", [text for text in texts if text is not None])
    shares = (scores - scores.mean()) / scores.std()
    expected = np.array([2.0 + shares[0], 1.5, 1.0 + shares[1], 0.5 + shares[2]])
    pool = CandidatePool(np.array([7, 3, 9, 4]), np.array([2.0, 1.5, 1.0, 0.5]))
    reranked(model, "Where?", pool, texts, 3)
    order = np.argsort(-expected)[:3]
    assert pool.rows.tolist() == np.array([7, 3, 9, 4])[order].tolist()
    assert np.allclose(pool.total, expected[order])


def test_one_result_stays_as_it_is(tmp_path):
    folder(tmp_path / "cross")
    pool = CandidatePool(np.array([7]), np.array([2.0]))
    reranked(CrossEncoder(tmp_path / "cross"), "Where?", pool, ["The cat."], 3)
    assert pool.rows.tolist() == [7] and pool.total.tolist() == [2.0]
