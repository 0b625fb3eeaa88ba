"""The memories of the store in E8: spread over the edges when they are asked for, anew only near what changed."""

from collections.abc import Callable, Collection, Sequence
from zlib import crc32

import numpy as np

from context_graph.derived.view import IndexedView, view
from context_graph.embed import graph
from context_graph.embed.experts import WIDTH
from context_graph.embed.graph import MAX_EDGES_PER_NODE, STEPS
from context_graph.index.columns import Columns
from context_graph.index.corpus import Corpus
from context_graph.models import Microseconds, NodeKind
from context_graph.retrieval import fused_vectors
from context_graph.store import Change, Reader
from context_graph.visibility import ANYONE, answers

__all__ = ["GraphSpace"]

NODES_AT_ONCE = 256
"""Nodes that take a step together: what they and their neighbours had before is up to 27 MB."""

LEVELS = tuple(f"level{step}" for step in range(1, STEPS + 1))


@view("graph_space", "store", "clock")
class GraphSpace(IndexedView):
    """E8 of a store, in RAM and of float16: 3 KB for each step of each memory and name.

    Who takes part are memories that anyone may see, of scope user, as long as they are live and valid, and names of
    that scope. So what is forgotten, or kept for one session, shifts nothing that another sees; a memory of narrower
    scope has its own vector. Edges between two names are left out: a memory said them, and which one is not kept.
    """

    def __init__(self, store: Reader, clock: Callable[[], Microseconds]) -> None:
        self._store, self._clock = store, clock
        super().__init__()

    def rebuild(self) -> None:
        self._news: set[str] = set()
        self._renewed: set[str] = set()
        self._places: dict[str, int] = {}
        self._shown = np.zeros(0, bool)
        self._nodes = Columns(
            row="i8", member="?", created="i8", tie="u4",
            picks=f"({MAX_EDGES_PER_NODE},)i4", weights=f"({MAX_EDGES_PER_NODE},)f4",
            **dict.fromkeys(LEVELS, f"({WIDTH},)f2"),
        )  # fmt: skip

    @property
    def nbytes(self) -> int:
        """Bytes in RAM."""
        return self._nodes.nbytes

    # What changes

    def apply(self, change: Change) -> None:
        if change.table == "edges":
            self._news |= self._ends(change)
        elif change.table in ("nodes", "vectors"):
            self._news.add(change.id)
            if change.table == "vectors":
                self._renewed.add(change.id)

    def _ends(self, change: Change) -> set[str]:
        row = change.after or change.before or {}
        if "source" in row:
            return {row["source"], row["target"]}
        edge = self._store.edge(change.id)  # None once it is deleted, which another event tells
        return set() if edge is None else {edge.source, edge.target}

    # What is asked

    def vectors(self, corpus: Corpus, rows: np.ndarray) -> np.ndarray:
        """Some memories in E8: float32 (m, 1536), of unit length."""
        with self._taking_in(corpus):
            self._refresh(corpus)
            found = self._fused(corpus, rows)
            places = np.array([self._places.get(corpus.ids[row], -1) for row in rows.tolist()], np.int64)
            inside = np.flatnonzero(places >= 0)
            inside = inside[self._nodes.member[places[inside]]]
            found[inside] = getattr(self._nodes, LEVELS[-1])[places[inside]]
            return found

    def _fused(self, corpus: Corpus, rows: np.ndarray) -> np.ndarray:
        assert corpus.embedder is not None  # only tests of the index have none
        return fused_vectors.vectors(corpus, rows, corpus.embedder.tier)

    def _refresh(self, corpus: Corpus) -> None:
        news, renewed = self._news, self._renewed
        self._news, self._renewed = set(), set()
        shown = corpus.visible(ANYONE, now=self._clock())
        before = np.pad(self._shown, (0, len(shown) - len(self._shown)))
        flipped = {corpus.ids[row] for row in np.flatnonzero(shown != before).tolist()}
        self._shown = shown
        if news or flipped:
            self._take_in(corpus, news | flipped, renewed)

    def _take_in(self, corpus: Corpus, news: set[str], renewed: set[str]) -> None:
        """Choose edges anew for what changed and for the neighbours of what came or went, then spread from there."""
        store = self._store
        reached = store.reached(news)
        ends = {end for source, target, _ in reached for end in (source, target)}
        flipped = self._admit(corpus, news | {end for end in ends if end not in self._places})
        touched = flipped - news
        for source, target, _ in reached:
            for near, far in ((source, target), (target, source)):
                if near in flipped and far not in news:
                    touched.add(far)
        moved = self._choose(news, reached)
        if touched:
            moved += self._choose(touched, store.reached(touched))
        own = [place for id in flipped | renewed if (place := self._places.get(id)) is not None]
        self._spread(corpus, np.array(moved, np.int64), np.array(own, np.int64))

    def _admit(self, corpus: Corpus, ids: Collection[str]) -> set[str]:
        """Let in and out who may and may no longer take part; returns those that came or went."""
        rows = {id: row for id in ids if (row := corpus.row_of.get(id)) is not None}
        may = {id: bool(self._shown[row]) for id, row in rows.items() if row < len(self._shown)}
        created = {id: int(corpus.columns.created_at[row]) for id, row in rows.items()}
        for node in self._store.nodes(id for id in ids if id not in rows):
            if node.kind == NodeKind.CONCEPT:
                may[node.id] = answers(node, ANYONE)
                created[node.id] = node.created_at
        fresh = [id for id, allowed in may.items() if allowed and id not in self._places]
        first = len(self._places)
        self._places |= {id: first + i for i, id in enumerate(fresh)}
        self._nodes.append(
            row=[rows.get(id, -1) for id in fresh], member=np.zeros(len(fresh), bool),
            created=[created[id] for id in fresh], tie=[crc32(id.encode()) for id in fresh],
            picks=np.full((len(fresh), MAX_EDGES_PER_NODE), -1), weights=np.zeros((len(fresh), MAX_EDGES_PER_NODE)),
            **{level: np.zeros((len(fresh), 1), np.float16) for level in LEVELS},
        )  # fmt: skip
        changed = set()
        for id in ids:
            place = self._places.get(id)
            if place is not None and self._nodes.member[place] != may.get(id, False):
                self._nodes.member[place] = may.get(id, False)
                changed.add(id)
        return changed

    def _choose(self, ids: Collection[str], reached: Sequence[tuple[str, str, float]]) -> list[int]:
        """Choose the strongest edges of some nodes, from all that touch them; returns where that may change whom a
        node hears: of nodes that choose otherwise now, and of those that they chose before or choose now."""
        nodes, n = self._nodes, len(self._places) + 1
        places = np.array(sorted(place for id in ids if (place := self._places.get(id)) is not None), np.int64)
        queried = np.zeros(n, bool)  # the last is of all that never took part
        queried[places] = True
        ends = np.array([[self._places.get(end, -1) for end in edge[:2]] for edge in reached], np.int64).reshape(-1, 2)
        weights = np.array([weight for _, _, weight in reached], np.float64)
        weights = np.where(queried[ends].all(axis=1), weights / 2, weights)  # an edge between two of them comes twice
        owner, other = np.concatenate([ends, ends[:, ::-1]]).T
        known = queried[owner] & (other >= 0) & (owner != other)
        owner, other, weights = owner[known], other[known], np.tile(weights, 2)[known]
        used = nodes.member[owner] & nodes.member[other] & ((nodes.row[owner] >= 0) | (nodes.row[other] >= 0))
        pairs, pair = np.unique(owner[used] * n + other[used], return_inverse=True)
        sums = np.round(np.bincount(pair, weights[used], len(pairs)), 6)  # the same in whatever order they were added
        owner, other = np.divmod(pairs[sums > 0], n)
        sums = sums[sums > 0]
        order = np.lexsort((nodes.tie[other], nodes.created[other], -sums, owner))
        owner, other, sums = owner[order], other[order], sums[order]
        rank = np.arange(len(owner)) - np.searchsorted(owner, owner)
        kept = rank < MAX_EDGES_PER_NODE
        at = np.searchsorted(places, owner[kept]), rank[kept]
        picks = np.full((len(places), MAX_EDGES_PER_NODE), -1, np.int32)
        chosen = np.zeros((len(places), MAX_EDGES_PER_NODE), np.float32)
        picks[at], chosen[at] = other[kept], sums[kept]
        before = nodes.picks[places]
        differ = ((picks != before) | (chosen != nodes.weights[places])).any(axis=1)
        nodes.picks[places], nodes.weights[places] = picks, chosen
        before, picks = before[differ], picks[differ]
        lost, gained = ((a >= 0) & ~_within(a, b) for a, b in ((before, picks), (picks, before)))
        return [*places[differ].tolist(), *before[lost].tolist(), *picks[gained].tolist()]

    def _joined(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Nodes that each chose, and the weights of the edges, 0 where it was not chosen by them: (m, 16) each."""
        others = self._nodes.picks[places].astype(np.int64)
        mutual = (others >= 0) & (self._nodes.picks[others] == places[:, None, None]).any(axis=2)
        return np.maximum(others, 0), np.where(mutual, self._nodes.weights[places], np.float32(0))

    def _around(self, places: np.ndarray) -> np.ndarray:
        others, weights = self._joined(places)
        return np.union1d(places, others[weights > 0])

    def _spread(self, corpus: Corpus, moved: np.ndarray, own: np.ndarray) -> None:
        """Take every step anew where it differs: the first where edges changed, and in and around nodes whose own
        vector did; each other one also around those."""
        places = np.union1d(moved, self._around(own))
        for step, level in enumerate(LEVELS):
            places = self._around(places) if step else places
            for start in range(0, len(places), NODES_AT_ONCE):
                part = places[start : start + NODES_AT_ONCE]
                getattr(self._nodes, level)[part] = self._stepped(corpus, part, step)

    def _stepped(self, corpus: Corpus, places: np.ndarray, step: int) -> np.ndarray:
        others, weights = self._joined(places)
        heard = np.union1d(places, others[weights > 0])
        own = self._own(corpus, places if step else heard)
        before = getattr(self._nodes, LEVELS[step - 1])[heard].astype(np.float32) if step else own
        here, there = np.searchsorted(heard, places), np.searchsorted(heard, np.where(weights > 0, others, heard[0]))
        found = graph.stepped(before, here, own if step else own[here], there, weights)
        return graph.unit(found) if step == STEPS - 1 else found

    def _own(self, corpus: Corpus, places: np.ndarray) -> np.ndarray:
        """The fused vector of each: float32 (m, 1536), zero for names and for what takes no part."""
        found = np.zeros((len(places), WIDTH), np.float32)
        held = np.flatnonzero((self._nodes.row[places] >= 0) & self._nodes.member[places])
        found[held] = self._fused(corpus, self._nodes.row[places[held]])
        return found


def _within(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Which values of each row are among the others of the same row: bool, of the shape of `values`."""
    found: np.ndarray = (values[:, :, None] == others[:, None, :]).any(axis=2)
    return found
