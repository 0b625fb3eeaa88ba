"""All of a time: "what happened since Monday?" asks for nothing but a time, and is answered with what lies in it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from context_graph.index.fields import SEEDED
from context_graph.models import Caller
from context_graph.reading import cues
from context_graph.reading.asked_time import asked_time
from context_graph.recall.answer import Hit
from context_graph.recall.file_passages import but_of_files
from context_graph.recall.question import Question
from context_graph.recall.selection import Selection

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["MAX_OF_TIME", "asks_for_a_time", "latest", "left_out_line", "of_whole_time"]

MAX_OF_TIME = 100
"""Memories of a time that are looked at and counted; the latest of them are told."""


def asks_for_a_time(question: str, now: int) -> bool:
    """Whether a question asks for nothing but a time: "What happened last week?"."""
    times = asked_time(cues.readable(question), now)
    return times.general and bool(times.spans)


def of_whole_time(memory: "Runtime", question: Question, caller: Caller, now: int) -> Question:
    """The question for so many memories that those of its time are counted, the latest where there are more; and for
    none of seeded files, for what was read from a folder did not happen then.
    """
    excluded, selection = (*question.exclude_agent_ids, SEEDED), question.selection
    span, corpus = asked_time(cues.readable(question.text), now).spans[0], memory.corpus
    with corpus.lock:
        visible = but_of_files(corpus, corpus.visible(memory.viewer(caller), now=memory.present()))
        times = corpus.columns.occurred_at[: len(visible)][visible]
    times = np.sort(times[(times >= span.start) & (times < span.end)])
    if selection is None and len(times) > MAX_OF_TIME:
        selection = Selection(occurred_from=int(times[-MAX_OF_TIME]), occurred_before=span.end)
    return replace(
        question, top_k=max(question.top_k, MAX_OF_TIME), exclude_agent_ids=excluded, selection=selection
    )  # fmt: skip


def latest(hits: Sequence[Hit], most: int) -> tuple[Hit, ...]:
    """The latest of the hits, in their order."""
    by_time = sorted(hits, key=lambda hit: (hit.node.occurred_at, hit.node.created_at), reverse=True)
    ids = {hit.node.id for hit in by_time[: max(most, 1)]}
    return tuple(hit for hit in hits if hit.node.id in ids)


def left_out_line(count: int, *, counted: int) -> str:
    """What a context says where more lies in a time than it tells; empty where nothing does.

    Parameters
    ----------
    counted : int
        Memories of the time that were looked at; there may be more of them than `MAX_OF_TIME`.

    Examples
    --------
    >>> left_out_line(1, counted=31)
    '1 more of this time is left out; ask for a shorter one.'
    """
    if not count:
        return ""
    number = f"{count} or more others" if counted >= MAX_OF_TIME else f"{count} more"
    return f"{number} of this time {'is' if count == 1 else 'are'} left out; ask for a shorter one."
