"""Caches of functions of texts, so that all of them can be emptied when a text is to be gone."""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

__all__ = ["forget_texts", "kept_for_texts"]

T = TypeVar("T")

_caches: "list[_lru_cache_wrapper[Any]]" = []


def kept_for_texts(maxsize: int) -> "Callable[[Callable[..., T]], _lru_cache_wrapper[T]]":
    """`functools.lru_cache` for a function of words or texts that may come from memories.

    Examples
    --------
    >>> @kept_for_texts(maxsize=2)
    ... def shout(text: str) -> str:
    ...     return text.upper()
    >>> shout("a secret"), shout.cache_info().currsize
    ('A SECRET', 1)
    >>> forget_texts()
    >>> shout.cache_info().currsize
    0
    """

    def kept(function: Callable[..., T]) -> "_lru_cache_wrapper[T]":
        _caches.append(lru_cache(maxsize=maxsize)(function))
        return _caches[-1]

    return kept


def forget_texts() -> None:
    """Empty the caches of all functions of texts: after a permanent deletion none may hold what was deleted."""
    for cache in _caches:
        cache.cache_clear()
