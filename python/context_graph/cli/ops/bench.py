"""`context-graph bench`."""

import argparse
from pathlib import Path
from typing import Any

from context_graph.cli._options import options, reading_content
from context_graph.cli._output import show

EXAMPLE = "context-graph bench recall --data data/hotpotqa --tier base"


def parser() -> argparse.ArgumentParser:
    arg_parser = options("bench", "Measure retrieval on a public question set, whole or part by part.", example=EXAMPLE)
    arg_parser.add_argument(
        "what", choices=("recall", "ablate"), help="recall: the whole; ablate: what each part is worth"
    )
    arg_parser.add_argument(
        "--data", type=Path, required=True, help="folder of a set: locomo, hotpotqa, cranfield, ..."
    )
    arg_parser.add_argument("--measure", default="R@10", help="R@5, R@10, R@20, all@5 or MRR (ablate)")
    arg_parser.add_argument("--half", choices=("all", "chosen", "held"), default="all", help="questions to ask")
    arg_parser.add_argument("--keep", type=Path, help="folder where the stores stay for the next run")
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    from context_graph.embed import Embedder
    from context_graph.errors import InvalidInput
    from context_graph.evaluation.ablation import ablate
    from context_graph.evaluation.measure import MEASURES, recalls
    from context_graph.evaluation.sets import read
    from context_graph.evaluation.stores import stored

    if parsed.measure not in MEASURES:
        raise InvalidInput(f"measure must be one of {', '.join(MEASURES)}, got {parsed.measure!r}", field="measure")
    tier = Embedder(parsed.tier or "auto").tier
    with reading_content():
        sets = read(parsed.data)
    data: Any
    with stored(sets, tier, keep=parsed.keep) as queries:
        queries = [one for one in queries if parsed.half == "all" or one.question.held == (parsed.half == "held")]
        if parsed.what == "recall":
            found = 100 * recalls(queries).mean(axis=0)
            data = {"questions": len(queries), **{m: round(float(v), 2) for m, v in zip(MEASURES, found, strict=True)}}
            lines = ["  ".join(f"{name} {value}" for name, value in data.items())]
        else:
            data, lines = [], []
            for row in ablate(queries, tier, column=MEASURES.index(parsed.measure)):
                change, low, high = row.change
                data.append(
                    {
                        "part": row.part,
                        "variant": row.variant,
                        parsed.measure: round(row.value, 2),
                        "change": round(change, 2),
                        "interval": [round(low, 2), round(high, 2)],
                    }
                )
                lines.append(
                    f"{row.part:<24} {row.variant:<28} {row.value:6.2f}  {change:+6.2f} [{low:+.2f}, {high:+.2f}]"
                )
    show(parsed, data, "\n".join(lines))
    return 0
