"""What a user and an assistant have said: whose words are meant, and what of them a context tells."""

import numpy as np
import pytest

from context_graph.embed import lexical
from context_graph.embed.wordpiece import token_count
from context_graph.index import vector_codec
from context_graph.index.batch import CONTINUES, WISH
from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.reading import intent
from context_graph.reading.requests import prefers, wishes
from context_graph.recall.compression import Source, distil
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from context_graph.retrieval.config import KINDS
from context_graph.retrieval.fusion import APART, LEANING, Scale, kinds_of, leaning, weighted_sum
from context_graph.retrieval.relevance import NAMED, worth_telling
from context_graph.retrieval.scores import ONE_STATEMENT
from context_graph.settings import Settings
from tests.requirements import requirement

ADVICE = (
    "Great question! Here are some tips for your garden plan:\n\n"
    "1. **Soil**: turn the soil of the garden and plan the beds.\n"
    "2. **Budget**: keep a budget for the garden, and plan what the garden costs.\n"
    "```python\nbudget = garden.plan(beds=3)\n```\n"
    "Let me know whether the plan for the garden works for you!\n"
)
WHY = "worth keeping for later"
TOPICS = "garden choir thesis kitchen marathon bicycle piano balcony passport library aquarium telescope".split()


@pytest.fixture
def conversation(memory):
    """Two turns of each topic: the user asks and says a number, the assistant answers at length; ids by topic."""
    drafts = []
    for i, topic in enumerate(TOPICS):
        asked = f"My budget for the {topic} is {200 + i} francs, can you help me to plan it?"
        answer = ADVICE.replace("garden", topic) * 4
        drafts += [Draft(asked, WHY, speaker="user", session_id="s")]
        drafts += [Draft(answer, WHY, speaker="assistant", session_id="s")]
    ids = iter([one.node.id for one in memory.remember_many(drafts)])
    return dict(zip(TOPICS, zip(ids, ids, strict=True), strict=True))


def best(memory, text: str, k: int = 1) -> list[str]:
    return [hit.node.id for hit in memory.recall(Question(text, top_k=k, record=False)).hits]


@requirement("recall:the-user-is-meant")
def test_what_the_user_told_in_a_question_stands_above_long_answers(memory, conversation):
    for topic in TOPICS:
        assert best(memory, f"What is my budget for the {topic}?") == [conversation[topic][0]]


@requirement("recall:the-user-is-meant")
@pytest.mark.parametrize("question", ["What did you suggest for the {}?", "What were your tips for my {}?"])
def test_what_the_assistant_said_is_found_where_it_is_asked_for(memory, conversation, question):
    for topic in TOPICS:
        assert best(memory, question.format(topic)) == [conversation[topic][1]]


@pytest.fixture
def paraphrased(tell, conversation):
    """A long reply that has none of the words in which it is remembered below, but those for the conversation."""
    tell("My boss wants fewer crashes, any ideas?", speaker="user", session_id="s")
    advice = "Begin with backups. " + "Copy each photo to a second drive. " * 20
    return tell(advice, speaker="assistant", session_id="s")


@pytest.mark.parametrize(
    "question", ["What did you suggest for images and pictures?", "Give me an overview of images and pictures"]
)
def test_a_reply_is_found_by_its_meaning_where_replies_are_asked_for(memory, paraphrased, question):
    found = memory.recall(Question(question, top_k=30, record=False)).hits
    assert found[0].node.id == paraphrased and found[0].parts["reply_meaning"] > 1.0


def test_a_reply_has_no_meaning_for_a_question_that_asks_for_none(memory, paraphrased):
    hits = memory.recall(Question("Where do images and pictures belong?", top_k=30, record=False)).hits
    (reply,) = [hit for hit in hits if hit.node.id == paraphrased]
    assert not reply.parts.get("reply_meaning") and not reply.parts["meaning"]


def test_a_long_request_has_a_meaning_as_a_short_one_has(memory, tell, conversation):
    photos = "I want to keep the photos of my trip. " * 9
    request = tell(photos, speaker="user", session_id="s")
    assert len(photos.split()) > ONE_STATEMENT
    found = memory.recall(Question("Where do images and pictures belong?", record=False)).hits[0]
    assert found.node.id == request and found.parts["meaning"] > 0.5


def test_a_short_reply_is_found_by_what_it_answers(memory, tell, conversation):
    tell("Which fuse is behind the flickering lamp?", speaker="user", session_id="s")
    answer = tell("Both hang on number seven.", speaker="assistant", session_id="s")
    hits = memory.recall(Question("Which fuse is behind the lamp?", top_k=3, record=False)).hits
    assert answer in [hit.node.id for hit in hits[:2]]


@requirement("recall:standing-wishes")
def test_a_wish_that_stands_is_found_beside_what_is_asked_for(memory, tell, conversation):
    wish = tell("Always give prices in francs when I ask about costs.", speaker="user", session_id="s")
    other = tell("Always use metric units when I ask about running.", speaker="user", session_id="s")
    told = tell("I never sang loudly, and the choir always starts at eight.", speaker="user", session_id="s")
    found = memory.recall(Question("How much should the garden cost?", top_k=30, record=False)).hits
    parts = {hit.node.id: hit.parts.get("wish", 0.0) for hit in found}
    assert parts[wish] > parts[other] > 0 and not parts[told]
    assert wish in [hit.node.id for hit in found[:5]]
    listed = memory.recall(Question("List the order in which I brought up the garden", top_k=30, record=False)).hits
    assert not any(hit.parts.get("wish") for hit in listed)


@pytest.mark.parametrize(
    "question", ["Have I ever sung in the choir?", "How many francs did I pay?", "How many days have I for my bread?"]
)
def test_no_wish_says_what_somebody_did(memory, tell, conversation, question):
    tell("Always give prices in francs when I ask about costs.", speaker="user", session_id="s")
    hits = memory.recall(Question(question, top_k=30, record=False)).hits
    assert not any(hit.parts.get("wish") for hit in hits)


@pytest.mark.parametrize(
    ("question", "most"),
    [
        ("What is my budget for the garden?", 3),
        ("Wann ist mein Termin im Garten?", 3),
        ("How can the garden be cheap?", 6),
    ],
)
def test_with_a_fact_about_the_user_come_three_wishes_at_most(memory, tell, conversation, question, most):
    for kind in ("prices", "dates", "names", "units", "sources", "places"):
        tell(f"Always confirm {kind} when I ask about the garden.", speaker="user", session_id="s")
    hits = memory.recall(Question(question, top_k=30, record=False)).hits
    assert sum(hit.parts.get("wish", 0.0) > 0 for hit in hits) == most


@pytest.mark.parametrize("question", ["How long should my bread bake?", "What do I like on my bread?"])
def test_a_wish_counts_for_what_is_to_be_done(memory, tell, conversation, question):
    wish = tell("Always give both minutes and degrees when I ask about bread.", speaker="user", session_id="s")
    hits = memory.recall(Question(question, top_k=30, record=False)).hits
    assert next(hit for hit in hits if hit.node.id == wish).parts["wish"] > 0


@requirement("recall:going-on")
def test_a_request_that_goes_on_with_another_is_found_beside_it(memory, tell, conversation):
    asked = tell("Should we hold the wedding in the mill or in the barn?", speaker="user", session_id="s")
    tell("The mill has more room, and the barn is cheaper. " * 5, speaker="assistant", session_id="s")
    agreed = tell("Thanks, I'll take the first one then.", speaker="user", session_id="s")
    tell("A good choice! " * 5, speaker="assistant", session_id="s")
    next_one = tell("Hmm, but what if it rains?", speaker="user", session_id="s")
    apart = tell("My bread always sticks to the tin.", speaker="user", session_id="s")
    hits = {hit.node.id: hit for hit in memory.recall(Question("What about the wedding?", top_k=30)).hits}
    assert next(iter(hits)) == asked and {agreed, next_one} <= set([*hits][:5])
    assert hits[agreed].parts["thread"] > 0 and hits[next_one].parts["thread"] > 0
    assert not hits[apart].parts.get("thread") and not hits[asked].parts.get("thread")


def test_an_older_store_learns_what_goes_on(tmp_path, monkeypatch):
    settings = Settings(home=tmp_path, tier="base")
    with monkeypatch.context() as older, Memory(settings) as memory:  # before the form said so
        older.setattr(lexical, "MAKER", "porter-4")
        older.setattr(vector_codec, "form_of", lambda text: 0)
        for text in ("Should we paint it green?", "Thanks, I'll do that.", "Always be brief."):
            memory.remember(Draft(text, "said", metadata={"speaker": "user"}))
    with Memory(settings) as memory:
        assert len(memory.corpus) == 3
        memory.background.wait()
    with Memory(settings) as memory:
        rows = np.arange(3)
        assert memory.corpus.has(CONTINUES, rows).tolist() == [0, 1, 0]
        assert memory.corpus.has(WISH, rows).tolist() == [0, 0, 1]


def test_what_goes_on_in_another_session_has_nothing_of_it(memory, tell, conversation):
    tell("Should we hold the wedding in the mill or in the barn?", speaker="user", session_id="s")
    other = tell("Thanks, I'll take the first one then.", speaker="user", session_id="elsewhere")
    hits = {hit.node.id: hit for hit in memory.recall(Question("What about the wedding?", top_k=30)).hits}
    assert not hits[other].parts.get("thread")


def test_an_order_is_told_from_a_habit():
    assert wishes("From now on, never use tables. Do you always?") == ["From now on, never use tables."]
    assert wishes("I want you to always answer in French.") and wishes("Antworte kurz. Immer auf Deutsch!")
    assert not wishes("I've never been there. It always rains. Never mind.\n  if (x) { return always; }")
    assert prefers("I prefer short lists.") == ["I prefer short lists."] and not prefers("Which do you prefer?")


def test_the_two_sides_are_known_by_any_of_their_names(memory, tell):
    for speaker in ("Human", "AI", "user", "assistant", "bot", "Anna"):  # more than two: hers is a note
        tell(f"The tiles are {speaker}'s.", speaker=speaker, session_id="s")
    tell("A note about tiles.")
    kinds = [KINDS[kind] for kind in kinds_of(memory.corpus)]
    assert kinds == ["request", "reply", "request", "reply", "reply", "note", "note"]


def test_turns_among_people_are_ranked_as_before(memory, tell):
    tell("Where did you buy the blue tiles?", speaker="Anna", session_id="s")
    tell("At the market, and I always haggle.", speaker="Bob", session_id="s")
    hits = memory.recall(Question("Where did Bob buy tiles?", top_k=2, record=False)).hits
    names = {name for hit in hits for name, part in hit.parts.items() if part}
    assert {"asks", "answers", "information"} <= names and not {"background", "wish"} & names


def test_a_question_about_the_conversation_is_asked_without_the_words_for_that(memory, tell, conversation):
    other = tell("In what order should I mention items of the conversation?", speaker="user", session_id="s")
    found = best(memory, "Can you list the order in which I mentioned items about the choir in our conversation?", 3)
    assert found[0] == conversation["choir"][0] and other not in found
    assert not intent.parse("In what order should the items come?").about_talk


def test_each_side_is_measured_by_its_own_scale():
    request, reply, note = APART[0], APART[1], 0
    random = np.random.default_rng(0)
    kinds = np.repeat([request, reply, note], 400)
    values = np.concatenate([random.normal(1, 1, 400), random.normal(9, 3, 400), random.normal(4, 2, 400)])
    everyone, weights = np.ones(1200, bool), {"words": np.ones(1200, np.float32)}
    part = weighted_sum({"words": values.astype(np.float32)}, weights, everyone, {}, {"words": 1e-6}, kinds)["words"]
    for kind in (request, reply, note):
        assert abs(part[kinds == kind].mean()) < 0.1 and abs(part[kinds == kind].std() - 1) < 0.25


def test_the_scale_of_few_leans_on_that_of_all():
    own, whole = Scale(5.0, 1.0), Scale(0.0, 2.0)
    assert leaning(own, 0, whole) == whole
    assert leaning(own, LEANING, whole).mean == 2.5
    assert leaning(own, 10**9, whole).mean == pytest.approx(5.0)
    assert leaning(own, 10**9, whole).deviation == pytest.approx(1.0)
    assert leaning(None, 1, whole) == whole and leaning(own, 3, None) is None


@requirement("recall:the-best-passage-is-told")
def test_many_long_memories_are_each_told_by_their_best_passage():
    filler = "The weather was fine and everybody talked about it for hours on end. "
    texts = [filler * 30 + f"The {topic} costs {i} francs. " + filler * 30 for i, topic in enumerate(TOPICS)]
    sources = [Source(f"[node_{i}]", "", text, 0.9 - i / 100) for i, text in enumerate(texts)]
    found = distil("What do the things cost in francs?", sources, max_tokens=600)
    assert token_count(found.text) <= 600 and found.used == tuple(range(len(TOPICS)))
    assert all(f"The {topic} costs {i} francs." in found.text for i, topic in enumerate(TOPICS))


@requirement("recall:the-best-passage-is-told")
def test_code_that_is_about_something_else_takes_no_room_from_the_answer():
    code = "```js\n" + "debounce(autocomplete, delay);\n" * 60 + "```"
    sources = [Source("[node_a]", "", f"Part {i} of the app.\n{code}", 0.9) for i in range(6)]
    sources.append(Source("[node_b]", "", "I use HTML5 and plain stylesheets for the technologies of my start.", 0.3))
    found = distil("Which technologies did I use?", sources, max_tokens=400)
    assert "HTML5" in found.text


def test_a_context_tells_more_of_a_conversation_with_an_assistant(memory, conversation):
    scores, alone, nobody = -np.arange(30, dtype=np.float32) / 2, np.full(30, 0.5), np.zeros((30, len(NAMED)))
    fewer, more = (
        worth_telling(scores, alone, nobody, "base", exchanged=exchanged).sum()
        for exchanged in (False, np.ones(30, bool))
    )
    assert fewer < more < 30
    told = inject(memory, Question("What is my budget for the choir?", top_k=30, record=False))
    assert "201 francs" in told.distilled.text and told.distilled.tokens <= 2_048
