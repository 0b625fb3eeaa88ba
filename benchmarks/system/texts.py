"""Real texts in any number: paragraphs, code and dictionary entries."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

__all__ = ["long_texts", "texts"]


def _lines(path: Path) -> Iterator[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def texts(data: Path, count: int) -> list[str]:
    """Texts drawn by chance, seeded, from about 100,000: paragraphs, functions and dictionary entries."""
    found = [
        f"{entry['title']}: {entry['text']}"
        for name in ("2wiki", "musique", "hotpotqa")
        for entry in _lines(data / name / "corpus.jsonl.gz")
    ]
    found += [entry["code"] for entry in _lines(data / "cosqa" / "codes.jsonl.gz")]
    glosses = _lines(data / "wordnet" / "glosses_sample.jsonl.gz")
    nouns = _lines(data / "wordnet" / "nouns.jsonl.gz")
    found += [": ".join(str(value) for value in entry.values()) for entry in glosses]
    found += [f"entry {entry['id']}: {', '.join(entry['words'])}" for entry in nouns]
    if len(found) < count:
        raise SystemExit(f"{data} holds {len(found)} texts, {count} were asked for")
    order = np.random.default_rng(0).permutation(len(found))[:count]
    return [found[i] for i in order.tolist()]


def long_texts(data: Path, count: int, tokens: int = 256) -> list[str]:
    """Texts of about `tokens` word pieces, joined from paragraphs."""
    from context_graph.embed.wordpiece import pieces

    found, text = [], ""
    for entry in _lines(data / "musique" / "corpus.jsonl.gz"):
        text = f"{text} {entry['text']}".strip()
        if len(pieces(text)) >= tokens:
            words = text.split()
            while len(pieces(" ".join(words))) > tokens - 4:
                words.pop()
            found.append(" ".join(words))
            text = ""
            if len(found) == count:
                break
    return found
