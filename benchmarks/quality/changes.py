"""Whether what changed, or holds beside what was told later, is told as it is, in seven languages beside English.

    python -m benchmarks.quality.changes [--tiers base,minilm] [--files NAME ...] [--all]

A line of a file of the folder of that name is a case: language, kind, two statements that somebody makes, and a
question. Each is told in a memory of its own, after the six fillers of its language (fillers.tsv). Kinds: the second
statement is a "change" that ends the first, or, told a minute later, a "correction" of it; it is to be told first, and
the other one only with its mark. Of what "holds" the first is to be told first, without one; so of "when", of which
the question asks by a date. The first is told on Monday 2 March 2026, the second on the 9th, the question asked on the
12th. The rules were made on "looked"; nobody who makes rules has read "held".

Printed is, of each kind, how many of the cases are right; `--all` prints those that are not, never of what is held.
"""

import argparse
import csv
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from benchmarks.quality.conversations import MARK, told_lines
from context_graph import Memory
from context_graph.instants import from_iso, to_datetime
from context_graph.settings import Settings

FOLDER = Path(__file__).with_suffix("")
TOLD, NEXT, LATER, ASKED = (f"2026-03-{moment}:00Z" for moment in ("02T10:00", "02T10:01", "09T10:00", "12T12:00"))
FILLED = "2026-02-20T10:00:00Z"


class Case(NamedTuple):
    language: str
    kind: str
    first: str
    second: str
    question: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--files", nargs="*", default=["looked", "held"], help="names without the ending")
    parser.add_argument("--all", action="store_true", help="print the cases that are not right; never of what is held")
    options = parser.parse_args()
    for tier in options.tiers.split(","):
        for name in options.files:
            right: defaultdict[str, Counter[str]] = defaultdict(Counter)
            cases = _cases(FOLDER / f"{name}.tsv")
            for case in cases:
                lines = _told(case, tier)
                is_right = _is_right(case, lines)
                right[case.kind].update(n=1, right=is_right)
                right[case.language].update(n=1, right=is_right)
                if options.all and not is_right and not name.startswith("held"):
                    print(f"? {case.language} {case.kind}: {case.question}")
                    print(*(f"    {one[:140]}" for one in lines[:3]), sep="\n")
            shares = ", ".join(f"{key} {of['right']} of {of['n']}" for key, of in right.items())
            total = sum(right[kind]["right"] for kind in {case.kind for case in cases})
            print(f"{tier}, {name}: {total} of {len(cases)}; {shares}", flush=True)


def _cases(path: Path) -> list[Case]:
    with path.open(encoding="utf-8", newline="") as file:
        return [Case(*row) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def _fillers(language: str) -> list[str]:
    rows = (line.split("\t") for line in (FOLDER / "fillers.tsv").read_text("utf-8").splitlines())
    return [text for of, text in rows if of == language]


def _told(case: Case, tier: str) -> list[str]:
    """The lines that the question is told."""
    second = NEXT if case.kind == "correction" else LATER
    told = [*((text, FILLED) for text in _fillers(case.language)), (case.first, TOLD), (case.second, second)]
    with tempfile.TemporaryDirectory() as home, Memory(Settings(home=Path(home), tier=tier)) as memory:
        for text, moment in told:
            memory.remember(text, occurred_at=to_datetime(from_iso(moment)))
        return [*told_lines(str(memory.inject(case.question, asked_at=to_datetime(from_iso(ASKED)))))]


def _is_right(case: Case, lines: list[str]) -> bool:
    answer = case.second if case.kind in ("change", "correction") else case.first
    if not lines or answer not in lines[0] or MARK.match(lines[0]):
        return False
    return answer == case.first or not any(case.first in line and not MARK.match(line) for line in lines)


if __name__ == "__main__":
    main()
