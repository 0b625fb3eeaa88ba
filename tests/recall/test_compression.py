"""Memories are cut down to the sentences that a question needs, and to parts of one that is too long for a line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.embed.wordpiece import token_count
from context_graph.recall.compression import CUT, Source, distil

SOURCES = [
    Source("[node_a]", "(1 May 2026)", "Anna plays the clarinet. She rehearses on Friday. The weather was fine.", 0.9),
    Source("[node_b]", "(2 May 2026)", "Anna plays the clarinet. ```py\nprint('tune')\n``` Bob listens.", 0.5),
]


@given(budget=st.integers(20, 200), mode=st.sampled_from(["auto", "raw", "narrative", "structured", "code_focused"]))
def test_distilled_text_never_exceeds_its_budget(budget, mode):
    found = distil("What does Anna play?", SOURCES * 4, max_tokens=budget, mode=mode)
    assert token_count(found.text) == found.tokens <= budget


def test_what_fits_is_left_whole_and_cited():
    found = distil("What does Anna play?", SOURCES, max_tokens=500)
    assert found.applied == "none" and found.used == (0, 1)
    said = found.text.replace("\n>   ", "\n")
    assert all(source.text in said and source.tag in said for source in SOURCES)


def test_sentences_for_the_question_come_first_and_are_not_repeated():
    found = distil("What does Anna play?", SOURCES, max_tokens=45, mode="structured")
    assert "plays the clarinet" in found.text and found.text.count("plays the clarinet") == 1
    assert "weather" not in found.text


def test_code_is_kept_verbatim():
    found = distil("How is the tune printed?", SOURCES, max_tokens=60, mode="code_focused")
    assert "> (2 May 2026)\n>   ```py\n>   print('tune')\n>   ``` [node_b]" in found.text


def test_nothing_is_distilled_from_nothing():
    assert distil("x", [], max_tokens=100).text == ""
    long = distil("x", [Source("", "", "word " * 500, 1.0)], max_tokens=30, mode="raw")
    assert 0 < long.tokens <= 30


SERVICES = [{"name": f"svc-{n}", "port": 7_000 + n, "image": f"registry.local/svc-{n}:1"} for n in range(120)]
LONG = {
    "JSON in a line": (json.dumps([*SERVICES, {"name": "paygate", "port": 9443}], separators=(",", ":")), "9443"),
    "speech without full stops": (
        " ".join(f"then Lea bought {n} apples and we walked on" for n in range(300)) + " to see paygate on pier 9443",
        "9443",
    ),
    "characters without a blank": ("x" * 9_000 + ",paygate:9443," + "y" * 9_000, "9443"),
}


@pytest.mark.parametrize("name", LONG)
def test_of_a_sentence_longer_than_the_budget_the_part_that_is_asked_for_is_told(name):
    text, answer = LONG[name]
    sources = [Source("[node_a]", "(1 May 2026)", text, 0.9), Source("[node_b]", "", "Payments meet on Tuesday.", 0.2)]
    found = distil("Which port has paygate?", sources, max_tokens=400)
    assert answer in found.text and CUT in found.text and found.tokens <= 400
    assert found.used[0] == 0


def test_words_that_stand_together_in_the_question_tell_two_sentences_apart():
    days = " ".join(f"On day {n} we slept in hut number {3 * n}, the stove was warm." for n in range(1, 400))
    found = distil("Where did we sleep on day 300?", [Source("", "", days, 1.0)], max_tokens=300)
    assert "hut number 900" in found.text
