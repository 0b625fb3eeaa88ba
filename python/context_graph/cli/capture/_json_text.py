"""Changing one place of a JSON text and leaving every other byte as it is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from json.decoder import JSONDecoder, scanstring  # type: ignore[attr-defined]  # its stub leaves scanstring out
from typing import Any

from context_graph.regex import regex

__all__ = ["added", "removed"]

Path = Sequence[str | int]
"""From the outermost value inwards: keys of objects, places in arrays."""

_BLANK = regex(r"[ \t\n\r]*")
_INDENT = regex(r"\n([ \t]+)")
_DECODER = JSONDecoder()


@dataclass(frozen=True, slots=True)
class _Child:
    """A member or element: where its key, or else its value, begins, where its value begins, and where it ends."""

    key: str | None
    start: int
    value: int
    end: int


def added(text: str, path: Path, value: Any) -> str:
    """With a value in the place that `path` names: a new key of an object, or the end of an array.

    The last step of an array's path is ignored. The value is laid out like its surroundings.
    """
    at = _located(text, path[:-1])
    children, close = _children(text, at)
    newline = "\r\n" if "\r\n" in text else "\n"
    key = f"{json.dumps(path[-1], ensure_ascii=False)}: " if text[at] == "{" else ""
    lines = text[at : children[-1].start] if children else text.strip().removeprefix("{}")
    if lines and "\n" not in lines:  # it stands in one line, and so it stays
        end = children[-1].end if children else at + 1
        return text[:end] + (", " if children else "") + key + json.dumps(value, ensure_ascii=False) + text[end:]
    unit = _INDENT.search(text)
    step, outer = unit[1] if unit else "  ", _margin(text, at)
    inner = _margin(text, children[-1].start) if children else outer + step
    item = key + json.dumps(value, ensure_ascii=False, indent=step).replace("\n", newline + inner)
    if children:
        end = children[-1].end
        return text[:end] + "," + newline + inner + item + text[end:]
    return text[: at + 1] + newline + inner + item + newline + outer + text[close:]


def removed(text: str, path: Path) -> str:
    """Without the member or element in the place that `path` names."""
    at = _located(text, path[:-1])
    children, close = _children(text, at)
    index = _place(children, path[-1])
    if len(children) == 1:
        return text[: at + 1] + text[close:]
    if index == len(children) - 1:
        return text[: children[index - 1].end] + text[children[index].end :]
    return text[: children[index].start] + text[children[index + 1].start :]


def _located(text: str, path: Path) -> int:
    """Where the value that `path` names begins."""
    at = _skip(text, 0)
    for step in path:
        children = _children(text, at)[0]
        at = children[_place(children, step)].value
    return at


def _place(children: list[_Child], step: str | int) -> int:
    if isinstance(step, int):
        return step
    return max(i for i, child in enumerate(children) if child.key == step)  # of two, readers take the last


def _children(text: str, at: int) -> tuple[list[_Child], int]:
    """What an object or array holds, and where its bracket closes; the text has been parsed before, so it is valid."""
    children, here, is_object = [], _skip(text, at + 1), text[at] == "{"
    while text[here] not in "}]":
        start, key = here, None
        if is_object:
            key, here = scanstring(text, here + 1)
            here = _skip(text, _skip(text, here) + 1)
        end = _DECODER.raw_decode(text, here)[1]
        children.append(_Child(key, start, here, end))
        here = _skip(text, end)
        if text[here] == ",":
            here = _skip(text, here + 1)
    return children, here


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _margin(text: str, at: int) -> str:
    """The blanks that the line of a place begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
