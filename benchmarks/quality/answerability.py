"""Whether a context tells what a question asks for, little else, and nothing where it was never told.

    python -m benchmarks.quality.answerability [--tiers base,minilm] [--files NAME ...] [--all]

Each file of the folder of that name is a memory of one person: a numbered statement a line under its day, and
questions. "? question | 3 +5" is answered by statement 3, and 5 is about it as well; "~ question" is near to what was
told and was never answered ("the code of the alarm", where the code of the locker was told); "! question" is about
nothing here. What is called "held-" was written before the rules, and of it totals alone were looked at.

Printed is, of the questions with an answer: first, the first line answers; told, any does; silent, nothing is told
though a search has the answer first; doubted; precise, the share of all lines told that are about it. Of those near to
it and of those about nothing: sure, something is told without a doubt; and lines, how many are told each.
"""

import argparse
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from context_graph import Memory
from context_graph.models import from_iso
from context_graph.recall.inject import UNSURE
from context_graph.settings import Settings

FOLDER = Path(__file__).with_suffix("")
MAX_TOKENS = 600
MORNING_US, APART_US, DAY_US = 8 * 3_600_000_000, 120_000_000, 86_400_000_000
KINDS = {"?": "answered", "~": "near", "!": "nothing"}


class Statement(NamedTuple):
    """What was told under a number, and when."""

    number: int
    text: str
    at: int


class Asked(NamedTuple):
    """A question, of which kind it is, and the numbers of what answers it and of what is about it as well."""

    kind: str
    question: str
    answers: frozenset[int] = frozenset()
    related: frozenset[int] = frozenset()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--files", nargs="*", help="names without the ending; all by default")
    parser.add_argument("--all", action="store_true", help="print what is told wrongly; never of what is held")
    options = parser.parse_args()
    for tier in options.tiers.split(","):
        sums: dict[str, Counter[str]] = {"looked at": Counter(), "held": Counter()}
        for path in sorted(FOLDER.glob("*.txt")):
            if options.files and path.stem not in options.files:
                continue
            held = path.stem.startswith("held")
            counts = measured(*read(path), tier, show=options.all and not held)
            sums["held" if held else "looked at"] += counts
            if not held:
                print(f"{tier}, {path.stem}: {line_of(counts)}", flush=True)
        for half, total in sums.items():
            if total:
                print(f"{tier}, all that is {half}: {line_of(total)}", flush=True)


def read(path: Path) -> tuple[list[Statement], list[Asked]]:
    statements: list[Statement] = []
    questions: list[Asked] = []
    at = 0
    for line in path.read_text("utf-8").splitlines():
        sign, _, rest = line.partition(" ")
        if sign == "=":
            at = from_iso(f"{rest.strip()}T00:00:00Z") + MORNING_US
        elif sign in KINDS:
            question, _, numbers = rest.partition(" | ")
            answers, related = (frozenset(map(int, re.findall(p, numbers))) for p in (r"(?<!\+)\b(\d+)", r"\+(\d+)"))
            questions.append(Asked(KINDS[sign], question.strip(), answers, related))
        elif sign.isdigit():
            statements.append(Statement(int(sign), rest.strip(), at))
            at += APART_US
    return statements, questions


def measured(
    statements: Sequence[Statement], questions: Sequence[Asked], tier: str, *, show: bool = False
) -> Counter[str]:
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as home, told(statements, Path(home), tier) as (memory, ids):
        number_of = {id: number for number, id in ids.items()}
        for asked in questions:
            context = memory.inject(asked.question, max_tokens=MAX_TOKENS)
            lines = [number_of[hit.id] for hit in context.hits]
            searched = [number_of[hit.id] for hit in context.answer.hits[:1]]
            verdict = _judged(asked, lines, searched, UNSURE in context.text, counts)
            if show and verdict:
                texts = (f"    {one.text[:110]}" for n in lines for one in statements if one.number == n)
                print(f"? {asked.question} ({verdict})", *texts, sep="\n")
    return counts


@contextmanager
def told(statements: Sequence[Statement], home: Path, tier: str) -> Iterator[tuple[Memory, dict[int, str]]]:
    """A memory of some statements, the day after the last, and the ids of these by their numbers."""
    clock = [statements[0].at]
    ids: dict[int, str] = {}
    with Memory(Settings(home=home, tier=tier), clock=lambda: clock[0]) as memory:
        for statement in statements:
            clock[0] = statement.at
            ids[statement.number] = memory.remember(statement.text).node.id
        clock[0] = statements[-1].at - statements[-1].at % DAY_US + DAY_US + MORNING_US
        yield memory, ids


def _judged(asked: Asked, told: Sequence[int], searched: Sequence[int], unsure: bool, counts: Counter[str]) -> str:
    if asked.kind != "answered":
        counts.update(
            {asked.kind: 1, f"{asked.kind} sure": bool(told) and not unsure, f"{asked.kind} lines": len(told)}
        )
        return f"{asked.kind}, told for sure" if told and not unsure else ""
    about = asked.answers | asked.related
    answered = not asked.answers.isdisjoint(told)
    silent = not answered and not asked.answers.isdisjoint(searched)
    counts.update(
        answered=1, first=not asked.answers.isdisjoint(told[:1]), told=answered, silent=silent, doubted=unsure,
        lines=len(told), about=sum(number in about for number in told),
    )  # fmt: skip
    others = sum(number not in about for number in told)
    return "silent" if silent else "missing" if not answered else f"{others} others" if others else ""


def line_of(counts: Counter[str]) -> str:
    questions = max(counts["answered"], 1)
    shares = ", ".join(f"{name} {counts[name] / questions:.1%}" for name in ("first", "told", "silent", "doubted"))
    precise, lines = counts["about"] / max(counts["lines"], 1), counts["lines"] / questions
    others = "; ".join(
        f"{kind} {counts[kind]}, sure {counts[f'{kind} sure'] / max(counts[kind], 1):.1%}, "
        f"{counts[f'{kind} lines'] / max(counts[kind], 1):.1f} lines"
        for kind in ("near", "nothing")
    )
    return f"{counts['answered']} answered: {shares}, precise {precise:.1%}, {lines:.1f} lines; {others}"


if __name__ == "__main__":
    main()
