"""Fit and measure which areas of life a text is about.

    python -m benchmarks.quality.areas [--write]

The model of `reading/areas.py` is fitted on the words of areas.tsv alone; its sentences and questions were written
before the first fit and are measured only. `--write` replaces the weights of the package.
"""

import argparse
from pathlib import Path

import numpy as np

from context_graph.embed.stems import STOP_WORDS
from context_graph.reading import areas, attributes
from context_graph.reading.areas import AREAS, areas_of

DATA = Path(__file__).with_suffix(".tsv")
RIDGE = 0.3
OF_NONE = """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
september october november december morning evening night today tomorrow week month year time thing people good bad new
old big small red blue green first last next long short never always please answer decide decided decision open unclear
question promise promised told said ask asked remember forgot found lost come comes go goes went take took give gave
make made put keep kept start started end write writes read send sent call called like love hate prefer want need number
name word line page photo letter colour idea rain sun weather snow wind noise river bridge park museum church story news
party""".split()
"""Words that speak for no area, beside the most frequent ones."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="replace the weights of the package")
    options = parser.parse_args()
    lines = [line.split("\t") for line in DATA.read_text("utf-8").splitlines()[1:]]
    if options.write:
        np.savez_compressed(areas.AREA_WEIGHTS, weights=_fit(lines))
        areas._model.cache_clear()
        areas_of.cache_clear()
    for form in ("statement", "question"):
        some = [(frozenset(of.split(",")) - {"none"}, areas_of(text)) for of, kind, text in lines if kind == form]
        meant, called, both = (sum(map(len, sets)) for sets in (
            (of for of, _ in some), (judged for _, judged in some), (of & judged for of, judged in some),
        ))  # fmt: skip
        print(f"{form:<10} {len(some)}: of the areas meant {both / meant:.0%} are recognised, "
              f"of those recognised {both / called:.0%} are meant")  # fmt: skip


def _fit(lines: list[list[str]]) -> np.ndarray:
    """Logistic regressions of each area over single words with one L2 penalty: float16 (257, areas)."""
    of_word: dict[str, set[str]] = {word: set() for word in (*sorted(STOP_WORDS), *OF_NONE)}
    for area, form, text in lines:
        for word in text.split() if form == "words" else ():
            of_word.setdefault(word.lower(), set()).add(area)
    x = np.array([[*attributes.vector(word), 1.0] for word in of_word], np.float64)
    penalty = np.append(np.full(x.shape[1] - 1, RIDGE), 1e-6)
    table = np.zeros((x.shape[1], len(AREAS)))
    for column, area in enumerate(AREAS):
        y, b = np.array([area in of for of in of_word.values()], float), table[:, column]
        for _ in range(60):
            p = 1 / (1 + np.exp(-x @ b))
            step = np.linalg.solve((x.T * (p * (1 - p))) @ x + np.diag(penalty), x.T @ (p - y) + penalty * b)
            b -= step
            if abs(step).max() < 1e-7:
                break
    return table.astype(np.float16)


if __name__ == "__main__":
    main()
