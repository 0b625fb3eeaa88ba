"""Fit and measure what a statement does, and of which acts a question asks for all statements.

    python -m benchmarks.quality.acts [--write]

The sentences of acts.tsv were written for it. By those marked "fitted" the wording of `reading/act_forms.py` was made
and the model of `reading/act_model.py` is fitted; those marked "held", written by somebody who saw neither, are
measured only. `--write` replaces the weights of the package.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.quality import lives
from context_graph.reading import act_model
from context_graph.reading.act_forms import DENIED, FORMS
from context_graph.reading.act_questions import ASKED, ONE
from context_graph.reading.acts import ACTS, ASKED_KINDS, acts_of, asked_for
from context_graph.texts import caseless

DATA = Path(__file__).with_suffix(".tsv")
AREAS = Path(__file__).with_name("areas.tsv")
ATTRIBUTES = Path(__file__).with_name("attributes.tsv")
SUPERSESSION = Path(__file__).with_name("supersession.tsv")
NO_ACT = frozenset(
    {"likes", "format", "answers", "replylang", "decision", "callname", "plan", "testing", "none", "status"}
)
"""Attributes whose sentences may well do one of these; those of the others say something plain."""

OTHERS = 300
RIDGE = 0.5


class Sentence(NamedTuple):
    part: str
    kind: str
    act: str
    text: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="replace the weights of the package")
    options = parser.parse_args()
    sentences = [Sentence(*line.split("\t")) for line in DATA.read_text("utf-8").splitlines()[1:]]
    if options.write:
        tables = {
            kind: _fit([one for one in sentences if one[:2] == ("fitted", kind)], kind)
            for kind in act_model.Model._fields
        }
        np.savez_compressed(act_model.WEIGHTS, **tables)
        act_model.model.cache_clear()
    judges: dict[str, tuple[Callable[[str], frozenset[str]], Callable[[str], frozenset[str]]]] = {
        "statement": (_worded, acts_of), "question": (_asked_worded, _asked),
    }  # fmt: skip
    for part in ("fitted", "held"):
        for kind, (worded, whole) in judges.items():
            some = [one for one in sentences if one[:2] == (part, kind)]
            for name, judge in (("wording alone", worded), ("with the model", whole)):
                print(f"{part:<7} {kind:<10} {name:<15} {_report(some, judge)}")


def _worded(text: str) -> frozenset[str]:
    plain = caseless(text)
    read = {act for act, form in FORMS.items() if form.search(plain)}
    return frozenset(act for act in read if not (act in DENIED and DENIED[act].search(plain)))


def _asked_worded(text: str) -> frozenset[str]:
    plain = caseless(text)
    return frozenset() if ONE.search(plain) else frozenset(act for act, form in ASKED.items() if form.search(plain))


def _asked(text: str) -> frozenset[str]:
    wanted = asked_for(text)
    return frozenset() if wanted is None else wanted.acts


def _report(some: Sequence[Sentence], judge: Callable[[str], frozenset[str]]) -> str:
    """Of each act, the share that is recognised, and of what is called one, the share that is."""
    judged = [judge(one.text) for one in some]
    parts = []
    for act in ASKED_KINDS:
        if not any(one.act == act for one in some):
            continue
        meant, called = (
            np.array(flags) for flags in ([one.act == act for one in some], [act in acts for acts in judged])
        )
        parts.append(
            f"{act} {(called & meant).sum() / meant.sum():4.0%} ({(called & meant).sum() / max(1, called.sum()):4.0%})"
        )
    return "  ".join(parts)


def _fit(some: Sequence[Sentence], kind: str) -> np.ndarray:
    """Logistic regressions of each act with one L2 penalty, by Newton's method: float16 (FEATURES + 1, kinds)."""
    kinds = ACTS if kind == "statement" else ASKED_KINDS
    some = [*some, *(_plain() if kind == "statement" else (*_of_one(), *_of_areas()))]
    x = np.array([[*act_model.features(one.text), 1.0] for one in some], np.float64)
    penalty = np.full(x.shape[1], RIDGE)
    penalty[-1] = 1e-6
    table = np.zeros((x.shape[1], len(kinds)))
    for column, act in enumerate(kinds):
        y, b = np.array([one.act == act for one in some], float), table[:, column]
        for _ in range(30):
            p = 1 / (1 + np.exp(-x @ b))
            step = np.linalg.solve((x.T * (p * (1 - p))) @ x + np.diag(penalty), x.T @ (p - y) + penalty * b)
            b -= step
            if abs(step).max() < 1e-5:
                break
    return table.astype(np.float16)


def _plain() -> list[Sentence]:
    """Sentences about life and work of which hardly any does one of these."""
    rows = [line.split("\t") for line in ATTRIBUTES.read_text("utf-8").splitlines()[1:]]
    texts = [
        text
        for attribute, _, form, text in rows
        if attribute not in NO_ACT and form != "words" and not text.endswith("?")
    ]
    pairs = [line.split("\t")[3:] for line in SUPERSESSION.read_text("utf-8").splitlines()[1:]]
    texts = [*texts[:OTHERS], *(text for pair in pairs for text in pair)]
    return [
        Sentence("fitted", "statement", "none", text) for text in texts if len(text.split()) > 3 and not _worded(text)
    ]


def _of_one() -> list[Sentence]:
    """Questions for one attribute or one fact."""
    asked = [line.split("\t") for line in ATTRIBUTES.read_text("utf-8").splitlines()[1:]]
    texts = [text for attribute, _, form, text in asked if form == "question" and attribute not in NO_ACT]
    texts += [line.split("\t")[2] for line in SUPERSESSION.read_text("utf-8").splitlines()[1:]]
    texts += [
        asked.question
        for life in lives.lives()
        if "held" not in life.part
        for asked in life.questions
        if len(asked.current) == 1
    ]
    return [
        Sentence("fitted", "question", "none", text)
        for text in dict.fromkeys(texts)
        if text and not _asked_worded(text)
    ]


def _of_areas() -> list[Sentence]:
    """Questions for all of an area of life."""
    rows = [line.split("\t") for line in AREAS.read_text("utf-8").splitlines()[1:]]
    return [Sentence("fitted", "question", "area", text) for _, form, text in rows if form == "question"]


if __name__ == "__main__":
    main()
