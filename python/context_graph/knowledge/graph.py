"""The documents of a project as a directed graph, and what is asked of it."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Literal
from unicodedata import normalize

import numpy as np

from context_graph.knowledge.document import Broken, Document
from context_graph.knowledge.links import Resolver, Target
from context_graph.knowledge.markdown import Link
from context_graph.models import Microseconds

__all__ = ["Direction", "DocumentGraph", "DocumentNode", "Edge"]

Direction = Literal["forwards", "backwards", "either"]
"""How links are followed on a way."""

DAMPING = 0.85
"""Of PageRank: how often a reader follows a link rather than opening any document."""

MAX_RANK_ROUNDS = 200
TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True)
class DocumentNode:
    """A document with the id and the times of its record."""

    id: str
    document: Document
    modified: Microseconds


@dataclass(frozen=True, slots=True)
class Edge:
    """A link from one document to another; both by their places in `DocumentGraph.nodes`."""

    source: int
    target: int
    link: Link


class DocumentGraph:
    """The documents of one project; nothing of it changes.

    Parameters
    ----------
    nodes : iterable of DocumentNode
        Of distinct paths.
    before : DocumentGraph, optional
        Of the same project: where the paths are the same, only links are followed anew that may lead elsewhere now.

    Attributes
    ----------
    nodes : list of DocumentNode
        By path.
    edges : list of Edge
        Every link from a document to another one; of two documents there may be several.
    """

    def __init__(self, nodes: Iterable[DocumentNode], *, before: "DocumentGraph | None" = None) -> None:
        self.nodes = sorted(nodes, key=lambda node: node.document.path)
        self.places = {node.id: place for place, node in enumerate(self.nodes)}
        self.by_path = {node.document.path: place for place, node in enumerate(self.nodes)}
        self.edges: list[Edge] = []
        self._nowhere: list[tuple[str, Link, str]] = []
        self._files: list[tuple[str, Link, str]] = []
        self._targets = self._resolved(before)
        for source, (node, targets) in enumerate(zip(self.nodes, self._targets, strict=True)):
            path = node.document.path
            for link, target in zip(node.document.links, targets, strict=True):
                if target.path is not None and target.path != path:
                    self.edges.append(Edge(source, self.by_path[target.path], link))
                if target.file is not None:
                    self._files.append((path, link, target.file))
                elif target.reason:
                    self._nowhere.append((path, link, target.reason))

    def _resolved(self, before: "DocumentGraph | None") -> list[list[Target]]:
        """By place what each link of a document leads to."""
        if before is None or before.by_path != self.by_path:
            self._resolver = Resolver({node.document.path: node.document.headings for node in self.nodes})
            return [self._followed(node) for node in self.nodes]
        pairs = list(zip(self.nodes, before.nodes, strict=True))
        other_headings = {
            node.document.path: node.document.headings
            for node, old in pairs
            if node.document is not old.document and node.document.headings != old.document.headings
        }
        self._resolver = before._resolver.with_headings(other_headings) if other_headings else before._resolver
        return [
            targets
            if node.document is old.document and not any(target.path in other_headings for target in targets)
            else self._followed(node)
            for (node, old), targets in zip(pairs, before._targets, strict=True)
        ]

    def _followed(self, node: DocumentNode) -> list[Target]:
        return [self._resolver.target(node.document.path, link) for link in node.document.links]

    @cached_property
    def outgoing(self) -> list[list[Edge]]:
        """By place, the links of a document."""
        by_place: list[list[Edge]] = [[] for _ in self.nodes]
        for edge in self.edges:
            by_place[edge.source].append(edge)
        return by_place

    @cached_property
    def incoming(self) -> list[list[Edge]]:
        """By place, the links to a document."""
        by_place: list[list[Edge]] = [[] for _ in self.nodes]
        for edge in self.edges:
            by_place[edge.target].append(edge)
        return by_place

    @cached_property
    def pairs(self) -> set[tuple[int, int]]:
        """Which document links to which, each pair once: what is counted as an edge."""
        return {(edge.source, edge.target) for edge in self.edges}

    @cached_property
    def hash(self) -> str:
        """Of all that answers follow from: another one after every change."""
        digest = sha256()
        for node in self.nodes:
            digest.update(f"{node.id} {node.document.hash} {node.document.path} {node.modified}\n".encode())
        return digest.hexdigest()

    def place_of(self, *, id: str | None = None, path: str | None = None) -> int | None:
        """The place of a document by its id or its path, whether that has its accents composed or not."""
        if id is not None:
            return self.places.get(id)
        if path is None:
            return None
        path = path.strip().removeprefix("./")
        return self.by_path.get(path, self._by_composed_path.get(normalize("NFC", path)))

    @cached_property
    def _by_composed_path(self) -> dict[str, int]:
        return {normalize("NFC", path): place for path, place in self.by_path.items()}

    # What is wrong

    def broken(
        self, exists: Callable[[str], bool], has_file: Callable[[str], bool] = lambda name: False
    ) -> list[Broken]:
        """The links that lead nowhere, by document and line.

        Parameters
        ----------
        exists : callable
            Whether a file or folder of the project is there, by its path.
        has_file : callable, optional
            Whether a file is there by its name or the end of its path, as Obsidian finds attachments; asked of wiki
            links and embeds alone.
        """
        known: dict[str, bool] = {}
        broken = [Broken(path, _written(link), link.line, reason) for path, link, reason in self._nowhere]
        for path, link, file in self._files:
            if file not in known:
                known[file] = exists(file)
            if not known[file] and not (link.type != "markdown" and has_file(link.target)):
                broken.append(Broken(path, _written(link), link.line, f"no file {file}"))
        return sorted(broken, key=lambda one: (one.source, one.line, one.target))

    @cached_property
    def orphans(self) -> list[int]:
        """The documents that no other links to, and that link to none."""
        joined = {place for pair in self.pairs for place in pair}
        return [place for place in range(len(self.nodes)) if place not in joined]

    # Measures

    @cached_property
    def by_type(self) -> dict[str, int]:
        return dict(sorted(Counter(node.document.type for node in self.nodes).items()))

    @cached_property
    def by_status(self) -> dict[str, int]:
        return dict(sorted(Counter(node.document.status for node in self.nodes).items()))

    @cached_property
    def tags(self) -> dict[str, list[int]]:
        """The places of each tag, by its spelling in the first document; case makes no difference."""
        spelling: dict[str, str] = {}
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, node in enumerate(self.nodes):
            for tag in node.document.tags:
                places[spelling.setdefault(tag.casefold(), tag)].append(place)
        return dict(sorted(places.items(), key=lambda item: (-len(item[1]), item[0].casefold())))

    @property
    def density(self) -> float:
        """Edges among all pairs that could have one."""
        n = len(self.nodes)
        return len(self.pairs) / (n * (n - 1)) if n > 1 else 0.0

    @cached_property
    def components(self) -> list[list[int]]:
        """The parts that links join, in whatever direction; the largest first."""
        near = self._near
        unseen, parts = set(range(len(self.nodes))), []
        for start in range(len(self.nodes)):
            if start in unseen:
                unseen.discard(start)
                part, ahead = [start], deque([start])
                while ahead:
                    fresh = near[ahead.popleft()] & unseen
                    unseen -= fresh
                    part += fresh
                    ahead += fresh
                parts.append(sorted(part))
        return sorted(parts, key=lambda part: (-len(part), part[0]))

    @cached_property
    def degree(self) -> np.ndarray:
        """How many edges each document has: int (n,)."""
        count = np.zeros(len(self.nodes), int)
        for pair in self.pairs:
            count[list(pair)] += 1
        return count

    @cached_property
    def degree_centrality(self) -> np.ndarray:
        """The degree of each document over the other documents: float (n,)."""
        centrality: np.ndarray = self.degree / max(1, len(self.nodes) - 1)
        return centrality

    @cached_property
    def page_rank(self) -> np.ndarray:
        """How often a reader who follows links is at each document: float (n,), sum 1."""
        n = len(self.nodes)
        if not n:
            return np.zeros(0)
        ends = np.array(sorted(self.pairs), int).reshape(-1, 2)
        outgoing = np.bincount(ends[:, 0], minlength=n)
        rank: np.ndarray = np.full(n, 1 / n)
        for _ in range(MAX_RANK_ROUNDS):
            share = np.divide(rank, outgoing, out=np.zeros(n), where=outgoing > 0)
            passed = np.bincount(ends[:, 1], weights=share[ends[:, 0]], minlength=n)
            follows: np.ndarray = DAMPING * (passed + rank[outgoing == 0].sum() / n) + (1 - DAMPING) / n
            if np.abs(follows - rank).sum() < TOLERANCE:
                break
            rank = follows
        return rank

    # Ways

    @cached_property
    def _near(self) -> list[set[int]]:
        near: list[set[int]] = [set() for _ in self.nodes]
        for source, target in self.pairs:
            near[source].add(target)
            near[target].add(source)
        return near

    def neighbourhood(self, start: int, depth: int, limit: int) -> list[int]:
        """The documents within so many links of one, in either direction: the nearest first, without itself."""
        reached, ahead = {start: 0}, deque([start])
        while ahead and len(reached) <= limit:
            place = ahead.popleft()
            if reached[place] == depth:
                break
            for other in sorted(self._near[place] - reached.keys()):
                reached[other] = reached[place] + 1
                ahead.append(other)
        return list(reached)[1 : limit + 1]

    def path(self, start: int, end: int) -> list[int]:
        """A shortest way from one document to another along the direction of links; empty where there is none."""
        return _shortest(start, end, lambda place: {edge.target for edge in self.outgoing[place]})

    def way(self, start: int, end: int) -> tuple[list[int], Direction]:
        """A shortest way between two documents: along links, else along links back, else along links of either
        direction; empty where no link joins their parts.
        """
        if steps := self.path(start, end):
            return steps, "forwards"
        if steps := self.path(end, start):
            return steps[::-1], "backwards"
        return _shortest(start, end, self._near.__getitem__), "either"


def _shortest(start: int, end: int, near: Callable[[int], set[int]]) -> list[int]:
    """A shortest way from one place to another; empty where there is none."""
    came: dict[int, int] = {start: start}
    ahead = deque([start])
    while ahead and end not in came:
        place = ahead.popleft()
        for other in sorted(near(place) - came.keys()):
            came[other] = place
            ahead.append(other)
    return list(_back(came, start, end))[::-1] if end in came else []


def _back(came: Mapping[int, int], start: int, end: int) -> Iterator[int]:
    yield end
    while end != start:
        end = came[end]
        yield end


def _written(link: Link) -> str:
    return f"{link.target}#{link.heading}" if link.heading else link.target
