"""Train the fusion on question sets and write it to one file::

    python -m context_graph.train --data PATH/2wiki PATH/musique --tiers base --out fusemoe.npz

Only the questions of the chosen halves are learned from; recall is printed for them and for those held back. The same
data, seed and machine give the same file.
"""

import argparse
import sys
from pathlib import Path

from context_graph.errors import ContextGraphError
from context_graph.train.run import checked, train, write

__all__ = ["main"]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m context_graph.train", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of question sets")
    parser.add_argument("--out", type=Path, required=True, help="file to write, .npz")
    parser.add_argument("--tiers", nargs="+", choices=["base", "minilm"], default=["base"], help="one fusion for each")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rank", type=int, default=16, help="of the projections, at most 64")
    parser.add_argument("--memories", type=int, default=2_000, help="kept of each set, 0 for all")
    parser.add_argument("--keep", type=Path, help="folder where the stores stay for the next run")
    options = parser.parse_args(argv)
    try:
        checked(options.out)
        arrays = {
            tier: train(
                options.data, tier, seed=options.seed, epochs=options.epochs, rank=options.rank,
                memories=options.memories, keep=options.keep, log=print,
            )
            for tier in options.tiers
        }  # fmt: skip
        size = write(arrays, options.out)
    except ContextGraphError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    print(f"wrote {options.out}: {size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
