"""Records of a folder of documents: each document, and what was found of the folder as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args
from unicodedata import normalize

from context_graph.knowledge.markdown import Link, read_page
from context_graph.runtime.records import record_type

__all__ = ["Broken", "Document", "DocumentStatus", "DocumentTree", "DocumentType", "document_of"]

DocumentType = Literal["concept", "technical", "feature", "primitive", "service", "guide", "standard", "integration"]
DocumentStatus = Literal["draft", "active", "deprecated", "archived"]
TYPES: tuple[DocumentType, ...] = get_args(DocumentType)
STATUSES: tuple[DocumentStatus, ...] = get_args(DocumentStatus)
DEFAULT_TYPE: DocumentType = "concept"
"""Of a document whose front matter and folders name no type."""


@record_type("document")
@dataclass(frozen=True, slots=True)
class Document:
    """One Markdown file, as it was read last.

    Attributes
    ----------
    project : str
        The folder that `path` begins at; two projects may share a memory.
    hash : str
        SHA-256 of the bytes of the file.
    links : tuple of Link
        As they are written; what they lead to follows from all documents together.
    text : str
        Without secrets and personal data.
    """

    project: str
    path: str
    hash: str
    title: str
    type: DocumentType = DEFAULT_TYPE
    status: DocumentStatus = "active"
    description: str = ""
    words: int = 0
    tags: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    frontmatter: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Broken:
    """A link that leads nowhere, and why."""

    source: str
    target: str
    line: int
    reason: str


@record_type("document_tree")
@dataclass(frozen=True, slots=True)
class DocumentTree:
    """A folder of documents, as the last run found it.

    Attributes
    ----------
    folder : str
        Below the project.
    passages : str
        Whether its passages are memories: "due", or what became of them.
    """

    project: str
    folder: str
    generated_at: int
    """Microseconds: the last run over all files."""

    updated_at: int
    """Microseconds: the last run."""

    files: int = 0
    errors: tuple[str, ...] = ()
    broken: tuple[Broken, ...] = ()
    broken_count: int = 0
    """Of all broken links; `broken` lists some of them. A version that did not count them left 0."""

    orphans: tuple[str, ...] = ()
    passages: str = ""


def document_of(project: str, path: str, hash: str, text: str) -> tuple[Document, tuple[str, ...]]:
    """A document by its text, and what of it could not be read; its names have their accents composed (NFC)."""
    page = read_page(normalize("NFC", text))
    kind, status = page.frontmatter.get("type"), page.frontmatter.get("status")
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    document = Document(
        project=project,
        path=path,
        hash=hash,
        title=page.title or stem,
        type=_type_of(kind, path),
        status=next((one for one in STATUSES if one == _word(status)), "active"),
        description=page.description,
        words=page.words,
        tags=page.tags,
        headings=page.headings,
        links=page.links,
        frontmatter=page.frontmatter,
        text=text,
    )
    return document, page.problems


def _type_of(named: Any, path: str) -> DocumentType:
    """The type that the front matter names, else the nearest folder that is called like one ("guides/")."""
    for word in (_word(named), *(folder.casefold() for folder in reversed(path.split("/")[:-1]))):
        for one in TYPES:
            if word in (one, f"{one}s"):
                return one
    return DEFAULT_TYPE


def _word(value: Any) -> str:
    return value.strip().casefold() if isinstance(value, str) else ""
