"""What happened once ends nothing that lasts: an accident no allergy, a day without it no habit."""

from context_graph.reading.aversions import avoided, tells_exposure
from context_graph.reading.single_days import is_of_single_day, is_regular, tells_exception
from context_graph.reading.subjects import content_stems
from context_graph.recall.apart.words import tells_a_change

__all__ = ["aversion_apart", "exception_apart"]


def aversion_apart(earlier: str, later: str) -> bool:
    """Whether the earlier statement tells what somebody does not bear, or fears, and the later one that they met it.

    Examples
    --------
    >>> aversion_apart("Rosa's allergic to kiwis.", "Rosa ate a kiwi and got a rash.")
    True
    >>> aversion_apart("Rosa's allergic to kiwis.", "Rosa isn't allergic to kiwis after all.")
    False
    """
    return not avoided(earlier).isdisjoint(content_stems(later)) and tells_exposure(later)


def exception_apart(earlier: str, later: str) -> bool:
    """Whether the earlier statement tells what is so regularly, and the later one how one day is otherwise.

    Examples
    --------
    >>> exception_apart("We have pizza every Friday.", "No pizza this Friday, we're away.")
    True
    >>> exception_apart("We have pizza every Friday.", "No pizza from this Friday on.")
    False
    """
    exceptional = tells_exception(later) or (is_of_single_day(later) and not tells_a_change(later))
    return exceptional and is_regular(earlier)
