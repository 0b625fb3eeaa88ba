"""What every query needs: rows, and nodes made of them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from context_graph.models import Node
from context_graph.store.sqlite.rows import TABLES, Value, decode

__all__ = ["BATCH", "Rows"]

NODES = TABLES["nodes"]
BATCH = 1_000
"""Rows that are read at a time where there may be any number."""


class Rows(ABC):
    """Reading; `_rows` is the only thing that needs a connection."""

    retention_days: float

    @abstractmethod
    def _rows(self, sql: str, values: Sequence[Value | bytes] = ()) -> list[tuple[Any, ...]]: ...

    def _nodes(self, condition: str, values: Sequence[Value] = ()) -> list[Node]:
        return [decode(NODES, row) for row in self._rows(f"{NODES.select} {condition}", values)]
