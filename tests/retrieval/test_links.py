"""Names lead from one note to the next, and mislead nobody where they cannot."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.graph.entities import title_keys, title_of
from context_graph.index.columns import found_in
from context_graph.ingest.draft import Draft
from context_graph.ingest.forget import forget
from context_graph.memory import Memory
from context_graph.recall.query import query_for
from context_graph.recall.question import Question
from context_graph.recall.sources import retrieve
from context_graph.retrieval.config import LINKS
from context_graph.retrieval.entity_linking import Named, Words, titles_in
from context_graph.retrieval.links import PULLED, Pulled
from context_graph.settings import Settings
from context_graph.visibility import Viewer
from tests.evaluation.harbour import PARAGRAPHS

DISTRACTORS = [f"Ledger {i} lists the ships, the counties and the towns of the year {1800 + i}." for i in range(30)]


@pytest.fixture
def memory(tmp_path):
    with Memory(Settings(home=tmp_path, tier="base")) as memory:
        memory.remember_many(DISTRACTORS)
        yield memory


def parts(memory, text):
    corpus = memory.corpus
    query = query_for(memory, corpus, memory.embedder.query(text), corpus.columns.live.copy(), 5)
    found = retrieve(memory, corpus, query)
    names = [memory.store.node(corpus.ids[row]).name for row in found.rows]
    return {name: {part: float(values[i]) for part, values in found.parts.items()} for i, name in enumerate(names)}


def test_a_hit_that_names_a_title_pulls_it_in(memory):
    for title, text in PARAGRAPHS:
        memory.remember(Draft(text, name=title))
    found = parts(memory, "What is the seat of the county where Mira Tanaka was born?")
    assert set(list(found)[:2]) == {"Mira Tanaka", "Oldport"}
    assert found["Mira Tanaka"]["title"] > 0 and found["Oldport"]["link"] > 1


def test_headings_and_leading_titles_are_names_too(memory):
    for title, text in PARAGRAPHS:
        memory.remember(Draft(f"{title}: {text}"))
    assert "Oldport" in " ".join(parts(memory, "What is the seat of the county where Mira Tanaka was born?"))


def test_turns_of_a_dialogue_are_not_linked_by_names(memory):
    for title, text in PARAGRAPHS:
        memory.remember(Draft(f"{title}: {text}", speaker="Ann"))
    for contributions in parts(memory, "What is the seat of the county where Mira Tanaka was born?").values():
        assert contributions.get("link", 0.0) == contributions.get("second", 0.0) == 0.0


def test_what_the_viewer_may_not_see_is_not_pulled_in(memory):
    for title, text in PARAGRAPHS:
        memory.remember(Draft(text, name=title, agent_id="other" if title == "Oldport" else "me"))
    hits = memory.recall(Question("Which county is Mira Tanaka's birthplace the seat of?", agent_ids=["me"])).hits
    assert "Oldport" not in [hit.node.name for hit in hits] and hits[0].node.name == "Mira Tanaka"


def test_links_survive_a_reopening(memory, tmp_path):
    for title, text in PARAGRAPHS:
        memory.remember(Draft(text, name=title))
    before = parts(memory, "Where does the director of The Salt Road teach?")
    with Memory(Settings(home=tmp_path, tier="base")) as again:
        assert parts(again, "Where does the director of The Salt Road teach?") == before


@pytest.mark.parametrize(
    ("text", "given", "title", "keys"),
    [
        ("Any text.", "Rush (band)", "Rush (band)", ["rush band", "rush"]),
        ("# Garden\n\nTomatoes.", None, "Garden", ["garden"]),
        ("Oldport: a town.", None, "Oldport", ["oldport"]),
        ("Oldport\nA town on the coast.", None, "Oldport", ["oldport"]),
        ("I said: no.", None, "I said", ["i said"]),
        ("well: no.", None, None, []),
        ("It has a long first sentence. Then: more.", None, None, []),
        ("one two", None, None, []),
    ],
)
def test_titles_are_read_off_the_head_of_a_text(text, given, title, keys):
    assert title_of(text, declared=given) == title
    assert title_keys(text, declared=given) == keys


@given(st.lists(st.integers(-9, 9)), st.lists(st.integers(-9, 9)))
def test_found_in_agrees_with_numpy(values, ordered):
    values, ordered = np.array(values, np.int64), np.sort(np.array(ordered, np.int64))
    assert np.array_equal(found_in(values, ordered), np.isin(values, ordered))


def test_what_a_memory_leads_to_is_told_with_it(memory):
    from context_graph.recall.telling import selected_hits

    for title, text in PARAGRAPHS:
        memory.remember(Draft(text, name=title))
    answer = memory.recall(Question("Mira Tanaka's birthplace"))
    names = [hit.node.name for hit in selected_hits(answer, 0.3, "base")]
    assert {"Mira Tanaka", "Oldport"} <= set(names[:2])
    assert next(hit for hit in answer.hits if hit.node.name == "Oldport").alone < 0.15
    assert selected_hits(answer, 1.01, "base") == ()


def test_a_title_of_blanks_and_marks_is_read_at_once():
    assert title_of("# a" + 1_990 * " " + "b") == "a" + 1_990 * " " + "b"
    assert [title_of(text) for text in ("## Garden ##  ", "# C#", "# a # #", "# #")] == ["Garden", "C", "a #", "#"]


@pytest.mark.parametrize("gone", ["purged", "hidden"])
def test_only_what_may_be_answered_shares_in_a_link(memory, gone):
    for title, text in PARAGRAPHS:
        memory.remember(Draft(text, name=title))
    before = parts(memory, "What is the seat of the county where Mira Tanaka was born?")["Oldport"]["link"]
    other = Draft("Another one, far inland, known for its bells.", name="Oldport", scope="session", session_id="s")
    id = memory.remember(other).node.id
    if gone == "purged":
        forget(memory, id, "user_requested", soft=False)
    viewer = Viewer("another session", memory.caller.context_id)
    query = memory.embedder.query("What is the seat of the county where Mira Tanaka was born?")
    mask = memory.corpus.visible(viewer, now=memory.present())
    found = retrieve(memory, memory.corpus, query_for(memory, memory.corpus, query, mask, 5))
    place = [memory.corpus.ids[row] for row in found.rows].index(_id_of(memory, "Oldport", but=id))
    assert found.parts["link"][place] == pytest.approx(before, rel=0.2)


def _id_of(memory, name: str, *, but: str) -> str:
    return next(node.id for node in memory.store.nodes(memory.corpus.ids) if node.name == name and node.id != but)


def test_a_title_within_a_longer_one_is_not_named_and_one_named_often_is_named_once(memory):
    for title in ("Oldport", "Oldport Harbour Light"):
        memory.remember(Draft("It stands on the coast.", name=title))
    often, once = Words.of("Oldport Harbour Light, Oldport. " * 500), Words.of("oldport harbour light")
    assert [[title.words for title in text] for text in titles_in(memory.corpus, [often, once], capital=True)] == [
        [3, 1],
        [],
    ]
    assert [title.words for title in titles_in(memory.corpus, [once], capital=False)[0]] == [3]


def test_a_title_that_one_text_begins_and_the_next_ends_is_named_by_neither(memory):
    memory.remember(Draft("It stands on the coast.", name="Oldport Harbour"))
    texts = [Words.of(text) for text in ("", "Seen from Oldport", "Harbour dues", "Oldport Harbour")]
    assert [len(found) for found in titles_in(memory.corpus, texts, capital=True)] == [0, 0, 0, 1]
    assert titles_in(memory.corpus, [], capital=True) == []


def test_a_question_that_names_two_titles_is_asked_again_less(memory):
    for title, text in PARAGRAPHS:
        memory.remember(Draft(text, name=title))
    one = parts(memory, "What is the seat of the county where Mira Tanaka was born?")
    both = parts(memory, "What is the seat of the county where Mira Tanaka was born, and not Jonas Field?")
    second = one["Oldport"]["second"]
    assert second > 0 and both["Oldport"]["second"] < 0.3 * second


def test_of_all_that_links_reach_the_strongest_join_the_candidates():
    pulled, n = Pulled(200, most=9.0, weights=LINKS), 200
    pulled.link[10:110] = np.linspace(0.1, 1.0, 100)
    pulled.second[150] = 100.0
    mask = np.ones(n, bool)
    mask[109] = False
    fresh = pulled.fresh(mask, np.array([108, 3]))
    assert len(fresh) == PULLED and fresh.tolist() == [*range(108 - PULLED + 1, 108), 150]
    assert len(pulled.fresh(mask, np.arange(n))) == 0


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Where does Mira Tanaka live?", True),
        ("what is oldport known for?", True),
        ("What do people there drink?", False),
        ("How many ships are in the ledger?", False),
        ("How many strings does a cello have?", False),  # whoever writes capitals writes names with one
        ("how many strings does a cello have?", True),
        ("Where was Ada Lovelace born?", False),
        ("", False),
    ],
)
def test_a_question_names_what_the_store_has_a_name_for(memory, question, names):
    for title, text in PARAGRAPHS:
        memory.remember(Draft(text, name=title))
    assert Named.of(memory.corpus, question).something is names


def test_meaning_counts_between_notes_where_the_question_names_nothing(memory):
    for title, text in PARAGRAPHS:
        memory.remember(Draft(text, name=title))
    assert all("semantic" in found for found in parts(memory, "a town at the sea with a port").values())
    assert not any("semantic" in found for found in parts(memory, "Is Oldport a town at the sea?").values())


def test_two_statements_of_one_thing_do_not_answer_what_is_about_another(memory, tell):
    """They share a rare name, and lifted each other above what answers."""
    nurse = tell("I'm Priya, I work nights as a nurse at St. Vincent's hospital")
    for text in (
        "I'm saving up for a trip to Japan in October", "I'm not going to Japan, my mother has surgery in October",
        "my brother Arjun lives in Toronto and studies law", "my vet is Dr. Weller on Goethestrasse",
        "Dr. Weller retired, we go to Dr. Amin now", "I can't have dairy, it makes me ill",
    ):  # fmt: skip
        tell(text)
    hits = memory.recall("What do I do for a living?").hits
    assert any(hit.node.id == nurse for hit in hits[:2])
    assert all("second" not in hit.parts or "Japan" not in hit.node.content for hit in hits)
