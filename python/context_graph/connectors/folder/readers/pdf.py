"""PDF by its pages, read in a child process that may take its time and its room and no more."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from context_graph import children
from context_graph.connectors.folder.readers.registry import MissingExtra, Section, Unreadable, reader

__all__ = ["sections"]

MAX_PDF_BYTES = 50_000_000
MAX_PDF_S = 60.0


@reader(".pdf", kind="text", binary=True, max_bytes=MAX_PDF_BYTES)
def sections(path: Path) -> Iterator[Section]:
    """The text of each page that has any; pages that are pictures have none."""
    if find_spec("pypdf") is None:
        raise MissingExtra("documents")
    try:
        answer = children.ask("context_graph.connectors.folder.readers.pdf_pages", str(path), timeout_s=MAX_PDF_S)
    except children.ChildTimedOut:
        raise Unreadable(f"takes longer than {MAX_PDF_S:.0f} s") from None
    except children.ChildFailed:
        raise Unreadable("no PDF that can be read") from None
    if reason := answer.get("reason"):
        raise Unreadable(reason)
    for number, text in answer["pages"]:
        yield Section(f"page {number}", text, 0, f"page={number}")
