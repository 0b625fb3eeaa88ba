"""Pairs of sentences that say the same, or only look alike, by somebody who had seen no rule: which are told apart.

python -m benchmarks.quality.phrasing

The first half of either kind may be looked at when rules are made, the second is held. Standard output is the result.
"""

from pathlib import Path

from context_graph.ingest.duplicates import adds_nothing

PAIRS = Path(__file__).with_name("phrasing.tsv")


def pairs() -> list[tuple[str, str, str]]:
    """The relation ("same", "different") and the two sentences of each pair, in the order of the file."""
    rows = (line.split("\t") for line in PAIRS.read_text(encoding="utf-8").splitlines())
    return [(relation, first, second) for _, relation, _, first, second in rows]


def main() -> None:
    for relation, what in (("same", "recognised"), ("different", "called the same")):
        judged = [adds_nothing(second, first) for kind, first, second in pairs() if kind == relation]
        half = len(judged) // 2
        for name, part in (("to be looked at", judged[:half]), ("held", judged[half:])):
            print(f"{relation}, {name}: {sum(part)} of {len(part)} {what}")


if __name__ == "__main__":
    main()
