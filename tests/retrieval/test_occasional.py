"""Spaces that only some memories have: their scores, and memories that were stored before there were such spaces."""

import numpy as np
import pytest

from context_graph.embed import lexical
from context_graph.memory.embedding import vectors_of
from context_graph.memory.recall import Question
from context_graph.retrieval.occasional import Occasional

CODE = 'def boil(litres):\n    """Heat water until it boils."""\n    return litres * 4186 * 80\n'
OTHER = 'def write(path, text):\n    """Put a text into a file."""\n    open(path, "w").write(text)\n'


def parts(memory, question: str) -> dict[str, float]:
    """What the score of code contributes, by the first words of each memory."""
    hits = memory.recall(Question(question, record=False)).hits
    return {hit.node.content[:8]: hit.parts.get("code", 0.0) for hit in hits}


@pytest.fixture
def reopen(memory, clock, ids):
    """The same home, opened again beside what is open."""
    from context_graph.memory import Memory

    opened = []

    def reopen():
        opened.append(Memory(memory.settings, clock=clock, ids=ids))
        return opened[-1]

    yield reopen
    for again in opened:
        again.close()


@pytest.fixture
def mixed(tell):
    for text in (CODE, OTHER, "Anna boils water for tea.", "The kettle is in the kitchen."):
        tell(text)


def test_a_score_of_code_is_neutral_for_what_is_no_code(memory, mixed):
    found = parts(memory, "how much energy to heat water in python")
    assert found["def boil"] > 0 > found["def writ"]
    assert found["Anna boi"] == found["The kett"] == 0


def test_the_answers_are_the_same_after_reopening(memory, mixed, reopen):
    before = parts(memory, "heat water")
    assert parts(reopen(), "heat water") == before


def test_a_vector_is_replaced_where_a_memory_has_one():
    found = Occasional(4)
    found.append(np.eye(4, dtype=np.float16)[:2], np.array([3, 7]))
    found.put(7, np.eye(4, dtype=np.float16)[3])
    found.put(9, np.eye(4, dtype=np.float16)[2])
    assert found.owners.row.tolist() == [3, 7, 9]
    assert found.vectors.rows([1]).argmax() == 3 and len(found) == 3


def test_memories_of_an_older_version_are_looked_through(memory, mixed, reopen):
    with memory.store.write("embedded", memory.author()) as tx:  # as an older version left them
        for node in memory.store.nodes(memory.corpus.ids):
            made = vectors_of(node, memory.embedder.fingerprint(node.content), memory.embedder.makers)
            tx.put_vector(node.id, "E6", "porter-1", made["E6"][1])
            if "E7" in made:
                tx.set_row("vectors", (node.id, "E7"), None)
    again = reopen()
    assert again.corpus is not None
    again.background.wait()
    for node in again.store.nodes(again.corpus.ids):
        models = again.store.vector_models(node.id)
        assert models["E6"] == lexical.MAKER
        assert ("E7" in models) == node.content.startswith("def")
    assert parts(again, "heat water")["def boil"] > 0
    last = reopen()
    assert last.corpus is not None and last.background.left == 0


def test_a_review_of_one_memory_leaves_its_vectors_alone(memory, tell):
    tell("Anna boils water for tea.")
    node = memory.store.nodes(memory.corpus.ids)[0]
    with memory.store.write("embedded", memory.author()) as tx:  # as an older version with a better model left it
        tx.put_vector(node.id, "E1", "better", memory.store.vectors([node.id], "E1")[node.id])
        tx.put_vector(node.id, "E6", "porter-1", memory.store.vectors([node.id], "E6")[node.id])
    memory.background.review([node.id])
    memory.background.wait()
    models = memory.store.vector_models(node.id)
    assert (models["E1"], models["E6"]) == ("better", lexical.MAKER)
