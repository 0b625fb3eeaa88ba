"""The learned fusion in a search: nothing of it runs while it is off, and each use does what it says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from context_graph.embed.experts import READ
from context_graph.embed.fused import fusion
from context_graph.models import Node
from context_graph.recall.query import query_for
from context_graph.recall.question import Question
from context_graph.recall.sources import retrieve
from context_graph.retrieval import fused_vectors
from context_graph.retrieval import fusion as joining
from context_graph.retrieval.config import RANKING

HALF = 2e-3
"""Kept vectors are float16."""

CODE = "def tuned(strings):\n    '''Whether a cello is tuned in fifths.'''\n    return len(strings) == 4\n"
ASKED = "how is a cello tuned"


@pytest.fixture
def asked(memory, tell):
    for text in (
        "The cello is tuned in fifths.",
        "The road was closed because the river had flooded it.",
        CODE,
        "A very long walk. " * 900,
    ):
        tell(text)
    memory.background.wait()
    corpus = memory.corpus

    def asked(**options):
        vectors = memory.embedder.query(ASKED)
        return query_for(memory, corpus, vectors, corpus.columns.live.copy(), 4, **options)

    return corpus, asked


def weigh_fused(memory):
    whole = memory.ranking["base"]
    memory.ranking["base"] = whole.changed((table, "fused", 1.0) for table in whole.tables)


def test_nothing_is_made_while_it_is_off(memory, asked, monkeypatch):
    corpus, asked = asked
    monkeypatch.setattr(fused_vectors, "fusion", None)  # would fail if it were called
    found = retrieve(memory, corpus, asked())
    assert "fused" not in found.parts and corpus.fused.nbytes == 0 and found.gate_weights == {}


def test_a_row_has_the_vector_of_its_fingerprint(asked, memory):
    corpus, _ = asked
    rows = np.arange(len(corpus))
    inputs = fused_vectors.inputs_of(corpus, rows)
    present = [{f"E{i + 1}" for i in np.flatnonzero(row)} for row in inputs.present]
    always = {"E1", "E6", "E9", "E12", "E13"}
    assert [one - always for one in present] == [set(), {"E5"}, {"E7"}, set()]
    vectors = fused_vectors.vectors(corpus, rows, "base")
    assert_allclose(vectors, fusion("base")(inputs).vectors, atol=HALF)
    assert_allclose(fused_vectors.vectors(corpus, rows[::-1], "base"), vectors[::-1], atol=0)


def test_a_row_that_is_embedded_again_gets_a_new_vector(asked):
    corpus, _ = asked
    before = fused_vectors.vectors(corpus, np.array([0]), "base")[0]
    corpus.reembed(corpus.ids[0], -corpus.semantic.rows([0])[0], [], {})
    assert before @ fused_vectors.vectors(corpus, np.array([0]), "base")[0] < 0.9


def test_it_is_a_score_where_it_has_a_weight(memory, asked):
    corpus, asked = asked
    weigh_fused(memory)
    found = retrieve(memory, corpus, asked())
    assert set(found.rows[:2].tolist()) == {0, 2}
    assert found.parts["fused"][found.rows == 0] > found.parts["fused"][found.rows == 1]
    assert found.raw["fused"].min() >= -1 and found.raw["fused"].max() <= 1 + HALF


def test_the_say_of_the_spaces_is_one_on_average(asked):
    corpus, asked = asked
    said = fused_vectors.gate_weights(corpus, asked())
    assert set(said) <= set(READ) and np.mean(list(said.values())) == pytest.approx(1)
    assert "E7" in said  # the question is asked of code, and some memory is code


@pytest.mark.parametrize(("serotonin", "spaces"), [(0.0, 2), (0.5, 4)])
def test_serotonin_says_how_many_spaces_a_question_consults(asked, serotonin, spaces):
    corpus, asked = asked
    model, inputs = fusion("base"), fused_vectors.question_of(corpus, [asked().vectors])
    weights = model.weights(inputs, spaces)[0]
    present = inputs.present[0]
    said = fused_vectors.gate_weights(corpus, asked(serotonin=serotonin))
    more = (weights - model.usual)[present]
    wanted = 1 + present.sum() * (more - more.mean())
    assert_allclose([said[f"E{i + 1}"] for i in np.flatnonzero(present)], wanted, rtol=1e-4)


def test_the_gate_turns_the_weights_of_the_spaces_it_chose(memory, asked):
    corpus, asked = asked
    plain = retrieve(memory, corpus, asked())
    turned = retrieve(memory, corpus, asked(config=RANKING["base"].changed([("strengths", "gate", 1.0)])))
    said = turned.gate_weights
    of = {
        name: (plain.parts[name][np.argsort(plain.rows)], turned.parts[name][np.argsort(turned.rows)])
        for name in ("words", "late_rare", "information")
    }
    assert_allclose(of["words"][1], of["words"][0] * said["E6"], rtol=1e-4, atol=1e-6)
    assert_allclose(of["late_rare"][1], of["late_rare"][0] * said["E12"], rtol=1e-4, atol=1e-6)
    assert_allclose(of["information"][1], of["information"][0])  # rules are no space's


def test_the_gate_never_turns_a_weight_around():
    weights = {"words": np.array([1.0, 0.5], np.float32)}
    assert joining.gated(weights, {"words": 0.0}, 4.0)["words"].tolist() == [0, 0]
    assert joining.gated(weights, {"words": 3.0}, 0.5)["words"].tolist() == [2, 1]
    assert joining.gated(weights, {"words": 3.0}, 0.0) is weights


def test_a_score_that_hardly_varies_has_no_say(memory, asked, monkeypatch):
    """The guard against a degenerate space: noise is not stretched to the size of a signal."""
    corpus, asked = asked
    noise = 1e-4 * np.random.default_rng(0).standard_normal(len(corpus)).astype(np.float32)
    weigh_fused(memory)
    monkeypatch.setattr(fused_vectors, "scores", lambda corpus, query, rows: 0.7 + noise[rows])
    found = retrieve(memory, corpus, asked())
    assert np.abs(found.parts["fused"]).max() < 0.05
    monkeypatch.setattr(fused_vectors, "scores", lambda corpus, query, rows: 0.7 + 1e3 * noise[rows])
    assert np.abs(retrieve(memory, corpus, asked()).parts["fused"]).max() > 0.5


def test_an_answer_tells_the_part_of_the_fusion(memory, asked):
    weigh_fused(memory)
    hits = memory.recall(Question(ASKED, record=False)).hits
    assert all(isinstance(hit.node, Node) for hit in hits) and "fused" in hits[0].parts and 0 <= hits[0].dominant <= 12
