"""Fit and measure which areas of life a text is about.

    python -m benchmarks.quality.areas [--write]

The model of `reading/areas.py` is fitted on areas.tsv: words, statements and questions by area. The sentences were
written by three writers, two of whom had seen no rule and no other sentence. Each quarter of them is held once: how
many of the areas that its sentences are about are recognised, and how many of those recognised they are about.
`--write` replaces the weights of the package.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np

from context_graph.embed.languages import in_english
from context_graph.embed.stems import STOP_WORDS
from context_graph.embed.wordpiece import pieces
from context_graph.reading import areas, attributes
from context_graph.reading.acts import OF_QUESTION
from context_graph.reading.areas import AREAS, OF_TEXT

DATA = Path(__file__).with_suffix(".tsv")
RIDGE, FOLDS = 0.3, 4
OF_NONE = """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
september october november december morning evening night today tomorrow week month year time thing people good bad new
old big small red blue green first last next long short never always please answer decide decided decision open unclear
question promise promised told said ask asked remember forgot found lost come comes go goes went take took give gave
make made put keep kept start started end write writes read send sent call called like love hate prefer want need number
name word line page photo letter colour idea rain sun weather snow wind noise river bridge park museum church story news
party""".split()
"""Words that speak for no area, beside the most frequent ones."""


class Text(NamedTuple):
    areas: frozenset[str]
    form: str
    text: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="replace the weights of the package")
    options = parser.parse_args()
    lines = [line.split("\t") for line in DATA.read_text("utf-8").splitlines()[1:]]
    texts = [Text(frozenset(of.split(",")), form, text) for of, form, text in lines]
    of_word: dict[str, set[str]] = {word: set() for word in (*sorted(STOP_WORDS), *OF_NONE)}
    for one in texts:
        for word in one.text.split() if one.form == "words" else ():
            of_word.setdefault(word.lower(), set()).update(one.areas)
    words = [Text(frozenset(of), "words", word) for word, of in of_word.items()]
    sentences = [one for one in texts if one.form != "words"]
    fold = np.random.default_rng(0).integers(0, FOLDS, len(sentences))
    judged = np.zeros((len(sentences), len(AREAS)))
    for held in range(FOLDS):
        training = [one for one, part in zip(sentences, fold, strict=True) if part != held]
        judged[fold == held] = areas.logits(
            *_pieces([one for one, part in zip(sentences, fold, strict=True) if part == held]),
            areas.Model.of(_fit(words + training)),
        )
    for form, least in (("statement", OF_TEXT), ("question", OF_QUESTION)):
        mine = np.array([one.form == form for one in sentences])
        meant, called = _about(sentences)[mine], judged[mine] >= least
        print(f"{form:<10} {mine.sum()}: of the areas meant {(meant & called).sum() / meant.sum():.0%} are recognised, "
              f"of those recognised {(meant & called).sum() / called.sum():.0%} are meant")  # fmt: skip
    if options.write:
        np.savez_compressed(areas.AREA_WEIGHTS, weights=_fit(words + sentences))


def _pieces(texts: list[Text]) -> tuple[np.ndarray, np.ndarray]:
    of_texts = [np.array(pieces(in_english(one.text)), np.int64) for one in texts]
    return np.concatenate(of_texts), np.array([len(one) for one in of_texts])


def _about(texts: list[Text]) -> np.ndarray:
    return np.array([[area in one.areas for area in AREAS] for one in texts])


def _fit(texts: list[Text]) -> np.ndarray:
    """Logistic regressions of each area with one L2 penalty, by Newton's method: float16 (257, areas)."""
    x = np.array([[*attributes.vector(one.text), 1.0] for one in texts], np.float64)
    penalty = np.append(np.full(x.shape[1] - 1, RIDGE), 1e-6)
    table = np.zeros((x.shape[1], len(AREAS)))
    for column, y in enumerate(_about(texts).T.astype(float)):
        b = table[:, column]
        for _ in range(60):
            p = 1 / (1 + np.exp(-x @ b))
            step = np.linalg.solve((x.T * (p * (1 - p))) @ x + np.diag(penalty), x.T @ (p - y) + penalty * b)
            b -= step
            if abs(step).max() < 1e-7:
                break
    return table.astype(np.float16)


if __name__ == "__main__":
    main()
