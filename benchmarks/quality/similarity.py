"""How well E1 and the fused vector agree with people on how alike two sentences are: Spearman on the STS benchmark::

python -m benchmarks.quality.similarity --data PATH/sts
"""

import argparse
import gzip
import json
import time
from pathlib import Path

import numpy as np

from benchmarks.quality.report import save
from context_graph.embed import Embedder
from context_graph.embed.experts import of_fingerprints
from context_graph.embed.fused import fusion


def ranks(values: np.ndarray) -> np.ndarray:
    """Places in rising order, ties sharing the mean of theirs: float64 (n,)."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def cosines(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of matching unit rows."""
    return np.einsum("nd,nd->n", a, b)


def spearman(a: np.ndarray, b: np.ndarray) -> float:
    return round(100 * float(np.corrcoef(ranks(a), ranks(b))[0, 1]), 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with stsb_*.jsonl.gz")
    parser.add_argument("--tiers", nargs="*", default=["base", "minilm"])
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/similarity"))
    options = parser.parse_args()
    with gzip.open(next(options.data.glob("stsb_*.jsonl.gz")), "rt", encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    told = np.array([pair["score"] for pair in pairs])
    for tier in options.tiers:
        started, embedder = time.perf_counter(), Embedder(tier)
        prints = [[embedder.fingerprint(pair[side]) for pair in pairs] for side in "ab"]
        a, b = (np.stack([one.semantic for one in side]) for side in prints)
        fused = [
            np.concatenate([fusion(tier)(of_fingerprints(side[i : i + 256])).vectors for i in range(0, len(side), 256)])
            for side in prints
        ]
        numbers = {
            "E1": spearman(cosines(a, b), told),
            "E1 own text": spearman(cosines(embedder.own_part(a), embedder.own_part(b)), told),
            "fused": spearman(cosines(*fused), told),
        }
        save(options.out, tier, numbers | {"pairs": len(pairs)}, [], seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
