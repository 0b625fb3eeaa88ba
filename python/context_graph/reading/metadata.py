"""What stands under a key of free-form metadata."""

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["texts"]


def texts(metadata: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The texts under a metadata key that may hold one or a list of them."""
    given = metadata.get(key)
    entries: Iterable[Any] = [given] if isinstance(given, str) else given if isinstance(given, list) else ()
    return tuple(entry.strip() for entry in entries if isinstance(entry, str) and entry.strip())
