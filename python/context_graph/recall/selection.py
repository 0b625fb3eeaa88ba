"""What a list or a search is narrowed to: days, kind, project, speaker, and whether it holds or is pinned."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from context_graph.derived import Projects
from context_graph.derived.beliefs import Beliefs
from context_graph.index.corpus import Corpus
from context_graph.index.fields import FOREVER

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Choices", "Selection", "State", "choices", "selected"]

State = Literal["current", "past", "pinned"]

MAX_OFFERED = 200
"""Speakers or projects that are offered, those with most memories first."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions that all hold of what is shown; None for none.

    Attributes
    ----------
    occurred_from, occurred_before : int, optional
        Microseconds: it happened at the first or later, and before the second.
    speaker : str, optional
        Their whole name, in upper or lower case.
    project : str, optional
        See `Projects.mask`.
    state : str, optional
        "current" where nothing took its place, "past" where something did, "pinned" by its metadata.
    """

    occurred_from: int | None = None
    occurred_before: int | None = None
    modality: str | None = None
    project: str | None = None
    speaker: str | None = None
    state: State | None = None


@dataclass(frozen=True, slots=True)
class Choices:
    """What some memories can be narrowed to, in the order of how many have it."""

    modalities: tuple[str, ...]
    projects: tuple[str, ...]
    speakers: tuple[str, ...]


def selected(memory: "Runtime", corpus: Corpus, selection: Selection) -> np.ndarray:
    """Which rows it holds of: bool (n,); the caller holds the lock of the corpus."""
    columns = corpus.columns
    mask = np.ones(len(corpus), bool)
    if selection.occurred_from is not None:
        mask &= columns.occurred_at >= selection.occurred_from
    if selection.occurred_before is not None:
        mask &= columns.occurred_at < selection.occurred_before
    if selection.modality is not None:
        mask &= columns.modality == corpus.modalities.known(selection.modality)
    if selection.speaker is not None:
        mask &= columns.speaker == corpus.speakers.known(selection.speaker.lower())
    if selection.project is not None:
        mask &= memory.view(Projects).mask(corpus, selection.project)
    if selection.state == "pinned":
        rows = [corpus.row_of.get(belief.id) for belief in memory.view(Beliefs).now(corpus) if belief.pinned]
        pinned = np.zeros(len(corpus), bool)
        pinned[[row for row in rows if row is not None]] = True
        mask &= pinned
    elif selection.state is not None:
        mask &= (columns.valid_to == FOREVER) == (selection.state == "current")
    return mask


def choices(memory: "Runtime", corpus: Corpus, mask: np.ndarray) -> Choices:
    """What the memories of a mask can be narrowed to; the caller holds the lock of the corpus.

    A project that may be called in several ways has the shortest of its names.
    """
    columns, projects = corpus.columns, memory.view(Projects)
    shortest: dict[bytes, tuple[int, str]] = {}
    for name in sorted(projects.names(corpus), key=len):
        rows = projects.mask(corpus, name) & mask
        if rows.any():
            shortest.setdefault(np.packbits(rows).tobytes(), (int(np.count_nonzero(rows)), name))
    named = sorted(shortest.values(), key=lambda one: (-one[0], one[1]))[:MAX_OFFERED]
    return Choices(
        _most(columns.modality[mask], corpus.modalities.texts),
        tuple(name for _, name in named),
        _most(columns.speaker[mask], corpus.speakers.texts),
    )


def _most(codes: np.ndarray, texts: list[str]) -> tuple[str, ...]:
    each, counts = np.unique(codes[codes >= 0], return_counts=True)
    order = np.lexsort((each, -counts))[:MAX_OFFERED]
    return tuple(texts[code] for code in each[order].tolist() if texts[code])
