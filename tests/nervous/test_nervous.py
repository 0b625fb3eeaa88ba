"""The nervous layer: bounds, monotone effects, and the definitions of design 7."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.models import Johari
from context_graph.nervous import steering, utl
from context_graph.nervous.clusters import Clusters
from context_graph.nervous.lifecycle import GROWTH, INFANCY, MATURITY, stage_of
from context_graph.nervous.modulators import Modulators
from context_graph.nervous.pulse import Pulse, result_entropy

UNIT = st.floats(0, 1)


def test_life_has_three_stages():
    assert [stage_of(n).stage for n in (0, 49, 50, 499, 500)] == ["infancy", "infancy", "growth", "growth", "maturity"]


def test_surprise_is_one_in_an_empty_store_and_zero_for_a_copy():
    assert utl.surprise({}, {}, {}) == 1.0
    known = {"E1": np.full(50, 0.5)}
    assert utl.surprise({"E1": 0.0}, known, {}) == 0.0


@given(near=UNIT, far=UNIT)
def test_surprise_grows_with_distance(near, far):
    near, far = sorted((near, far))
    known = {"E1": np.linspace(0, 1, 100)}
    assert utl.surprise({"E1": near}, known, {}) <= utl.surprise({"E1": far}, known, {})


@given(s=UNIT, c=UNIT, w=st.floats(0.5, 1.5), phi=st.floats(0, math.pi))
@pytest.mark.parametrize("stage", [INFANCY, GROWTH, MATURITY], ids=lambda stage: stage.stage)
def test_learning_stays_in_bounds_and_vanishes_when_out_of_phase(stage, s, c, w, phi):
    score = utl.learning_score(s, c, w, phi, stage)
    assert 0 <= score <= 1
    assert utl.learning_score(s, c, w, math.pi, stage) == 0


def test_infancy_learns_from_novelty_and_maturity_from_coherence():
    novel, fitting = (0.9, 0.3), (0.3, 0.9)
    assert utl.learning_score(*novel, 1, 0, INFANCY) > utl.learning_score(*fitting, 1, 0, INFANCY)
    assert utl.learning_score(*novel, 1, 0, MATURITY) < utl.learning_score(*fitting, 1, 0, MATURITY)


def test_quadrants_are_those_of_the_seed():
    assert utl.johari(0.2, 0.8) is Johari.OPEN
    assert utl.johari(0.8, 0.2) is Johari.BLIND
    assert utl.johari(0.2, 0.2) is Johari.HIDDEN
    assert utl.johari(0.8, 0.8) is Johari.UNKNOWN


def test_coherence_is_neutral_without_links_and_falls_when_a_session_wavers():
    steady, _ = utl.coherence([(1.0, 0.8)], 0.5, [0.6] * 10)
    wavering, _ = utl.coherence([(1.0, 0.8)], 0.5, [0.1, 1.0] * 5)
    assert utl.coherence([], 0.5, [])[0] == pytest.approx(0.4 * 0.5 + 0.4 * 0.5 + 0.2)
    assert wavering < steady <= 1


def test_fit_is_neutral_with_fewer_than_two_clusters():
    assert utl.cluster_fit(0.9, None) == 0.5
    assert utl.cluster_fit(0.9, 0.1) > 0.9 > 0.1 > utl.cluster_fit(0.1, 0.9)
    assert utl.cluster_fit(1.0001, 0.1) == 1.0 and utl.cluster_fit(0.1, 1.0001) == 0.0


def test_arousing_words_and_importance_weigh_a_memory():
    assert utl.arousal(["a", "plain", "note"], 0.5) == 1.0
    assert utl.arousal(["urgent", "crash"], 0.5) > 1.0
    assert utl.arousal(["urgent"] * 9, 1.0) == 1.5
    assert utl.phase(np.ones(3), None) == 0.0
    assert utl.phase(np.array([1.0, 0]), np.array([0, 1.0])) == pytest.approx(math.pi / 2)


@given(rewards=st.lists(st.floats(-1, 1), max_size=40), entropies=st.lists(UNIT, max_size=40))
def test_modulators_never_leave_their_ranges(rewards, entropies):
    state = Modulators()
    for reward in rewards:
        state = state.rewarded(reward).relaxed()
    for entropy in entropies:
        state = state.searched(entropy, 1 - entropy, empty=entropy > 0.9).learned(entropy)
    assert 1 <= state.dopamine <= 5 and 0 <= state.serotonin <= 1
    assert 0.5 <= state.noradrenaline <= 2 and 0.001 <= state.acetylcholine <= 0.002


def test_reward_sharpens_penalty_blunts_and_time_heals():
    assert Modulators().rewarded(1.0).dopamine == pytest.approx(3.8)
    assert Modulators().rewarded(-1.0).dopamine == pytest.approx(2.6)
    excited = Modulators(dopamine=5.0)
    assert excited.relaxed().dopamine < 5.0
    for _ in range(20):
        excited = excited.relaxed()
    assert excited.dopamine == pytest.approx(4.0)  # half-life 20 interactions
    assert Modulators(dopamine=5.0).relaxed(idle_us=3_600_000_000).dopamine < 3.2


def test_an_empty_search_raises_noradrenaline():
    assert Modulators().searched(1.0, 0.5, empty=True).noradrenaline > 1.3


def test_entropy_is_high_when_results_are_alike_and_low_when_one_stands_out():
    assert result_entropy([]) == 1.0
    assert result_entropy([0.8]) == pytest.approx(0.2)
    assert result_entropy([0.5] * 10) == pytest.approx(1.0)
    assert result_entropy([0.95] + [0.02] * 9) < 0.3


def test_the_pulse_suggests_only_what_is_built_and_never_a_question_in_infancy():
    doubtful = Pulse(search_entropy=1.0, surprise=1.0, fit=0.9, agreement=0.9)
    everything = frozenset({"epistemic_action", "trigger_dream", "critique_context", "get_neighborhood"})
    assert doubtful.suggested(GROWTH, built=everything) == "epistemic_action"
    assert doubtful.suggested(INFANCY, built=everything) == "continue"
    lost = Pulse(search_entropy=1.0, surprise=1.0, fit=0.1, agreement=0.1)
    assert lost.suggested(GROWTH, built=everything) == "trigger_dream"
    assert lost.suggested(GROWTH, built=everything - {"trigger_dream"}) == "critique_context"
    assert lost.suggested(GROWTH, built=frozenset()) == "continue"
    thin = Pulse(search_entropy=0.1, surprise=0.1, fit=0.1, agreement=0.1)
    assert thin.suggested(GROWTH, built=everything) == "get_neighborhood"
    assert Pulse().suggested(GROWTH, built=everything) == "continue"


def test_the_pulse_follows_what_happens():
    pulse = Pulse()
    for _ in range(60):
        pulse = pulse.stored(1.0, 0.0).searched(1.0, None)
    assert pulse.entropy > 0.95 and pulse.coherence < 0.3
    assert pulse.interactions == 120


def assess(**changes):
    given = dict(
        delta_s=0.9, delta_c=0.6, stage=INFANCY, near_duplicate=None, duplicate_similarity=0.3, rationale_ok=True,
        priors_ok=True, link_cosines=[], used_before=0.5, cluster_fit=0.5, recent_rewards=[],
    )  # fmt: skip
    return steering.assess(**(given | changes))


def test_rewards_follow_the_stage_of_life():
    assert assess().reward > 0.3
    assert assess(stage=MATURITY, delta_c=0.9).reward > assess(stage=MATURITY, delta_c=0.6).reward
    assert assess(stage=GROWTH, delta_s=0.9, delta_c=0.9).reward > assess(stage=GROWTH, delta_s=0.9, delta_c=0.1).reward


def test_duplicates_and_empty_rationales_cost_what_the_seed_says():
    assert assess(near_duplicate="[node_1]", delta_s=0.5).reward == pytest.approx(-0.4)
    assert assess(rationale_ok=False, delta_s=0.5).reward == pytest.approx(-0.5)
    assert assess(near_duplicate="[node_1]", rationale_ok=False, delta_s=0.0).reward == -1.0
    assert "only what is new" in assess(near_duplicate="[node_1]").suggestions[0]


def test_what_says_something_new_is_never_punished():
    for stage in (INFANCY, GROWTH, MATURITY):
        assert assess(stage=stage, delta_s=0.0, delta_c=0.0).reward == 0.0
        corrected = assess(stage=stage, delta_s=0.0, delta_c=0.0, differs_from="[node_1]", rationale_ok=False)
        assert corrected.reward == 0.0
        assert "supersedes" in corrected.suggestions[0]


def test_links_that_hold_are_rewarded_and_others_remarked_on():
    assert assess(link_cosines=[0.8]).reward > assess().reward
    assert "little to do" in assess(link_cosines=[0.0]).suggestions[-1]


def test_ten_poor_stores_change_the_hint():
    assert "search before storing" in assess(delta_s=0.1, recent_rewards=[-0.4] * 9).hint


def test_clusters_gather_what_is_alike_and_survive_a_reopening():
    random = np.random.default_rng(0)
    centres = np.eye(3, 64, dtype=np.float32)
    clusters, names = Clusters(64), []
    for i in range(60):
        vector = centres[i % 3] + 0.05 * random.standard_normal(64).astype(np.float32)
        names.append(clusters.add(vector / np.linalg.norm(vector), f"c{i}"))
    assert len(clusters) == 3 and len({names[0], names[1], names[2]}) == 3
    assert names[:3] * 20 == names
    again = Clusters(64)
    again.restore(names[:3], centres)
    assert again.nearest(centres[1])[0] == names[1]
    assert Clusters(64).nearest(centres[0]) == (None, None, None)


def test_the_cluster_of_a_vector_is_that_of_today_whoever_asked_between():
    axes = np.eye(4, dtype=np.float32)
    clusters = Clusters(4)
    clusters.add(axes[0], "first")
    answers = [[clusters.nearest(axis) for axis in axes] for _ in range(2)]
    assert answers[0] == answers[1]
    clusters.add(axes[1], "second")
    assert [clusters.nearest(axis)[0] for axis in axes[:2]] == ["first", "second"]
