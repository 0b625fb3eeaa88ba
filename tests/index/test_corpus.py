"""What the index keeps of the texts themselves."""

import itertools

import numpy as np
import pytest

from context_graph.embed import Embedder
from context_graph.embed.wordpiece import pieces
from context_graph.index.batch import Features, form_of
from context_graph.index.corpus import Corpus
from context_graph.index.fields import DEAD, FIELDS, Fields
from context_graph.ingest.draft import Draft
from context_graph.ingest.forget import forget
from context_graph.recall.question import Question


def test_the_pieces_of_rows_are_those_of_their_texts_in_any_order(memory):
    texts = ["We rent a flat in Ghent.", "Short.", "The cat Wojciechowska sleeps on the piano.", "I take the tram."]
    ids = [memory.remember(Draft(text, "said to you")).node.id for text in texts]
    rows = np.array([memory.corpus.row_of[id] for id in ids])[[2, 0, 3, 1]]
    found, lengths = memory.corpus.pieces(rows)
    wanted = [pieces(texts[i]) for i in (2, 0, 3, 1)]
    assert lengths.tolist() == [len(each) for each in wanted]
    assert found.tolist() == [piece for each in wanted for piece in each]
    assert [each.tolist() for each in memory.corpus.pieces(rows[:0])] == [[], []]


def test_what_was_deleted_for_good_leaves_no_pieces_and_no_attributes(memory):
    kept = memory.remember(Draft("We rent a flat in Ghent.", "said to you")).node.id
    gone = memory.remember(Draft("I live above the bakery in Lier.", "said to you")).node.id
    assert len(memory.recall(Question("Where do I live?")).hits) == 2
    row = memory.corpus.row_of[gone]
    forget(memory, gone, "user_requested", soft=False)
    assert [hit.node.id for hit in memory.recall(Question("Where do I live?")).hits] == [kept]
    assert memory.corpus.pieces(np.array([row]))[1].tolist() == [0]
    assert memory.corpus.attributes.missing(np.array([row])).tolist() == [row]


TEXTS = [
    "We rent a flat in Ghent.",
    "def area(width):\n    return width * width\n",
    "The flood was caused by a burst pipe, so Anna Berger called.",
    "Short.",
    "A long tale of the sea. " * 120,
]


def filled(sizes, *, lost: int = 0) -> Corpus:
    """A corpus of 40 texts: each by itself, or entered and settled so many at a time; with ordinals that were lost."""
    embedder = Embedder("base")
    corpus, numbers = Corpus(embedder.statistics, embedder=embedder), itertools.count()
    for size in sizes:
        for number in itertools.islice(numbers, size):
            text = f"{TEXTS[number % len(TEXTS)]} It is number {number}."
            ordinal = number + (lost if number >= 20 else 0)
            row = dict(zip(FIELDS, (ordinal, *DEAD), strict=True))
            row |= {"id": f"id {number}", "session_id": f"s{number % 3}", "state": "live"}
            row["speaker"] = "Ann" if number % 2 else None
            fingerprint = embedder.fingerprint(text, names=["ghent"] if number % 4 == 0 else ())
            values = tuple(row[name] for name in FIELDS)
            if len(sizes) == 1:
                corpus.extend([values], Features.of([fingerprint], [form_of(text)]))
            else:
                corpus.enter(values, fingerprint, form_of(text))
        corpus.settle()
    return corpus


@pytest.mark.parametrize("lost", [0, 3])
def test_memories_that_are_entered_and_settled_together_are_as_if_each_had_been_added_whole(lost):
    one, other = filled([40], lost=lost), filled([1, 7, 30, 2], lost=lost)
    assert len(one) == len(other) == 40 + lost
    assert one.statistics.updates == other.statistics.updates > 0, "idf was computed within a batch"
    for name, array in one.to_arrays().items():
        assert np.array_equal(array, other.to_arrays()[name]), name
    rows = np.arange(len(one))
    for columns in ("idf_features", "owners", "forms"):
        for name in getattr(one, columns).names:
            assert np.array_equal(getattr(getattr(one, columns), name), getattr(getattr(other, columns), name)), name
    assert np.array_equal(one.semantic.rows(rows), other.semantic.rows(rows))
    assert np.array_equal(one.bits.rows(rows), other.bits.rows(rows))
    documents = range(len(one.owners))
    assert all(np.array_equal(one.tokens.codes(n), other.tokens.codes(n)) for n in documents)
    assert one.one_document_each == other.one_document_each
    for id, space in one.optional.items():
        assert np.array_equal(space.owners.row, other.optional[id].owners.row)
    for each, again in zip(one.words(rows), other.words(rows), strict=True):
        assert np.array_equal(each[0], again[0]) and np.array_equal(each[1], again[1])
    assert all(map(np.array_equal, one.pieces(rows), other.pieces(rows)))


def test_what_is_entered_is_compared_with_before_it_is_settled(memory):
    corpus, embedder = memory.corpus, memory.embedder
    row = dict(zip(FIELDS, (0, *DEAD), strict=True)) | {"id": "a", "state": "live"}
    corpus.enter(tuple(row[name] for name in FIELDS), embedder.fingerprint(TEXTS[0]), form_of(TEXTS[0]))
    assert len(corpus) == 1 and len(corpus.owners) == 0
    assert corpus.semantic.search(corpus.semantic.rows(np.array([0])), 1)[1].tolist() == [[0]]
    assert all(corpus.terms.postings(term)[0].tolist() == [0] for term in embedder.query("flat").terms)
    corpus.settle()
    corpus.settle()  # nothing is left to do
    assert len(corpus.owners) == 1


def test_a_row_by_itself_has_the_columns_that_it_has_among_others():
    rows = [
        (0, "a", "s1", None, 0, "Anna", None, "general", "text", "user", "live", 0.5, "open", 5, 6, 5, None, 0),
        (1, "b", "s1", "c1", 1, None, "seed", "code", "text", "session", "forgotten", 0.3, "blind", 7, 8, 7, 9, 2),
    ]
    alone, together = Fields(), Fields()
    for fields in (alone, together):
        fields.assign_ids(["a", "b"])
    for row in rows:
        alone.append_one(row, 3.0 + row[0])
    together.append(dict(zip(FIELDS, zip(*rows, strict=True), strict=True)), np.array([3.0, 4.0]))
    for name in together.columns.names:
        assert getattr(alone.columns, name).tolist() == getattr(together.columns, name).tolist()
