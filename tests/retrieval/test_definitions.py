"""Among code, what a program defines answers before what only uses, tests or describes it."""

import pytest

from context_graph.embed.program import opens_with_a_definition
from context_graph.recall.question import Question

DEFINED = '''def prune_cache(entries, limit):
    """Drop the oldest entries until the cache is within its limit."""
    return sorted(entries)[-limit:]'''
TESTED = """def test_the_cache_drops_the_oldest_entries():
    assert prune_cache([3, 1, 2], limit=2) == [2, 3]"""
USED = "cache = load_cache()\ncache = prune_cache(cache, limit=1_000)\nsave_cache(cache)"
MANUAL = """## Cache

The cache drops its oldest entries at a limit. Set it in the shell:

```bash
export CACHE_LIMIT=1000
```
"""


@pytest.fixture
def ranked(tell, memory):
    for text in (MANUAL, TESTED, USED, DEFINED):
        tell(text)
    return lambda question: [hit.node.content for hit in memory.recall(Question(question)).hits]


@pytest.mark.parametrize(
    "question",
    ["How are the oldest entries of the cache dropped?", "Where is the cache pruned?", "What limits the cache?"],
)
def test_what_is_defined_comes_first(ranked, question):
    assert ranked(question)[0] == DEFINED


@pytest.mark.parametrize(
    ("question", "counts"),
    [("How is the cache pruned?", True), ("How do I prune the cache?", False), ("how to prune the cache", False)],
)
def test_where_one_asks_how_to_do_something_the_manual_is_no_worse_than_a_definition(ranked, memory, question, counts):
    hits = memory.recall(Question(question)).hits
    assert {hit.node.content for hit in hits if hit.parts.get("definition")} == ({DEFINED, TESTED} if counts else set())


def test_a_question_for_a_test_finds_it(ranked):
    question = "What checks that the cache drops the oldest entries?"
    assert ranked(f"Which test? {question}").index(TESTED) < ranked(question).index(TESTED)


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        (DEFINED, True),
        ("@cached\ndef price(item):\n    return item.price", True),
        ("export async function load(url) {\n  return fetch(url);\n}", True),
        ("class Cache:\n    limit = 10", True),
        (USED, False),
        (MANUAL, False),
        ("import os\n\n\ndef home():\n    return os.environ", False),
        ("We define a function (of price) in the meeting.", False),
        ("", False),
    ],
)
def test_code_that_begins_with_a_function_or_a_type_is_known(text, opens):
    assert opens_with_a_definition(text) is opens
