"""Among code, what a program defines answers before what only uses, tests or describes it."""

import pytest

from context_graph.connectors.folder.documents import survey
from context_graph.connectors.folder.seeding import seed
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
def ranked(memory, tmp_path):
    for name, text in {"cache.py": DEFINED, "use.py": USED, "test_cache.py": TESTED, "cache.md": MANUAL}.items():
        (tmp_path / name).write_text(f"{text}\n", "utf-8")
    assert len([*seed(memory, survey(tmp_path))]) >= 4
    return lambda question: memory.recall(Question(question)).hits


@pytest.mark.parametrize(
    "question",
    ["How are the oldest entries of the cache dropped?", "Where is the cache pruned?", "What limits the cache?"],
)
def test_what_is_defined_comes_first(ranked, question):
    assert ranked(question)[0].node.metadata["source"] == "cache.py"


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("How is the cache pruned?", True),
        ("How do I prune the cache?", False),
        ("how to prune the cache", False),
        ("prune the cache", False),
    ],
)
def test_what_defines_nothing_counts_less_where_it_is_asked_what_a_program_does(ranked, question, counts):
    behind = {hit.node.metadata["source"] for hit in ranked(question) if hit.parts.get("no_definition")}
    assert behind == ({"use.py", "cache.md"} if counts else set())


def test_what_is_remembered_beside_a_folder_is_not_behind_its_code(ranked, tell):
    note = "The cache of the beach house is the tin under the stairs."
    tell(note)
    hit = next(hit for hit in ranked("Where is the cache?") if hit.node.content == note)
    assert not hit.parts.get("no_definition")


def test_notes_of_another_folder_are_not_behind_the_code_of_this_one(ranked, memory, tmp_path):
    notes = tmp_path.parent / "notes"
    notes.mkdir()
    (notes / "house.md").write_text("# House\n\nThe cache of the beach house is the tin under the stairs.\n", "utf-8")
    [*seed(memory, survey(notes))]
    hits = ranked("Where is the cache of the house?")
    assert hits[0].node.metadata["source"] == "house.md"
    assert {hit.node.metadata["source"] for hit in hits if hit.parts.get("no_definition")} == {"use.py", "cache.md"}


def test_a_test_comes_before_only_where_it_is_asked_for(ranked):
    def place(question: str) -> int:
        return [hit.node.metadata["source"] for hit in ranked(question)].index("test_cache.py")

    question = "What checks that the cache drops the oldest entries?"
    assert place(f"Which test? {question}") < place(question)


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
