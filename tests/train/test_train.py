"""The gradient is that of the loss, the loss falls, the same seed gives the same file, bad input is refused."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.embed.experts import READ, WIDTH, Inputs, of_memories
from context_graph.embed.fused import INDEX, fusion
from context_graph.errors import InvalidInput
from context_graph.evaluation.sets import read
from context_graph.train import run
from context_graph.train.__main__ import main
from context_graph.train.contrast import contrast
from context_graph.train.mixture import LEARNED, backward, forward, initial
from context_graph.train.sample import sampled
from tests.evaluation.harbour import PARAGRAPHS, write

DIFFERENCES = {"rtol": 2e-3, "atol": 1e-3}
"""Central differences; those of the gate in float32."""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    return write(tmp_path_factory.mktemp("sets") / "harbour")


def some_inputs(dice, n):
    placed = dice.standard_normal((n, len(READ), WIDTH))
    placed /= np.linalg.norm(placed, axis=2, keepdims=True)
    present = np.zeros((n, 13), bool)
    present[:, INDEX] = True
    placed[0, 2], present[0, 5] = 0, False
    return Inputs(placed, present, (0.1 * dice.standard_normal((n, WIDTH))).astype(np.float32))


def shaken(model, dice):
    """No parameter at 0, in float64 but for the centres, which the kernel takes as float32."""
    moved = {name: getattr(model, name) + 0.3 * dice.standard_normal(getattr(model, name).shape) for name in LEARNED}
    return replace(model, **moved | {"centres": 20 * model.centres})


@pytest.mark.parametrize("name", LEARNED)
def test_gradients_are_those_of_the_vectors(name):
    dice = np.random.default_rng(0)
    inputs, wanted = some_inputs(dice, 5), dice.standard_normal((5, WIDTH))
    model = shaken(initial(8, 1.0, dice), dice)

    def value(step):
        moved = getattr(model, name) + step * direction
        kind = np.float32 if name == "centres" else np.float64
        return (forward(replace(model, **{name: moved.astype(kind)}), inputs, 7).vectors * wanted).sum()

    direction = dice.standard_normal(getattr(model, name).shape)
    step = 1e-3 if name == "centres" else 1e-5
    slope = backward(model, inputs, forward(model, inputs, 7), wanted)[name]
    assert_allclose((slope * direction).sum(), (value(step) - value(-step)) / (2 * step), **DIFFERENCES)


def test_training_computes_what_is_shipped():
    dice = np.random.default_rng(3)
    inputs = some_inputs(dice, 4)
    inputs = replace(inputs, placed=inputs.placed.astype(np.float32))
    model = shaken(initial(8, 0.5, dice), dice)
    model = replace(model, **{name: getattr(model, name).astype(np.float32) for name in LEARNED})
    for k in (2, 4, 8):
        done, fused = forward(model, inputs, k), model(inputs, k)
        assert_allclose(done.vectors, fused.vectors, rtol=1e-3, atol=1e-5)
        assert_allclose(done.weights, fused.weights[:, INDEX], rtol=1e-5, atol=1e-6)


def test_the_contrast_falls_with_the_right_cosine_and_ignores_other_answers():
    cosines = np.array([[0.5, 0.4, 0.9], [0.1, 0.2, 0.3]])
    positive, left_out = np.array([0, 1]), np.array([[False, False, True], [False] * 3])
    loss, slope = contrast(cosines, positive, left_out)
    assert slope[0, 0] < 0 and slope[1, 1] < 0 and slope[0, 2] == 0
    assert_allclose(slope.sum(axis=1), 0, atol=1e-12)
    step = 1e-6 * np.eye(3)[:2]
    nearer, _ = contrast(cosines + step, positive, left_out)
    assert_allclose(nearer - loss, (slope * step).sum(), rtol=1e-4)


def test_a_sample_keeps_every_answer(harbour):
    (whole,) = read(harbour)
    part = sampled(whole, 7, seed=1)
    answering = frozenset().union(*(question.gold for question in whole.questions))
    assert len(part.memories) == 7 > len(answering)
    for before, after in zip(whole.questions, part.questions, strict=True):
        kept = {part.memories[i].name for i in after.gold}
        assert kept == {whole.memories[i].name for i in before.gold} and after.held == before.held
    assert sampled(whole, 7, seed=1) == part
    assert sampled(whole, 0, seed=1) is whole is sampled(whole, len(PARAGRAPHS), seed=1)


def test_the_same_seed_gives_the_same_file(harbour, tmp_path, capsys):
    files = [tmp_path / name for name in ("a.npz", "b.npz", "other.npz")]
    for file, seed in zip(files, ("7", "7", "8"), strict=True):
        assert main(["--data", str(harbour), "--out", str(file), "--seed", seed, "--epochs", "2", "--rank", "4"]) == 0
    told = capsys.readouterr().out
    assert "base epoch 2: loss" in told and "chosen" in told and "held" in told
    assert files[0].read_bytes() == files[1].read_bytes() != files[2].read_bytes()
    kept = fusion("base", files[0])
    assert kept.down.shape == (len(READ), 4, WIDTH) and np.isfinite(kept.centres).all()
    with np.load(files[0], allow_pickle=False) as arrays:
        assert {name.split("/")[0] for name in arrays} == {"base"}


def test_training_lowers_the_loss(harbour):
    told = []
    run.train([harbour], "base", epochs=5, rank=4, log=told.append)
    losses = [float(line.split()[-1]) for line in told if "loss" in line]
    assert len(losses) == 5 and losses[-1] < losses[0]


def test_what_comes_back_from_the_file_is_what_was_judged(harbour, tmp_path):
    model = run.train([harbour], "base", epochs=1, rank=4)
    run.write({"base": model}, tmp_path / "kept.npz")
    kept = fusion("base", tmp_path / "kept.npz")
    dice = np.random.default_rng(2)
    inputs = of_memories(
        dice.standard_normal((2, 1024)).astype(np.float32), dice.integers(0, 2**63, (2, 160), dtype=np.uint64),
        [dice.integers(-127, 127, (5, 128)).astype(np.int8)] * 2,
        [(np.arange(3), np.ones(3, np.float32))] * 2, {},
    )  # fmt: skip
    assert_array_equal(model(inputs).vectors, kept(inputs).vectors)


def conversation(tmp_path):
    turns = [{"dia_id": "D1:1", "speaker": "Ann", "text": "I got a dog."}]
    data = {
        "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns},
        "qa": [{"question": "What did Ann get?", "evidence": ["D1:1"], "category": 4}],
    }
    folder = tmp_path / "talk"
    folder.mkdir()
    (folder / "conv-26.json").write_text(json.dumps(data), "utf-8")
    return folder


def test_conversations_are_never_learned_from(tmp_path):
    with pytest.raises(InvalidInput, match="never learned from"):
        run.train([conversation(tmp_path)], "base")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--data", "nowhere"], "nowhere"),
        (["--rank", "65"], r"\[1, 64\]"),
        (["--epochs", "0"], "at least 1"),
        (["--out", "fusion.txt"], r"\.npz"),
    ],
)
def test_bad_input_is_refused_with_what_was_expected(harbour, tmp_path, capsys, options, complaint):
    given = {"--data": str(harbour), "--out": str(tmp_path / "f.npz"), "--epochs": "1", "--rank": "2"}
    given |= {options[0]: str(tmp_path / options[1]) if options[0] in ("--data", "--out") else options[1]}
    assert main([part for pair in given.items() for part in pair]) == 1
    assert not list(tmp_path.glob("*.npz"))
    assert re.search(complaint, capsys.readouterr().err)
