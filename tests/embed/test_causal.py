"""E5: causes and effects as a text states them, and that every block of their vectors carries something."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from context_graph.embed import Embedder, causal
from context_graph.embed.causal import asks_for, causes
from context_graph.embed.minilm import model_file
from context_graph.texts import caseless
from tests.expressions import compiled

TIERS = [
    "base",
    pytest.param("minilm", marks=pytest.mark.skipif(model_file() is None, reason="the minilm extra is absent")),
]

STATEMENTS = (
    "The harvest failed because of the late frost.",
    "A loose cable led to the blackout in the studio.",
    "The museum closed early due to a water leak.",
    "Sleeping badly causes mistakes at work.",
    "The strike resulted in cancelled trains.",
    "Her allergy was triggered by cat hair.",
)
WHY = (
    "Why did the farmers harvest so little?",
    "Why was it dark in the studio?",
    "Why did the museum close early?",
    "Why do I make mistakes at work?",
    "Why were the trains cancelled?",
    "Why did she have an allergy?",
)
WHAT_THEN = (
    "What happened after the late frost?",
    "What happened because of the loose cable?",
    "What happened after the water leak?",
    "What happens after sleeping badly?",
    "What happened after the strike?",
    "What happens with cat hair?",
)


@pytest.fixture(scope="module", params=TIERS)
def embedder(request):
    return Embedder(request.param)


def told_apart(memories, asked):
    """How much nearer each question is to its own statement than to the others, on average."""
    cosines = asked @ memories.T
    own = np.diag(cosines)
    return float((own - (cosines.sum(axis=1) - own) / (len(own) - 1)).mean())


def memories_of(embedder):
    return np.stack([embedder.fingerprint(text).optional["E5"] for text in STATEMENTS])


@pytest.mark.parametrize(("half", "questions"), [(1, WHY), (0, WHAT_THEN)], ids=["the effect", "the cause"])
def test_a_question_is_answered_by_the_other_half(embedder, half, questions):
    memories = memories_of(embedder)
    asked = np.stack([embedder.query(text).optional["E5"] for text in questions])
    assert ((asked @ memories.T).argmax(axis=1) == np.arange(len(asked))).sum() >= 5
    whole = told_apart(memories, asked)
    block, other = causal.HALVES[embedder.tier][half], causal.HALVES[embedder.tier][1 - half]
    zeroed, permuted, unasked = memories.copy(), memories.copy(), memories.copy()
    zeroed[:, block] = 0
    permuted[:, block] = np.roll(memories[:, block], 1, axis=0)
    unasked[:, other] = 0
    assert told_apart(zeroed, asked) < 0.5 * whole
    assert told_apart(permuted, asked) < 0.5 * whole
    assert told_apart(unasked, asked) > 0.9 * whole


def test_both_clauses_together_count_in_the_base_tier():
    embedder = Embedder("base")
    memories = memories_of(embedder)
    asked = np.stack([embedder.query(text).optional["E5"] for text in WHY])
    without = memories.copy()
    without[:, 512:] = 0
    assert told_apart(without, asked) < told_apart(memories, asked)


@pytest.mark.parametrize(
    ("text", "cause", "effect", "stated"),
    [
        ("The outage was caused by the migration.", "the migration", "The outage", True),
        ("The damage, which was caused by rain, is small.", "rain, is small", "The damage", True),
        ("Because the road was icy, we stayed home.", "the road was icy", "we stayed home", True),
        ("Since it rained, the match was off.", "it rained", "the match was off", True),
        ("The leak led to a short circuit; nobody was hurt.", "The leak", "a short circuit", True),
        ("It rained, so we stayed in.", "It rained", "we stayed in", True),
        ("Thanks to the grant, the lab grew.", "the grant", "the lab grew", True),
        ("He has a headache from reading.", "reading", "He has a headache", False),
        ("When the valve opens, steam escapes.", "the valve opens", "steam escapes", False),
        ("Smoking is one of the leading causes of cancer.", "Smoking", "cancer", True),
    ],
)
def test_clauses_stand_where_the_text_says_so(text, cause, effect, stated):
    (found,) = causes(text)
    assert (text[slice(*found.cause)], text[slice(*found.effect)], found.stated) == (cause, effect, stated)


@pytest.mark.parametrize(
    "text", ["Anna lives in Kiel.", "The train from Hamburg is late.", "We have met since March.", "", "because"]
)
def test_what_states_no_cause_has_no_vector(embedder, text):
    assert causes(text) == ()
    assert "E5" not in embedder.fingerprint(text or " ").optional


def test_chains_give_each_link():
    text = "The flood caused by the storm resulted in a famine."
    found = [(text[slice(*c.cause)], text[slice(*c.effect)]) for c in causes(text)]
    assert found == [("the storm", "The flood"), ("The flood caused by the storm", "a famine")]


def test_only_questions_for_a_cause_or_an_effect_ask_in_this_space(embedder):
    assert asks_for("Why is it late?") == asks_for("What caused the delay?") == "cause"
    assert asks_for("What happened after the storm?") == asks_for("What did the frost lead to?") == "effect"
    assert asks_for("Where does Anna live?") is None
    assert "E5" not in embedder.query("Where does Anna live?").optional
    assert_allclose(np.linalg.norm(embedder.query("Why is it late?").optional["E5"]), 1.0, atol=1e-5)


@pytest.mark.parametrize("kind", ["forward", "backward", "weak"])
@given(data=st.data())
def test_a_sentence_that_is_not_searched_would_match_nothing(kind, data):
    expression, marks = getattr(causal, f"_{kind.upper()}"), getattr(causal, f"_{kind.upper()}_MARKS")
    text = data.draw(st.from_regex(compiled(expression)))
    assert causal._has(text if kind == "weak" else caseless(text), marks)
