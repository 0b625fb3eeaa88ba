"""Links between named things: a hit that names another memory's title leads to it.

Paragraphs about people, places and things answer a question together: one names the next. Links fire on names only,
never on likeness, and only among notes: two turns of a dialogue that name one person do not answer one question.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed.lexical import name_term
from context_graph.retrieval import fusion
from context_graph.retrieval.columns import found_in
from context_graph.retrieval.corpus import Corpus
from context_graph.retrieval.named import Title, Words, common, titles_in
from context_graph.retrieval.scores import QueryTerms, idf_of

if TYPE_CHECKING:
    from context_graph.retrieval.pipeline import Found, Query

__all__ = ["WEIGHTS", "Pulled", "page_rank", "pulled", "title_fit"]

SEEDS = 5
"""Best hits that links start from."""

WEIGHTS = {"link": 12.0, "second": 2.5, "rank": 0.5, "edges": 0.0}
"""What a link from the best hit adds to the sum; the weights of what a second question finds, in deviations of BM25, of
the standardised PageRank, and of what edges of the graph lead to."""

COMPARED = 0.2
"""Share of `second` that is left where the question itself names two titles or more: it knows its steps."""

PULLED = 32
"""Memories that were no candidates and join them, the most strongly pulled: each costs as much as a candidate."""

REVERSED = 0.3
"""Share of a link's weight that goes back, from the named memory to the naming one."""

ENTITY = 0.5
"""What the rarity of a shared name counts beside the words of a second question."""

RAREST = 8
"""Names of a hit that its second question follows."""

DAMPING, STEPS, FLOOR, RESTARTS = 0.5, 8, 1e-5, 20  # 8 steps: 0.5^8 of the mass is left to move


def title_fit(corpus: Corpus, titles: Sequence[Title], rows: np.ndarray) -> dict[str, np.ndarray]:
    """Memories whose title the question names: 1, or 0.6 for a title of one word."""
    fits: dict[int, float] = {}
    for title in titles:
        holders = title.holders[_notes(corpus, title.holders)]
        fits |= {row: max(fits.get(row, 0.0), 1.0 if title.words > 1 else 0.6) for row in holders.tolist()}
    return {"title": np.array([fits.get(row, 0.0) for row in rows.tolist()], np.float32)} if fits else {}


class Pulled:
    """What the best hits lead to: how strongly, for every memory.

    Attributes
    ----------
    link, second, edges : float32 (n,)
        By titles that a hit names, by second questions, by edges of the graph.
    most : float
        What a link may add at most: as much as the best hit has, so that it stays ahead of what only it names.
    """

    def __init__(self, memories: int, most: float) -> None:
        self.link, self.second, self.edges = (np.zeros(memories, np.float32) for _ in range(3))
        self.most = most

    def fresh(self, mask: np.ndarray, known: np.ndarray) -> np.ndarray:
        """The most strongly pulled rows of a mask that are not known yet: sorted, int64 (at most `PULLED`,)."""
        rows = np.flatnonzero(mask & ((self.link > 0) | (self.second > 0) | (self.edges > 0)))
        rows = rows[~found_in(rows, np.sort(known))]
        strength = sum(self.parts(rows).values(), np.zeros(len(rows), np.float32))
        return np.sort(rows[np.argsort(-strength, kind="stable")[:PULLED]])

    def parts(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Contributions to the sum of some rows."""
        named = {"link": self.link, "second": self.second, "edges": self.edges}
        return {
            name: np.float32(min(WEIGHTS[name], self.most)) * values[rows]
            for name, values in named.items()
            if WEIGHTS[name] and values.any()
        }


def pulled(corpus: Corpus, query: "Query", found: "Found") -> Pulled:
    """Follow the titles that the best hits name, and ask again for what each of them left uncovered."""
    best = found.best(SEEDS)
    trust = np.exp((found.total[best] - found.total[best[0]]) / 2)
    result = Pulled(len(corpus), max(float(found.total[best[0]]), 0.0))
    if WEIGHTS["edges"] and query.neighbours is not None:
        for row, weight in query.neighbours(found.rows[best], trust).items():
            result.edges[row] = weight
    notes = _notes(corpus, found.rows[best])
    seeds, trust = found.rows[best][notes], trust[notes]
    if len(seeds) == 0:
        return result
    entries = query.entries(seeds)
    titles = titles_in(corpus, [Words.of(text) for text, _ in entries], capital=True)
    asked = _Asked(corpus, query)
    for seed, p, (_, title), named in zip(seeds.tolist(), trust.tolist(), entries, titles, strict=True):
        _follow(corpus, query.mask, seed, p, named, title, result.link)
        _ask_again(corpus, asked, query.named.names, seed, p, result.second)
    scale = found.scales.get("words")
    result.second *= COMPARED if len(query.named.titles) > 1 else 1.0
    result.second /= scale.deviation if scale is not None else 1.0
    return result


def _follow(
    corpus: Corpus,
    mask: np.ndarray,
    seed: int,
    trust: float,
    titles: Sequence[Title],
    title: str | None,
    reached: np.ndarray,
) -> None:
    """Links from a hit to the memories whose title it names, and back from those that name its own title.

    Only what may be answered shares in a link: not what is hidden, and not what was purged since.
    """
    for named in titles:
        holders = named.holders[mask[named.holders]]
        weight = trust / max(1, len(holders)) / max(1.0, np.log2(1 + named.common) / 2)
        _raise(reached, holders[holders != seed], weight)
    if title is not None:
        namers = corpus.named.postings(name_term(title))[0]
        namers = namers[mask[namers] & (namers != seed) & _notes(corpus, namers)]
        _raise(reached, namers, REVERSED * trust / max(1.0, np.log2(1 + len(namers)) / 2))


class _Asked:
    """The words of a question, and which memories hold each."""

    def __init__(self, corpus: Corpus, query: "Query") -> None:
        terms = QueryTerms.of(query.vectors, cues=False)
        holding = corpus.terms.df(terms.ids)
        self.ids, self.idf = terms.ids[holding > 0], idf_of(holding, corpus.documents)[holding > 0]
        self.holders = [corpus.terms.postings(term)[0] for term in self.ids.tolist()]


def _ask_again(
    corpus: Corpus, asked: _Asked, names: frozenset[int], seed: int, trust: float, reached: np.ndarray
) -> None:
    """The words that a hit does not hold, asked of memories that share one of its rarest names."""
    left = np.array([not found_in(seed, holders) for holders in asked.holders], bool)
    shared = corpus.names.rows(np.array([seed]))[0]
    fresh, holding = _linking(corpus, shared)
    fresh &= np.array([name not in names for name in shared.tolist()], bool)
    shared, holding = shared[fresh], holding[fresh]
    if not left.any() or len(shared) == 0:
        return
    rarest = np.argsort(holding, kind="stable")[:RAREST]
    sharers = [corpus.named.postings(name)[0] for name in shared[rarest].tolist()]
    rarity = np.repeat(idf_of(holding[rarest], corpus.documents), [len(rows) for rows in sharers])
    rows = np.concatenate(sharers)
    kept = (rows != seed) & _notes(corpus, rows)
    rows, rarity = rows[kept], rarity[kept]
    score = corpus.terms.bm25(asked.ids[left], asked.idf[left])
    np.maximum.at(reached, rows, np.sqrt(np.float32(trust)) * (score[rows] + np.float32(ENTITY) * rarity))


def page_rank(corpus: Corpus, query: "Query", found: "Found") -> dict[str, np.ndarray]:
    """Personalised PageRank over the candidates and the names they share, standardised.

    It restarts half at the names in the question and half at the best hits; a walk goes from a memory to its names and
    from a name to its memories, both in proportion to the rarity of the name.
    """
    if not WEIGHTS["rank"] or len(found.rows) < 2:
        return {}
    m, notes = len(found.rows), _notes(corpus, found.rows)
    names, lengths = corpus.names.rows(found.rows)
    owner = np.repeat(np.arange(m), lengths)
    kept, holding = _linking(corpus, names)
    kept &= notes[owner] & (holding < corpus.documents)
    if not kept.any():
        return {}
    owner, weights = owner[kept], np.log(corpus.documents / holding[kept])
    distinct, name = np.unique(names[kept], return_inverse=True)
    rarity = np.zeros(len(distinct))
    rarity[name] = weights
    asked = np.array(sorted(query.named.names), np.int64)
    restart = np.zeros(m)
    best = found.best(RESTARTS)
    restart[best] = np.exp((found.total[best] - found.total[best[0]]) / 2)
    restart /= restart.sum()
    of_names = np.where(found_in(distinct, asked), rarity, 0.0)
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
    part[~notes] = 0.0
    return {"rank": (WEIGHTS["rank"] * part).astype(np.float32)}


def _linking(corpus: Corpus, names: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which names at least two memories share and not too many, bool, and how many do."""
    holding = corpus.named.df(names)
    return (holding >= 2) & (holding <= common(corpus)), holding


def _notes(corpus: Corpus, rows: np.ndarray) -> np.ndarray:
    """Which rows links may touch: neither turns of a dialogue nor programs, whose names mean something else."""
    return fusion.kinds_of(corpus, rows) == fusion.KINDS.index("note")


def _raise(reached: np.ndarray, rows: np.ndarray, weight: float | np.ndarray) -> None:
    reached[rows] = np.maximum(reached[rows], weight)
