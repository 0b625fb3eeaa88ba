"""Which name is meant by another one."""

import pytest

from context_graph.suggestions import nearest, synonyms

NAMES = ["ask", "call", "search", "store_memory"]
MEANT = synonyms({"ask": "recall query", "store_memory": "add"})


@pytest.mark.parametrize(
    ("written", "name"),
    [("recall", "ask"), ("RECALL", "ask"), ("serch", "search"), ("add_memory", "store_memory"),
     ("addMemory", "store_memory"), ("run-query", "ask"), ("sto_mem", "store_memory"), ("zzz", None), ("", None)],
)  # fmt: skip
def test_a_synonym_comes_before_a_slip_and_a_slip_before_a_word(written, name):
    assert nearest(written, NAMES, MEANT) == name


def test_without_synonyms_the_likest_is_meant_from_a_bound_on():
    assert nearest("recall", NAMES) == "call" and nearest("qqq", NAMES) is None
    assert nearest("sch", NAMES) == "search" and nearest("sch", NAMES, cutoff=0.7) is None


def test_what_is_long_is_compared_by_its_beginning():
    assert nearest("search" + " " * 1_000_000, ["search" + " " * 74]) == "search" + " " * 74
