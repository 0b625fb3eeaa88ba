"""Sensitive text is replaced before anything is embedded or written."""

import re
from dataclasses import dataclass
from typing import Any

from context_graph.safety.patterns import PII, SECRETS

__all__ = ["Scrubbed", "scrub", "scrub_all"]

UUID_LETTERS = 36
_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.I)


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """A text without its sensitive parts.

    Attributes
    ----------
    types : tuple of str
        Kinds that were replaced, sorted, each once.
    """

    text: str
    types: tuple[str, ...]


def scrub(text: str, *, pii: bool = True) -> Scrubbed:
    """Replace secrets, and personal data if asked, by `[REDACTED:TYPE]`.

    Parameters
    ----------
    pii : bool
        Personal data too; secrets are always replaced.
    """
    found: set[str] = set()
    for pattern in SECRETS + (PII if pii else ()):
        if pattern.needs not in text:
            continue
        pieces, end = [], 0
        for match in pattern.regex.finditer(text):
            part = match[pattern.group]
            passed = True if pattern.valid is None else pattern.valid(part)
            start, stop = match.span(pattern.group)
            if part.startswith("[REDACTED") or not passed or (pattern in PII and _in_id(text, start, stop)):
                continue
            pieces += [text[end:start], f"[REDACTED:{pattern.type}]"]
            end = stop if passed is True else start + passed
            found.add(pattern.type)
        if pieces:
            text = "".join([*pieces, text[end:]])
    return Scrubbed(text, tuple(sorted(found)))


def _in_id(text: str, start: int, stop: int) -> bool:
    """Whether a part stands in a UUID: by chance, one in thousands ends in what passes for an account number."""
    around = _UUID.finditer(text, max(0, start - UUID_LETTERS), stop + UUID_LETTERS)
    return any(id.start() <= start and stop <= id.end() for id in around)


def scrub_all(value: Any, *, pii: bool = True) -> tuple[Any, set[str]]:
    """Scrub every text in nested data, keys included."""
    if isinstance(value, str):
        scrubbed = scrub(value, pii=pii)
        return scrubbed.text, set(scrubbed.types)
    if isinstance(value, dict):
        clean, types = {}, set()
        for key, entry in value.items():
            key, in_key = scrub_all(key, pii=pii)
            clean[key], in_entry = scrub_all(entry, pii=pii)
            types |= in_key | in_entry
        return clean, types
    if isinstance(value, list | tuple):
        clean, types = [], set()
        for entry in value:
            entry, found = scrub_all(entry, pii=pii)
            clean.append(entry)
            types |= found
        return clean, types
    return value, set()
