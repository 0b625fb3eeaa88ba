"""What a language model has proposed: made of the words of the text, or it does not count."""

from dataclasses import replace

import pytest

from context_graph.extraction.proposals import (
    MAX_OF_KIND,
    PROPOSED,
    Alias,
    Claim,
    Evidence,
    Time,
    checked,
    proposals_of,
)
from tests.endpoints.scripted import MODEL, claim
from tests.requirements import requirement

TEXT = "[note] The clarinet of Anna O'Brien, whom we call Nan, went to Graz the week after the fair."


def dropped(text: str = TEXT, **lists) -> dict[str, int]:
    result = checked(MODEL, Evidence(text, "Ines"), **lists)
    assert not result.proposals
    return dict(result.dropped)


@requirement("extractor:words-of-the-text")
def test_what_is_made_of_words_of_the_text_counts():
    result = checked(
        MODEL, Evidence(TEXT, "Ines"),
        claims=[claim("Anna O'Brien", "owns", "the clarinet"), claim("Ines", "calls", "Nan")],
        times=[{"words": "the week after the fair", "first": "2026-05-04", "last": "2026-05-10"}],
        aliases=[{"name": "Anna O'Brien", "alias": "Nan"}],
    )  # fmt: skip
    assert result.proposals.claims == (Claim("Anna O'Brien", "own", "the clarinet"), Claim("Ines", "calls", "Nan"))
    assert result.proposals.times == (Time("the week after the fair", "2026-05-04", "2026-05-10"),)
    assert result.proposals.aliases == (Alias("Anna O'Brien", "Nan"),) and not result.dropped


@requirement("extractor:words-of-the-text")
@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (claim("Anna", "live in", "Vienna"), "foreign words"),
        (claim("Bob", "live in", "Graz"), "foreign words"),
        (claim("Anna", "live in", "old Graz"), "foreign words"),
        (claim("the", "live in", "Graz"), "foreign words"),
        (claim("Anna", "must obey", "Graz"), "foreign relation"),
        (claim("Anna", "of the", "Graz"), "foreign relation"),
        (claim("Anna", "is from", "Graz"), "foreign relation"),
        (claim("Anna", "did not go to", "Graz"), "foreign relation"),
        (claim("Anna", "went to the week after the fair of", "Graz"), "foreign relation"),
        (claim("Anna", "live in", "anna"), "says nothing"),
        (claim("Anna", "live in", "Graz\n[note]"), "malformed"),
        (claim("Anna", "live in", "[note] Graz"), "malformed"),
        (claim("Anna", "live in", "Graz" + " Graz" * 40), "malformed"),
        (claim("Anna", "live in", "\ud800"), "malformed"),
        (claim("Anna", "", "Graz"), "malformed"),
        ({**claim("Anna", "live in", "Graz"), "order": "run"}, "malformed"),
        ({"subject": "Anna", "relation": "live in", "object": ["Graz"]}, "malformed"),
        ("Anna lives in Graz", "malformed"),
        (None, "malformed"),
    ],
)
def test_a_claim_that_is_not_is_dropped_and_says_why(entry, reason):
    assert dropped(claims=[entry]) == {reason: 1}


@requirement("extractor:words-of-the-text")
@pytest.mark.parametrize(
    ("words", "first", "last", "reason"),
    [
        ("the week before the fair", "2026-05-04", "2026-05-10", "foreign words"),
        ("the week after the fair", "2026-05-10", "2026-05-04", "malformed"),
        ("the week after the fair", "May", "June", "malformed"),
        ("the week after the fair", "20260504", "20260510", "malformed"),
        ("the week after the fair", "2026-W19-1", "2026-W19-7", "malformed"),
    ],
)
def test_a_time_that_is_not_is_dropped(words, first, last, reason):
    assert dropped(times=[{"words": words, "first": first, "last": last}]) == {reason: 1}


@requirement("extractor:words-of-the-text")
@pytest.mark.parametrize(("alias", "reason"), [("Annie", "foreign words"), ("ANNA", "says nothing"), ("", "malformed")])
def test_an_alias_that_is_not_is_dropped(alias, reason):
    assert dropped(aliases=[{"name": "Anna", "alias": alias}]) == {reason: 1}


def test_each_counts_once_and_there_is_an_end():
    numbers = " ".join(f"no{i}" for i in range(40))
    entries = [claim("Anna", "own", f"no{i}") for i in range(MAX_OF_KIND + 3)]
    result = checked(MODEL, Evidence(f"Anna: {numbers}"), claims=[entries[0], *entries])
    assert len(result.proposals.claims) == MAX_OF_KIND and result.dropped == {"repeated": 1, "too many": 3}


@pytest.mark.parametrize(
    ("relation", "spelling"),
    [("lives in", "live in"), ("moved to", "live in"), ("is", "be"), ("works as", "work as"), ("went to", "go to")],
)
def test_a_relation_of_the_rules_is_spelled_as_they_do(relation, spelling):
    result = checked(MODEL, Evidence(TEXT), claims=[claim("Anna", relation, "Graz")])
    assert [each.relation for each in result.proposals.claims] == [spelling]


def test_scripts_without_blanks_have_words_too():
    evidence = Evidence("安娜住在里斯本。")
    assert evidence.bears("安娜") and evidence.bears("里斯本") and not evidence.bears("巴黎")


@requirement("extractor:words-of-the-text")
def test_what_is_stored_is_looked_at_anew(memory, tell):
    node = memory.store.node(tell("Anna's clarinet went to Graz."))
    proposals = checked(MODEL, Evidence.of(node), claims=[claim("Anna's clarinet", "be in", "Graz")]).proposals
    assert not proposals, "'in' is no word of the text"
    proposals = checked(MODEL, Evidence.of(node), claims=[claim("Anna's clarinet", "went to", "Graz")]).proposals
    marked = replace(node, metadata=proposals.as_metadata())
    assert proposals_of(marked) == proposals
    assert proposals_of(replace(marked, content="Anna's clarinet went to Linz.")) is None
    for values in (7, {}, {"model": "obey me now", "claims": []}, {"model": MODEL, "claims": "x"}):
        assert proposals_of(replace(node, metadata={PROPOSED: values})) is None
