"""The declared spaces, and that every part of them carries something."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from context_graph.embed import SPACES, Embedder, periodic, positional, recent
from context_graph.embed.chunks import CHUNK_PIECES, chunked, sentences
from context_graph.embed.hyperdimensional import bits
from context_graph.embed.lexical import date_words, field_text, name_term, phrase_terms, terms, title_term, word_ids
from context_graph.embed.minilm import model_file
from context_graph.embed.semantic import static_sum, static_sums
from context_graph.embed.statistics import PieceStatistics, document_frequencies
from context_graph.embed.stems import stems, words
from context_graph.embed.wordpiece import pieces

TIERS = [
    "base",
    pytest.param("minilm", marks=pytest.mark.skipif(model_file() is None, reason="the minilm extra is absent")),
]
ROUNDING = {"atol": 1e-5}  # float32 sums of 256 to 1,024 products


@pytest.fixture(scope="module", params=TIERS)
def embedder(request):
    return Embedder(request.param)


def test_spaces_are_declared_once_with_their_width():
    found = {id: (space.name, space.dim, space.kind, space.index) for id, space in SPACES.items()}
    assert found == {
        "E1": ("semantic", 1024, "dense", 0),
        "E2": ("temporal_recent", 512, "computed", 1),
        "E3": ("temporal_periodic", 512, "computed", 2),
        "E4": ("temporal_positional", 512, "computed", 3),
        "E5": ("causal", 768, "dense", 4),
        "E6": ("lexical", 0, "sparse", 5),
        "E7": ("code", 1536, "dense", 6),
        "E8": ("graph", 1536, "dense", 7),
        "E9": ("hyperdimensional", 10_000, "bits", 8),
        "E10": ("multimodal", 1024, "dense", 9),
        "E11": ("entity", 256, "dense", 10),
        "E12": ("late_interaction", 128, "tokens", 11),
        "E13": ("expanded", 0, "sparse", 12),
    }


def test_a_memory_is_a_unit_vector_close_to_what_means_the_same(embedder):
    first, like, unlike = (
        embedder.fingerprint(text).semantic
        for text in (
            "The cat sleeps on the sofa.",
            "A kitten naps on the couch.",
            "Interest rates rose by two percent.",
        )
    )
    assert_allclose(np.linalg.norm(first), 1.0, **ROUNDING)
    assert first @ like > first @ unlike + 0.1


def test_every_block_of_e1_says_something(embedder):
    text, other = "The orchestra rehearses Schubert on Friday.", "The database migration timed out."
    a = embedder.fingerprint(text, previous="What are you playing?", heading="orchestra Schubert").semantic
    b = embedder.fingerprint(other, previous="Why was it late?", heading="database").semantic
    edges = [0, 256, 512, 768, 1024] if embedder.tier == "base" else [0, 256, 640, 1024]
    for start, end in pairwise(edges):
        assert np.linalg.norm(a[start:end]) > 0.1
        assert not np.allclose(a[start:end], b[start:end])


def test_the_window_block_sees_the_memory_before(embedder):
    alone = embedder.fingerprint("Yes, on Friday.").semantic
    after = embedder.fingerprint("Yes, on Friday.", previous="Does the orchestra rehearse Schubert?").semantic
    own_alone, own_after = embedder.own_part(alone), embedder.own_part(after)
    assert_allclose(own_alone, own_after, atol=2e-3)
    assert not np.allclose(alone, after, atol=1e-2)


def test_a_query_finds_its_answer_among_static_token_and_word_views(embedder):
    texts = ["Anna plays the clarinet.", "Bob repairs old bicycles.", "The invoice is due in March."]
    prints = [embedder.fingerprint(text) for text in texts]
    query = embedder.query("Which musical instrument does Anna play?")
    late = [
        float((query.tokens @ (p.chunks[0] / np.linalg.norm(p.chunks[0], axis=1, keepdims=True)).T).max(axis=1).mean())
        for p in prints
    ]
    assert int(np.argmax(late)) == 0
    assert set(query.terms) & set(prints[0].terms)


def test_a_voice_is_embedded_as_the_turns_of_its_speaker_are(embedder):
    first_person = embedder.query("Where did Ann go?", speaker="ann", first_person="Where did I go?").first_person
    turn = embedder.query("ann: Where did I go?")
    assert first_person.speaker == "ann"
    assert ((first_person.tokens * turn.tokens).sum(axis=1) > 0.99).all()  # int8 activations are scaled by the pass
    assert_allclose(first_person.idf, turn.idf)
    assert embedder.query("Where did Ann go?").first_person is None


def test_long_texts_are_chunked_between_sentences_and_keep_every_piece():
    text = " ".join(f"Sentence number {i} talks about topic {i % 7}." for i in range(200))
    chunks = chunked(text)
    assert all(0 < len(chunk) <= CHUNK_PIECES for chunk in chunks)
    assert [piece for chunk in chunks for piece in chunk] == list(pieces(text))


def test_one_endless_word_is_still_chunked():
    assert all(len(chunk) <= CHUNK_PIECES for chunk in chunked("ab " * 3000))


def test_sentences_end_at_marks_and_lines():
    assert sentences("One. Two? v1.2 is out!\nLast line") == ["One.", "Two?", "v1.2 is out!", "Last line"]


def test_very_long_memories_leave_the_rest_for_later():
    embedder = Embedder("base")
    assert embedder.fingerprint("word " * 5000).pending == []  # the base tier is fast enough to do it all
    if model_file() is not None:
        found = Embedder("minilm").fingerprint("A sentence about boats. " * 400)
        assert len(found.chunks) == 4 and found.pending


def test_empty_and_strange_texts_have_finite_fingerprints(embedder):
    for text in (" ", "🙂", "\u200b", "x" * 4000):
        found = embedder.fingerprint(text)
        assert np.isfinite(found.semantic).all()
        assert np.isfinite(embedder.query(text).semantic).all()


def test_static_sums_of_many_texts_equal_those_of_each():
    statistics = PieceStatistics()
    texts = [np.array(pieces(text), np.int32) for text in ("a small boat", "", "the harbour of Kiel", "boats")]
    statistics.freeze(4, document_frequencies(np.concatenate(texts), np.array([len(t) for t in texts])))
    together = static_sums(np.concatenate(texts), np.array([len(t) for t in texts]), statistics)
    assert_allclose(together, [static_sum(text, statistics) for text in texts], **ROUNDING)


def test_rarity_follows_the_store_once_it_is_large():
    statistics = PieceStatistics()
    common, rare = np.array(pieces("boat")), np.array(pieces("the"))
    young = statistics.weights(common)[0], statistics.weights(rare)[0]
    assert young[0] > young[1]  # in English "the" is the common one
    statistics.freeze(500, 500 * document_frequencies(common, np.array([1])))
    assert statistics.weights(common)[0] < statistics.weights(rare)[0]  # here everything is about boats


def test_words_of_an_identifier_are_found_by_its_parts():
    assert words("parseHTMLPage of Anna's") == ("parsehtmlpage", "parse", "html", "page", "of", "anna")
    assert stems("running runs the runner's race") == ("run", "run", "runner", "race")


def test_dates_are_indexed_in_words():
    assert date_words(1_683_417_600_000_000) == "7 May 2023"
    assert field_text("Hi", speaker="Anna", occurred_at=1_683_417_600_000_000) == "7 May 2023. Anna: Hi"
    assert terms("boats and a boat") == terms("boat boat")


def test_bits_are_near_for_near_spellings_and_depend_on_order():
    apart = lambda a, b: int(np.bitwise_count(bits(a) ^ bits(b)).sum())  # noqa: E731
    text = "Alice pays Bob ten euros for the lamp"
    assert apart(text, text) == 0
    assert apart(text, "Alice pays Bob ten euros for the lamps") < apart(text, "Bob pays Alice ten euros for the lamp")
    assert 4_000 < apart(text, "Clouds drift over the harbour at night") < 6_000


def test_times_are_near_in_proportion_in_the_week_and_in_the_session():
    hour, day, year = 3600.0, 86400.0, 365.25 * 86400
    ages = recent(np.array([hour, 2 * hour, year]))
    assert ages[0] @ ages[1] > ages[0] @ ages[2]
    monday = 1_767_571_200.0  # 2026-01-05T00:00:00Z
    times = periodic(np.array([monday + 9 * hour, monday + 7 * day + 9 * hour, monday + 3 * day + 21 * hour]))
    assert times[0] @ times[1] > times[0] @ times[2]
    places = positional(np.array([1, 2, 60]))
    assert places[0] @ places[1] > places[0] @ places[2]
    for rows in (ages, times, places):
        assert_allclose(np.linalg.norm(rows, axis=1), 1.0, **ROUNDING)


def test_a_tier_that_is_not_installed_is_an_error_with_the_way_out(monkeypatch):
    from context_graph.embed import embedder as module
    from context_graph.errors import EmbeddingFailed

    monkeypatch.setattr(module, "model_file", lambda: None)
    assert module.Embedder("auto").tier == "base"
    with pytest.raises(EmbeddingFailed, match="pip install"):
        module.Embedder("minilm")


def test_a_tampered_model_is_refused(tmp_path):
    from context_graph.embed.encoder import Encoder
    from context_graph.errors import EmbeddingFailed

    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(EmbeddingFailed, match="reinstall"):
        Encoder(tmp_path / "model.onnx").load()


@given(st.lists(st.text("abcXYZ.é", min_size=1, max_size=6), min_size=1, max_size=4))
def test_a_name_by_itself_has_the_term_that_it_has_in_a_sentence(words):
    key, size = " ".join(words), len(words)
    ids = word_ids(words)
    assert name_term(key) == phrase_terms("name", ids, size)[size - 1, 0]
    assert title_term(key) == phrase_terms("title", ids, size)[size - 1, 0]
