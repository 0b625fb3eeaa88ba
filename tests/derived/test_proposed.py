"""What a language model has proposed, in the book of facts and among the aliases: marked, and below what rules read."""

import json

import pytest

from context_graph import Question
from context_graph.client_model import Completion
from context_graph.derived import Aliases, Facts
from context_graph.derived.facts import spelled, told_of
from context_graph.ingest.extracting import extracted
from context_graph.ingest.forget import forget
from context_graph.models import Caller, from_iso
from tests.endpoints.scripted import MODEL, claim, said
from tests.requirements import requirement
from tests.tools.contract import ask

WHY = "worth keeping for later"


@pytest.fixture
def propose(memory):
    """Have a model propose something of a memory; returns the hash that takes it back."""

    def propose(id: str, **lists) -> str | None:
        (one,) = extracted(memory, lambda prompt: Completion(said(**lists), MODEL), [id])
        return one.reversal_hash

    return propose


def book(memory, name: str | None = None, caller: Caller | None = None) -> dict[tuple[str, str], list[tuple]]:
    """Subject and relation -> value, who proposed it, whether it is past."""
    entries = memory.entries(name, caller=caller)
    return {(e.subject, e.relation): [(v.value, v.proposed_by, v.past) for v in e.values] for e in entries}


def answering(memory, question: str) -> list[str]:
    corpus = memory.corpus
    visible = corpus.visible(memory.viewer(memory.caller), now=memory.present())
    return [spelled(entry, most_tags=0) for entry in memory.view(Facts).answering(corpus, question, visible)]


@requirement("extractor:less-than-rules")
def test_a_claim_stands_in_the_book_with_its_model(memory, tell, propose):
    id = tell("Ines: Lisbon since spring, clarinet as ever.")
    assert memory.entries("Ines") == []
    hash = propose(id, claims=[claim("Ines", "lives in", "Lisbon")])
    (entry,) = memory.entries("Ines")
    assert spelled(entry, most_tags=0) == f"Ines, live in: Lisbon (proposed by {MODEL})"
    assert repr(entry).endswith(f"(proposed by {MODEL})')") and MODEL in entry.row()["values"]
    assert told_of(entry)["values"][0]["proposed_by"] == MODEL and entry.values[0].memories == (id,)
    assert answering(memory, "Where does Ines live?") == [spelled(entry, most_tags=0)]
    assert f"(proposed by {MODEL})" in str(memory.inject("Where does Ines live?")) + str(
        [spelled(one) for one in memory.brief("Where does Ines live?").facts]
    )
    memory.undo(hash)
    assert memory.entries("Ines") == []


@requirement("extractor:less-than-rules")
def test_what_the_rules_read_wins(memory, tell, propose):
    old, new = from_iso("2025-01-01T12:00:00Z"), from_iso("2026-01-01T12:00:00Z")
    tell("I live in Ghent. I play the violin.", speaker="Ines", occurred_at=old)
    id = tell("Lisbon, with the clarinet and the violin.", speaker="Ines", occurred_at=new)
    claims = [claim("Ines", "lives in", "Lisbon"), claim("Ines", "plays", "clarinet"), claim("Ines", "plays", "violin")]
    propose(id, claims=claims)
    assert book(memory) == {
        ("Ines", "live in"): [("Ghent", "", False)],
        ("Ines", "play"): [("violin", "", False), ("clarinet", MODEL, False)],
    }
    other = tell("Otto: Bonn, then Graz.", occurred_at=old)
    propose(other, claims=[claim("Otto", "lives in", "Bonn")])
    later = tell("Otto: Graz!", occurred_at=new)
    propose(later, claims=[claim("Otto", "lives in", "Graz")])
    assert book(memory, "Otto") == {("Otto", "live in"): [("Bonn", MODEL, True), ("Graz", MODEL, False)]}


@requirement("extractor:less-than-rules")
def test_it_comes_after_what_the_rules_read(memory, tell, propose):
    id = tell("Ines: oboe since spring.")
    propose(id, claims=[claim("Ines", "plays", "oboe")])
    tell("I play the clarinet.", speaker="Ines")
    assert answering(memory, "What does Ines play?") == [f"Ines, play: clarinet; oboe (proposed by {MODEL})"]
    corpus = memory.corpus
    visible = corpus.visible(memory.viewer(memory.caller), now=memory.present())
    stated = memory.view(Facts).stated(corpus, visible.nonzero()[0], visible)
    assert [fact.value for _, fact in stated] == ["clarinet"], "no score, case or objection rests on a proposal"


@requirement("extractor:less-than-rules")
def test_a_proposal_must_answer_better_than_a_claim_of_the_rules(memory, tell, propose):
    id = tell("Oboe lessons for Ada since spring.")
    propose(id, claims=[claim("Ada", "plays", "oboe")])
    tell("I play the oboe.", speaker="Ines")
    assert answering(memory, "What does Ada play?") == [f"Ada, play: oboe (proposed by {MODEL})"]
    assert answering(memory, "Does Ines play in a band?") == ["Ines, play: oboe"], "just above the bar"
    assert answering(memory, "Does Ada play in a band?") == []


@requirement("extractor:less-than-rules")
def test_only_who_may_see_the_memory_is_told(memory, tell, propose):
    session = "1" * 8 + "-1111-4111-8111-" + "1" * 12
    id = tell("Ines: Lisbon since spring.", scope="session", session_id=session)
    propose(id, claims=[claim("Ines", "lives in", "Lisbon")])
    assert book(memory) == {} and book(memory, caller=Caller(session, "c")) != {}
    forget(memory, id, "test", caller=Caller(session, "c"))
    assert book(memory, caller=Caller(session, "c")) == {}


@requirement("extractor:less-than-rules")
def test_a_proposed_alias_leads_to_what_uses_the_other_name(memory, tell, propose):
    note = tell("Bertram, also called the walrus among friends.")
    other = tell("The walrus repaired the gate.")
    tell("A gate stands behind the mill.")

    def likely() -> float:
        return {hit.node.id: hit.relevance for hit in memory.recall(Question("What did Bertram do?", 50)).hits}[other]

    before = likely()
    hash = propose(note, aliases=[{"name": "Bertram", "alias": "the walrus"}])
    assert likely() > before and len(memory.view(Aliases)) == 1
    memory.undo(hash)
    assert likely() == before and len(memory.view(Aliases)) == 0


@requirement("extractor:less-than-rules")
def test_aliases_that_the_rules_read_come_first(memory, tell, propose):
    texts = [f"Berta{i}x is the same as kodi{i}x." for i in range(4)]
    for i, text in enumerate(texts):
        propose(tell(text), aliases=[{"name": f"Berta{i}x", "alias": f"kodi{i}x"}])
    tell("A cluster of machines.", name="Kubernetes", metadata={"aliases": ["kbx"]})
    corpus = memory.corpus
    visible = corpus.visible(memory.viewer(memory.caller), now=memory.present())
    question = "kodi0x kodi1x kodi2x kodi3x kbx?"
    matches = memory.view(Aliases).named(corpus, question, visible)
    assert matches[0].mention == "kbx" and matches[0].own and len(matches) == 4
    assert not any(match.own for match in matches[1:]) and matches[1].others == ("Berta0x",)


def test_a_pair_that_the_rules_read_is_not_read_twice(memory, tell, propose):
    id = tell("Kubernetes, kbx for short.", name="Kubernetes", metadata={"aliases": ["kbx"]})
    propose(id, aliases=[{"name": "Kubernetes", "alias": "kbx"}])
    corpus = memory.corpus
    visible = corpus.visible(memory.viewer(memory.caller), now=memory.present())
    assert len(memory.view(Aliases).named(corpus, "kbx", visible)) == 1


@requirement("extractor:less-than-rules")
def test_no_objection_rests_on_a_proposal(memory, tell, propose):
    id = tell("Ines: Lisbon since spring.")
    propose(id, claims=[claim("Ines", "lives in", "Lisbon")])
    reasoning = "Ines lives in Ghent and can host us."
    assert ask(memory, "critique_context", reasoning_summary=reasoning)["contradictions_found"] == 0
    told = tell("Ines lives in Bonn with her dog.")
    (one,) = ask(memory, "critique_context", reasoning_summary=reasoning)["contradicting_nodes"]
    assert (one["node_id"], one["contradiction_type"]) == (told, "other_fact")


def test_what_is_told_as_json_names_the_model_where_there_is_one(memory, tell, propose):
    tell("Ines plays the clarinet.")
    (entry,) = memory.entries("Ines")
    assert "proposed_by" not in json.dumps(told_of(entry))
