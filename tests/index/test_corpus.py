"""What the index keeps of the texts themselves."""

import numpy as np

from context_graph.embed.wordpiece import pieces
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
