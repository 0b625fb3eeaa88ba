"""What is known of the user: their name, what they ask for always, who they are, what they decided and what is open."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from context_graph.index.batch import DOES
from context_graph.index.corpus import Corpus
from context_graph.models import Node
from context_graph.reading import attributes, cues, supersession
from context_graph.reading.introductions import own_name
from context_graph.reading.utterance import ASSISTANTS
from context_graph.recall.apart import SURE
from context_graph.recall.current.comparable import SENTENCE, comparable
from context_graph.recall.parts import changed_part
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["about_user"]

READ = 1_000
"""The last memories among which statements of the user about themselves are looked for."""

MAX_INTRODUCED, MAX_STANDING, MAX_PERSONAL, MAX_DECISIONS, MAX_OPEN = 2, 12, 16, 6, 6
"""Statements of each part."""

PERSONAL = 0.4
"""Probability that a statement is about something personal, from which it is told."""

MIN_ONE_VALUE = 0.5
"""Probability that each of two statements is about an attribute of which a person has one value, from which the later
one holds."""

MAX_CHARS = 400
"""Of a statement about oneself; what is longer tells of much else."""

_OF_PERSONS = frozenset(
    "allergy children siblings parents pets sport hobby instrument languages health likes reading music film doctor"
    " provider".split()
)
"""Attributes of which a person has many values, or one for each of several things."""

_WITHOUT_SUBJECT = regex(
    r"^\W*(?:sold|bought|got|started|stopped|quit|joined|left|switched|changed|gave up|moved|passed|began|finished"
    r"|adopted|cancell?ed|hired|married|retired)\b",
    re.I,
)
"""Says what the user did without naming them."""

_MOVED = regex(
    r"^\W*(?:(?:so|and|finally|update)\W+)*(?:(?:i|we)(?:['’]ve| have)? )?(?:just |finally )?moved"
    r" (?:house |home )?(?:back )?(?:to|into|in with)\b",
    re.I,
)
"""Says that the user lives elsewhere now."""


def about_user(memory: "Runtime", corpus: Corpus, visible: np.ndarray) -> tuple[list[Node], frozenset[str]]:
    """Current statements by part, the latest of each first; and the ids of those that leave something open.

    Parameters
    ----------
    visible : bool (n,)
        What who asks may see, of a corpus whose lock is held.
    """
    rows = np.flatnonzero(visible)
    acting = {act: _ids(corpus, rows[corpus.has(bit, rows) > 0][-READ:]) for act, bit in DOES.items()}
    latest = _ids(corpus, rows[-READ:])
    nodes = {node.id: node for node in memory.store.nodes({*latest, *(id for ids in acting.values() for id in ids)})}
    own = [node for node in nodes.values() if (node.speaker or "").lower() not in ASSISTANTS]
    own.sort(key=lambda node: (-node.occurred_at, node.id))
    standing = _of(own, acting["instruction"] + acting["preference"])
    decided, left_open = _of(own, acting["decision"]), _of(own, acting["open"])
    personal = sorted(own, key=_personal, reverse=True)[: 2 * MAX_PERSONAL]
    personal = [node for node in own if node in personal and _personal(node) >= PERSONAL]
    introduced = [node for node in personal if own_name(node.content)]
    chosen: dict[str, Node] = {}
    for part, most in (
        (introduced, MAX_INTRODUCED), (standing, MAX_STANDING), (personal, MAX_PERSONAL), (decided, MAX_DECISIONS),
        (left_open, MAX_OPEN),
    ):  # fmt: skip
        current = [node for node in part[: 2 * most] if not _replaced(node, own)]
        chosen |= {node.id: node for node in current[:most] if node.id not in chosen}
    return [*chosen.values()], frozenset(acting["open"])


def _ids(corpus: Corpus, rows: np.ndarray) -> list[str]:
    return [corpus.ids[row] for row in rows.tolist()]


def _of(nodes: Iterable[Node], ids: Collection[str]) -> list[Node]:
    wanted = frozenset(ids)
    return [node for node in nodes if node.id in wanted]


def _personal(node: Node) -> float:
    """How likely a statement of the user is about themselves."""
    text = cues.readable(node.content)
    if len(text) > MAX_CHARS or _only_asks(node):
        return 0.0
    if own_name(node.content):
        return 1.0
    if not (cues.USER.search(text) or (not node.speaker and _WITHOUT_SUBJECT.search(text))):
        return 0.0
    model = attributes.model()
    of_persons = (model.values == "one") | np.isin(model.names, [*_OF_PERSONS])
    return float(attributes.of_text(text)[of_persons].sum())


def _only_asks(node: Node) -> bool:
    return node.content.rstrip().endswith("?")


def _one_value(node: Node) -> np.ndarray:
    """By attribute of which a person has one value, how likely a statement of the user gives it: float32 (70,)."""
    text = cues.readable(node.content)
    if not (cues.USER.search(text) or _WITHOUT_SUBJECT.search(text)):
        return np.zeros(attributes.COUNT, np.float32)
    model = attributes.model()
    if _MOVED.search(text):
        return np.array([name == "home" for name in model.names], np.float32)
    given: np.ndarray = np.where(model.values == "one", attributes.of_text(text), np.float32(0))
    return given


def _replaced(node: Node, nodes: Sequence[Node]) -> bool:
    """Whether a later statement surely took the place of one, or gives the same attribute of the user anew; of what
    says several things it takes a part.
    """
    if len(node.content) > SENTENCE:
        return False
    text, own_value = cues.readable(node.content), _one_value(node)
    following = [later for later in nodes if comparable(node, later)]
    if any(
        node.occurred_at < later.occurred_at and np.minimum(own_value, _one_value(later)).max() >= MIN_ONE_VALUE
        for later in following
    ):
        return True
    texts = (cues.readable(later.content) for later in following)
    return any(
        supersession.related(text, later)
        and supersession.logit(text, later) >= SURE
        and not changed_part(frozenset(), text, later)
        for later in texts
    )
