"""How files look and sound: deterministic, blind to size and loudness, and every block of use."""

import makers
import numpy as np
import pytest

from context_graph.embed import multimodal
from context_graph.embed.multimodal import SIGNAL, TEXT, Media
from context_graph.embed.semantic import unit
from context_graph.media import descriptors, sounds

COLOURS = {"red": (200, 40, 40), "green": (40, 160, 60), "blue": (40, 60, 200), "yellow": (220, 200, 40)}
PATTERNS = [(4, True), (4, False), (16, True), (16, False), (48, True)]
TONES, BEATS = (220.0, 440.0, 880.0, 1760.0), (0.0, 3.0, 11.0)


def looks(seed: int) -> np.ndarray:
    """Every colour in every pattern: float32 (20, 384)."""
    made = [makers.stripes(c, period=p, upright=u, seed=seed) for c in COLOURS.values() for p, u in PATTERNS]
    return np.stack([descriptors.picture(pixels) for pixels in made])


def heard(seed: int) -> np.ndarray:
    """Every tone in every beat, louder or softer by seed: float32 (12, 384)."""
    made = [makers.tone(t, beat=b, seed=seed) / (1 + seed) for t in TONES for b in BEATS]
    return np.stack([descriptors.sound(samples, 16_000) for samples in made])


def first_hits(questions: np.ndarray, stored: np.ndarray) -> float:
    """Share of the questions whose nearest is the one of the same number; ties are misses."""
    scores = questions @ stored.T
    best = np.partition(scores, -2, axis=1)
    right = np.diagonal(scores)
    return float(((right == best[:, -1]) & (right > best[:, -2] + 1e-6)).mean())


def margin(questions: np.ndarray, stored: np.ndarray) -> float:
    """By how much the right one is nearer than the best wrong one, on average."""
    scores = questions @ stored.T
    right = np.diagonal(scores).copy()
    np.fill_diagonal(scores, -np.inf)
    return float((right - scores.max(axis=1)).mean())


def zeroed(vectors: np.ndarray, block: slice) -> np.ndarray:
    vectors = vectors.copy()
    vectors[:, block] = 0
    return vectors


@pytest.mark.parametrize("made", [looks, heard])
def test_descriptors_are_of_unit_length_and_equal_for_equal_files(made):
    vectors = made(1)
    assert vectors.dtype == np.float32 and vectors.shape[1] == descriptors.DIMENSIONS
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors, made(1))


@pytest.mark.parametrize("made", [looks, heard])
def test_what_differs_in_noise_alone_is_found_again(made):
    assert first_hits(made(2), made(1)) == 1.0


@pytest.mark.parametrize(
    ("made", "block"),
    [
        (looks, descriptors.COLOUR),
        (looks, descriptors.EDGES),
        (looks, descriptors.FREQUENCIES),
        (heard, slice(0, 64)),
        (heard, slice(64, 128)),
    ],
)
def test_a_block_alone_tells_some_apart(made, block):
    own = np.zeros(descriptors.DIMENSIONS, bool)
    own[block] = True
    assert first_hits(made(2) * own, made(1) * own) > 2 / len(made(1))


def test_without_colours_pictures_that_differ_in_colour_alone_are_confused():
    assert first_hits(zeroed(looks(2), descriptors.COLOUR), looks(1)) < 1.0


def test_without_edges_and_frequencies_patterns_are_confused():
    shapes = slice(descriptors.EDGES.start, descriptors.FREQUENCIES.stop)
    assert first_hits(zeroed(looks(2), shapes), looks(1)) < 1.0


def test_without_the_mean_spectrum_tones_are_confused():
    """Each by two notes a semitone apart, so that little but the mean tells them from each other."""

    def close(seed: int) -> np.ndarray:
        notes = [440 * 2 ** (step / 12) for step in range(12)]
        made = [makers.tone(note, seed=seed) + makers.tone(2.5 * note, seed=seed + 50) for note in notes]
        return np.stack([descriptors.sound(samples / 2, 16_000) for samples in made])

    whole = margin(close(2), close(1))
    assert whole > 0 and margin(zeroed(close(2), slice(0, 64)), close(1)) < whole / 2


def test_size_and_loudness_do_not_count():
    small, large = (makers.stripes(period=side // 6, side=side) for side in (96, 384))
    assert descriptors.picture(small) @ descriptors.picture(large) > 0.9
    quiet = makers.tone(440) / 4
    assert descriptors.sound(makers.tone(440), 16_000) @ descriptors.sound(quiet, 16_000) > 0.9


def test_the_rate_of_the_samples_hardly_counts():
    low, high = (descriptors.sound(makers.tone(440, rate=rate), rate) for rate in (16_000, 44_100))
    assert low @ high > 0.9 > low @ descriptors.sound(makers.tone(1760), 16_000)


@pytest.mark.parametrize(
    "pixels", [np.zeros((1, 1, 3), np.uint8), np.full((1, 500, 3), 255, np.uint8), np.zeros((3, 7, 3), np.uint8)]
)
def test_the_smallest_pictures_have_a_descriptor(pixels):
    assert np.isfinite(descriptors.picture(pixels)).all()


@pytest.mark.parametrize("length", [1, 2, 399, 400, 401, 3_000])
def test_the_shortest_sounds_have_a_descriptor(length):
    for samples in (np.zeros(length, np.float32), makers.tone(440)[:length]):
        assert np.isfinite(descriptors.sound(samples, 16_000)).all()


@pytest.mark.parametrize("pixels", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3)), np.zeros((0, 4, 3), np.uint8)])
def test_what_are_no_pixels_is_an_error(pixels):
    with pytest.raises(ValueError, match="uint8"):
        descriptors.picture(pixels)


def test_a_film_is_the_mean_of_its_frames():
    frames = np.stack([makers.stripes(seed=seed) for seed in range(3)])
    assert descriptors.film(frames) @ descriptors.picture(frames[0]) > 0.98


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_samples_of_every_width_are_the_same_sound(width):
    told = makers.tone(440)
    read = sounds.samples(sounds.wave(makers.wav(told, width=width)), 60)
    np.testing.assert_allclose(read, told, atol=2 / 2**7)  # two steps of 8 bits
    assert len(sounds.samples(sounds.wave(makers.wav(told, width=width)), 0.5)) == 8_000


def test_channels_are_averaged_and_floats_are_read():
    told = makers.tone(440)
    stereo = np.stack([told, np.zeros_like(told)], axis=1).ravel()
    np.testing.assert_allclose(sounds.samples(sounds.wave(makers.wav(stereo, channels=2)), 60), told / 2, atol=1e-3)
    np.testing.assert_array_equal(sounds.samples(sounds.wave(makers.float_wav(told, 16_000)), 60), told)


def test_each_block_of_the_space_is_of_use(memory):
    """Pictures that look alike and are called otherwise, and pictures called alike that look otherwise."""
    captions = ("the harbour at night", "a bill from the baker", "our dog in the snow", "the plan of the cellar")

    def vectors(words: tuple[str, ...], seed: int) -> np.ndarray:
        made = []
        for pixels in looks(seed)[::7]:
            for text in words:
                print_ = memory.embedder.fingerprint(text, media=Media(pixels, True))
                made.append(print_.optional["E10"])
        return np.stack(made)

    stored = vectors(captions, 1)
    asked = vectors(("harbour, night", "the baker's bill", "a dog and snow", "cellar plan"), 2)
    assert stored.shape == (12, multimodal.DIMENSIONS)
    whole = first_hits(asked, stored)
    assert whole == 1.0
    assert first_hits(zeroed(asked, TEXT), stored) < 0.5 > first_hits(zeroed(asked, SIGNAL), stored)


def test_a_vector_without_words_or_without_a_signal_has_one_block(memory):
    signal = looks(1)[0]
    shown = memory.embedder.fingerprint("[image: png, 96 x 96]", media=Media(signal, False)).optional["E10"]
    assert not shown[TEXT].any() and np.allclose(shown[SIGNAL], signal, atol=1e-6)
    told = memory.embedder.fingerprint("a red fence", media=Media(None, True)).optional["E10"]
    assert not told[SIGNAL].any() and np.linalg.norm(told[TEXT]) == pytest.approx(1)
    assert "E10" not in memory.embedder.fingerprint("[image: png, 96 x 96]", media=Media(None, False)).optional
    assert "E10" not in memory.embedder.fingerprint("a red fence").optional
    assert multimodal.signal_of(told) is None
    np.testing.assert_allclose(multimodal.signal_of(unit(np.concatenate([told[TEXT], signal]))), signal, atol=1e-6)
