"""debug_compare_retrieval: one question through several ways to rank."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from context_graph.access import shown, visible_nodes
from context_graph.errors import InvalidInput
from context_graph.models import Caller, EdgeType, Node
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.presentation.nodes import NodeSummary
from context_graph.progress import counted
from context_graph.tools.base import Maybe, NodeRef, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["debug_compare_retrieval"]

MAX_TOP_K = 100
CAUSE_SEEDS = 5
"""Best results from which causes and effects are followed."""

HOPS = 4
Method = Literal["cosine_baseline", "fuse_moe", "causal_pathfinding", "hyperbolic_entailment"]


class DebugCompareRetrievalInput(ToolInput):
    query: str = Field()
    """Query to run with every method."""

    top_k: int = 10
    """Most results to return, at most 100."""

    methods: list[Method] = Field(default=["cosine_baseline", "fuse_moe", "causal_pathfinding"])
    """Meaning alone (E1), the whole retrieval, what causal edges lead to from its best results, what is told of the
    kinds of what the query names."""

    ground_truth_node_ids: Maybe[list[NodeRef]] = None
    """Known-good results, for precision and recall."""


class ComparedResults(WireModel):
    cosine_baseline: list[NodeSummary] | None = None
    fuse_moe: list[NodeSummary] | None = None
    causal_pathfinding: list[NodeSummary] | None = None
    hyperbolic_entailment: list[NodeSummary] | None = None


class ComparedMetrics(WireModel):
    precision: dict[str, float] | None = None
    """By method; only with known-good results."""

    recall: dict[str, float] | None = None
    overlap: float
    """Mean share that two methods have in common (Jaccard)."""

    latency_ms: dict[str, float]


class DebugCompareRetrievalOutput(ToolOutput):
    results: ComparedResults
    metrics: ComparedMetrics
    recommendation: str


@tool(family="diagnostics", title="Debug compare retrieval", tier=3, read_only=True)
def debug_compare_retrieval(
    memory: "Memory", args: DebugCompareRetrievalInput, caller: Caller
) -> DebugCompareRetrievalOutput:
    """One question through several ways to rank, side by side, with how far they agree and, where you name the right
    memories, how well each does. Use when an expected memory does not come first and you want to know why.
    """
    if not args.query.strip():
        raise InvalidInput("Query string is empty; ask in a few words what you are looking for", field="query")
    if not 1 <= args.top_k <= MAX_TOP_K:
        raise InvalidInput(f"top_k must be 1 to {MAX_TOP_K}, got {args.top_k}", field="top_k")
    ranking = _Ranking(memory, args, caller)
    rankings: dict[str, list[Node]] = {}
    took: dict[str, float] = {}
    for method in counted(dict.fromkeys(args.methods), "ranking"):
        started = time.perf_counter()
        rankings[method] = getattr(ranking, method)()
        took[method] = round(1000 * (time.perf_counter() - started), 3)
    max_bytes = ANSWER_BYTES // max(len(rankings), 1)
    views = {method: fitting((NodeSummary.of(node) for node in nodes), max_bytes) for method, nodes in rankings.items()}
    ids = {method: [node.id for node in nodes] for method, nodes in rankings.items()}
    named = args.ground_truth_node_ids or ()
    truth = {shown(memory, ref, caller, field="ground_truth_node_ids").id for ref in named}
    metrics = ComparedMetrics(overlap=_overlap(list(ids.values())), latency_ms=took)
    if truth:
        right = {method: len(truth & set(rows)) for method, rows in ids.items()}
        metrics.precision = {method: round(n / max(len(ids[method]), 1), 4) for method, n in right.items()}
        metrics.recall = {method: round(n / len(truth), 4) for method, n in right.items()}
    return DebugCompareRetrievalOutput(
        results=ComparedResults(**views), metrics=metrics, recommendation=_advice(ids, metrics, ranking)
    )


class _Ranking:
    """The question, and each way to answer it."""

    def __init__(self, memory: "Memory", args: DebugCompareRetrievalInput, caller: Caller) -> None:
        from context_graph.recall.normalization import normalize
        from context_graph.recall.query import question_vectors
        from context_graph.recall.question import MAX_QUERY_CHARS
        from context_graph.safety.pii import scrub
        from context_graph.settings import SECRET_KINDS

        self.memory, self.k, self.caller = memory, args.top_k, caller
        self.corpus = memory.corpus
        visibility = partial(self.corpus.visible, memory.viewer(caller), now=memory.present())
        self.mask = visibility()
        query = normalize(scrub(args.query[:MAX_QUERY_CHARS], kinds=memory.settings.redacted & SECRET_KINDS).text)
        self.vectors = question_vectors(memory, self.corpus, query, visibility)

    def cosine_baseline(self) -> list[Node]:
        from context_graph.evaluation.variants import by_meaning

        return self._nodes(lambda: by_meaning(self.corpus, self.vectors, self.mask, self.k)[0].tolist())

    def fuse_moe(self) -> list[Node]:
        from context_graph.evaluation.variants import whole

        return self._nodes(lambda: whole(self.memory, self.corpus, self.vectors, self.mask, self.k).rows.tolist())

    def by_words(self) -> list[Node]:
        from context_graph.evaluation.variants import by_words

        return self._nodes(lambda: by_words(self.corpus, self.vectors, self.mask, self.k).tolist())

    def by_rank(self) -> list[Node]:
        from context_graph.evaluation.variants import by_rank

        return self._nodes(lambda: by_rank(self.memory, self.corpus, self.vectors, self.mask, self.k).tolist())

    def causal_pathfinding(self) -> list[Node]:
        """What causal edges join to the best results, in either direction, the strongest path first."""
        from context_graph.graph.edges import effective_weight

        reached = {node.id: 1.0 / (i + 1) for i, node in enumerate(self.fuse_moe()[:CAUSE_SEEDS])}
        seeds, edge_of = set(reached), set(reached)
        for _ in range(HOPS):
            further: dict[str, float] = {}
            for edge in self.memory.store.edges(edge_of, types=[EdgeType.CAUSAL]):
                weight = min(1.0, effective_weight(edge)) * edge.confidence
                for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
                    if near in edge_of and weight * reached[near] > max(reached.get(far, 0.0), further.get(far, 0.0)):
                        further[far] = weight * reached[near]
            reached |= further
            edge_of = set(further)
            if not edge_of:
                break
        order = sorted(set(reached) - seeds, key=lambda id: (-reached[id], id))
        nodes = {node.id: node for node in visible_nodes(self.memory, self.memory.store.nodes(order), self.caller)}
        return [nodes[id] for id in order if id in nodes][: self.k]

    def hyperbolic_entailment(self) -> list[Node]:
        """What names a concept of the question, or one above or below it among kinds, the surest first."""
        from context_graph.inference.concepts import named_in
        from context_graph.inference.hierarchy import kinds

        sureness: dict[str, float] = {}
        for concept in named_in(self.memory, self.vectors.text, self.caller):
            found = kinds(self.memory, concept, self.caller, depth=HOPS)
            for node, confidence in [
                (concept, 1.0), *((one.node, one.confidence) for one in (*found.ancestors, *found.descendants))
            ]:  # fmt: skip
                sureness[node.id] = max(confidence, sureness.get(node.id, 0.0))
        naming: dict[str, float] = {}
        for edge in self.memory.store.edges(sureness, types=[EdgeType.RELATIONAL]):
            if edge.target in sureness:
                naming[edge.source] = max(sureness[edge.target], naming.get(edge.source, 0.0))
        order = sorted(set(naming) - set(sureness), key=lambda id: (-naming[id], id))
        nodes = {node.id: node for node in visible_nodes(self.memory, self.memory.store.nodes(order), self.caller)}
        return [nodes[id] for id in order if id in nodes][: self.k]

    def _nodes(self, rows: Callable[[], Sequence[int]]) -> list[Node]:
        with self.corpus.lock:
            ids = [self.corpus.ids[row] for row in rows()]
        nodes = {node.id: node for node in self.memory.store.nodes(ids)}
        return [nodes[id] for id in ids if id in nodes]


def _overlap(lists: list[list[str]]) -> float:
    shares = [_shared(a, b) for a, b in combinations(lists, 2)]
    return round(sum(shares) / len(shares), 4) if shares else 1.0


def _shared(a: Sequence[str], b: Sequence[str]) -> float:
    return len(set(a) & set(b)) / max(len(set(a) | set(b)), 1)


def _advice(ids: dict[str, list[str]], metrics: ComparedMetrics, ranking: _Ranking) -> str:
    parts = []
    if (recall := metrics.recall) and (precision := metrics.precision):
        best = max(recall, key=lambda method: (recall[method], precision[method]))
        parts.append(f"{best} found most of what you named: {100 * recall[best]:.0f} %.")
        if best != "fuse_moe" and recall[best] > recall.get("fuse_moe", 0.0):
            parts.append("Its words or fields mislead the whole retrieval here; search_graph with explain shows which.")
    whole = ids["fuse_moe"] if "fuse_moe" in ids else [node.id for node in ranking.fuse_moe()]
    others = {"words alone (BM25)": ranking.by_words(), "fusion by rank": ranking.by_rank()}
    shared = [f"{len({node.id for node in nodes} & set(whole))} with {name}" for name, nodes in others.items()]
    if "cosine_baseline" in ids:
        shared.insert(0, f"{len(set(ids['cosine_baseline']) & set(whole))} with meaning alone")
    parts.append(f"Of its {len(whole)} results the whole retrieval shares {', '.join(shared)}.")
    if "causal_pathfinding" in ids and not ids["causal_pathfinding"]:
        parts.append("No causal edge leads anywhere from the best results.")
    if "hyperbolic_entailment" in ids and not ids["hyperbolic_entailment"]:
        parts.append("The query names no concept whose kinds anything tells of.")
    return " ".join(parts)
