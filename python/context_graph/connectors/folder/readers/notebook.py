"""Notebooks of Jupyter by their cells."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from context_graph.connectors.folder.readers import markdown
from context_graph.connectors.folder.readers.registry import Section, Unreadable, reader

__all__ = ["sections"]

MAX_OUTPUT_CHARS = 400
"""Of text below a cell; a longer output, and every picture, is left out."""


@reader(".ipynb", kind="code", max_bytes=20_000_000)
def sections(text: str, path: Path | None = None) -> Iterator[Section]:
    """Code cells with short text that they printed, and Markdown cells by their headings."""
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("no notebook") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise Unreadable("no notebook")
    heading = ""
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict):
            continue
        source, place = _joined(cell.get("source")), f"cell={number}"
        if cell.get("cell_type") == "markdown":
            for section in markdown.sections(source):
                heading = section.heading or heading
                yield Section(heading, section.text, 0, place)
        elif source.strip():
            output = "".join(_printed(one) for one in cell.get("outputs") or () if isinstance(one, dict)).strip()
            shown = f"\n# prints:\n{output}" if output and len(output) <= MAX_OUTPUT_CHARS else ""
            definition = "cell" if cell.get("cell_type") == "code" else ""
            yield Section(heading, source + shown, 0, place, definition)


def _printed(output: dict[str, Any]) -> str:
    data = output.get("data")
    return _joined(output.get("text")) or (_joined(data.get("text/plain")) if isinstance(data, dict) else "")


def _joined(lines: Any) -> str:
    if isinstance(lines, list):
        return "".join(line for line in lines if isinstance(line, str))
    return lines if isinstance(lines, str) else ""
