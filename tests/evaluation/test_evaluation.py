"""Sets are read as they are, stores are made once, and an ablation finds what carries the result."""

import json
from copy import deepcopy

import numpy as np
import pytest

from context_graph.cli import main
from context_graph.errors import InvalidInput
from context_graph.evaluation import variants
from context_graph.evaluation.ablation import ablate, parts
from context_graph.evaluation.measure import MEASURES, change, recalls
from context_graph.evaluation.sets import read
from context_graph.evaluation.stores import stored
from context_graph.retrieval.config import RANKING
from tests.evaluation.harbour import PARAGRAPHS, QUESTIONS, write


@pytest.fixture(scope="module")
def paragraphs(tmp_path_factory):
    return write(tmp_path_factory.mktemp("sets") / "harbour")


@pytest.fixture(scope="module")
def asked(paragraphs):
    with stored(read(paragraphs), "base") as found:
        yield found


def test_a_set_is_read_with_its_titles_and_gold(paragraphs):
    (whole,) = read(paragraphs)
    assert [(draft.name, draft.content) for draft in whole.memories] == PARAGRAPHS
    assert [(q.text, sorted(q.gold)) for q in whole.questions] == QUESTIONS
    assert [q.held for q in whole.questions] == [False, True, False, True]


def test_conversations_keep_speaker_session_and_date(tmp_path):
    turns = [{"dia_id": "D1:1", "speaker": "Ann", "text": "I got a dog."}]
    data = {
        "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns},
        "qa": [
            {"question": "What did Ann get?", "evidence": ["D1:01"], "category": 4},
            {"question": "What is unknown?", "evidence": [], "category": 4},
        ],
    }
    (tmp_path / "conv-47.json").write_text(json.dumps(data), "utf-8")
    (whole,) = read(tmp_path)
    (draft,), (question,) = whole.memories, whole.questions
    assert (draft.speaker, draft.session_id, draft.occurred_at) == ("Ann", "conv-47/1", 1683554160000000)
    assert question.held and question.gold == {0} and question.category == "single-hop"


def test_a_folder_without_a_set_says_what_is_expected(tmp_path):
    with pytest.raises(InvalidInput, match=r"conv-\*\.json"):
        read(tmp_path)


def test_recall_counts_the_gold_among_the_best(asked):
    found = recalls(asked)
    assert found.shape == (len(QUESTIONS), len(MEASURES))
    assert found[:, 0].tolist() == [1, 1, 1, 1] and found[:, 4].min() >= 0.5


def test_stores_that_are_kept_are_not_made_again(paragraphs, tmp_path):
    for _ in range(2):
        with stored(read(paragraphs), "base", keep=tmp_path) as asked:
            assert len(asked[0].memory.corpus) == len(PARAGRAPHS)
    assert asked[0].memory.settings.home == tmp_path / "harbour-base"


def test_a_change_has_an_interval_around_its_mean():
    whole, variant = np.array([1.0, 0.0, 1.0, 0.0] * 20), np.array([1.0, 1.0, 1.0, 0.0] * 20)
    mean, low, high = change(variant, whole)
    assert mean == pytest.approx(25) and low < 25 < high and low > 10
    assert change(whole, whole) == (0, 0, 0)


def test_an_ablation_removes_every_part_and_leaves_the_weights_as_they_were(asked):
    before = deepcopy(RANKING["base"])
    rows = {(row.part, row.variant): row for row in ablate(asked, "base", column=0)}
    assert RANKING["base"] == before
    assert rows["all", "whole"].value == 100 and rows["all", "whole"].change == (0, 0, 0)
    assert {part for part, _ in rows} >= set(parts("base"))
    assert all(row.value - 100 == pytest.approx(row.change[0]) for row in rows.values())
    assert min(row.change[0] for (_, variant), row in rows.items() if variant in ("without", "alone")) < 0


def test_one_part_that_is_off_is_tried_beside_the_others_and_alone(paragraphs):
    before = deepcopy(RANKING["base"])
    with stored(read(paragraphs), "base") as asked:
        rows = {(row.part, row.variant): row for row in ablate(asked, "base", column=0, only=["score graph"])}
    assert list(rows) == [("all", "whole"), ("score graph", "added to notes at 0.5"), ("score graph", "alone")]
    assert rows["score graph", "alone"].value > 0
    assert RANKING["base"] == before


def test_the_command_prints_recall_and_refuses_other_measures(paragraphs, capsys, tmp_path):
    line = ["bench", "recall", "--data", str(paragraphs), "--tier", "base", "--keep", str(tmp_path), "--json"]
    assert main(line) == 0
    assert json.loads(capsys.readouterr().out)["R@5"] == 100
    assert main([*line, "--measure", "luck"]) in (1, 2)
    assert "R@10" in capsys.readouterr().out


@pytest.mark.parametrize("way", [variants.whole, variants.by_words, variants.by_rank, variants.by_meaning])
def test_a_memory_that_is_stored_meanwhile_is_left_out(memory, tell, way):
    tell("Anna plays the clarinet.")
    mask = memory.corpus.columns.live.copy()
    tell("Anna plays the clarinet and the oboe.")
    given = (memory, memory.corpus) if way in (variants.whole, variants.by_rank) else (memory.corpus,)
    found = way(*given, memory.embedder.query("What does Anna play?"), mask, 5)
    rows = found.rows if way is variants.whole else found[0] if way is variants.by_meaning else found
    assert rows.tolist() == [0]
