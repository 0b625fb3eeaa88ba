"""The pass of multilingual-e5-small is that of BERT, and its word pieces are those of SentencePiece."""

import math

import numpy as np
import pytest
import tiny_e5

pytest.importorskip("tokenizers")

from context_graph.embed.own.e5 import E5Runner, E5Tokenizer
from context_graph.embed.own.e5_file import vocabulary, weights

ROUNDING = {"rtol": 2e-4, "atol": 2e-5}
"""Sums of float32 in another order, through two layers."""


@pytest.fixture
def tokenizer(tmp_path) -> E5Tokenizer:
    tiny_e5.write(tmp_path / "tiny.bin")
    return E5Tokenizer(lambda: vocabulary(tmp_path / "tiny.bin"))


def states_of(arrays: dict[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """The last states of a text, token by token and in float64, as BERT is defined."""

    def normed(x, name):
        x = x - x.mean(axis=-1, keepdims=True)
        return (
            x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + tiny_e5.EPSILON) * arrays[f"{name}.w"]
            + arrays[f"{name}.b"]
        )

    def through(x, name):
        return x @ arrays[f"{name}.w"].astype(np.float64).T + arrays[f"{name}.b"]

    x = normed(
        arrays["emb.word"][ids] + arrays["emb.pos"][: len(ids)] + arrays["emb.type"][0].astype(np.float64), "emb.ln"
    )
    each = tiny_e5.WIDTH // tiny_e5.HEADS
    for layer in range(tiny_e5.LAYERS):
        query, key, value = (through(x, f"l{layer}.{part}") for part in "qkv")
        context = np.zeros_like(x)
        for head in range(tiny_e5.HEADS):
            part = slice(head * each, (head + 1) * each)
            weight = np.exp(query[:, part] @ key[:, part].T / math.sqrt(each))
            context[:, part] = weight / weight.sum(axis=1, keepdims=True) @ value[:, part]
        x = normed(x + through(context, f"l{layer}.ao"), f"l{layer}.aln")
        inner = np.vectorize(lambda v: 0.5 * v * (1 + math.erf(v / math.sqrt(2))))(through(x, f"l{layer}.fi"))
        x = normed(x + through(inner, f"l{layer}.fo"), f"l{layer}.oln")
    return x


def test_a_pass_is_that_of_bert_whatever_stands_beside_a_text(tmp_path):
    arrays = tiny_e5.write(tmp_path / "tiny.bin")
    runner = E5Runner(weights(tmp_path / "tiny.bin"))
    texts = [[0, 5, 6, 7, 8, 9, 2], [0, 12, 2], [0, *range(4, 30), 2]]
    ids = np.ones((len(texts), max(map(len, texts))), np.int64)
    mask = np.zeros_like(ids)
    for row, text in enumerate(texts):
        ids[row, : len(text)], mask[row, : len(text)] = text, 1
    states = runner.run(ids, mask)
    assert states.dtype == np.float32 and states.shape == (*ids.shape, tiny_e5.WIDTH)
    for row, text in enumerate(texts):
        np.testing.assert_allclose(states[row, : len(text)], states_of(arrays, text), **ROUNDING)


def test_a_token_stands_where_its_letters_stand_in_the_text(tokenizer):
    text = "Ａnna  started\nat the\u200b ﬁ library."
    ids, spans = tokenizer.tokens(text)
    pieces = [tiny_e5.PIECES[id][0] for id in ids]
    assert pieces == ["▁Anna", "▁started", "▁at", "▁the", "▁", "f", "i", "▁library", "."]
    parts = [text[start:end].strip() for start, end in spans]
    assert parts == ["Ａnna", "started", "at", "the", "", "ﬁ", "ﬁ", "library", "."]


def test_a_prefix_leaves_no_tokens_of_its_own(tokenizer):
    alone = tokenizer.tokens("Anna sat.")
    behind = tokenizer.tokens("Anna sat.", "passage: ")
    assert behind.ids == alone.ids
    np.testing.assert_array_equal(behind.spans, alone.spans)


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\n\n"])
def test_a_text_of_nothing_has_hardly_a_token(tokenizer, text):
    ids, spans = tokenizer.tokens(text)
    assert len(ids) == len(spans) <= 1 and (spans <= len(text)).all()
    assert len(tokenizer.tokens(text, "query: ").ids) <= 1


def test_no_vocabulary_is_read_before_a_text_is():
    def never():
        raise AssertionError("the vocabulary was read")

    tokenizer = E5Tokenizer(never)
    assert tokenizer.head and tokenizer.tail and tokenizer.size > 64_000
