"""Links between named things: a hit that names another memory's title leads to it.

Paragraphs about people, places and things answer a question together: one names the next. Links fire on names only,
never on likeness, and only among notes: two turns of a dialogue that name one person do not answer one question.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from context_graph.embed.lexical import name_term
from context_graph.index.columns import found_in
from context_graph.index.corpus import Corpus
from context_graph.retrieval.entity_linking import Title, Words, common, titles_in
from context_graph.retrieval.scores import QueryTerms, bm25_terms, idf_of
from context_graph.retrieval.types import CandidatePool, Query, Sources

__all__ = ["Pulled", "page_rank", "pulled", "title_fit"]

LINK_SEEDS = 5
"""Best hits that links start from."""

HALF_AMONG = 50
"""Memories of which what is asked again counts half: a dozen notes of one person share a name by chance."""

COMPARED = 0.2
"""Share of `second` that is left where the question itself names two titles or more: it knows its steps."""

PULLED = 32
"""Memories that were no candidates and join them, the most strongly pulled: each costs as much as a candidate."""

REVERSED = 0.3
"""Share of a link's weight that goes back, from the named memory to the naming one."""

ENTITY = 0.5
"""What the rarity of a shared name counts beside the words of a second question."""

PARAGRAPH = 20
"""Words from which a memory may be what a hit leads to by a shared name alone: it says more than one thing of what it
names. Of two statements about Japan one answers what the other does not only where it has a word of the question."""

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

    def __init__(self, memories: int, most: float, weights: Mapping[str, float]) -> None:
        self.link, self.second, self.edges = (np.zeros(memories, np.float32) for _ in range(3))
        self.most, self._weights = most, weights

    def fresh(self, mask: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """The most strongly pulled rows of a mask that are no candidates yet: sorted, int64 (at most `PULLED`,)."""
        rows = np.flatnonzero(mask & ((self.link > 0) | (self.second > 0) | (self.edges > 0)))
        rows = rows[~found_in(rows, np.sort(candidates))]
        strength = sum(self.parts(rows).values(), np.zeros(len(rows), np.float32))
        return np.sort(rows[np.argsort(-strength, kind="stable")[:PULLED]])

    def parts(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Contributions to the sum of some rows."""
        named = {"link": self.link, "second": self.second, "edges": self.edges}
        return {
            name: np.float32(min(self._weights[name], self.most)) * values[rows]
            for name, values in named.items()
            if self._weights[name] and values.any()
        }


def pulled(corpus: Corpus, query: Query, pool: CandidatePool, sources: Sources) -> Pulled:
    """Follow the titles that the best hits name, and ask again for what each of them left uncovered."""
    best = pool.best(LINK_SEEDS)
    trust = np.exp((pool.total[best] - pool.total[best[0]]) / 2)
    result = Pulled(len(corpus), max(float(pool.total[best[0]]), 0.0), query.config.links)
    if query.config.links["edges"]:
        for row, weight in sources.neighbours(pool.rows[best], trust).items():
            result.edges[row] = weight
    notes = _notes(corpus, pool.rows[best])
    seeds, trust = pool.rows[best][notes], trust[notes]
    if len(seeds) == 0 or query.named is None:
        return result
    entries = sources.entries(seeds)
    titles = titles_in(corpus, [Words.of(text) for text, _ in entries], capital=True)
    for seed, p, (_, title), named in zip(seeds.tolist(), trust.tolist(), entries, titles, strict=True):
        _follow(corpus, query.mask, seed, p, named, title, result.link)
    _ask_again(corpus, query, query.named.names, (seeds, trust.astype(np.float32)), result.second)
    scale = pool.scales.get(("words", 0))
    result.second *= COMPARED if len(query.named.titles) > 1 else 1.0
    result.second /= scale.deviation if scale is not None else 1.0
    result.second *= corpus.documents / (corpus.documents + HALF_AMONG)
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


def _ask_again(
    corpus: Corpus, query: Query, linked_names: np.ndarray, hits: tuple[np.ndarray, np.ndarray], reached: np.ndarray
) -> None:
    """The words that each hit does not hold, asked of memories that share one of its rarest names.

    Parameters
    ----------
    linked_names : int64
        Names in the question.
    hits : (int64 (k,), float32 (k,))
        Rows, and how far each is trusted.
    """
    seeds, trust = hits
    terms = QueryTerms.of(query.vectors, cues=False, renamed=False)  # who has one name of a thing needs no other
    holding = corpus.terms.df(terms.ids)
    query_terms, idf = terms.ids[holding > 0], idf_of(holding, corpus.documents)[holding > 0]
    left = corpus.terms.table(query_terms, seeds) == 0
    names, lengths = corpus.named.terms_of(seeds)
    shared = corpus.named.df(names)
    fresh = (shared >= 2) & (shared <= common(corpus)) & ~found_in(names, linked_names)
    seed_of = np.repeat(np.arange(len(seeds)), lengths)
    sharers, name_idfs = [], []
    for i in range(len(seeds)):
        of_seed = np.flatnonzero(fresh & (seed_of == i)) if left[i].any() else np.zeros(0, np.int64)
        rarest = of_seed[np.argsort(shared[of_seed], kind="stable")[:RAREST]]
        postings = [corpus.named.postings(name)[0] for name in names[rarest].tolist()]
        name_idf = np.repeat(idf_of(shared[rarest], corpus.documents), [len(part) for part in postings])
        rows = np.concatenate([np.zeros(0, np.int64), *postings])
        kept = (rows != seeds[i]) & _notes(corpus, rows)
        sharers.append(rows[kept])
        name_idfs.append(name_idf[kept])
    everyone = np.unique(np.concatenate(sharers))
    if len(everyone) == 0:
        return
    table = corpus.terms.table(query_terms, everyone)
    by_term = bm25_terms(table.T, corpus.columns.length[everyone], idf, corpus.terms.average_length)
    for i, (rows, name_idf) in enumerate(zip(sharers, name_idfs, strict=True)):
        score = by_term[left[i]].sum(axis=0)[np.searchsorted(everyone, rows)]
        name_idf = name_idf * ((score > 0) | (corpus.columns.length[rows] >= PARAGRAPH))
        np.maximum.at(reached, rows, np.sqrt(trust[i]) * (score + np.float32(ENTITY) * name_idf))


def page_rank(corpus: Corpus, query: Query, pool: CandidatePool) -> dict[str, np.ndarray]:
    """Personalised PageRank over the candidates and the names they share, standardised.

    It restarts half at the names in the question and half at the best hits; a walk goes from a memory to its names and
    from a name to its memories, both in proportion to the rarity of the name.
    """
    notes = np.flatnonzero(_notes(corpus, pool.rows))
    weight = query.config.links["rank"]
    if not weight or len(notes) < 2 or query.named is None:
        return {}
    seeds = np.zeros(len(pool.rows))
    best = pool.best(RESTARTS)
    seeds[best] = np.exp((pool.total[best] - pool.total[best[0]]) / 2)
    mass = corpus.named.pagerank(
        pool.rows[notes], seeds[notes], terms=query.named.names, most=common(corpus), damping=DAMPING, steps=STEPS
    )
    if mass is None:
        return {}
    rank = np.log(mass + FLOOR)
    part = np.zeros(len(pool.rows), np.float32)
    part[notes] = weight * (rank - rank.mean()) / max(float(rank.std()), 1e-6)
    return {"rank": part}


def _notes(corpus: Corpus, rows: np.ndarray) -> np.ndarray:
    """Which rows links may touch: neither turns of a dialogue nor programs, whose names mean something else."""
    others: np.ndarray = corpus.columns.dialogue[rows].copy()
    for kind in corpus.kind_of.values():
        others |= getattr(corpus.forms, kind)[rows]
    return ~others


def _raise(reached: np.ndarray, rows: np.ndarray, weight: float | np.ndarray) -> None:
    reached[rows] = np.maximum(reached[rows], weight)
