"""Links between named things: a hit that names another memory's title leads to it.

Paragraphs about people, places and things answer a question together: one names the next. Links fire on names only,
never on likeness, and only among notes: two turns of a dialogue that name one person do not answer one question.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from context_graph.embed.lexical import name_term, title_term
from context_graph.retrieval.corpus import Corpus
from context_graph.retrieval.scores import QueryTerms, idf_of

if TYPE_CHECKING:
    from context_graph.retrieval.pipeline import Found, Query

__all__ = ["WEIGHTS", "Pulled", "page_rank", "pulled", "title_fit"]

SEEDS = 5
"""Best hits that links start from."""

WEIGHTS = {"link": 8.0, "second": 1.0, "rank": 0.7}
"""What a link from the best hit adds to the sum; the weight of what a second question finds, in units of BM25; the
weight of the standardised PageRank."""

REVERSED = 0.3
"""Share of a link's weight that goes back, from the named memory to the naming one."""

ENTITY = 0.5
"""What the rarity of a shared name counts beside the words of a second question."""

RAREST = 8
LONGEST = 8
"""Words of a title."""

DAMPING, STEPS, FLOOR, RESTARTS = 0.5, 15, 1e-5, 20

SHARED = 0.01
"""A name in more than this share of the memories, and in more than 20, links nothing."""

_WORD = re.compile(r"[\w./]+")


class _Phrase(NamedTuple):
    """A run of words, from the one at `start` on."""

    start: int
    length: int
    key: str


def _phrases(text: str, *, capital: bool) -> list[_Phrase]:
    """Every run of up to eight words, by the key of the name it may be; with `capital`, of those that begin so."""
    found: list[_Phrase] = []
    said = _WORD.findall(text)
    lower = text.lower()
    words = _WORD.findall(lower) if len(lower) == len(text) else [word.lower() for word in said]
    for start, word in enumerate(said):
        if capital and word[0].islower():
            continue
        key = ""
        for length, following in enumerate(words[start : start + LONGEST], 1):
            key = f"{key} {following}" if key else following
            found.append(_Phrase(start, length, key.rstrip(".")))
    return found


def _titles(corpus: Corpus, phrases: Sequence[_Phrase]) -> Iterator[tuple[_Phrase, np.ndarray]]:
    """The phrases that are titles, and the memories of each; nothing within a longer title."""
    terms = [title_term(phrase.key) for phrase in phrases]
    holding = corpus.named.df(terms) if terms else []
    named = [(p, term) for p, term, df in zip(phrases, terms, holding, strict=True) if df]
    taken: list[_Phrase] = []
    for phrase, term in sorted(named, key=lambda found: -found[0].length):
        inside = any(t.start <= phrase.start and phrase.start + phrase.length <= t.start + t.length for t in taken)
        if not inside:
            taken.append(phrase)
            yield phrase, corpus.named.postings(term)[0]


def title_fit(corpus: Corpus, question: str, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Memories whose title the question names: 1, or 0.6 for a title of one word."""
    fits: dict[int, float] = {}
    for phrase, holders in _titles(corpus, _phrases(question, capital=False)):
        fits |= {row: max(fits.get(row, 0.0), 1.0 if phrase.length > 1 else 0.6) for row in holders.tolist()}
    return {"title": np.array([fits.get(row, 0.0) for row in rows.tolist()], np.float32)} if fits else {}


@dataclass(slots=True)
class Pulled:
    """What the best hits lead to: row -> how strongly."""

    link: dict[int, float] = field(default_factory=dict)
    second: dict[int, float] = field(default_factory=dict)

    @property
    def rows(self) -> np.ndarray:
        return np.array(sorted(self.link.keys() | self.second.keys()), np.int64)

    def parts(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Contributions to the sum of some rows."""
        return {
            name: np.array([WEIGHTS[name] * values.get(row, 0.0) for row in rows.tolist()], np.float32)
            for name, values in (("link", self.link), ("second", self.second))
            if values and WEIGHTS[name]
        }


def pulled(corpus: Corpus, query: "Query", found: "Found") -> Pulled:
    """Follow the titles that the best hits name, and ask again for what each of them left uncovered."""
    best = found.best(SEEDS)
    trust = np.exp((found.total[best] - found.total[best[0]]) / 2)
    notes = ~corpus.columns.dialogue[found.rows[best]]
    seeds, trust = found.rows[best][notes], trust[notes]
    result = Pulled()
    if len(seeds) == 0:
        return result
    asked = {name_term(phrase.key) for phrase in _phrases(query.vectors.text, capital=False)}
    words = _Words(corpus, query)
    for seed, p, (text, title) in zip(seeds.tolist(), trust.tolist(), query.entries(seeds), strict=True):
        _follow(corpus, seed, p, text, title, result.link)
        _ask_again(corpus, words, seed, p, asked, result.second)
    return result


def _follow(corpus: Corpus, seed: int, trust: float, text: str, title: str | None, reached: dict[int, float]) -> None:
    """Links from a hit to the memories whose title it names, and back from those that name its own title."""
    for phrase, holders in _titles(corpus, _phrases(text, capital=True)):
        common = int(corpus.named.df([name_term(phrase.key)])[0])
        weight = trust / len(holders) / max(1.0, np.log2(1 + common) / 2)
        _raise(reached, holders[holders != seed], weight)
    if title is not None:
        namers = corpus.named.postings(name_term(title))[0]
        namers = namers[(namers != seed) & ~corpus.columns.dialogue[namers]]
        _raise(reached, namers, REVERSED * trust / max(1.0, np.log2(1 + len(namers)) / 2))


class _Words:
    """The words of a question, and which memories hold each."""

    def __init__(self, corpus: Corpus, query: "Query") -> None:
        terms = QueryTerms.of(query.vectors, cues=False)
        holding = corpus.terms.df(terms.ids)
        self.ids, self.idf = terms.ids[holding > 0], idf_of(holding, corpus.documents)[holding > 0]
        self.holders = [corpus.terms.postings(term)[0] for term in self.ids.tolist()]


def _ask_again(
    corpus: Corpus, words: _Words, seed: int, trust: float, asked: set[int], reached: dict[int, float]
) -> None:
    """The words that a hit does not hold, asked of memories that share one of its rarest names."""
    left = np.array([seed not in holders[np.searchsorted(holders, seed) :][:1] for holders in words.holders], bool)
    names, holding = _linking(corpus, corpus.names.rows(np.array([seed]))[0])
    fresh = ~np.isin(names, list(asked))
    names, holding = names[fresh], holding[fresh]
    if not left.any() or len(names) == 0:
        return
    score = corpus.terms.bm25(words.ids[left], words.idf[left])
    rarest = np.argsort(holding, kind="stable")[:RAREST]
    for name, rarity in zip(names[rarest].tolist(), idf_of(holding[rarest], corpus.documents).tolist(), strict=True):
        sharers = corpus.named.postings(name)[0]
        for row in sharers[(sharers != seed) & ~corpus.columns.dialogue[sharers]].tolist():
            reached[row] = max(reached.get(row, 0.0), float(np.sqrt(trust)) * (float(score[row]) + ENTITY * rarity))


def page_rank(corpus: Corpus, query: "Query", found: "Found") -> dict[str, np.ndarray]:
    """Personalised PageRank over the candidates and the names they share, standardised.

    It restarts half at the names in the question and half at the best hits; a walk goes from a memory to its names and
    from a name to its memories, both in proportion to the rarity of the name.
    """
    if not WEIGHTS["rank"] or len(found.rows) < 2:
        return {}
    m = len(found.rows)
    names, lengths = corpus.names.rows(found.rows)
    owner = np.repeat(np.arange(m), lengths)
    distinct, name = np.unique(names, return_inverse=True)
    kept, holding = _linking(corpus, distinct, keep=True)
    weights = np.where(kept, np.log(corpus.documents / np.maximum(holding, 1)), 0.0)[name]
    weights[corpus.columns.dialogue[found.rows][owner]] = 0.0
    if not (weights > 0).any():
        return {}
    asked = {name_term(phrase.key) for phrase in _phrases(query.vectors.text, capital=False)}
    restart = np.zeros(m)
    best = found.best(RESTARTS)
    restart[best] = np.exp((found.total[best] - found.total[best[0]]) / 2)
    restart /= restart.sum()
    of_names = np.where(np.isin(distinct, list(asked)) & kept, np.log(corpus.documents / np.maximum(holding, 1)), 0.0)
    if of_names.sum() > 0:
        restart, of_names = restart / 2, of_names / (2 * of_names.sum())
    forth = weights / np.maximum(np.bincount(owner, weights, m), 1e-9)[owner]
    back = weights / np.maximum(np.bincount(name, weights, len(distinct)), 1e-9)[name]
    mass, on_names = restart.copy(), of_names.copy()
    for _ in range(STEPS):
        mass, on_names = (
            (1 - DAMPING) * restart + DAMPING * np.bincount(owner, back * on_names[name], m),
            (1 - DAMPING) * of_names + DAMPING * np.bincount(name, forth * mass[owner], len(distinct)),
        )
    rank = np.log(mass + FLOOR)
    part = (rank - rank.mean()) / max(float(rank.std()), 1e-6)
    part[corpus.columns.dialogue[found.rows]] = 0.0
    return {"rank": (WEIGHTS["rank"] * part).astype(np.float32)}


def _linking(corpus: Corpus, names: np.ndarray, *, keep: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """The names that at least two memories share and not too many, and how many do.

    Parameters
    ----------
    keep : bool
        Answer with a mask over all names, in place of those that link.
    """
    holding = corpus.named.df(names)
    kept = (holding >= 2) & (holding <= max(20, SHARED * corpus.documents))
    return (kept, holding) if keep else (names[kept], holding[kept])


def _raise(reached: dict[int, float], rows: np.ndarray, weight: float) -> None:
    for row in rows.tolist():
        reached[row] = max(reached.get(row, 0.0), weight)
