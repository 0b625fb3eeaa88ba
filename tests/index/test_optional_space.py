"""Spaces that only some memories have: their scores, and memories that were stored before there were such spaces."""

from types import SimpleNamespace

import numpy as np
import pytest

from context_graph.embed import lexical
from context_graph.index.optional_space import OptionalSpace
from context_graph.index.vector_codec import vectors_of
from context_graph.recall.question import Question

CODE = 'def boil(litres):\n    """Heat water until it boils."""\n    return litres * 4186 * 80\n'
OTHER = 'def write(path, text):\n    """Put a text into a file."""\n    open(path, "w").write(text)\n'
TINY = SimpleNamespace(space=SimpleNamespace(dim=4))
"""An encoder of a space of four numbers."""


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
    found = OptionalSpace(TINY)
    found.append(np.eye(4, dtype=np.float16)[:2], np.array([3, 7]))
    found.put(7, np.eye(4, dtype=np.float16)[3])
    found.put(9, np.eye(4, dtype=np.float16)[2])
    assert found.owners.row.tolist() == [3, 7, 9]
    assert found.vectors.rows([1]).argmax() == 3 and len(found) == 3


def test_memories_of_an_older_version_are_looked_through(memory, mixed, reopen):
    with memory.store.write("embedded", memory.author(memory.caller)) as tx:  # as an older version left them
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
    assert last.corpus is not None and not last.background.waiting()


def test_a_review_of_one_memory_leaves_its_vectors_alone(memory, tell):
    tell("Anna boils water for tea.")
    node = memory.store.nodes(memory.corpus.ids)[0]
    with memory.store.write(
        "embedded", memory.author(memory.caller)
    ) as tx:  # as an older version with a better model left it
        tx.put_vector(node.id, "E1", "better", memory.store.vectors([node.id], "E1")[node.id])
        tx.put_vector(node.id, "E6", "porter-1", memory.store.vectors([node.id], "E6")[node.id])
    memory.background.plan("review", [node.id])
    memory.background.wait()
    models = memory.store.vector_models(node.id)
    assert (models["E1"], models["E6"]) == ("better", lexical.MAKER)


def test_the_place_of_a_vector_that_was_taken_away_serves_again():
    found = OptionalSpace(TINY)
    found.append(np.eye(4, dtype=np.float16)[:2], np.array([3, 7]))
    found.drop(3)
    found.drop(5)
    everyone = np.ones(8, bool)
    assert len(found) == 1 and found.owners.row[found.within(everyone)].tolist() == [7]
    found.put(1, np.eye(4, dtype=np.float16)[2])
    assert sorted(found.owners.row[found.within(everyone)].tolist()) == [1, 7]
    assert found.vectors.rows(found.within(np.arange(8) == 1)).argmax() == 2


def stale(memory, node_id: str, space: str, maker: str) -> str:
    """Leave a vector of another model behind, as that model or an older version found something in the text."""
    dim = memory.corpus.optional[space].vectors.dim
    with memory.store.write("embedded", memory.author(memory.caller)) as tx:
        tx.put_vector(node_id, space, maker, np.ones(dim, np.float16).tobytes())
        tx.note["operation"] = "embedded"
    return tx.committed.hash


@pytest.mark.parametrize("space", ["E5", "E7"])
def test_embedding_anew_takes_away_what_another_model_found(memory, tell, space):
    node_id = tell("Anna boils water for tea.")
    stale(memory, node_id, space, memory.embedder.makers[space])
    memory.committed()
    assert len(memory.corpus.optional[space]) == 1
    stale(memory, node_id, space, "older-1")
    memory.background.plan("embed", [node_id])
    memory.background.wait()
    assert space not in memory.store.vector_models(node_id)
    assert len(memory.corpus.optional[space]) == 0 and not memory.corpus.forms.code.any()
    assert memory.store.verify().ok
    memory.store.undo(memory.store.events(1)[0].hash, memory.author(memory.caller))
    assert memory.store.vector_models(node_id)[space] == "older-1"


@pytest.mark.parametrize("maker", ["older-1", "static256-1"])
def test_a_review_takes_away_what_this_version_does_not_find(memory, tell, reopen, maker):
    node_id = tell("Anna boils water for tea.")
    stale(memory, node_id, "E5", maker)
    with memory.store.write("embedded", memory.author(memory.caller)) as tx:
        tx.put_vector(node_id, "E6", "porter-1", memory.store.vectors([node_id], "E6")[node_id])
    again = reopen()
    assert again.corpus is not None
    again.background.wait()
    assert memory.store.vector_models(node_id).keys() == {"E1", "E6", "E9", "E12"}
    assert len(again.corpus.optional["E5"]) == len(memory.corpus.optional["E5"]) == 0


def test_nothing_is_embedded_twice_for_a_vector_that_this_model_does_not_make(tmp_path):
    from context_graph import Draft, Memory
    from context_graph.embed.minilm import model_file
    from context_graph.index.loader import unfinished
    from context_graph.settings import Settings

    if model_file() is None:
        pytest.skip("the minilm extra is absent")
    settings = Settings(home=tmp_path / "home", tier="minilm")
    with Memory(settings) as memory:
        node_id = memory.remember(Draft("Anna boils water for tea.", "a habit")).node.id
        stale(memory, node_id, "E5", "older-1")
    with Memory(settings) as again:
        assert again.corpus is not None
        again.background.wait()
        assert list(unfinished(again.store, again.corpus, again.embedder)) == []
