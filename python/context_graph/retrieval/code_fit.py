"""Code by the names that it defines or uses: those that a question has, and those that are made of its words."""

import re
from collections.abc import Callable, Sequence

import numpy as np

from context_graph.embed.defined_names import defined_names, name_stems, uses
from context_graph.embed.program import ABBREVIATIONS
from context_graph.embed.stems import stem_of, stems, term_id
from context_graph.index.corpus import Corpus
from context_graph.reading.asked_names import AskedName, asked_names
from context_graph.regex import regex
from context_graph.retrieval.view import View

__all__ = ["code_fit"]

MAX_NAMING_PASSAGES = 256
"""Passages of code that are read for one name of a question, the shortest."""

MAX_COMPOSED_PASSAGES = 48
"""Passages that are read for names made of the words of a question, those with the most of them."""

MIN_COMPOSED = 0.4
"""Least share of its words, times that of the question's, that a name must have in common with a question."""

CONTINUED = 0.5
"""What a further passage of one long definition counts."""

USED, BESIDE_USES = 1.5, -0.5
"""What a use and what the definition count where what uses a name is asked for: the name counts much in the latter."""

NOTED = 0.5
"""What a note counts that has the name."""

OF_NO_VALUE = 0.5
"""What a function or a type counts where a value is asked for."""

_ASKS_FOR_VALUE = regex(
    r"^\W*(?:which|what(?:['’]s| is| are| was| were)|how (?:many|much|long|big|large|often|high))\b", re.I
)

BOUNDS = {
    "allow": "maximum",
    "longest": "maximum",
    "largest": "maximum",
    "most": "maximum",
    "limit": "maximum",
    "least": "minimum",
}
"""By the stem of a word that asks for a bound: the word that names have for it."""

_GENERIC = frozenset(stem_of(word) for word in "value constant variable use get set make take need".split())
"""Words that tell no name from another."""
_LONG_FORMS = {stem_of(short): stem_of(long) for short, long in ABBREVIATIONS.items()}

_FRAME = frozenset(
    stem_of(word)
    for word in """class classes function method type exception error module code file source work works defined
    definition implemented signature docstring parameters arguments exactly""".split()
)
"""What a question about a name may have beside it."""

Texts = Callable[[np.ndarray], Sequence[str]]


def code_fit(
    corpus: Corpus, question: str, view: View, code: np.ndarray, notes: np.ndarray, texts: Texts
) -> dict[str, np.ndarray]:
    """How well rows fit the names in a question: "identifier", and "composed" where it has none.

    Parameters
    ----------
    code, notes : bool (m,)
        Which rows are code, and which are notes.
    texts : callable
        Reads rows.
    """
    if not code.any():
        return {}
    question_stems = frozenset(stems(question))
    names = [
        name
        for name in asked_names(question)
        if name.certain or name.uses or question_stems <= name_stems(name.name) | _FRAME
    ]
    fits = np.zeros(len(view), np.float32)
    for name in names:
        fits += _named(corpus, name, view, code, notes, texts)
    if fits.any():
        return {"identifier": fits}
    composed = _composed(corpus, question, view, code, texts)
    return {"composed": composed} if composed.any() else {}


def _named(
    corpus: Corpus, name: AskedName, view: View, code: np.ndarray, notes: np.ndarray, texts: Texts
) -> np.ndarray:
    """Which rows define a name, or where that is asked for use it; and which notes have it as it is written."""
    fits = np.zeros(len(view), np.float32)
    terms = np.array(sorted(map(term_id, name_stems(name.name))), np.int64)
    if len(terms) == 0 or (corpus.terms.df(terms) == 0).any():
        return fits
    places = np.flatnonzero((corpus.terms.table(terms, view.rows) > 0).all(axis=1) & (code | notes))
    places = places[np.argsort(corpus.columns.length[view.rows[places]], kind="stable")[:MAX_NAMING_PASSAGES]]
    places = np.sort(places)
    read = texts(view.rows[places])
    defining = [
        code[place] and name.name in text and any(name.name in each for each in defined_names(text))
        for place, text in zip(places.tolist(), read, strict=True)
    ]
    if not (name.certain or any(defining)):
        return fits
    for place, text, defines in zip(places.tolist(), read, defining, strict=True):
        if not code[place]:
            fits[place] = NOTED * (name.certain and name.name in text)
        elif name.uses and uses(text, name.name):
            fits[place] = USED
        elif defines:
            goes_on = place > 0 and fits[place - 1] and view.rows[place] == view.rows[place - 1] + 1
            fits[place] = (BESIDE_USES if name.uses else 1.0) * (CONTINUED if goes_on else 1.0)
    return fits


def _composed(corpus: Corpus, question: str, view: View, code: np.ndarray, texts: Texts) -> np.ndarray:
    """How far rows define a name that is made of the words of a question."""
    fits = np.zeros(len(view), np.float32)
    question_stems = frozenset(stems(question))
    wanted = _in_full(question_stems) - _GENERIC
    if len(wanted) < 2:
        return fits
    terms = np.array(
        sorted(map(term_id, question_stems | {short for short, long in _LONG_FORMS.items() if long in wanted})),
        np.int64,
    )
    shared = np.where(code, (corpus.terms.table(terms, view.rows) > 0).sum(axis=1), 0)
    places = np.flatnonzero(shared >= 2)
    places = places[
        np.argsort(-shared[places] + corpus.columns.length[view.rows[places]] / 1e6, kind="stable")[
            :MAX_COMPOSED_PASSAGES
        ]
    ]
    declared = OF_NO_VALUE if _ASKS_FOR_VALUE.match(question) else 1.0
    for place, text in zip(places.tolist(), texts(view.rows[places]), strict=True):
        names = defined_names(text)
        shares = [declared * _share(name, wanted) for name in names.declared]
        fits[place] = max([*shares, *(_share(name, wanted) for name in names.assigned)], default=0.0)
    return np.where(fits >= MIN_COMPOSED, fits, np.float32(0))


def _share(name: str, wanted: frozenset[str]) -> float:
    """The share of the words of a name that a question has, times that of its words that the name has."""
    parts = _in_full(name_stems(name))
    common = len(parts & wanted)
    return common * common / (len(parts) * len(wanted)) if common > 1 else 0.0


def _in_full(each: frozenset[str]) -> frozenset[str]:
    """Stems with what is shortened in full, and words for a bound as names have them."""
    full = (_LONG_FORMS.get(stem, stem) for stem in each)
    return frozenset(stem_of(BOUNDS[stem]) if stem in BOUNDS else stem for stem in full)
