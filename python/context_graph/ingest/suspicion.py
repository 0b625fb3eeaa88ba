"""What speaks against storing a text: the signs of an attack, each by itself, the strongest told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from context_graph.embed.semantic import DIMENSIONS
from context_graph.errors import InvalidInput
from context_graph.graph.statements import statements
from context_graph.names import name_key
from context_graph.reading.analysis import AnalyzedText
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Examined", "circle", "examine"]

SUSPICIOUS = 0.5
"""Suspicion from which on a text is called no longer safe; from `QUARANTINE_FROM` on it is never answered."""

CIRCULAR = 0.7
"""Confidence of a circle, set by hand: it follows from the text, and two things may well bring forth each other."""

ALIGNED = 0.4
"""Least cosine of a text and the embedding that is said to be its own (seed 001 10)."""

OUTLYING = 3.0
"""Standard deviations from the mean distance to the centre of all memories (seed 001 10)."""

MIN_MEMORIES = 30
"""Below, a standard deviation says little."""

LOOKED_FOR = (
    "Looked for: a few signatures of orders to an agent, which find plain attacks and few others; causes in a circle"
)

Attack = Literal["none", "embedding_anomaly", "content_misalignment", "prompt_injection", "circular_logic"]


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found; `details` says what it rests on."""

    attack: Attack
    confidence: float
    details: str


def examine(memory: "Runtime", content: str, embedding: Sequence[float] | None = None) -> Examined:
    """Look at a text, and at an embedding that is said to be its own.

    Parameters
    ----------
    embedding : sequence of float, optional
        In the E1 space of this memory. It is never kept: what is stored is embedded here.
    """
    if not content.strip():
        raise InvalidInput("content must hold text, got only blanks", field="content")
    looked_for = LOOKED_FOR + ("" if embedding is None else "; an embedding that fits neither text nor memories")
    score = suspicion(content)
    if score >= SUSPICIOUS:
        kept = "in quarantine, which no search returns" if score >= QUARANTINE_FROM else 'marked "low trust"'
        return Examined(
            "prompt_injection", score,
            f"It reads like an order to an agent ({score:.2f} of 1); store_memory would keep it {kept}. {looked_for}.",
        )  # fmt: skip
    if loop := circle(content):
        chain = " -> ".join(loop)
        return Examined(
            "circular_logic", CIRCULAR,
            f"Its causes run in a circle: {chain}; store_memory would keep it with these links. {looked_for}.",
        )  # fmt: skip
    if embedding is not None and (odd := _odd(memory, content, embedding)):
        attack, confidence, why = odd
        return Examined(
            attack, confidence, f"{why} What is stored is embedded here, so it does no harm. {looked_for}."
        )  # fmt: skip
    return Examined("none", 1.0 - score, f"None was found (the strongest sign: {score:.2f} of 1). {looked_for}.")


def circle(content: str) -> list[str]:
    """The names along a circle of causes in a text, the first one again at the end; empty where there is none."""
    leads: dict[str, dict[str, str]] = {}
    names: dict[str, str] = {}
    for statement in statements(content):
        if statement.kind == "causal":
            source, target = name_key(statement.source), name_key(statement.target)
            names |= {source: statement.source, target: statement.target}
            if source != target:
                leads.setdefault(source, {})[target] = statement.target
    for start in leads:
        path = _back_to(start, leads)
        if path:
            return [names[key] for key in path]
    return []


def _back_to(start: str, leads: dict[str, dict[str, str]]) -> list[str]:
    """A shortest way from a cause back to itself."""
    ways, visited = [[start]], {start}
    while ways:
        way = ways.pop(0)
        for following in leads.get(way[-1], ()):
            if following == start:
                return [*way, start]
            if following not in visited:
                visited.add(following)
                ways.append([*way, following])
    return []


def _odd(memory: "Runtime", content: str, embedding: Sequence[float]) -> tuple[Attack, float, str] | None:
    """Why an embedding is not that of a text; None where nothing speaks against it."""
    vector = np.array(embedding, np.float64)
    if vector.shape != (DIMENSIONS,) or not np.isfinite(vector).all() or not vector.any():
        raise InvalidInput(
            f"embedding must have {DIMENSIONS} finite numbers that are not all 0, as E1 here has, got {vector.size}. "
            "Leave it out: store_memory embeds the text itself",
            field="embedding",
        )
    vector /= np.linalg.norm(vector)
    own = AnalyzedText(content, None, None, {}).fingerprint(
        memory.embedder, previous="", occurred_at=None, rationale=""
    )  # fmt: skip
    own_vector = own.semantic.astype(np.float64)
    cosine = float(vector @ own_vector / max(float(np.linalg.norm(own_vector)), 1e-9))
    if cosine < ALIGNED:
        return "content_misalignment", min(1.0, 1.0 - max(cosine, 0.0)), (
            f"The embedding is not that of the text: cosine {cosine:.2f}, at least {ALIGNED} is expected."
        )  # fmt: skip
    corpus = memory.corpus
    with corpus.lock:
        rows = np.flatnonzero(corpus.columns.live)
        if len(rows) < MIN_MEMORIES:
            return None
        known = corpus.semantic.rows(rows).astype(np.float64)
    centre = known.mean(axis=0)
    distances = np.linalg.norm(known - centre, axis=1)
    apart = (float(np.linalg.norm(vector - centre)) - float(distances.mean())) / max(float(distances.std()), 1e-9)
    if apart <= OUTLYING:
        return None
    return "embedding_anomaly", min(1.0, apart / (2 * OUTLYING)), (
        f"The embedding lies {apart:.1f} standard deviations further from the centre than {len(rows)} memories do."
    )  # fmt: skip
