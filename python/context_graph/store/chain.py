"""The chain of hashes over the log: what each event is hashed over, and how that is spelled."""

import hashlib
import json
from typing import Any

from context_graph import _core
from context_graph.errors import InvalidInput
from context_graph.models import Author

__all__ = ["GENESIS", "NOBODY", "author_hash", "canonical", "chain_hash", "payload_hash"]

GENESIS = "0" * 64
"""What the first event names as the hash before it."""

NOBODY = Author(session_id="")
"""The author of an event whose names were deleted."""

_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
"""What `canonical` means; it writes what the compiled one leaves, and says what is wrong."""


def canonical(value: Any) -> bytes:
    """JSON with one spelling: sorted keys, no spaces, UTF-8, floats by repr; NaN is refused.

    Raises
    ------
    InvalidInput
        JSON cannot hold it: NaN, infinity, half a surrogate pair, keys that are no text.
    """
    encoded = _core.canonical_json(value)
    if encoded is not None:
        return encoded
    try:
        return _JSON.encode(value).encode()
    except (TypeError, ValueError, RecursionError) as error:  # UnicodeEncodeError is a ValueError
        raise InvalidInput(
            f"expected data that JSON can hold (finite numbers, valid Unicode, string keys), got: {error}"
        ) from error


def payload_hash(salt: bytes, payload: bytes) -> str:
    """Salted, so that a receipt of purged content cannot be matched against guesses."""
    return hashlib.sha256(salt + payload).hexdigest()


def author_hash(salt: bytes, author: Author) -> str:
    """Salted as well: names can be guessed."""
    return hashlib.sha256(salt + canonical([author.agent_id, author.session_id, author.context_id])).hexdigest()


def chain_hash(previous: str, seq: int, id: str, type: str, hlc: int, author: str | Author, payload_hash: str) -> str:
    """SHA-256 over the hash before, and everything of the event but what can be deleted.

    Parameters
    ----------
    author : str or Author
        The hash of the author, or in events of the formats 1 to 3 the author.
    """
    who = [author] if isinstance(author, str) else [author.agent_id, author.session_id, author.context_id]
    fields = [seq, id, type, hlc, *who, payload_hash]
    return hashlib.sha256(bytes.fromhex(previous) + canonical(fields)).hexdigest()
