"""How likely a claim is right that a later result took the place of an earlier one: boosted trees over both.

What two statements share, and how likely they are to be about one thing, is known by then; this judges them beside the
question, their subjects, values, attributes and areas of life. "Tomas works from Tuesday to Friday" and "Velopart
doesn't deliver on Fridays any more" share a word, a weekday, and a change. Fitted by benchmarks/quality/claims.py.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from context_graph.embed.languages import in_english
from context_graph.embed.stems import stems
from context_graph.embed.wordpiece import pieces
from context_graph.reading import areas, attributes, cues, supersession
from context_graph.reading.subjects import WORD, content_stems
from context_graph.recall.current.clauses import says_several
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["CLAIM", "CLAIM_TREES", "Trees", "claim_log_odds", "claim_values", "trees"]

CLAIM_TREES = Path(__file__).parents[2] / "data" / "claims.npz"

CLAIM = (
    "statements", "unrelated", "likely", "rarest", "shared", "share", "alike", "areas", "area", "attributes",
    "attribute asked", "earlier has of question", "later has of question", "earlier alone", "later alone", "changed",
    "denied", "corrected", "earlier changed", "names shared", "names differ", "earlier rank", "later rank",
    "later length", "later like question", "earlier like question", "later adds of question", "only names shared",
    "earlier has first of later", "later has first of earlier", "same first", "numbers", "later number", "times",
    "later time", "earlier length", "question shared", "earlier alone of question", "earlier several",
    "later several", "relevance ratio", "share of later", "later negated", "joined",
)  # fmt: skip
"""What a claim is judged by, in this order."""

UNRELATED, DECIDED = -5.0, 4.0
"""Log odds that stand for those of two statements that are not related, and from which on all count alike."""

HARDLY = -1.0
"""Log odds of two statements below which only the question joins them."""

MAX_SHARED = 4
"""Words that two statements share, from which on all count alike."""

_NAME = regex(r"(?<![.!?:] )(?<!^)\b[A-ZÀ-Þ][\w'’-]+")
_NUMBER = regex(r"\d")


class Trees(NamedTuple):
    """Regression trees, their nodes one after the other.

    Attributes
    ----------
    roots : int32 (t,)
        The first node of each.
    feature : int16 (n,)
    threshold : float32 (n,)
        A claim goes left where its value of the feature is at most this.
    left, right : int32 (n,)
        The next node; of a leaf the leaf itself.
    value : float32 (n,)
        What a leaf adds to the log odds.
    start : float
        The log odds before any tree.
    depth : int
        Steps from a root to the deepest leaf.
    """

    roots: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray
    start: float
    depth: int

    def log_odds(self, values: Sequence[float]) -> float:
        """Of one claim with these values, in the order of `CLAIM`."""
        x, nodes = np.asarray(values, np.float32), self.roots
        for _ in range(self.depth):
            nodes = np.where(x[self.feature[nodes]] <= self.threshold[nodes], self.left[nodes], self.right[nodes])
        return self.start + float(self.value[nodes].sum(dtype=np.float64))


@lru_cache(maxsize=2)
def trees(tier: str) -> Trees:
    """Those of the package for a tier, read once."""
    with np.load(CLAIM_TREES, allow_pickle=False) as read:
        fields = {name: read[f"{tier}.{name}"] for name in Trees._fields}
    return Trees(**fields | {"start": float(fields["start"]), "depth": int(fields["depth"])})


def claim_log_odds(values: Sequence[float], tier: str) -> float:
    """Log odds that a claim is right."""
    return trees(tier).log_odds(values)


class _Read(NamedTuple):
    """What is read off a text."""

    stems: frozenset[str]
    content: frozenset[str]
    first: str
    names: frozenset[str]
    vector: np.ndarray
    areas: np.ndarray
    attributes: np.ndarray
    change: supersession.Change
    words: int
    number: bool
    timed: bool
    several: bool
    negated: bool


@kept_for_texts(maxsize=512)
def _read(text: str) -> _Read:
    of_text = np.array(pieces(in_english(text)), np.int64)
    names = frozenset(stem for name in _NAME.findall(text) for stem in stems(name))
    return _Read(
        stems=frozenset(stems(text)),
        content=frozenset(content_stems(text)),
        first=next((stem for word in WORD.findall(text) for stem in content_stems(word)), ""),
        names=names,
        vector=attributes.vector(text),
        areas=1 / (1 + np.exp(-areas.logits(of_text, np.array([len(of_text)]))[0])),
        attributes=attributes.of_text(text),
        change=supersession.change_of(text),
        words=len(text.split()),
        number=_NUMBER.search(text) is not None,
        timed=cues.TIMED.search(text) is not None,
        several=says_several(text),
        negated=cues.NEGATED.search(text) is not None,
    )


def claim_values(
    question: str,
    pair: tuple[str, str],
    odds: float | None,
    likely: float,
    rarest: float,
    alone: tuple[float, float],
    ranks: tuple[int, int],
) -> tuple[float, ...]:
    """What a claim is judged by, in the order of `CLAIM`.

    Parameters
    ----------
    pair, alone, ranks : (str, str), (float, float), (int, int)
        Text, relevance and rank of the earlier and the later result.
    odds : float, optional
        Log odds of the two statements, where they are related.
    likely : float
        Probability that the later one has taken the place of the earlier one.
    rarest : float
        How rare the rarest word is that both have (`Judged.rarest`).
    """
    of_question, (e, n) = _read(question), map(_read, pair)
    shared, of_areas, of_attributes = e.content & n.content, e.areas * n.areas, np.sqrt(e.attributes * n.attributes)
    words, certain = max(len(of_question.stems), 1), min(likely, 1 - 1e-9)
    return tuple(map(float, (
        UNRELATED if odds is None else np.clip(odds, UNRELATED, -UNRELATED), odds is None,
        np.clip(np.log(certain) - np.log1p(-certain), -DECIDED, DECIDED), rarest, min(len(shared), MAX_SHARED),
        len(shared) / max(min(len(e.content), len(n.content)), 1), e.vector @ n.vector, of_areas.sum(), of_areas.max(),
        of_attributes.sum(), of_question.attributes @ of_attributes, len(of_question.stems & e.stems) / words,
        len(of_question.stems & n.stems) / words, np.log(alone[0] + 1e-3), np.log(alone[1] + 1e-3),
        bool(n.change.changed), bool(n.change.denied), bool(n.change.corrected), bool(e.change.changed),
        bool(e.names & n.names),
        bool(e.names and n.names) and not e.names & n.names, np.log1p(ranks[0]), np.log1p(ranks[1]),
        np.log1p(n.words), of_question.vector @ n.vector, of_question.vector @ e.vector,
        len((of_question.stems & n.stems) - e.stems) / words, bool(shared) and shared <= (e.names | n.names),
        n.first in e.content, e.first in n.content, e.first == n.first, e.number and n.number,
        n.number and not e.number, e.timed and n.timed, n.timed and not e.timed, np.log1p(e.words),
        len(of_question.stems & shared), len((of_question.stems & e.stems) - n.stems), e.several, n.several,
        np.log(alone[1] + 1e-3) - np.log(alone[0] + 1e-3), len(shared) / max(len(n.content), 1), n.negated,
        odds is None or odds < HARDLY,
    )))  # fmt: skip
