"""BM25 over texts: the ranking of a public implementation, in a file and back, beside appends."""

import threading

import bm25s
import numpy as np
import pytest

from context_graph import Bm25
from context_graph.embed.stems import stems
from context_graph.errors import ArrayError, InvalidInput
from context_graph.kernels import sparse
from tests.requirements import requirement

WORDS = "river stone apple engine letter garden window copper violin harbour lantern meadow".split()


def texts(n, seed=0):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(1, 15))) for _ in range(n)]


@requirement("texts:bm25")
def test_scores_are_those_of_bm25s():
    corpus, query = texts(300), "a garden with copper lanterns by the harbour"
    peer = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    peer.index([list(stems(text)) for text in corpus], show_progress=False)
    expected = peer.get_scores(list(stems(query)))
    index = Bm25(corpus)
    # Lucene's form, like that of bm25s, leaves out the factor k1 + 1, which changes no order.
    np.testing.assert_allclose(index.scores(query) / 2.2, expected, rtol=2e-5, atol=1e-6)
    scores, ids = index.search(query, 20)
    np.testing.assert_allclose(scores / 2.2, np.sort(expected)[::-1][:20], rtol=2e-5)
    assert np.all(np.diff(ids[scores == scores[0]]) > 0)


@requirement("texts:bm25")
def test_words_are_stems_or_what_a_callable_gives():
    assert Bm25(["two foxes", "one dog"]).search("Fox", 1)[1].tolist() == [0]
    letters = Bm25(["abc", "xyz"], tokenize=list)
    assert letters.search("zebra", 1)[1].tolist() in ([0], [1]) and letters.scores("z").tolist()[0] == 0
    assert Bm25(["abc", "xyz"]).scores("z").tolist() == [0, 0]


def test_terms_that_are_no_texts_are_refused():
    with pytest.raises(InvalidInput, match="as str, got int 7 among 2"):
        Bm25(["a text"], tokenize=lambda text: ["a", 7])
    index = Bm25(["a text"], tokenize=lambda text: ["a"] if "text" in text else [["b"]])
    with pytest.raises(InvalidInput, match=r"got list \['b'\] among 1"):
        index.search("other")


@requirement("texts:bm25")
def test_texts_come_and_go():
    index = Bm25()
    assert index.search("river", 2)[1].tolist() == [-1, -1]
    assert index.append(["river", "river stone"]).tolist() == [0, 1] and index.append(["apple"]).tolist() == [2]
    before = index.scores("stone")[1]
    index.remove([0])
    assert len(index) == 3 and index.scores("stone")[1] < before, "of fewer texts, the word is less rare"
    assert index.search("river", 3)[1].tolist() == [1, 2, -1], "what is removed is not found"
    assert index.search("river", 2, mask=np.array([1, 0, 1], bool))[1].tolist() == [2, -1]


@requirement("texts:bm25")
@pytest.mark.parametrize("tokenize", [None, str.split])
def test_an_index_of_texts_is_saved_and_loaded(tokenize, tmp_path):
    index = Bm25(texts(200), tokenize=tokenize, k1=0.9, b=0.4)
    index.remove([3, 4])
    index.save(tmp_path / "texts")
    loaded = Bm25.load(tmp_path / "texts", tokenize=tokenize, verify=True)
    for one in (index, loaded):
        one.append(texts(20, seed=1))
    np.testing.assert_array_equal(loaded.scores("copper garden"), index.scores("copper garden"))
    assert (loaded.k1, loaded.b) == (0.9, 0.4)
    with pytest.raises(InvalidInput, match="must be read as it was made"):
        Bm25.load(tmp_path / "texts", tokenize=None if tokenize else str.split)


@requirement("texts:bm25")
def test_wrong_input_says_what_was_expected(tmp_path):
    with pytest.raises(InvalidInput, match=r"got one text; pass \[text\]"):
        Bm25("a text")
    with pytest.raises(InvalidInput, match="a text must be a str, got int"):
        Bm25([3])
    for wrong in (None, 3):
        with pytest.raises(InvalidInput, match=r"texts must be an iterable of texts, got .*; pass a list"):
            Bm25(wrong)
    for wrong in (-1, "1", None):
        with pytest.raises(InvalidInput, match=f"k1 must be at least 0 .*, got k1={wrong!r}"):
            Bm25(k1=wrong)
    (tmp_path / "other").write_text("no index", encoding="utf-8")
    with pytest.raises(ArrayError, match="must be a file that"):
        Bm25.load(tmp_path / "other")
    sparse.Index().save(tmp_path / "sparse")
    with pytest.raises(InvalidInput, match="got one of sparse"):
        Bm25.load(tmp_path / "sparse")


@requirement("texts:bm25")
def test_searches_beside_appends_rank_the_texts_of_one_moment():
    index, part = Bm25(texts(50)), texts(10, seed=2)
    found = []

    def read():
        for _ in range(60):
            scores, ids = index.search("copper", 1000)
            found.append(int((ids >= 0).sum()))
            assert (np.isfinite(scores) == (ids >= 0)).all()

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(30):
        index.append(part)
    for thread in threads:
        thread.join()
    assert len(found) == 180 and all(50 <= size <= 350 and size % 10 == 0 for size in found)
