"""Which of the visible memories may answer a question."""

from typing import TYPE_CHECKING

import numpy as np

from context_graph.derived import Projects
from context_graph.index.corpus import Corpus
from context_graph.models import Scope
from context_graph.recall.question import Question
from context_graph.recall.selection import selected
from context_graph.visibility import SCOPES

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["filter_mask"]


def filter_mask(memory: "Runtime", corpus: Corpus, question: Question, visible: np.ndarray) -> np.ndarray:
    """Which of the visible memories may answer: perspective and filters, in one pass over the columns."""
    mask, columns = visible.copy(), corpus.columns
    if question.scope is not None:
        mask &= columns.scope == SCOPES[Scope(question.scope)]
    if question.domain is not None:
        mask &= columns.domain == corpus.domains.known(question.domain)
    if question.modality is not None:
        mask &= columns.modality == corpus.modalities.known(question.modality)
    if question.min_importance is not None:
        mask &= columns.importance >= question.min_importance
    if question.created_after is not None:
        mask &= columns.created_at > question.created_after
    if question.johari_quadrants:
        mask &= np.isin(columns.johari, [corpus.joharis.known(name) for name in question.johari_quadrants])
    if question.agent_ids:
        mask &= np.isin(columns.agent, [corpus.agents.known(name) for name in question.agent_ids])
    if question.exclude_agent_ids:
        mask &= ~np.isin(columns.agent, [corpus.agents.known(name) for name in question.exclude_agent_ids])
    if question.project is not None:
        mask &= memory.view(Projects).mask(corpus, question.project)
    if question.selection is not None:
        mask &= selected(memory, corpus, question.selection)
    return mask
