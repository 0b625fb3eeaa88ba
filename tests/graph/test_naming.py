"""Names in texts: any spelling, inflections and slips, and nothing more than that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.graph import entities
from context_graph.graph.naming import Names, slips
from tests.expressions import compiled


@pytest.fixture
def names() -> Names:
    names = Names()
    names.add("queue", ["job_queue", "Sidekiq"])
    names.add("language", ["language_haskell", "Haskell", "HS"])
    names.add("store", ["Elasticsearch", "ES", "search index"])
    names.add("web", ["express"])
    names.add("cs", ["C#"])
    return names


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("how long may the job queue grow?", {"queue"}),
        ("rename jobQueue, please", {"queue"}),
        ("JOB-QUEUES", {"queue"}),
        ("is sidekiq's dashboard on?", {"queue"}),
        ("Elastic Search or HASKELL", {"store", "language"}),
        ("is the search indexed yet", {"store"}),
        ("haskelling", {"language"}),
        ("a regular expression", set()),
        ("HSModule", set()),
        ("written in C", set()),
        ("written in C#", {"cs"}),
        ("which language is it?", set()),
        ("", set()),
    ],
)
def test_a_name_is_found_in_any_spelling_and_no_other_word_is(names, text, things):
    assert set(names.matches(text)) == things


@pytest.mark.parametrize(
    ("text", "trust"),
    [
        ("haskel", 0.9),
        ("hasekll", 0.9),
        ("elastcsaerch", 0.8),
        ("jaskell", None),  # another first letter
        ("huskily", None),
        ("hs", 1.0),
        ("hx", None),
    ],
)
def test_slips_are_forgiven_within_bounds(names, text, trust):
    found = names.matches(f"ask about {text} now")
    assert list(found.values()) == ([] if trust is None else [pytest.approx(trust)])


def test_a_word_of_english_is_no_slip():
    names = Names()
    names.add("react", ["React"])
    assert names.matches("reach the reacts") == {"react": 1.0}
    assert names.matches("how far does it reach") == {}
    assert names.matches("our raect code") == {}
    assert names.matches("our recat code") == {"react": 0.9}


def test_a_name_of_two_things_finds_both_and_names_can_be_taken_away(names):
    names.add("other", ["Haskell"])
    assert set(names.matches("haskell")) == {"language", "other"}
    names.remove("language")
    assert set(names.matches("haskell, haskel, HS")) == {"other"}
    names.add("other", ["Curry"])
    assert names.matches("haskell") == {}
    assert names.called("curry") == ["other"]
    names.remove("nothing of the kind")
    assert len(names) == 5


WORDS = st.text("abcd", max_size=7)


@given(WORDS, WORDS)
def test_slips_are_a_symmetric_count_of_edits(a, b):
    assert slips(a, b) == slips(b, a)
    assert (slips(a, b) == 0) == (a == b)
    assert abs(len(a) - len(b)) <= slips(a, b) <= max(len(a), len(b))


def alignment(a: str, b: str) -> int:
    """The distance by its definition, the whole table."""
    table = [[max(i, j) if 0 in (i, j) else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (x != y))
            if i > 1 and j > 1 and a[i - 2 : i] == y + b[j - 2]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@given(st.text("ab", max_size=9), st.text("ab", max_size=9))
def test_slips_are_the_distance_of_the_definition_whatever_both_begin_and_end_with(a, b):
    assert slips(a, b) == alignment(a, b)
    assert slips(f"abba{a}ab", f"abba{b}ab") == alignment(f"abba{a}ab", f"abba{b}ab")
    for most in (1, 2):
        assert min(slips(a, b, most), most + 1) == min(alignment(a, b), most + 1)


@given(WORDS.filter(lambda word: len(word) >= 2), st.data())
def test_one_swap_is_one_slip(word, data):
    i = data.draw(st.integers(0, len(word) - 2))
    swapped = word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    assert slips(word, swapped) == (word != swapped)


def test_a_name_of_thousands_of_letters_is_found_but_not_with_a_slip():
    names = Names()
    names.add("long", [8_000 * "a"])
    assert names.matches(8_000 * "a") == {"long": 1.0}
    assert names.matches(4_000 * "a" + "b" + 3_999 * "a") == {}


def test_a_text_of_thousands_of_strange_words_is_looked_at_in_part():
    names = Names()
    names.add("cluster", ["kubernetes"])
    for number in range(300):
        names.add(number, [f"zorvat{number:04}"])
    strange = " ".join(f"zurbixy{number:04}" for number in range(4_000))
    assert names.matches("kubernetse " + strange) == {"cluster": 0.9}
    assert names.matches("kubernetes " + 16_000 * "\ufdfa") == {"cluster": 1.0}


def test_names_that_are_taken_away_leave_nothing_behind():
    names = Names()
    names.add("cluster", ["kubernetes", "k8s"])
    names.remove("cluster")
    assert not (names._things or names._starts or names._names_of)


@given(path=st.from_regex(compiled(entities._PATH)), identifier=st.from_regex(compiled(entities._IDENTIFIER)))
def test_a_text_that_is_not_searched_holds_no_path_and_no_identifier(path, identifier):
    assert "/" in path or entities._FILE_ENDING.search(path)
    assert entities._IN_IDENTIFIERS.search(identifier)
