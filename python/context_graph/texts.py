"""Texts that can be stored, or compared without case, and caches of functions of texts that can be emptied."""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from context_graph.regex import regex

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

__all__ = ["caseless", "forget_texts", "kept_for_texts", "says_something", "storable", "storable_all"]

T = TypeVar("T")

_LIKE_ASCII = "\u017f\u0131\u0130\u212a"
"""Letters that are one of ASCII's without case: long s, dotless i, dotted I, and the sign for kelvin."""

_LIKE_ASCII_LETTERS = str.maketrans(_LIKE_ASCII, "siik")

_NOT_STORABLE = regex("[\ud800-\udfff\x00]")

_SAYS = regex("[^\\s\ufffd\ud800-\udfff\x00]")
"""A character that is neither blank nor one that is stored as U+FFFD, or is this."""

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


def says_something(text: str) -> bool:
    """Whether more than blanks is left of a text where it is stored.

    Examples
    --------
    >>> says_something(" a"), says_something(" \\x00 ")
    (True, False)
    """
    return _SAYS.search(text) is not None


def caseless(text: str) -> str:
    """A text in the lower case that `re.IGNORECASE` compares: where that finds letters of ASCII, they stand here.

    Letter by letter, so places stay. To look here for a word that a pattern needs is much quicker than the pattern.

    Examples
    --------
    >>> caseless("Wi-Fi in \N{KELVIN SIGN}\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}el")
    'wi-fi in kiel'
    """
    if not text.isascii() and any(map(text.__contains__, _LIKE_ASCII)):
        text = text.translate(_LIKE_ASCII_LETTERS)
    return text.lower()


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
