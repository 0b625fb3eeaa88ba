"""How often the reflex cache answers, and whether it answers as a fresh search would.

::

    python -m benchmarks.quality.reflex --data PATH/locomo [--tiers base minilm] [--keep FOLDER]

Replays a trace: every LoCoMo question is asked once, and then `AGAIN` times, as it was or in a form drawn by a fixed
seed, all in a shuffled order. Forms that the cache is not made for (another function word, a clause in another place)
are among them. Whenever the cache answers, the same words are searched afresh, and the ten best compared in order.
"""

import argparse
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.quality.report import save
from context_graph.evaluation.sets import QuestionSet, read
from context_graph.evaluation.stores import stored
from context_graph.memory import Memory
from context_graph.recall.answer import Answer
from context_graph.recall.question import Question

AGAIN = 4
SEED = 7

_CLAUSE = re.compile(r"^(.*?),? ((?:in|on|after|before|during|for|at|with|since) [^?]*)\?$")
_SHORTER = {"What is": "What's", "did not": "didn't", "does not": "doesn't", "has not": "hasn't", "Who is": "Who's"}
_SAME = {"What kind of": "What type of", "Which type of": "What kind of", "How many": "What number of"}
_OTHER = {"What": "Which", " about ": " on ", " did ": " has ", " from ": " out of ", " during ": " in "}


def _uncapital(text: str) -> str:
    return text[0].lower() + text[1:]


def _first_of(table: dict[str, str]) -> Callable[[str], str]:
    def changed(text: str) -> str:
        return next((text.replace(a, b, 1) for a, b in table.items() if a in text), text)

    return changed


def _fronted(text: str, join: str = ", ") -> str:
    found = _CLAUSE.match(text)
    return f"{found[2][0].upper()}{found[2][1:]}{join}{_uncapital(found[1])}?" if found else text


FORMS: dict[str, Callable[[str], str]] = {
    "verbatim": lambda text: text,
    "lower case": str.lower,
    "capitals": str.upper,
    "no punctuation": lambda text: text.rstrip("?.! ").replace(",", ""),
    "please": lambda text: f"{text.rstrip('? ')}, please?",
    "tell me": lambda text: f"Could you tell me {_uncapital(text)}",
    "contraction": _first_of(_SHORTER),
    "clause first, comma": _fronted,
    "clause first": lambda text: _fronted(text, " "),
    "same function words": _first_of(_SAME),
    "other function words": _first_of(_OTHER),
}
"""Ways to ask again; one that leaves a question as it is does not apply to it."""


def trace(texts: Sequence[str], *, again: int = AGAIN, seed: int = SEED) -> list[tuple[str, str]]:
    """(form, words) of every asking, in order; a question comes as it is before it comes in other forms."""
    dice = random.Random(seed)
    turns: list[tuple[float, str, str]] = []
    for text in dict.fromkeys(texts):
        forms = {form: made for form, make in FORMS.items() if (made := make(text)) != text} | {"verbatim": text}
        times = sorted(dice.random() for _ in range(again + 1))
        turns.append((times[0], "first", text))
        turns += [(at, form, forms[form]) for at in times[1:] for form in [dice.choice(sorted(forms))]]
    return [(form, text) for _, form, text in sorted(turns)]


def replay(memory: Memory, asked: Sequence[tuple[str, str]], conversation: str = "") -> Iterator[dict]:
    """One record for each asking."""
    fresh: dict[str, list[str]] = {}
    for form, text in asked:
        started = time.perf_counter()
        answer = memory.recall(Question(text))
        ms = 1000 * (time.perf_counter() - started)
        record = {"conversation": conversation, "form": form, "text": text, "hit": answer.reflex, "ms": round(ms, 3)}
        if answer.reflex:
            if text not in fresh:
                fresh[text] = _ids(memory.recall(Question(text, record=False)))
            record |= {"engine_ms": answer.layers_ms["L2_reflex"], "equal": _ids(answer) == fresh[text]}
        yield record


def _ids(answer: Answer) -> list[str]:
    return [hit.node.id for hit in answer.hits]


def summary(records: Sequence[dict]) -> dict[str, object]:
    """Shares in percent, of what was asked before unless it says "of all"."""
    again = [record for record in records if record["form"] != "first"]
    hits = [record for record in records if record["hit"]]
    share = lambda part, whole: round(100 * len(part) / max(len(whole), 1), 2)  # noqa: E731
    numbers: dict[str, object] = {
        "hit share": share([record for record in again if record["hit"]], again),
        "hit share of all": share(hits, records),
        "equal": share([record for record in hits if record["equal"]], hits),
    }
    for how in ("exact", "near"):
        engine = [1000 * record["engine_ms"] for record in hits if record["hit"] == how]
        if engine:
            equal = [record for record in hits if record["hit"] == how and record["equal"]]
            numbers |= {
                f"{how} hits": len(engine), f"{how} equal": share(equal, engine),
                f"{how} engine p50 us": round(float(np.median(engine)), 1),
                f"{how} engine p99 us": round(float(np.percentile(engine, 99)), 1),
            }  # fmt: skip
    numbers["whole call p50 ms, hit"] = round(float(np.median([r["ms"] for r in hits])), 3) if hits else None
    searched = [record["ms"] for record in records if not record["hit"]]
    numbers["whole call p50 ms, searched"] = round(float(np.median(searched)), 3)
    for form in FORMS:
        of_form = [record for record in again if record["form"] == form]
        if of_form:
            numbers[f"hit share, {form}"] = share([record for record in of_form if record["hit"]], of_form)
    return numbers


def run(sets: Sequence[QuestionSet], tier: str, keep: Path | None) -> list[dict]:
    """The traces of all sets, each on its own store."""
    records: list[dict] = []
    for part in sets:
        with stored([part], tier, keep=keep) as asked:
            records += replay(asked[0].memory, trace([one.question.text for one in asked]), part.name)
    return records


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with conv-*.json")
    parser.add_argument("--tiers", nargs="+", default=["base", "minilm"])
    parser.add_argument("--keep", type=Path, help="folder where the stores stay for the next run")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/reflex"))
    options = parser.parse_args()
    for tier in options.tiers:
        started = time.perf_counter()
        records = run(read(options.data), tier, options.keep)
        save(options.out, tier, summary(records), records, seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
