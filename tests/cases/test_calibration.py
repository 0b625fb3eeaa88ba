"""Calibration: confidence that is right as often as it says, and errors computed as they are defined."""

import numpy as np
import pytest

from context_graph.cases.calibration import BINS, calibrated, calibration_of, expected_error
from tests.requirements import requirement


@requirement("cases:confidence-is-checked")
def test_overconfident_votes_are_told_as_often_as_they_are_right():
    dice = np.random.default_rng(7)
    shares = dice.uniform(0.5, 1.0, 4_000)
    right = dice.random(4_000) < shares - 0.2
    found = calibration_of(shares.tolist(), right.tolist())
    assert found.accuracy == pytest.approx(right.mean())
    assert found.raw_brier == pytest.approx(((shares - right) ** 2).mean())
    assert found.brier < found.raw_brier and found.expected_calibration_error < 0.05
    for share in (0.6, 0.8, 0.95):
        assert calibrated(found, share, 5) == pytest.approx(share - 0.2, abs=0.08)


def test_confidence_rises_with_the_share_of_votes():
    dice = np.random.default_rng(3)
    shares = dice.random(300)
    found = calibration_of(shares.tolist(), (dice.random(300) < shares).tolist())
    told = [calibrated(found, share, 5) for share in np.linspace(0, 1, 50)]
    assert told == sorted(told) and told[0] >= 0 and told[-1] <= 1


def test_that_all_were_right_makes_no_doubtful_vote_sure():
    found = calibration_of([0.9 + 0.001 * i for i in range(100)], [True] * 100)
    assert calibrated(found, 0.95, 5) > 0.95
    assert 0.4 < calibrated(found, 0.45, 5) < 0.7


def test_a_chance_run_of_wrong_ones_moves_confidence_less_than_a_staircase_would():
    shares = [0.7 + 0.001 * i for i in range(200)]
    right = [i % 10 > 0 and not 40 <= i < 48 for i in range(200)]  # nine of ten are right, but for one bad run
    found = calibration_of(shares, right)
    staircase = float(np.interp(0.744, found.levels, found.rates))
    assert staircase < calibrated(found, 0.744, 5) < found.accuracy


@pytest.mark.parametrize("odd", ["all right", "all wrong", "at the ends", "falling"])
def test_the_curve_is_sound_on_shares_of_any_kind(odd):
    shares = np.linspace(0.2, 1.0, 60) if odd != "at the ends" else np.arange(60) % 2.0
    right = {"all right": shares > -1, "all wrong": shares < -1, "at the ends": shares > 0.5, "falling": shares < 0.5}
    found = calibration_of(shares.tolist(), right[odd].tolist())
    told = [calibrated(found, share, 5) for share in np.linspace(0, 1, 40)]
    assert told == sorted(told) and told[0] >= 0 and told[-1] <= 1
    assert found.brier <= ((right[odd].mean() - right[odd]) ** 2).mean() + 0.01, "no worse than telling the mean"


def test_the_logistic_curve_is_the_minimum_of_its_loss():
    from context_graph.cases.calibration import _log_odds, _logistic

    dice = np.random.default_rng(11)
    odds = _log_odds(dice.uniform(0.3, 1.0, 120), 120)
    right = (dice.random(120) < 0.8).astype(float)

    def loss(w):
        score = w[0] * odds + w[1]
        return np.logaddexp(0, score).sum() - score @ right + ((w[0] - 1) ** 2 + w[1] ** 2) / 2

    least = np.array(_logistic(odds, right))
    assert least[0] > 0
    for step in np.array([[1e-3, 0], [-1e-3, 0], [0, 1e-3], [0, -1e-3], [1e-3, -1e-3], [-1e-3, 1e-3]]):
        assert loss(least) < loss(least + step)


def test_too_few_pairs_teach_nothing_and_few_voters_draw_to_a_half():
    assert calibration_of([1.0] * 19, [True] * 19) is None
    assert calibrated(None, 1.0, 1) == pytest.approx(2 / 3)
    assert calibrated(None, 1.0, 98) == pytest.approx(0.99)


def test_the_calibration_error_is_that_of_its_definition():
    dice = np.random.default_rng(1)
    told, right = dice.random(500), dice.random(500) < 0.5
    error = 0.0
    for low in range(BINS):
        inside = (told * BINS >= low) & ((told * BINS < low + 1) | (low == BINS - 1))
        error += inside.mean() * abs(told[inside].mean() - right[inside].mean())
    assert expected_error(told, right.astype(float)) == pytest.approx(error)
    assert expected_error(np.array([1.0, 0.0]), np.array([1.0, 0.0])) == 0
