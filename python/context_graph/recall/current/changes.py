"""Whether a statement tells of a change."""

from context_graph.reading import cues, supersession
from context_graph.reading.news import news_odds
from context_graph.reading.returns import tells_return
from context_graph.reading.substitutes import substitute
from context_graph.reading.wishes import kept_values
from context_graph.texts import kept_for_texts

__all__ = ["may_tell_change", "tells_change"]

NEWS = -1.0
"""Log odds that a statement tells of a change, from which it may without a word for one."""


@kept_for_texts(maxsize=1_024)
def tells_change(text: str) -> bool:
    """Whether a statement tells of a change by its words; not one that asks for it or wishes it.

    Examples
    --------
    >>> tells_change("The premiere was moved to 19 September."), tells_change("The premiere is on 12 September.")
    (True, False)
    """
    read = cues.readable(text)
    change = supersession.change_of(read)
    changed = change.changed or change.corrected or substitute(read) is not None or tells_return(read)
    return bool(changed) and not change.open


@kept_for_texts(maxsize=1_024)
def may_tell_change(text: str) -> bool:
    """Whether a statement tells of a change by its words, denies something, says what stays, or is likely to be news.

    Examples
    --------
    >>> may_tell_change("The gallery has no parking."), tells_change("The gallery has no parking.")
    (True, False)
    """
    read = cues.readable(text)
    change = supersession.change_of(read)
    return tells_change(text) or (
        not change.open and (bool(change.denied) or bool(kept_values(read)) or news_odds(read) > NEWS)
    )
