"""Fit and measure which attribute a sentence is about.

    python -m benchmarks.quality.attributes [--write]

Fitted on attributes.tsv: sentences, questions and words by attribute, written for this. "values" says whether a
person has one value at a time (where somebody lives), many (a child's name), or each of several things has one (a
price). "near" names attributes whose statements may answer a question for this one.

Each quarter of the sentences is held once: how often the attribute of a held one is found, and how often the statement
that a held question fits best, among all held ones, is of its attribute, beside the cosine of the two vectors. The
words were written by who wrote the sentences, so these figures flatter; docs/research/supersession.md says what it
is worth where it is used. `--write` replaces the weights of the package.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np

from context_graph.reading import attributes

SENTENCES = Path(__file__).with_suffix(".tsv")
NONE, NEAR = "none", "near"
L2, WORD = 1e-5, 0.6
"""Penalty of a squared weight, and what a word counts beside a sentence."""

FOLDS, STEPS, RATE = 4, 600, 0.3


class Row(NamedTuple):
    attribute: str
    values: str
    form: str
    text: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="replace the weights of the package")
    options = parser.parse_args()
    every = [*_rows()]
    rows = [row for row in every if row.form != NEAR]
    names = [*dict.fromkeys(row.attribute for row in rows if row.attribute != NONE)]
    values = np.array([next(row.values for row in rows if row.attribute == name) for name in names])
    of = np.array([[*names, NONE].index(row.attribute) for row in rows])
    form = np.array([row.form for row in rows])
    x = np.array([attributes.vector(row.text) for row in rows], np.float64)
    print(f"{len(names)} attributes, {(form != 'words').sum()} sentences, {(form == 'words').sum()} words")
    _report(x, of, form, len(names))
    if options.write:
        weights = _fit(x, of, np.where(form == "words", WORD, 1.0), len(names) + 1)
        near = np.eye(len(names), dtype=bool)
        for row in every:
            if row.form == NEAR:
                near[names.index(row.attribute), names.index(row.text)] = True
        np.savez(
            attributes.ATTRIBUTE_WEIGHTS,
            names=np.array(names),
            values=values,
            weights=weights.astype(np.float16),
            near=near,
        )


def _rows() -> list[Row]:
    """The sentences, and each word, or near attribute, as a row of its own."""
    found = []
    for line in SENTENCES.read_text("utf-8").splitlines()[1:]:
        attribute, values, form, text = line.split("\t")
        found += [Row(attribute, values, form, each) for each in (text.split() if form in ("words", NEAR) else [text])]
    return found


def _report(x: np.ndarray, of: np.ndarray, form: np.ndarray, k: int) -> None:
    fold = np.full(len(x), -1)
    for attribute in range(k + 1):
        for one in ("statement", "question"):
            mine = np.flatnonzero((of == attribute) & (form == one))
            fold[mine] = np.arange(len(mine)) % FOLDS
    known, first, plain = [], [], []
    for held in range(FOLDS):
        seen = fold != held
        weights = _fit(x[seen], of[seen], np.where(form[seen] == "words", WORD, 1.0), k + 1)
        questions, statements = (
            np.flatnonzero((fold == held) & (form == one) & (of < k)) for one in ("question", "statement")
        )
        q, s = (_probability(x[rows], weights)[:, :k] for rows in (questions, statements))
        known += [*(q.argmax(axis=1) == of[questions]), *(s.argmax(axis=1) == of[statements])]
        first += [*(of[statements[(q @ s.T).argmax(axis=1)]] == of[questions])]
        plain += [*(of[statements[(x[questions] @ x[statements].T).argmax(axis=1)]] == of[questions])]
    print(f"held: attribute found {np.mean(known):.1%}; best statement of a question is of its attribute "
          f"{np.mean(first):.1%}, by the cosine of the vectors {np.mean(plain):.1%}")  # fmt: skip


def _fit(x: np.ndarray, of: np.ndarray, weight: np.ndarray, k: int) -> np.ndarray:
    """Multinomial logistic regression with an L2 penalty, by Adam over all rows: (n, d) -> float64 (d + 1, k)."""
    z, wanted = np.column_stack([x, np.ones(len(x))]), np.eye(k)[of]
    w = np.zeros((z.shape[1], k))
    mean, square = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, STEPS + 1):
        slope = z.T @ ((_probability(x, w) - wanted) * weight[:, None]) / weight.sum()
        slope[:-1] += L2 * w[:-1]
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope * slope
        change = (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        w -= RATE * (1 - 0.9 * step / STEPS) * change
    return w


def _probability(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    logits = x @ w[:-1] + w[-1]
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


if __name__ == "__main__":
    main()
