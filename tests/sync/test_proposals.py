"""What a language model proposed of a memory goes where the memory goes, and so does taking it back."""

from context_graph.client_model import Completion
from context_graph.extraction.proposals import proposals_of
from context_graph.ingest.extracting import extracted
from tests.endpoints.scripted import MODEL, claim, said
from tests.requirements import requirement


@requirement("extractor:marked-and-undone")
def test_a_mark_goes_with_its_memory_and_an_undo_goes_after_it(homes):
    ada, ben = homes("ada", "ben")
    id = ada.tell("Ines: oboe since spring.")
    ada.meet(ben)
    answer = Completion(said(claims=[claim("Ines", "plays", "oboe")]), MODEL)
    (one,) = extracted(ada.memory, lambda prompt: answer, [id])
    ada.meet(ben)
    assert proposals_of(ben.store.node(id)).model == MODEL and "proposed by" in repr(ben.memory.entries("Ines"))
    ada.memory.undo(one.reversal_hash)
    ada.meet(ben)
    assert proposals_of(ben.store.node(id)) is None and ben.memory.entries("Ines") == []
