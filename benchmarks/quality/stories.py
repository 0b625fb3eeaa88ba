"""Of stories in which every two statements are labelled: what is told as it was, and what is called earlier and holds.

    python -m benchmarks.quality.stories [--tiers base,minilm] [--all]

The stories lie in the folder beside this file: testers.txt is by two people who had seen no rule; long.txt and
months.txt, of months, short.txt, of a few statements, and steady.txt, of few statements of which most change nothing,
by seven writers who had seen nothing. In a story stand the moments, what was told, and the questions; `< 2 5` says that
statement 5 took the place of 2, or of a part of it, `~ 2 5` that either may be said; every other two both hold.
`benchmarks.quality.claims` is fitted on them, but on those of the files called "-held", by the same writers, of which
nobody who makes rules has read a story.

Of the first three lines of each answer: how many are outdated and how many of these have no mark, how many hold and how
many of these have one; and how many answers open with what is outdated and has no mark. `--all` prints such answers.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.quality.lives import mark_of
from context_graph import Memory
from context_graph.models import from_iso
from context_graph.server.dispatch import call
from context_graph.settings import Settings

FOLDER = Path(__file__).with_suffix("")
FIRST, MINUTE_US = 3, 60_000_000


class Story(NamedTuple):
    """What was told, and the labels: places of the earlier and the later statement -> whether it is a change, or None.

    Attributes
    ----------
    kind : str
        The file that it is of.
    lines : tuple of str
        "= 2026-03-01 09:00", "text" and "? question", in their order; empty where it is not told in moments.
    """

    name: str
    kind: str
    texts: tuple[str, ...]
    labels: dict[tuple[int, int], bool | None]
    lines: tuple[str, ...] = ()


def stories() -> Iterator[Story]:
    for file in sorted(FOLDER.glob("*.txt")):
        for story in file.read_text("utf-8").split("# ")[1:]:
            name, *lines = story.strip().split("\n")
            marks = [line.split() for line in lines if line[:2] in ("< ", "~ ")]
            labels = {(int(e) - 1, int(n) - 1): True if mark == "<" else None for mark, e, n in marks}
            shown = tuple(line.split(" ", 1)[1] if line[0].isdigit() else line for line in lines if line[0] not in "<~")
            texts = tuple(line for line in shown if line[:2] not in ("= ", "? "))
            yield Story(name, file.stem, texts, labels, shown)


def asked(story: Story, tier: str) -> Iterator[tuple[Memory, list[str], str]]:
    """Each question of a story, with the memory as it is then and the ids of what was told by then."""
    clock = [0]
    with (
        tempfile.TemporaryDirectory() as home,
        Memory(Settings(home=Path(home), tier=tier), clock=lambda: clock[0]) as memory,
    ):
        ids: list[str] = []
        for line in story.lines:
            clock[0] += MINUTE_US
            if line.startswith("= "):
                clock[0] = from_iso(f"{line[2:].replace(' ', 'T')}:00Z")
            elif line.startswith("? "):
                yield memory, ids, line[2:]
            else:
                arguments = {"content": line, "rationale": "it was told in a conversation"}
                ids.append(call(memory, "store_memory", arguments).structured["node_id"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--all", action="store_true", help="print the answers in which a mark is wrong or missing")
    options = parser.parse_args()
    for tier in options.tiers.split(","):
        counts: dict[str, Counter[str]] = {}
        for story in stories():
            for counted, shown in _answers(story, tier):
                counts.setdefault(story.kind, Counter()).update(counted)
                if options.all and counted["without a mark"] + counted["called earlier"]:
                    print(shown)
        for kind, of in counts.items():
            print(
                f"{tier}, {kind}: {of['questions']} questions; of the first {FIRST} lines {of['outdated']} are "
                f"outdated, {of['without a mark'] / of['outdated']:.1%} of these without a mark; {of['hold']} hold, "
                f"{of['called earlier'] / of['hold']:.1%} of these are called earlier; "
                f"{of['opens outdated'] / of['questions']:.1%} open with what is outdated and has no mark"
            )


def _answers(story: Story, tier: str) -> Iterator[tuple[Counter[str], str]]:
    for memory, ids, question in asked(story, tier):
        context = call(memory, "inject_context", {"query": question}).structured["context"]
        counted = Counter({"questions": 1})
        lines = [line for line in context.splitlines() if line.startswith("> ")][:FIRST]
        for place, line in enumerate(lines):
            for told in _told(story.texts[: len(ids)], line):
                labels = [
                    right for (earlier, later), right in story.labels.items() if earlier == told < later < len(ids)
                ]
                marked = bool(mark_of(line))
                if True in labels:
                    counted += Counter({
                        "outdated": 1, "without a mark": not marked, "opens outdated": place == 0 and not marked,
                    })  # fmt: skip
                elif not labels:
                    counted += Counter({"hold": 1, "called earlier": marked})
        yield counted, f"\n{story.name}: {question}\n{context}"


def _told(texts: Sequence[str], line: str) -> Iterator[int]:
    """The statement that a line tells, if any."""
    places = [place for place, text in enumerate(texts) if text in line]
    yield from sorted(places, key=lambda place: -len(texts[place]))[:1]


if __name__ == "__main__":
    main()
