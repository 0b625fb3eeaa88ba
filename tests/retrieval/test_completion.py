"""The question moves to what the memory holds, sharply or gently."""

from dataclasses import replace

import numpy as np
import pytest

from context_graph.embed.semantic import unit
from context_graph.recall.query import query_for
from context_graph.recall.question import Question
from context_graph.recall.sources import retrieve
from context_graph.retrieval import completion

HALF = 2e-3
"""Stored rows are float16: their lengths are rounded."""

ASKED = "the instrument that Anna plays"


@pytest.fixture
def asked(memory, tell):
    for text in ("Anna plays the clarinet.", "Anna plays in the town orchestra.", "The harbour was foggy."):
        tell(text)
    corpus = memory.corpus

    def asked(dopamine=3.0, only=None, cue=None):
        mask = corpus.columns.live.copy()
        if only is not None:
            mask[:] = np.arange(len(mask)) == only
        vectors = memory.embedder.query(ASKED)
        vectors = vectors if cue is None else replace(vectors, semantic=cue)
        return query_for(memory, corpus, vectors, mask, 3, dopamine=dopamine)

    return corpus, asked


def test_a_completed_question_is_nearer_to_what_it_resembles(asked):
    corpus, asked = asked
    before = corpus.semantic.scores(asked().vectors.semantic[None])[0]
    after = completion.scores(corpus, asked(), np.arange(3))
    best = int(before.argmax())
    assert after.argmax() == best and after[best] > before[best] and after[best] <= 1.0 + HALF


def test_dopamine_sharpens_the_choice(asked):
    corpus, asked = asked
    one, other, _ = corpus.semantic.rows([0, 1, 2])
    cue = unit(0.51 * one + 0.49 * other)  # between two memories, a little nearer to the first
    chosen = [completion.scores(corpus, asked(dopamine, cue=cue), np.arange(3)) for dopamine in (1.0, 3.0, 5.0)]
    apart = [float(scores[0] - scores[1]) for scores in chosen]
    assert apart[0] + 0.05 < apart[1] and apart[1] + 0.05 < apart[2]
    assert completion.inverse_temperature(3.0, 1024) == 48.0


def test_hidden_memories_take_no_part(asked):
    corpus, asked = asked
    alone = completion.completed(corpus, asked(only=2))
    assert np.allclose(alone, corpus.semantic.rows([2])[0], atol=HALF)
    nobody = asked(only=99)
    assert np.array_equal(completion.completed(corpus, nobody), nobody.vectors.semantic)


def test_a_long_list_is_cut_to_the_nearest(asked, monkeypatch):
    corpus, asked = asked
    monkeypatch.setattr(completion, "SHORTLIST", 1)
    nearest = int(corpus.semantic.scores(asked().vectors.semantic[None])[0].argmax())
    assert completion.scores(corpus, asked(), np.arange(3)).argmax() == nearest
    assert np.isclose(completion.scores(corpus, asked(), np.array([nearest]))[0], 1.0, atol=HALF)


def test_it_joins_the_sum_where_it_has_a_weight(asked, memory):
    corpus, asked = asked
    assert "completion" not in retrieve(memory, corpus, asked()).parts
    whole = memory.ranking["base"]
    memory.ranking["base"] = whole.changed((table, "completion", 1.0) for table in whole.tables_of("note"))
    found = retrieve(memory, corpus, asked())
    assert found.parts["completion"][0] == found.parts["completion"].max() > 0
    assert memory.recall(Question(ASKED, record=False)).hits[0].parts["completion"] > 0
