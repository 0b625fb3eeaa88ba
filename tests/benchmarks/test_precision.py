"""The harness for precise recall of beliefs: it passes what holds, fails what does not, and knows no shortcut."""

import pytest

from benchmarks.quality.precision import Ours, Searched, Told, ablate, failures, run_cases, run_session, summary


def belief(id: str, name: str, content: str, **fields) -> dict:
    return {
        "_id": id, "user_id": "test-user", "type": "entity", "canonical_name": name, "aliases": [], "content": content,
        "why_it_matters": "for the garden", "scope": ["domain:garden"], "epistemic_status": "active", "pinned": False,
        "last_reinforced_at": "2026-01-01T00:00:00Z", "resolved_at": None, "superseded_by": None,
    } | fields  # fmt: skip


BELIEFS = [
    belief("tree", "apple_tree", "An apple tree of 1990.", aliases=["Boskoop"], superseded_by="pear"),
    belief("pear", "pear_tree", "A pear tree took its place.", aliases=["Conference"]),
    belief("pond", "pond", "The pond is deep.", pinned=True),
    belief("pipes", "pond_waters_tree", "A pipe joins them.", type="relation", participants=["pear"], aliases=["pipe"]),
]
CASES = [
    {
        "caseId": "a",
        "category": "x",
        "query": "Boskoops",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["pear"]}},
    },
    {"caseId": "b", "category": "y", "query": "", "expect": {"pinnedFacts": {"mustInclude": ["pond"]}}},
    {"caseId": "c", "category": "y", "query": "pond", "expect": {"pinnedFacts": {"mustExclude": ["pond"]}}},
]


def test_a_run_counts_what_passed():
    system = Ours(BELIEFS, "base")
    try:
        records = run_cases(system, [case | {"scope": ["domain:garden"]} for case in CASES])
        turns = [
            {
                "turnIndex": 0, "scope": ["domain:garden"], "userMessage": "the hose",
                "expect": {"relevantBeliefs": {"shouldOnlyInclude": []}},
                "createBeliefAtTurn": belief("rake", "rake", "A rake of ash."),
                "updateBeliefAtTurn": {"beliefId": "pipes", "addAliases": ["hose"]},
            },
            {
                "turnIndex": 1, "scope": ["domain:garden"], "userMessage": "the hose and the rake",
                "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["pipes", "pear", "rake"]},
                           "noiseCheck": {"mustNotSurface": ["tree"]}},
            },
        ]  # fmt: skip
        told = run_session(system, {"caseId": "s", "turns": turns})
    finally:
        system.close()
    assert [record["wrong"] for record in records] == [[], [], ["pinnedFacts has pond"]]
    assert [record["wrong"] for record in told] == [[], []]
    numbers = summary(records, told)
    assert numbers == {"cases": "2/3", "session turns": "2/2", "half A": "1/2", "half B": "1/1", "x": "1/1", "y": "1/2"}


def test_the_baseline_is_a_plain_search():
    system = Searched(BELIEFS, "base")
    try:
        told = system.told({"query": "the pond", "scope": ["domain:elsewhere"]})
        nothing = system.told({"query": "", "scope": []})
    finally:
        system.close()
    assert "pond" in told.relevant
    assert (told.pinned, nothing.relevant) == ([], [])


@pytest.mark.parametrize(
    ("expect", "wrong"),
    [
        ({"personaPrelude": {"nonEmpty": True, "contains": "Short", "mustNotContain": ["long"]}}, 0),
        ({"personaPrelude": {"isNull": True, "contains": ["long"], "mustNotContain": "short"}}, 3),
        ({"pinnedFacts": {"shouldOnlyInclude": ["b", "a"]}, "relevantBeliefs": {"shouldOnlyInclude": []}}, 0),
        ({"pinnedFacts": {"shouldOnlyInclude": ["c"]}, "openQuestions": {"mustInclude": ["q"]}}, 4),
        ({"noiseCheck": {"mustNotSurface": ["a", "x"]}}, 1),
        ({"relevantBeliefs": {"pinnedFacts": {"mustInclude": ["z"]}, "_note": "of no meaning"}}, 1),
        ({"pinnedFacts": {"mightInclude": ["a"]}, "somethingElse": {}}, 2),
    ],
)
def test_every_demand_can_fail(expect, wrong):
    told = Told(["p"], ["a", "b"], [], [], "Answers are short.")
    assert len(failures(told, expect)) == wrong


def test_a_mechanism_taken_away_is_missed():
    cases = [case | {"scope": ["domain:garden"]} for case in CASES[:2]]
    numbers = ablate(BELIEFS, cases, [])
    assert numbers["nothing"]["cases"] == "2/2"
    assert numbers["aliases"]["cases"] == "1/2"
    assert numbers["supersession"]["cases"] == "1/2"
