"""Real texts in any number: paragraphs first, then code, then dictionary glosses."""

import gzip
import itertools
import json
from collections.abc import Iterator
from pathlib import Path

__all__ = ["long_texts", "texts"]


def _lines(path: Path) -> Iterator[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def texts(data: Path, count: int) -> list[str]:
    """The first `count` of about 100,000 texts."""

    def everything() -> Iterator[str]:
        for name in ("2wiki", "musique", "hotpotqa"):
            for entry in _lines(data / name / "corpus.jsonl.gz"):
                yield f"{entry['title']}: {entry['text']}"
        for entry in _lines(data / "cosqa" / "codes.jsonl.gz"):
            yield entry["code"]
        for entry in _lines(data / "wordnet" / "nouns.jsonl.gz"):
            yield f"{', '.join(entry['lemmas'])}: {entry['gloss']}"

    found = list(itertools.islice(everything(), count))
    if len(found) < count:
        raise SystemExit(f"{data} holds {len(found)} texts, {count} were asked for")
    return found


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
