"""Where the links of documents lead: by path as on GitHub, by name as in Obsidian."""

import posixpath
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Self
from unicodedata import normalize

from context_graph.knowledge.markdown import Link, slug_of

__all__ = ["Resolver", "Target"]

SUFFIXES = (".md", ".markdown", ".mdx")
INDEXES = ("README.md", "index.md", "readme.md")
"""What a link to a folder shows."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a link leads to.

    Attributes
    ----------
    path : str, optional
        Of the document; None where it leads to none.
    file : str, optional
        Another file or folder of the project, which only the disk knows.
    reason : str
        Why it leads nowhere; empty where it leads somewhere, or may.
    """

    path: str | None = None
    file: str | None = None
    reason: str = ""


class Resolver:
    """Finds what links lead to, whether names have their accents composed (NFC) or not (NFD, as macOS writes them).

    Parameters
    ----------
    headings : mapping
        By the path of each document, the names of its headings.
    """

    def __init__(self, headings: Mapping[str, Iterable[str]]) -> None:
        self._headings = {path: _composed(names) for path, names in headings.items()}
        self._by_composed = {normalize("NFC", path): path for path in headings}
        self._by_name: dict[str, list[str]] = {}
        for path in sorted(headings, key=lambda path: (path.count("/"), path)):
            name = normalize("NFC", path.rsplit("/", 1)[-1]).casefold()
            self._by_name.setdefault(name, []).append(path)
            self._by_name.setdefault(_stem(name), []).append(path)

    def with_headings(self, headings: Mapping[str, Iterable[str]]) -> Self:
        """The same documents, some of them with other headings."""
        other = copy(self)
        other._headings = self._headings | {path: _composed(names) for path, names in headings.items()}
        return other

    def target(self, source: str, link: Link) -> Target:
        """What a link of a document leads to."""
        if not link.target:
            path: str | None = source
        elif link.target.startswith("/"):
            path = posixpath.normpath(link.target.lstrip("/") or ".")
        else:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link.target))
        if path is None or path == ".." or path.startswith("../"):
            by_name = self._named(link)
            return self._at(by_name, link) if by_name else Target(reason="it leads out of the project")
        document = self._document(path) or self._named(link)
        return Target(file=path) if document is None else self._at(document, link)

    def _document(self, path: str) -> str | None:
        places = (path, *(f"{path}{suffix}" for suffix in SUFFIXES), *(f"{path}/{name}" for name in INDEXES))
        for place in places:
            if place in self._headings:
                return place
            if (composed := self._by_composed.get(normalize("NFC", place))) is not None:
                return composed
        return None

    def _named(self, link: Link) -> str | None:
        """The document of a name, or of the end of a path, wherever it stands: the least deep one, as Obsidian does."""
        if link.type == "markdown" or not link.target:
            return None
        wanted = normalize("NFC", link.target).strip("/").casefold()
        places = self._by_name.get(wanted.rsplit("/", 1)[-1], ())
        for place in places:
            folded = normalize("NFC", place).casefold()
            if any(f"/{one}".endswith(f"/{wanted}") for one in (folded, _stem(folded))):
                return place
        return None

    def _at(self, path: str, link: Link) -> Target:
        if not link.heading:
            return Target(path)
        names = self._headings[path]
        last = normalize("NFC", link.heading).rsplit("#", 1)[-1]  # Obsidian names the headings above it too
        if names.isdisjoint({last, last.casefold(), slug_of(last)}):
            return Target(path, reason=f"no heading #{link.heading}")
        return Target(path)


def _composed(names: Iterable[str]) -> frozenset[str]:
    return frozenset(normalize("NFC", name) for name in names)


def _stem(path: str) -> str:
    return next((path.removesuffix(suffix) for suffix in SUFFIXES if path.endswith(suffix)), path)
