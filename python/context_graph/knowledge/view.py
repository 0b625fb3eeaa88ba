"""The documents in RAM: a view over their records, and for each project its graph and its words."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from context_graph.derived.view import MaterializedView, view
from context_graph.knowledge.cache import ShadowCache
from context_graph.knowledge.document import Document
from context_graph.knowledge.graph import DocumentGraph, DocumentNode
from context_graph.knowledge.search import KeywordIndex, WordCounts, counted
from context_graph.models import NodeState
from context_graph.store import Change, Reader

__all__ = ["Documents"]

_DOCUMENT = TypeAdapter(Document)


@view("documents", "store")
class Documents(MaterializedView):
    """Every document; read at the first question, and fed from then on."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        self.cache = ShadowCache()
        super().__init__()

    def rebuild(self) -> None:
        self._nodes: dict[str, DocumentNode] | None = None
        self._graphs: dict[str, DocumentGraph] = {}
        self._last_graphs: dict[str, DocumentGraph] = {}
        """By project the graph of the documents before the last changes, from which the next one is made."""

        self._words: dict[str, tuple[DocumentGraph, KeywordIndex]] = {}
        self._counts: dict[str, WordCounts] = {}
        self.cache = ShadowCache()

    def apply(self, change: Change) -> None:
        if self._nodes is None or change.table != "records":
            return
        row = change.after or {}
        if change.id not in self._nodes and not _may_be_document(row):
            return
        old = self._nodes.pop(change.id, None)
        if old is None and not {"kind", "data", "state"} <= row.keys():
            self._nodes = None  # one that came back, of which the event says only what differs
            self._graphs.clear()
            return
        if row and row.get("state", NodeState.LIVE) == NodeState.LIVE:
            document = _read(row["data"]) if "data" in row else old.document if old else None
            modified = row.get("updated_at", old.modified if old else 0)
            if document is not None:
                self._nodes[change.id] = DocumentNode(change.id, document, modified)
        self._counts.pop(change.id, None)
        self._graphs.clear()

    def graph(self, project: str) -> DocumentGraph:
        """The documents of a project."""
        with self._lock:
            if self._nodes is None:
                records = self._store.records("document")
                self._nodes = {
                    one.id: DocumentNode(one.id, _DOCUMENT.validate_python(dict(one.data)), one.updated_at)
                    for one in records
                    if one.state == NodeState.LIVE
                }
            if project not in self._graphs:
                nodes = (node for node in self._nodes.values() if node.document.project == project)
                graph = DocumentGraph(nodes, before=self._last_graphs.get(project))
                self._graphs[project] = self._last_graphs[project] = graph
            return self._graphs[project]

    def words(self, project: str) -> KeywordIndex:
        """The words of the documents of a project, by their places in its graph."""
        with self._lock:
            graph = self.graph(project)
            words = self._words.get(project)
            if words is None or words[0] is not graph:
                for node in graph.nodes:
                    if node.id not in self._counts:
                        self._counts[node.id] = counted(node.document)
                words = graph, KeywordIndex([self._counts[node.id] for node in graph.nodes])
                self._words[project] = words
            return words[1]


def _may_be_document(row: Mapping[str, Any]) -> bool:
    """Whether a changed row that was no live document may be one now; an event says of a row only what differs."""
    return bool(row["kind"] == "document" if "kind" in row else "state" in row)


def _read(data: Any) -> Document:
    """The document of the data of a row."""
    return _DOCUMENT.validate_python(json.loads(data) if isinstance(data, str) else dict(data))
