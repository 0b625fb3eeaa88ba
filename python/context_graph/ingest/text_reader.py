"""Reads texts in a process of its own: cleaned, with all readings and vectors that the base tier makes of them."""

from typing import Any

import numpy as np

from context_graph.children import answer_all
from context_graph.embed import Embedder, Fingerprint
from context_graph.index.batch import form_of
from context_graph.ingest.draft import Draft, cleaned
from context_graph.reading.analysis import AnalyzedText
from context_graph.reading.fingerprints import spoken
from context_graph.safety.inspect import suspicion
from context_graph.store import Said

__all__ = ["Arrays", "Reader", "packed", "unpacked"]


class Reader:
    """Answers questions about texts: a list of drafts, and for each the text before it in its session.

    What is weighted by the words of the store is weighted by those that came with a question, from then on.
    """

    def __init__(self) -> None:
        self._embedder = Embedder("base")
        self._last: dict[str, str] = {}

    def answer(self, question: Any, data: bytes) -> tuple[Any, bytes]:
        """All that was read of each draft, in the order of the question, and the arrays of their vectors."""
        if data:
            self._embedder.statistics.freeze(question["memories"], np.frombuffer(data, np.int64))
        kinds, readings, arrays = frozenset(question["kinds"]), [], []
        for entry in question["drafts"]:
            session = entry["session"]
            previous = self._last.get(session, entry["previous"])
            draft, redactions = cleaned(
                Draft(
                    entry["content"], entry["rationale"], metadata=entry["metadata"], speaker=entry["speaker"],
                    name=entry["name"], occurred_at=entry["occurred_at"],
                ),
                kinds=kinds,
            )  # fmt: skip
            text = AnalyzedText(draft.content, draft.name, draft.speaker, draft.metadata)
            fingerprint = text.fingerprint(
                self._embedder, previous=previous, occurred_at=draft.occurred_at, rationale=draft.rationale
            )
            packed_print, parts = packed(fingerprint)
            arrays += parts
            readings.append(
                {
                    "content": draft.content, "rationale": draft.rationale, "metadata": draft.metadata,
                    "speaker": draft.speaker, "name": draft.name, "redactions": redactions, "previous": previous,
                    "suspicions": [suspicion(draft.content), suspicion(draft.rationale)],
                    "form": form_of(draft.content), "words": text.words, "stems": sorted(text.stems),
                    "mentions": [[one.text, one.key, one.kind] for one in text.mentions], "titles": text.titles,
                    "statements": [
                        [one.kind, one.source, one.target, *one.span, one.hedged] for one in text.statements
                    ],
                    "print": packed_print,
                }
            )  # fmt: skip
            self._last[session] = spoken(Said("", draft.content, draft.speaker))
        return readings, b"".join(array.tobytes().ljust(_places(array.nbytes), b"\0") for array in arrays)


def packed(fingerprint: Fingerprint) -> tuple[dict[str, Any], list[np.ndarray]]:
    """A fingerprint of the base tier as JSON, and the arrays that follow each other beside it."""
    terms = fingerprint.terms
    described = {
        "terms": [*terms], "counts": [*terms.values()], "chunks": [len(chunk) for chunk in fingerprint.chunks],
        "pieces": len(fingerprint.pieces), "optional": {id: len(of) for id, of in fingerprint.optional.items()},
    }  # fmt: skip
    arrays = [fingerprint.semantic, fingerprint.bits, fingerprint.pieces]
    return described, [*arrays, *fingerprint.chunks, *fingerprint.optional.values()]


def unpacked(described: dict[str, Any], arrays: "Arrays") -> Fingerprint:
    """The fingerprint of `packed`; its arrays may only be read."""
    return Fingerprint(
        arrays.next(np.float32, 1024),
        bits=arrays.next(np.uint64, 160),
        pieces=arrays.next(np.int32, described["pieces"]),
        chunks=[arrays.next(np.int8, length, 128) for length in described["chunks"]],
        terms=dict(zip(described["terms"], described["counts"], strict=True)),
        optional={id: arrays.next(np.float32, length) for id, length in described["optional"].items()},
    )


class Arrays:
    """Arrays that stand one behind the other in bytes."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def next(self, dtype: Any, *shape: int) -> np.ndarray:
        """The array that comes next."""
        count = int(np.prod(shape))
        array = np.frombuffer(self._data, dtype, count, self._at).reshape(shape)
        self._at += _places(array.nbytes)
        return array


def _places(nbytes: int) -> int:
    """The bytes that an array takes, so that the next one begins where numbers of 64 bits may lie."""
    return -(-nbytes // 8) * 8


if __name__ == "__main__":
    answer_all(Reader().answer)
