"""Memories by the thousand, written at once as `remember` would have written them one by one."""

from random import Random

from context_graph.index.vector_codec import vectors_of
from context_graph.memory import Memory
from context_graph.models import Node
from context_graph.recall.question import Question

__all__ = ["QUESTIONS", "answers", "fill"]

PEOPLE = "Anna Ben Clara David Eva Felix Greta Hugo Ida Jonas Klara Leo Mara Nils Olga Paul".split()
VERBS = "repairs paints sells studies photographs collects forgets describes".split()
THINGS = "clarinets bridges lighthouses maps orchards engines sonnets beehives ferries clocks tunnels rivers".split()
PLACES = "Prague Lisbon Bergen Tallinn Porto Ghent Turku Graz Malmo Basel Riga Split Cork Bath".split()
QUESTIONS = (
    "Who repairs clarinets?", "What does Ben do in Lisbon?", "orchards near Turku", "Which engines were sold?",
    "Olga and the ferries", "sonnets", "Where are beehives described in the year 17?", "tunnels in Graz 1204",
)  # fmt: skip


def fill(memory: Memory, count: int, seed: int = 1, *, an_event: int = 500) -> None:
    """Store `count` different short memories, so many to an event."""
    random, author = Random(seed), memory.author(memory.caller)
    for first in range(0, count, an_event):
        with memory.store.write("created", author) as tx:
            for number in range(first, min(first + an_event, count)):
                text = (
                    f"{random.choice(PEOPLE)} {random.choice(VERBS)} {random.choice(THINGS)} in {random.choice(PLACES)}"
                    f", entry {number}, since {random.randint(1900, 2020)} with {random.choice(PEOPLE)}."
                )
                moment = memory.clock()
                node = Node(
                    id=memory.new_id(), ordinal=tx.next_ordinal(), name=text[:60], content=text, created_at=moment,
                    occurred_at=moment, valid_from=moment, last_accessed=moment, session_id=author.session_id,
                    position=number,
                )  # fmt: skip
                tx.put(node)
                fingerprint = memory.embedder.fingerprint(text)
                for space, (model, data) in vectors_of(node, fingerprint, memory.embedder.makers).items():
                    tx.put_vector(node.id, space, model, data)


def answers(memory: Memory) -> list[list[tuple[str, float]]]:
    """What the memory says to the same questions: ids and relevance, without leaving a trace."""
    return [
        [(hit.node.id, hit.relevance) for hit in memory.recall(Question(text, top_k=20, record=False)).hits]
        for text in QUESTIONS
    ]
