"""What a person told a memory over weeks, and what it tells back: changes, parts of statements, what stays.

    python -m benchmarks.quality.lives [--tiers base,minilm] [--parts fitted,later,languages,past,notes,dense,...]
    [--few 5 | --introduced | --hour | --forgotten] [--among PATH/hotpotqa] [--all]

lives.txt holds what several people told, or an agent noted of them, a statement every other day, and their questions.
`< 3` after a statement says that it takes the place of statement 3, `~ 3` that it changes a part of it; after a
question stand the statements that answer it and those that did so before, or `-` where nothing told answers it; after
`=` the moment from which on the next statements are told, three minutes apart. The weights of supersession are fitted
on the lives marked "fitted", "later", "notes", "dense" and "other", and rules were made on the first four; no weight
and no rule was chosen on those marked "held", whose totals were seen. Those marked "later" were written when all rules
stood, and some were mended by them since; so were those marked "languages", one story in eight languages and one in
six. Those marked "past" ask mostly how it was before; those marked "notes" are what an agent writes down, of several
sentences each, rules were made on the first of the two, and one with the second in view; those marked "dense" are long
messages and terse notes of work, of which many share words: rules were made on all of these, and on none of the two
marked "dense-held". Those marked "other" and "other-held" were written by somebody who had seen neither a rule nor
another life: the first six were looked at since, the last six were not read. So were those marked "crowded" and
"crowded-held", by two testers, on several things of one kind and people of whom much else is told: the first 27 were
looked at since, and `benchmarks.quality.claims` is fitted on them, the last six were not read. Those marked "worded"
and "worded-held" are by two more, who asked in other words than they had told in; the last four were not read. Those
marked "everyday" and "everyday-held" are by three more, in half sentences and with much that changes nothing: of the
first 30 six were looked at, and `benchmarks.quality.answers` is fitted on them, the last ten were not read.

`--few 5` asks each question of a memory that has but five of the statements, as on the first day: what answers it, what
did so before, and those told next to these. `--introduced` tells what comes before the first change within the hour, a
statement every three minutes, and asks at its end what was answered then. `--hour` tells all of it, a statement a
minute. `--forgotten` asks each question once more when what answers it, or did so, was forgotten: how often what is
told then is told without a doubt, and how often the answer was told with one. `--among` stores 300 passages of a
question set as well, ten after each statement and the rest at the end, as of somebody who keeps articles too. `--all`
prints what was told wrongly.

Of the questions: told, what answers it is told; first, it is the first line; above, it stands above what was so before;
unmarked, what was so before is told without a mark; right, told, above and nothing unmarked. Of what is told: how much
is told as ended, or as earlier than something else, that holds, and how many lines there are.
"""

import argparse
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.quality.report import model_settings
from context_graph import Draft, Memory
from context_graph.evaluation.sets import read
from context_graph.models import from_iso
from context_graph.recall.inject import UNSURE
from context_graph.server.dispatch import call
from context_graph.settings import Settings

TEXTS = Path(__file__).with_suffix(".txt")
PARTS = (
    "fitted", "later", "languages", "past", "notes", "dense", "other", "crowded", "worded", "everyday", "dense-held",
    "other-held", "crowded-held", "worded-held", "everyday-held", "held",
)  # fmt: skip
PASSAGES, PASSAGE, AFTER_EACH = 300, 300, 10
"""How many passages are stored beside a life, how many characters each has, and how many follow a statement."""

BEGAN_US, APART_US, MINUTES_US, MINUTE_US = 1_767_225_600_000_000, 2 * 86_400_000_000, 3 * 60_000_000, 60_000_000
"""When the first statement is told, how long after another the next is, and how long in one hour: of some, of all."""

ASKED_US = 3 * 3_600_000_000
"""How long after the last statement the questions come, where the moments of the statements are given."""

_STATEMENT = re.compile(r"\d+ (.*?)((?: [<~]\d+)*)$")
_QUESTION = re.compile(r"\? (.*?) \| ([\d,]*|-) \| ?([\d,]*)$")
_UNTIL = re.compile(r"\([^)]*?(in part )?until \d+ \w+ \d{4}")


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    current: tuple[int, ...]
    past: tuple[int, ...]


@dataclass(slots=True)
class Life:
    """What one person told.

    Attributes
    ----------
    ends : dict
        (earlier, later) -> whether the later statement takes the place of the whole earlier one.
    moments : list
        When each statement was told, in microseconds; empty where one is told after the other.
    never_told : list
        Questions that nothing told answers.
    """

    part: str
    name: str
    apart_us: int = APART_US
    texts: list[str] = field(default_factory=list)
    ends: dict[tuple[int, int], bool] = field(default_factory=dict)
    questions: list[Asked] = field(default_factory=list)
    moments: list[int] = field(default_factory=list)
    never_told: list[str] = field(default_factory=list)

    def ended(self, earlier: int, later: int, asked: Asked | None = None) -> bool | None:
        """Whether a statement takes the place of another; None where that depends on what is asked."""
        whole = self.ends.get((earlier, later))
        if whole is False:
            return None if asked is None else earlier in asked.past and later in asked.current
        return bool(whole)


def lives(parts: Sequence[str] = PARTS) -> list[Life]:
    """The lives of lives.txt."""
    read: list[Life] = []
    moment: int | None = None
    for line in TEXTS.read_text("utf-8").splitlines():
        if line.startswith("# "):
            read.append(Life(*line[2:].split(": ", 1)))
            moment = None
        elif line.startswith("= "):
            moment = from_iso(f"{line[2:]}:00Z")
        elif (match := _QUESTION.fullmatch(line)) and match[2] == "-":
            read[-1].never_told.append(match[1])
        elif match:
            current, past = (tuple(int(number) - 1 for number in match[i].split(",") if number) for i in (2, 3))
            read[-1].questions.append(Asked(match[1], current, past))
        elif match := _STATEMENT.fullmatch(line):
            read[-1].texts.append(match[1].replace("\\n", "\n"))
            if moment is not None:
                moment += MINUTES_US
                read[-1].moments.append(moment)
            for change in match[2].split():
                read[-1].ends[int(change[1:]) - 1, len(read[-1].texts) - 1] = change[0] == "<"
    return [life for life in read if life.part in parts]


def first_days(life: Life, count: int) -> Iterator[Life]:
    """Of each question a life of so many statements: what answers it or did so before, and those told next to these."""
    for asked in life.questions:
        about = {*asked.current, *asked.past}
        distance = [min((abs(i - j) for j in about), default=i) for i in range(len(life.texts))]
        nearest = sorted(range(len(life.texts)), key=lambda i: distance[i])
        places = sorted(nearest[: max(count, len(about))])
        place = {old: new for new, old in enumerate(places)}
        yield Life(
            life.part,
            life.name,
            life.apart_us,
            [life.texts[i] for i in places],
            {(place[i], place[j]): whole for (i, j), whole in life.ends.items() if i in place and j in place},
            [Asked(asked.question, *(tuple(place[i] for i in part) for part in (asked.current, asked.past)))],
        )


def introduced(life: Life) -> Life:
    """What was told before the first change, within the hour, and the questions that it answers."""
    first = min((later for _, later in life.ends), default=len(life.texts))
    versions = ((asked.question, kept) for asked in life.questions for kept in (asked.past, asked.current) if kept)
    answered = {question: kept for question, kept in versions if max(kept) < first}
    questions = [Asked(question, kept, ()) for question, kept in answered.items()]
    return Life(life.part, life.name, MINUTES_US, life.texts[:first], {}, questions)


def passages(folder: Path) -> list[str]:
    """The first characters of some texts of a question set."""
    texts = [memory.content[:PASSAGE] for part in read(folder) for memory in part.memories]
    return random.Random(0).sample(texts, PASSAGES)


def lived(life: Life, home: Path, tier: str, among: Sequence[str] = (), **settings) -> tuple[Memory, list[str]]:
    """A memory of a life, some time after the last statement, and the ids of the statements."""
    moment = [BEGAN_US]
    memory = Memory(Settings(home=home, tier=tier, **settings), clock=lambda: moment[0])
    ids = []
    for place, text in enumerate(life.texts):
        moment[0] = life.moments[place] if life.moments else moment[0] + life.apart_us
        arguments = {"content": text, "rationale": "it was told in a conversation"}
        ids.append(call(memory, "store_memory", arguments).structured["node_id"])
        last = place == len(life.texts) - 1
        read_then = among[place * AFTER_EACH :] if last else among[place * AFTER_EACH : (place + 1) * AFTER_EACH]
        memory.remember_many([Draft(passage, "from an article") for passage in read_then])
    moment[0] += ASKED_US if life.moments else life.apart_us
    return memory, ids


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--few", type=int, help="ask each question of a memory of so many statements")
    parser.add_argument("--introduced", action="store_true", help="ask what was told before the first change")
    parser.add_argument("--hour", action="store_true", help="tell everything, a statement a minute")
    parser.add_argument("--forgotten", action="store_true", help="ask again when what answers is forgotten")
    parser.add_argument("--among", type=Path, help="store passages of this question set beside the statements")
    parser.add_argument("--model", type=Path, help="folder of a model, or multilingual")
    parser.add_argument("--reranker", type=Path, help="folder of a cross-encoder that reads the first results")
    parser.add_argument("--all", action="store_true", help="print every question whose answer is not right")
    options = parser.parse_args()
    among = passages(options.among) if options.among else ()
    settings = {"reranker": options.reranker} | (model_settings(options.model) if options.model else {})
    for tier in options.tiers.split(","):
        for part in options.parts.split(","):
            counts: Counter[str] = Counter()
            asked_lives = lives([part])
            if options.few is not None:
                asked_lives = [few for life in asked_lives for few in first_days(life, options.few)]
            if options.introduced:
                asked_lives = [introduced(life) for life in asked_lives]
            if options.hour:
                asked_lives = [replace(life, apart_us=MINUTE_US, moments=[]) for life in asked_lives]
            if options.forgotten:
                print(f"{tier}, {part}: {_doubts(asked_lives, tier, among, **settings)}")
                continue
            for life in asked_lives:
                for counted, shown in answers(life, tier, among, **settings):
                    counts += counted
                    if options.all and counted["right"] + counted["no mark is wrong"] < 2:
                        print(shown)
            of = counts["questions"]
            shares = ", ".join(
                f"{name} {counts[name] / of:.1%}" for name in ("told", "first", "above", "unmarked", "right")
            )
            print(
                f"{tier}, {part}: {of} questions; {shares}; told as ended though it holds: {counts['false ends']} of "
                f"{counts['lines']} lines, {counts['false parts']} more in part, "
                f"{counts['false earlier']} as earlier; {counts['lines'] / of:.1f} lines each"
                + (
                    f"; never told, yet without a doubt {counts['sure']} of {counts['never']}"
                    if counts["never"]
                    else ""
                )
            )


def answers(life: Life, tier: str, among: Sequence[str] = (), **settings) -> Iterator[tuple[Counter[str], str]]:
    """Of each question, what is counted, and the answer to be read."""
    whole = {earlier for (earlier, _), all_of_it in life.ends.items() if all_of_it}
    changed = {earlier for earlier, _ in life.ends}
    with tempfile.TemporaryDirectory() as home:
        memory, _ = lived(life, Path(home), tier, among, **settings)
        with memory:
            for asked in life.questions:
                context = call(memory, "inject_context", {"query": asked.question}).structured["context"]
                lines = [line for line in context.splitlines() if line.startswith("> ")]
                marks = {i: mark_of(line) for line in lines for i, text in enumerate(life.texts) if text in line}
                order = list(marks)
                told = all(i in order for i in asked.current)
                before = [order.index(then) for then in asked.past if then in order]
                above = told and all(order.index(now) < place for now in asked.current for place in before)
                unmarked = any(then in order and not marks[then] for then in asked.past)
                false = sum(mark == "ended" and i not in whole for i, mark in marks.items())
                earlier = sum(mark == "earlier" and i not in changed for i, mark in marks.items())
                parts = sum(mark == "in part" and i not in changed for i, mark in marks.items())
                yield Counter({
                    "questions": 1, "told": told, "first": bool(order) and order[0] in asked.current, "above": above,
                    "unmarked": unmarked, "right": told and above and not unmarked, "lines": len(lines),
                    "false ends": false, "false parts": parts, "false earlier": earlier,
                    "no mark is wrong": not false + parts,
                }), f"\n{life.name}: {asked.question}\n{context}"  # fmt: skip
            for question in life.never_told:
                context = call(memory, "inject_context", {"query": question}).structured["context"]
                sure = "> " in context and UNSURE not in context
                counted = Counter({"never": 1, "sure": sure, "right": 0, "no mark is wrong": 2 * (not sure)})
                yield counted, f"\n{life.name}, never told: {question}\n{context}"


def _doubts(some: Sequence[Life], tier: str, among: Sequence[str], **settings) -> str:
    """How often a question is answered with a doubt, and without one once what answers it is forgotten."""
    counts: Counter[str] = Counter()
    for life in some:
        with tempfile.TemporaryDirectory() as home:
            memory, ids = lived(life, Path(home), tier, among, **settings)
            with memory:
                for asked in life.questions:
                    context = memory.inject(asked.question, verbosity=0)
                    if any(life.texts[i] in context.text for i in asked.current):
                        counts.update({"answered": 1, "with a doubt": UNSURE in context.text})
                    forgotten = [memory.forget(ids[i]) for i in {*asked.current, *asked.past}]
                    context = memory.inject(asked.question, verbosity=0)
                    silent, doubted = not context.hits, UNSURE in context.text
                    counts.update({"forgotten": 1, "silent": silent, "sure": not silent and not doubted})
                    for one in reversed(forgotten):
                        memory.undo(one)
    return (
        f"{counts['answered']} questions are answered, {counts['with a doubt']} with a doubt; of {counts['forgotten']} "
        f"whose answer was forgotten {counts['sure']} are told something without a doubt, {counts['silent']} nothing"
    )


def mark_of(line: str) -> str:
    if match := _UNTIL.search(line):
        return "in part" if match[1] else "ended"
    return "earlier" if "earlier than" in line else ""


if __name__ == "__main__":
    main()
