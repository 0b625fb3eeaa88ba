"""Tables of comma-separated values: the header, and rows in groups."""

import csv
from collections.abc import Iterator
from pathlib import Path

from context_graph.connectors.folder.readers.data import MAX_DATA_PARTS
from context_graph.connectors.folder.readers.registry import Section, Unreadable, reader
from context_graph.ingest.splitter import LONGEST_PART

__all__ = ["sections"]

DELIMITERS = ",;\t|"
MAX_HEADER_CHARS = 400
ROWS = 20
"""Of a group; fewer where they are long. A row that changes changes its group alone."""


@reader(".csv", ".tsv", kind="data", max_parts=MAX_DATA_PARTS, max_bytes=20_000_000)
def sections(text: str, path: Path) -> Iterator[Section]:
    """Rows in groups, each below the header of the table."""
    try:
        dialect: type[csv.Dialect] | csv.Dialect | str = csv.Sniffer().sniff(text[:4_096], DELIMITERS)
    except csv.Error:
        dialect = "excel-tab" if path.suffix.lower() == ".tsv" else "excel"
    rows = csv.reader(text.splitlines(keepends=True), dialect)
    try:
        header = _line(next(rows, []))[:MAX_HEADER_CHARS]
        group: list[str] = []
        first, number, before = rows.line_num + 1, 0, rows.line_num
        for row in rows:
            line = _line(row)[: LONGEST_PART - MAX_HEADER_CHARS - 1]
            if group and (len(group) == ROWS or len(header) + sum(map(len, group)) + len(group) + len(line) > 1_400):
                yield _group(header, group, first, number)
                number, group, first = number + len(group), [], before + 1
            before = rows.line_num
            group.append(line)
        if group or header:
            yield _group(header, group, first if group else 1, number)
    except csv.Error as error:
        raise Unreadable(f"no table ({error})") from None


def _group(header: str, group: list[str], line: int, number: int) -> Section:
    return Section(f"rows {number + 1} to {number + len(group)}", "\n".join([header, *group]), line, whole=True)


def _line(row: list[str]) -> str:
    return ", ".join(" ".join(cell.split()) for cell in row)
