"""Weights are values: another config is another ranking, and every weight names a score that is computed."""

from copy import deepcopy

import numpy as np
import pytest

from context_graph.recall.question import Question
from context_graph.retrieval.config import KINDS, RANKING, SPECIAL
from context_graph.retrieval.score_table import FIRST_PASS, LATER, SPACE_OF

TIERS = pytest.mark.parametrize("config", RANKING.values(), ids=RANKING)


@TIERS
def test_a_change_makes_another_config_and_leaves_the_first_as_it_was(config):
    before = deepcopy(config)
    other = config.changed(
        [("note", "graph", 0.5), ("rules", "time", 0.0), ("links", "edges", 2.0), ("strengths", "gate", 1.0)]
    )
    assert config == before != other
    assert other.tables["note"] == config.tables["note"] | {"graph": 0.5}
    assert other.tables["topic"] == config.tables["topic"]
    assert (other.rules["time"], other.links["edges"], other.gate, other.first_person) == (
        0.0,
        2.0,
        1.0,
        config.first_person,
    )
    assert other.changed([("note", "graph", 0.0)]).weights_of(np.array([0]))["graph"].tolist() == [0.0]


@TIERS
def test_a_table_that_is_not_there_cannot_be_changed(config):
    with pytest.raises(KeyError, match="notes"):
        config.changed([("notes", "words", 1.0)])


@TIERS
def test_the_kind_of_a_memory_and_the_question_choose_the_table(config):
    kinds = np.arange(len(KINDS))
    for topical, several in ((False, False), (True, False), (False, True)):
        names = [SPECIAL["note"][topical], SPECIAL["dialogue"][several], "code", "exchange", "exchange"]
        weights = config.weights_of(kinds, topical=topical, several=several)
        for kind, name in enumerate(names):
            told = {score: float(weight[kind]) for score, weight in weights.items() if weight[kind]}
            assert told == config.tables[name]


@TIERS
def test_the_session_counts_only_where_a_score_or_the_gate_asks_for_it(config):
    assert not config.uses_modulators
    assert config.changed([("code", "fused", 0.1)]).uses_modulators
    assert config.changed([("strengths", "gate", 0.1)]).uses_modulators


@TIERS
def test_every_weight_is_of_a_score_and_what_is_experimental_has_none(config):
    weighed = {name for table in (*config.tables.values(), config.links) for name, weight in table.items() if weight}
    assert weighed <= set(SPACE_OF)
    assert not weighed & {name for score in (*FIRST_PASS, *LATER) if score.experimental for name in score.names}


def test_every_score_has_one_line_and_those_of_the_first_pass_are_computed():
    names = [name for score in (*FIRST_PASS, *LATER) for name in score.names]
    assert len(names) == len(set(names))
    assert all(score.compute is not None for score in FIRST_PASS)


def test_a_memory_ranks_by_its_own_config(memory, tell):
    tell("The lighthouse keeper collects blue tiles.")
    asked = Question("Who collects blue tiles?", record=False)
    assert "words" in memory.recall(asked).hits[0].parts
    whole = memory.ranking["base"]
    memory.ranking["base"] = whole.changed((table, "words", 0.0) for table in whole.tables)
    assert "words" not in memory.recall(asked).hits[0].parts
    assert whole is RANKING["base"]
