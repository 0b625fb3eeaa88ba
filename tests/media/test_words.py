"""Print is read and speech is heard by models that are checked first."""

import sys

import makers
import numpy as np
import pytest

from context_graph.errors import EmbeddingFailed
from context_graph.media import words

WIDTH, HEIGHT = 420, 110


@pytest.fixture
def page() -> np.ndarray:
    """Two printed lines."""
    pytest.importorskip("rapidocr", reason="rapidocr (OCR) is not installed")
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    font = ImageFont.load_default(28)
    ImageDraw.Draw(image).text((10, 10), "The harbour gate\nopens at 7 o'clock", fill="black", font=font)
    return np.asarray(image)


def test_print_is_read_from_the_top(page):
    assert words.can_read()
    assert words.read(page) == ["The harbour gate", "opens at 7 o'clock"]


def test_a_picture_without_print_has_no_lines(page):
    assert words.read(makers.stripes()) == []


def test_silence_and_a_tone_say_nothing():
    pytest.importorskip("faster_whisper", reason="faster-whisper is not installed")
    assert words.can_hear()
    assert words.transcribe(np.zeros(32_000, np.float32)) == ""
    assert words.transcribe(makers.tone(440, seconds=2)) == ""


def test_noise_of_a_minute_says_nothing():
    pytest.importorskip("faster_whisper", reason="faster-whisper is not installed")
    noise = np.random.default_rng(0).normal(0, 0.1, 60 * 16_000).astype(np.float32)
    assert words.transcribe(noise) == ""


def test_another_model_than_was_tested_is_refused(monkeypatch):
    pytest.importorskip("rapidocr", reason="rapidocr (OCR) is not installed")
    with pytest.raises(EmbeddingFailed, match=r"PP-OCRv6_det_small.onnx of rapidocr is not the model.*\[media\]"):
        words._verified("rapidocr", "models", {"PP-OCRv6_det_small.onnx": "0" * 64})


def test_a_package_that_is_missing_is_an_error_only_when_it_is_used():
    with pytest.raises(EmbeddingFailed, match="reinstall"):
        words._verified("no_such_package", "models", {"x": ""})


def test_looking_whether_they_are_there_imports_none_of_them():
    before = set(sys.modules)
    words.can_read()
    words.can_hear()
    fresh = {name.partition(".")[0] for name in set(sys.modules) - before}
    assert not fresh & {"PIL", "rapidocr", "cv2", "onnxruntime", "faster_whisper", "ctranslate2", "av"}
