"""Base64 and data URIs to bytes, strictly: what is not exactly that is refused, and so is what is too large."""

import base64
import binascii

from context_graph.errors import InvalidInput, PayloadTooLarge
from context_graph.regex import regex

__all__ = ["from_base64", "from_data_uri"]

_URI = regex(r"data:(?P<type>[\w.+-]+/[\w.+-]+)(?:;[\w.+-]+=[\w.+-]+)*;base64,")
_LONGEST_HEAD = 256  # characters of a data URI before its payload


def from_base64(text: str, most_bytes: int, *, field: str = "content_base64") -> bytes:
    """The bytes of standard base64 with its padding; line breaks are allowed, other characters are not.

    Examples
    --------
    >>> from_base64("aGkh", 10)
    b'hi!'
    """
    if len(text) // 4 * 3 > most_bytes * 1.04 + 4:  # line breaks add 3 %: refused before any copy is made
        raise _too_large(f"at least {len(text) // 4 * 3 * 74 // 78}", most_bytes)
    plain = text.replace("\r", "").replace("\n", "")
    try:
        data = base64.b64decode(plain, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput(
            f"{field} must be standard base64 (A-Z a-z 0-9 + / and padding): {error}; encode the whole file once more",
            field=field,
        ) from None
    if not data:
        raise InvalidInput(f"{field} must hold a file, got 0 bytes", field=field)
    if len(data) > most_bytes:
        raise _too_large(str(len(data)), most_bytes)
    return data


def from_data_uri(uri: str, most_bytes: int) -> tuple[bytes, str]:
    """The bytes and the declared type of `data:<type>;base64,<payload>`.

    Examples
    --------
    >>> from_data_uri("data:image/png;base64,aGkh", 10)
    (b'hi!', 'image/png')
    """
    head = _URI.match(uri[:_LONGEST_HEAD])
    if head is None:
        raise InvalidInput(
            f"data_uri must read data:<type>/<subtype>;base64,<payload>, got {uri[:40]!r}", field="data_uri"
        )
    return from_base64(uri[head.end() :], most_bytes, field="data_uri"), head["type"].lower()


def _too_large(size: str, most_bytes: int) -> PayloadTooLarge:
    return PayloadTooLarge(
        f"expected a file of at most {most_bytes} bytes, got {size}; "
        "make it smaller, store a part of it, or raise the setting media_bytes"
    )
