"""Texts that can be stored, and caches of functions of texts that can be emptied when a text is to be gone."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

__all__ = ["forget_texts", "kept_for_texts", "storable", "storable_all"]

T = TypeVar("T")

_NOT_STORABLE = re.compile("[\ud800-\udfff\x00]")

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


def storable(text: str) -> str:
    """A text that UTF-8 can hold and SQLite keeps whole: lone surrogates and null characters become U+FFFD.

    Examples
    --------
    >>> storable("half of a pair: \ud83d") == "half of a pair: \N{REPLACEMENT CHARACTER}"
    True
    """
    return text if text.isascii() and "\x00" not in text else _NOT_STORABLE.sub("\ufffd", text)


def storable_all(value: Any) -> Any:
    """JSON values whose texts, keys included, are storable."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(str(key)): storable_all(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [storable_all(entry) for entry in value]
    return value
