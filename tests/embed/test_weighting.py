"""Of a text that was read, other word statistics make the vectors that reading it anew makes."""

import numpy as np
import pytest

from context_graph.embed import Embedder
from context_graph.reading.analysis import AnalyzedText

TEXTS = [
    "The lamp in the cellar belongs to Nils.",
    "The pump stood still because the valve was loose.",
    "Die Pumpe läuft seit gestern nicht mehr.",
    "def area(width, height):\n    return width * height\n",
    "?",
    "\n\n".join(f"The goat behind barn {number} was fed before the bell rang at noon." for number in range(60)),
]


@pytest.mark.parametrize("text", TEXTS)
def test_only_what_is_weighted_is_made_anew(text):
    embedder = Embedder("base")

    def fingerprint(analyzed: AnalyzedText, previous: str):
        return analyzed.fingerprint(
            embedder, previous=previous, occurred_at=1_700_000_000_000_000, rationale="in Berlin"
        )

    kept = AnalyzedText(text, "notes.md, Pumps", "Nils", {})
    before = fingerprint(kept, "The boat is tarred.")
    embedder.statistics.freeze(60, np.arange(len(embedder.statistics.df)) % 61)
    weighted = fingerprint(kept, "The goat is fed.")
    anew = fingerprint(AnalyzedText(text, "notes.md, Pumps", "Nils", {}), "The goat is fed.")
    assert weighted is not before and weighted.bits is before.bits
    assert np.array_equal(weighted.semantic, anew.semantic) and np.array_equal(weighted.bits, anew.bits)
    assert weighted.terms == anew.terms and np.array_equal(weighted.pieces, anew.pieces)
    assert [chunk.tolist() for chunk in weighted.chunks] == [chunk.tolist() for chunk in anew.chunks]
    assert {id: vector.tolist() for id, vector in weighted.optional.items()} == {
        id: vector.tolist() for id, vector in anew.optional.items()
    }
