"""Whether what a user told an assistant, a group its common memory, or somebody a diary is told as it is now.

    python -m benchmarks.quality.conversations [--tiers base,minilm] [--files NAME ...] [--all]

Each file of the folder of that name is a conversation, a turn a line under its day, and questions: "? question | what
the answer's turn holds | what an outdated turn holds", both regular expressions; a question without an answer was never
told of. A question is asked where it stands, behind the last turn the day after. Turns are stored with their speaker
("-" for none), each day as a session, two minutes apart, and a context of 600 tokens is asked for. "potter", "held-1"
and "held-2" are of a user and an assistant, "phone" and "held-phone" typed in a hurry, "bakery" and "held-group" of a
group, "years" and "held-years" of one person over years. What is called "held-" was not read by who made rules; totals
of "held-group" were seen when it was settled that a dialogue is of two.

Printed is, of the questions with an answer: first, the first line holds it; told, any does; stale, an outdated line
stands unmarked above it, or without it; below, it stands unmarked below; doubted, though it is known. Of the others:
quiet, nothing is told or a doubt says so. `--all` prints each question that is not answered first.
"""

import argparse
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from context_graph import Memory
from context_graph.models import from_iso
from context_graph.recall.inject import UNSURE
from context_graph.settings import Settings

FOLDER = Path(__file__).with_suffix("")
MAX_TOKENS = 600
MORNING_US, APART_US, DAY_US = 8 * 3_600_000_000, 120_000_000, 86_400_000_000
MARK = re.compile(r"^> \([^)]*\b(?:until|earlier than|of an earlier time)\b")


class Turn(NamedTuple):
    """What was said, when, and on which day of the conversation."""

    speaker: str
    text: str
    at: int
    day: str


class Asked(NamedTuple):
    """A question, and what lines hold its answer and what is outdated; empty where nothing does."""

    question: str
    answer: str
    stale: str
    after: int
    """How many turns were told before."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--files", nargs="*", help="names without the ending; all by default")
    parser.add_argument("--all", action="store_true", help="print what is not answered first; never of what is held")
    options = parser.parse_args()
    for tier in options.tiers.split(","):
        for path in sorted(FOLDER.glob("*.txt")):
            if options.files and path.stem not in options.files:
                continue
            turns, questions = read(path)
            counts = measured(turns, questions, tier, show=options.all and not path.stem.startswith("held"))
            print(f"{tier}, {path.stem}: {line_of(counts)}", flush=True)


def read(path: Path) -> tuple[list[Turn], list[Asked]]:
    turns: list[Turn] = []
    questions: list[Asked] = []
    day, at = "", 0
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("= "):
            day, at = line[2:].strip(), from_iso(f"{line[2:].strip()}T00:00:00Z") + MORNING_US
        elif line.startswith("? "):
            question, answer, stale = (part.strip() for part in f"{line[2:]} ".split(" |", 2))
            questions.append(Asked(question, answer, stale, len(turns)))
        elif line and not line.startswith("#"):
            speaker, _, text = line.partition(": ")
            turns.append(Turn(speaker, text.strip(), at, day))
            at += APART_US
    return turns, questions


def measured(turns: Sequence[Turn], questions: Sequence[Asked], tier: str, *, show: bool = False) -> Counter[str]:
    clock = [turns[0].at]
    counts: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory() as home,
        Memory(Settings(home=Path(home), tier=tier), clock=lambda: clock[0]) as m,
    ):
        stored = 0
        for asked in questions:
            for turn in turns[stored : asked.after]:
                clock[0] = turn.at
                speaker = None if turn.speaker == "-" else turn.speaker
                m.remember(turn.text, speaker=speaker, session_id=turn.day)
            stored = asked.after
            if stored == len(turns):
                clock[0] = turns[-1].at - turns[-1].at % DAY_US + DAY_US + MORNING_US
            text = str(m.inject(asked.question, max_tokens=MAX_TOKENS))
            told = [*told_lines(text)]
            verdict = _judged(asked, told, UNSURE in text, counts)
            if show and verdict not in ("first", "quiet"):
                print(f"? {asked.question} ({verdict})", *(f"    {one[:140]}" for one in told[:3]), sep="\n")
    return counts


def told_lines(text: str) -> Iterator[str]:
    """Each memory that is quoted, its lines joined."""
    for quoted in re.split(r"(?m)^(?=> \()", text)[1:]:
        yield " ".join(
            line.removeprefix(">").strip() if number else line for number, line in enumerate(quoted.splitlines())
        )


def _judged(asked: Asked, told: Sequence[str], unsure: bool, counts: Counter[str]) -> str:
    if not asked.answer:
        quiet = not told or unsure
        counts.update(never=1, quiet=quiet)
        return "quiet" if quiet else "told though never said"
    place = next((i for i, line in enumerate(told) if re.search(asked.answer, line)), None)
    stale = [
        i for i, line in enumerate(told)
        if asked.stale and re.search(asked.stale, line) and not re.search(asked.answer, line) and not MARK.match(line)
    ]  # fmt: skip
    above = bool(stale) and (place is None or stale[0] < place)
    counts.update(
        questions=1, first=place == 0, told=place is not None, stale=above, below=bool(stale) and not above,
        doubted=unsure, lines=len(told),
    )  # fmt: skip
    return "first" if place == 0 else "missing" if place is None else f"line {place + 1}"


def line_of(counts: Counter[str]) -> str:
    shares = ", ".join(
        f"{name} {counts[name] / counts['questions']:.1%}" for name in ("first", "told", "stale", "below", "doubted")
    )
    lines, quiet = counts["lines"] / counts["questions"], f"quiet {counts['quiet']} of {counts['never']}"
    return f"{counts['questions']} questions; {shares}; {lines:.1f} lines each; {quiet}"


if __name__ == "__main__":
    main()
