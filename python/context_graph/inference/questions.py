"""What to ask next: the question whose answer would settle most of what is uncertain."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from context_graph.graph.entities import mentions
from context_graph.inference.concepts import holding
from context_graph.models import Caller, EdgeType, Node, NodeKind, NodeState
from context_graph.reading import supersession
from context_graph.reading.utterance import USERS
from context_graph.recall.conflicts import disagreement
from context_graph.recall.proposals import Proposal, proposals
from context_graph.safety.quoting import inline
from context_graph.visibility import answers

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["OpenQuestion", "next_question"]

Action = Literal["ask_user", "search_external", "clarify"]
MAX_NAMES = 32
"""Names that the session speaks of whose coverage is looked up."""

MAX_ATTENDED = 10
"""Memories in the session's focus, or stored last, that are looked at."""

MIN_LIKELY = 0.8
"""How likely a later memory must have ended an earlier one to be asked about: below, most pairs have nothing to do with
each other."""

MAX_CHOICES = 3
MAX_QUOTED_CHARS = 120
UNCLEAR = 0.5
"""Entropy of a session's searches from which on their results are told apart."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question in plain words.

    Attributes
    ----------
    action : str
        Whom to ask: the user, a source outside, or the user about what was meant.
    gain : float
        Entropy that its answer takes away, in [0, 1]: 1 where everything is equally likely now.
    nodes : tuple of str
        The memories and concepts that it is about.
    reason : str
    """

    action: Action
    text: str
    nodes: tuple[str, ...]
    gain: float
    reason: str


def next_question(memory: "Runtime", caller: Caller, *, force: bool) -> OpenQuestion | None:
    """The question of the largest gain; None where nothing disagrees and the session is sure enough, unless forced.

    What disagrees or may be past is asked about always; what the session's searches leave open only where entropy and
    coherence are beyond the thresholds of the memory's stage.
    """
    pulse, stage = memory.session(caller.session_id).pulse, memory.stage()
    open_ones = [question for one in proposals(memory, caller) if (question := _of_proposal(one))]
    if force or pulse.entropy > stage.entropy or pulse.coherence < stage.coherence:
        open_ones += [*_unclear(memory, caller), *_uncovered(memory, caller)]
    return max(open_ones, key=lambda one: one.gain, default=None)


def _of_proposal(one: Proposal) -> OpenQuestion | None:
    earlier, later = (_quoted(node) for node in (one.earlier, one.later))
    ids = (one.earlier.id, one.later.id)
    if one.kind == "update":
        likely = 1 / (1 + math.exp(-supersession.logit(one.earlier.content, one.later.content)))
        if likely < MIN_LIKELY:
            return None
        by = "you" if (one.later.speaker or "user").lower() in USERS else inline(one.later.speaker or "")
        text = f"Did {earlier} end when {by} said {later}?"
        return OpenQuestion(
            "clarify", text, ids, _entropy(likely), f"the later one ended the earlier with {likely:.0%}"
        )
    against = disagreement(one.earlier, one.later, one.earlier.content, one.later.content)
    sure = against.confidence if against else 1.0
    text = f"{earlier} and {later} disagree. Which of them holds?"
    return OpenQuestion("clarify", text, ids, sure, f"they contradict each other with {sure:.0%}, and neither is later")


def _unclear(memory: "Runtime", caller: Caller) -> Iterator[OpenQuestion]:
    """Which of the last results is meant, where the searches of the session could not tell."""
    entropy = memory.session(caller.session_id).pulse.search_entropy
    nodes = _attended(memory, caller)[:MAX_CHOICES]
    if entropy > UNCLEAR and len(nodes) > 1 and memory.session(caller.session_id).focus:
        names = ", ".join(_quoted(node) for node in nodes[:-1])
        text = f"Which of these is it about: {names} or {_quoted(nodes[-1])}?"
        ids = tuple(node.id for node in nodes)
        yield OpenQuestion(
            "clarify", text, ids, entropy, "the last searches found several memories that fit about equally"
        )


def _uncovered(memory: "Runtime", caller: Caller) -> Iterator[OpenQuestion]:
    """What the session speaks of and hardly anything is stored about.

    The gain is the chance that an answer says something new: 1 / (n + 1) where n memories name the thing.
    """
    nodes = _attended(memory, caller)
    subjects: dict[str, tuple[str, list[str]]] = {}
    for node in nodes:
        for mention in mentions(node.content):
            subjects.setdefault(inline(mention.text), (mention.kind, []))[1].append(node.id)
    for name, (kind, ids) in list(subjects.items())[:MAX_NAMES]:
        known = max(len(holding(memory, name, caller)), len(ids))
        outside = kind in ("identifier", "path", "acronym")
        text = f"What is {name}?" if outside else f"What should I know about {name}?"
        reason = f"memories that name {name}: {known}"
        yield OpenQuestion(
            "search_external" if outside else "ask_user", text, tuple(ids[:MAX_CHOICES]), 1 / (known + 1), reason
        )
    for node in nodes if not subjects else ():
        edges = memory.store.edges(node.id, types=[EdgeType.SEMANTIC, EdgeType.RELATIONAL])
        text = f"What else belongs to {_quoted(node)}?"
        yield OpenQuestion("ask_user", text, (node.id,), 1 / (len(edges) + 2), f"links of this memory: {len(edges)}")


def _attended(memory: "Runtime", caller: Caller) -> list[Node]:
    """The memories in the session's focus, else those stored last, as far as they answer the caller."""
    viewer, now = memory.viewer(caller), memory.present()
    nodes = memory.store.nodes(memory.session(caller.session_id).focus)
    nodes = nodes or memory.store.recent(0, MAX_ATTENDED, viewer=viewer, moment=now)
    return [
        node
        for node in nodes[:MAX_ATTENDED]
        if node.kind == NodeKind.MEMORY and node.state == NodeState.LIVE and answers(node, viewer, now)
    ]


def _quoted(node: Node) -> str:
    text = inline(node.content)
    return repr(text if len(text) <= MAX_QUOTED_CHARS else f"{text[: MAX_QUOTED_CHARS - 1]}…")


def _entropy(probability: float) -> float:
    """Of a question with two answers, in bits."""
    parts = [part for part in (probability, 1 - probability) if part > 0]
    return -sum(part * math.log2(part) for part in parts)
