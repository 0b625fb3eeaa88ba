"""test_recall_accuracy: how well this memory finds what it holds, measured on itself."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from context_graph.models import Caller
from context_graph.progress import counted
from context_graph.tools.base import ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    import numpy as np

    from context_graph.evaluation.needles import Kind, Outcome
    from context_graph.memory import Memory

__all__ = ["test_recall_accuracy"]

KINDS: tuple["Kind", ...] = ("needle_haystack", "semantic_similarity", "causal_inference")
SEED = 0
GOOD, FAIR = 0.9, 0.7


class TestRecallAccuracyInput(ToolInput):
    __test__ = False

    test_type: Literal["needle_haystack", "semantic_similarity", "causal_inference", "full_suite"] = "needle_haystack"
    """Ask by a memory's rarest words, by its rationale, by an effect whose cause it states, or all three."""

    needle_count: int = Field(20, ge=5, le=100)
    """Memories asked for, of each kind."""

    haystack_size: int = Field(1000, ge=100, le=10_000)
    """Other memories among which they are looked for; all where there are fewer."""

    baseline_model: Literal["text-embedding-3-large", "text-embedding-ada-002", "none"] = "text-embedding-3-large"
    """Nothing is sent away: any model but none stands for the cosine of E1 alone, computed here."""


class TestDetails(WireModel):
    __test__ = False

    needles_found: int
    """Among the best ten."""

    false_positives: int
    """Needles before which another memory came."""

    semantic_drift: float
    """Mean of 1 minus the cosine of question and memory."""


class TestRecallAccuracyOutput(ToolOutput):
    __test__ = False

    fuse_moe_accuracy: float
    """Share of the needles that the whole retrieval has among its best ten."""

    baseline_accuracy: float
    """The same by the cosine of E1 alone; 0 without a baseline."""

    improvement_percent: float
    p95_latency_ms: int
    test_details: TestDetails
    recommendation: str


@tool(family="diagnostics", title="Test recall accuracy", tier=3, read_only=True)
def test_recall_accuracy(memory: "Memory", args: TestRecallAccuracyInput, caller: Caller) -> TestRecallAccuracyOutput:
    """Measure on your own memories how well they are found: some are asked for by a part of what they say, and the
    share that comes back is told with its interval. Use after an import, or when answers seem to miss.
    """
    import numpy as np

    from context_graph.evaluation.needles import needles, outcome

    dice = np.random.default_rng(SEED)
    corpus = memory.corpus
    visible = corpus.visible(memory.viewer(caller), now=memory.present())
    kinds: tuple[Kind, ...] = KINDS if args.test_type == "full_suite" else (args.test_type,)
    asked = [one for kind in kinds for one in needles(memory, corpus, visible, kind, args.needle_count, dice)]
    among = _haystack(visible, [needle.row for needle in asked], args.haystack_size, dice)
    found = [outcome(memory, corpus, needle, among) for needle in counted(asked, "asking")]
    return _told(found, args, int(among.sum()))


setattr(test_recall_accuracy, "__test__", False)  # noqa: B010  # pytest looks for this name


def _haystack(visible: "np.ndarray", rows: list[int], size: int, dice: "np.random.Generator") -> "np.ndarray":
    """The needles, and so many others."""
    import numpy as np

    mask = np.zeros(len(visible), bool)
    mask[dice.permutation(np.setdiff1d(np.flatnonzero(visible), rows))[:size]] = True
    mask[rows] = True
    return mask


def _told(outcomes: "list[Outcome]", args: TestRecallAccuracyInput, among: int) -> TestRecallAccuracyOutput:
    count = max(len(outcomes), 1)
    ours = sum(one.rank > 0 for one in outcomes) / count
    theirs = 0.0 if args.baseline_model == "none" else sum(one.baseline > 0 for one in outcomes) / count
    slowest = sorted(one.ms for one in outcomes)
    return TestRecallAccuracyOutput(
        fuse_moe_accuracy=round(ours, 4),
        baseline_accuracy=round(theirs, 4),
        improvement_percent=round(100 * (ours / theirs - 1), 2) if theirs else 0.0,
        p95_latency_ms=-int(-slowest[int(0.95 * (len(slowest) - 1))] // 1) if slowest else 0,
        test_details=TestDetails(
            needles_found=sum(one.rank > 0 for one in outcomes),
            false_positives=sum(one.rank != 1 for one in outcomes),
            semantic_drift=round(sum(one.drift for one in outcomes) / count, 4),
        ),
        recommendation=_advice(outcomes, args, among),
    )


def _advice(outcomes: "list[Outcome]", args: TestRecallAccuracyInput, among: int) -> str:
    from context_graph.evaluation.needles import NEEDLE_K, interval

    if not outcomes:
        wanted = "state a cause" if args.test_type == "causal_inference" else "have enough words of their own"
        return f"Nothing was measured: no memory here seems to {wanted}. Store some, or choose another test_type."
    hits = [one.rank > 0 for one in outcomes]
    share, (low, high) = sum(hits) / len(hits), interval(hits)
    mrr = sum(1 / one.rank for one in outcomes if one.rank) / len(outcomes)
    parts = [
        f"{sum(hits)} of {len(hits)} memories came back among the best {NEEDLE_K} of {among}: recall@{NEEDLE_K} "
        f"{100 * share:.0f} % (95 % interval {100 * low:.0f} to {100 * high:.0f}), MRR {mrr:.2f}."
    ]
    if share >= GOOD:
        parts.append("Nothing to do.")
    elif share >= FAIR:
        parts.append("Rationales that say when a memory is needed, and names in place of pronouns, would help.")
    else:
        parts.append("Too many are missed: look at get_health, then give memories names, dates and fuller sentences.")
    if args.baseline_model != "none":
        parts.append(f"The baseline is the cosine of E1, computed here; {args.baseline_model} would need the network.")
    return " ".join(parts)
