"""JSON and YAML by their top-level keys, in the words of the file."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from context_graph.connectors.folder.readers.registry import Section, Unreadable, reader
from context_graph.regex import regex

__all__ = ["json_sections", "yaml_sections"]

MAX_DATA_PARTS = 100
"""Passages of one file of data: a person who asks means its shape, not each of a million rows."""

SPACE = regex(r"\s*")


@reader(".json", ".jsonc", ".geojson", kind="data", max_parts=MAX_DATA_PARTS)
def json_sections(text: str, path: Path | None = None) -> Iterator[Section]:
    """Each top-level key with its value; a list or what is no JSON as it stands."""
    try:
        starts = list(_keys(text))
    except (ValueError, IndexError):
        starts = []  # comments, a list, several values
    except RecursionError:
        raise Unreadable("nested too deep") from None
    yield from _cut(text, [(text.rfind("\n", 0, at) + 1 if _alone(text, at) else at, key) for at, key in starts])


def _keys(text: str) -> Iterator[tuple[int, str]]:
    """Where each top-level key begins, and the key."""
    decoder = json.JSONDecoder()
    at = _skip(text, 0)
    if text[at] != "{":
        decoder.raw_decode(text, at)  # nested too deep is told of a list too
        return
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, end = decoder.raw_decode(text, at)
        yield at, str(key)
        at = _skip(text, end)
        if text[at] != ":":
            raise ValueError("no colon")
        _, at = decoder.raw_decode(text, _skip(text, at + 1))
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    match = SPACE.match(text, at)
    return match.end() if match else at


def _alone(text: str, at: int) -> bool:
    """Whether nothing stands before it on its line."""
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


@reader(".yaml", ".yml", kind="data", max_parts=MAX_DATA_PARTS)
def yaml_sections(text: str, path: Path | None = None) -> Iterator[Section]:
    """Each top-level key of each document, as it stands.

    Only the events of the parser are looked at: nothing is constructed, and no alias is ever expanded.
    """
    try:
        starts = list(_yaml_keys(text))
    except (ValueError, RecursionError):
        starts = []  # a template, or no YAML
    yield from _cut(text, starts)


def _yaml_keys(text: str) -> Iterator[tuple[int, str]]:
    """Where the line of each top-level key begins, and the key; ValueError for what is no YAML."""
    import yaml

    lines = [0, *(match.end() for match in re.finditer("\n", text))]
    depth = document = 0
    key = True  # the next node of a top-level mapping is a key
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.DocumentStartEvent):
                document, depth = document + 1, 0
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
                key = not key if depth == 1 else key
            elif isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                key = isinstance(event, yaml.MappingStartEvent) if depth == 1 else key
            elif isinstance(event, yaml.NodeEvent) and depth == 1:
                if key and isinstance(event, yaml.ScalarEvent):
                    yield (
                        lines[min(event.start_mark.line, len(lines) - 1)],
                        f"document {document} › {event.value}" if document > 1 else event.value,
                    )
                key = not key
    except yaml.YAMLError as error:
        raise ValueError("no YAML") from error


def _cut(text: str, starts: list[tuple[int, str]]) -> Iterator[Section]:
    if not starts:
        yield Section("", text)
        return
    if text[: starts[0][0]].strip(" \n{-"):
        yield Section("", text[: starts[0][0]])
    for (start, key), (end, _) in pairwise([*starts, (len(text), "")]):
        body = text[start:end].rstrip(" \n,")
        yield Section(key[:80], body, text.count("\n", 0, start) + 1)
