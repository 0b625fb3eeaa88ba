"""Pages of HTML by their headings, without scripts and styles."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from context_graph.connectors.folder.readers.registry import Section, reader

__all__ = ["sections"]

SILENT = {"script", "style", "template", "noscript", "svg", "head"}
BLOCKS = {
    "p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "ul", "ol", "table", "pre",
    "blockquote", "dl", "figure", "form",
}  # fmt: skip
LINES = {"br", "li", "tr", "dt", "dd", "option"}
HEADINGS = {f"h{level}": level for level in range(1, 7)}


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.sections: list[Section] = []
        self._path: list[str] = []
        self._text: list[str] = []
        self._heading: list[str] | None = None
        self._line, self._silent, self._pre, self._title = 1, 0, 0, False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._title = True
        elif tag == "body":
            self._silent = 0  # a head that was never closed
        elif tag in SILENT:
            self._silent += 1
        elif tag in HEADINGS:
            self.close_section()
            self._line, self._heading = self.getpos()[0], []
        elif tag in BLOCKS or tag in LINES:
            self._pre += tag == "pre"
            self._text.append("\n\n" if tag in BLOCKS else "\n")
        elif tag in ("td", "th"):
            self._text.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._title = False
        elif tag in SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag in HEADINGS and self._heading is not None:
            words = " ".join("".join(self._heading).split())
            self._path = [*self._path[: HEADINGS[tag] - 1], words]
            self._heading = None
            self._text.append(f"{words}\n\n")
        elif tag in BLOCKS:
            self._pre = max(0, self._pre - (tag == "pre"))
            self._text.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self._silent and not self._title:
            return
        if self._heading is not None:
            self._heading.append(data)
        else:
            self._text.append(data if self._pre else " ".join(f" {data} ".split(" ")).replace("\n", " "))

    def close_section(self) -> None:
        """End the section that is being read."""
        lines = "".join(self._text).split("\n")
        paragraphs, last = [], ""
        for line in (line.rstrip() if self._pre else " ".join(line.split()) for line in lines):
            if line or last:
                paragraphs.append(line)
            last = line
        text = "\n".join(paragraphs).strip()
        if text:
            self.sections.append(Section(" › ".join(part for part in self._path if part), text, self._line))
        self._text = []


@reader(".html", ".htm", ".xhtml", kind="documentation")
def sections(text: str, path: Path | None = None) -> Iterator[Section]:
    """Headings with the text below them; each knows the line of its heading alone."""
    page = _Page()
    page.feed(text)
    page.close()
    page.close_section()
    yield from page.sections
