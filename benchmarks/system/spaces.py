"""What each space costs a text on one thread, and what it keeps of it, in the base tier or with MiniLM::

python -m benchmarks.system.spaces --data PATH
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.quality.report import environment
from benchmarks.system.texts import texts
from context_graph.embed import Embedder, causal, code, expansion, hyperdimensional, late, lexical, semantic
from context_graph.embed.chunks import chunked
from context_graph.embed.program import reading
from context_graph.evaluation.sets import read


def microseconds(action: Callable[[str], object], items: list[str]) -> float:
    """Median over the texts of the processor time of one, each met for the first time; others may be at work."""
    took = []
    for item in items:
        started = time.thread_time()
        action(item)
        took.append(time.thread_time() - started)
    return round(1e6 * float(np.median(took)), 1)


def costs(prose: list[str], programs: list[str], tier: str) -> dict[str, dict[str, float]]:
    """Space -> microseconds a text, and bytes a memory that has it."""
    embedder = Embedder(tier)
    embedder.load()
    statistics = embedder.statistics
    pieces = {text: np.array(chunked(text)[0], np.int32) for text in prose}
    found = {
        "E6": microseconds(lexical.terms, [text + " " for text in prose]),
        "E9": microseconds(hyperdimensional.bits, [text + "  " for text in prose]),
        "E5 whether": microseconds(causal.causes, prose),
        "E7 whether": microseconds(reading, prose),
        "E7 read": microseconds(reading, programs),
        "E13 of a question": microseconds(expansion.terms, [text.split(". ")[0] for text in prose]),
    }
    if tier == "base":
        own = {text: semantic.static_sum(pieces[text], statistics) for text in prose}
        found["E1"] = microseconds(lambda text: semantic.static_sum(pieces[text], statistics), prose)
        found["E12"] = microseconds(lambda text: late.quantised(late.static(pieces[text])), prose)
        stating = [text for text in prose if causal.causes(text)]
        found["E5"] = microseconds(lambda text: causal.vector(causal.causes(text), text, statistics, None), stating)
        found["E7"] = microseconds(lambda text: code.vector(reading(text), statistics), programs)
        assert len(own) == len(prose)
    fresh = [text + " !" for text in prose]
    found["all, prose"] = microseconds(embedder.fingerprint, fresh)
    found["all, code"] = microseconds(embedder.fingerprint, [text + "\n# end" for text in programs])
    prints = [embedder.fingerprint(text) for text in fresh]
    sizes = {
        "E1": 2 * semantic.DIMENSIONS, "E5": 2 * causal.DIMENSIONS, "E7": 2 * code.DIMENSIONS,
        "E6": float(np.mean([12 * len(p.terms) + 2 * len(p.pieces) + 8 for p in prints])),
        "E9": hyperdimensional.DIMENSIONS // 8,
        "E12": float(np.mean([sum(chunk.nbytes for chunk in p.chunks) for p in prints])),
    }  # fmt: skip
    return {"us": found, "bytes": {id: round(size, 1) for id, size in sizes.items()}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tiers", nargs="*", default=["base", "minilm"])
    options = parser.parse_args()
    prose = list(dict.fromkeys(texts(options.data, 400)))[:200]
    programs = [draft.content for draft in read(options.data / "cosqa")[0].memories[:200]]
    for tier in options.tiers:
        found = costs(prose, programs, tier) | {
            "words in a text": round(float(np.mean([len(t.split()) for t in prose])), 1)
        }
        file = Path("benchmarks/results/system") / f"spaces-{tier}.json"
        file.write_text(json.dumps(environment() | {"result": found}, indent=1) + "\n", "utf-8")
        print(tier, json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
