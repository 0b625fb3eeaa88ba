"""Entries as this home may keep them: a peer is no more trusted than a file that is imported, or an agent."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from context_graph.errors import InvalidInput
from context_graph.ingest.draft import METADATA_DEPTH, deeper
from context_graph.safety.pii import scrub, scrub_all
from context_graph.sync.batch import Entry

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Cleaner"]

TEXTS = ("name", "content", "rationale", "speaker", "text")
NAMES = ("agent_id", "session_id")
NESTED = ("metadata", "data")
MAX_SHORT = 200
"""Characters of a text whose cleaned form is remembered as long as its batch is read."""


class Cleaner:
    """Replaces secrets and personal data in what came, by the settings of this home, as an import does.

    The stamp of a register stays: it is no write of this home. A home that keeps the original does not take the
    replaced text for it (`spelling`).
    """

    def __init__(self, memory: "Runtime") -> None:
        self._memory, self._kinds = memory, memory.settings.redacted
        self._short: dict[str, str] = {}

    def cleaned(self, entry: Entry) -> Entry:
        """An entry without what must not be kept here."""
        if entry.table == "edges" or not entry.registers:
            return entry
        registers = {
            group: (stamp, {column: self._value(column, value) for column, value in values.items()})
            for group, (stamp, values) in entry.registers.items()
        }
        return replace(entry, registers=registers)

    def _value(self, column: str, value: Any) -> Any:
        if isinstance(value, str):
            if column in TEXTS:
                return self._scrubbed(value)
            return self._memory.written_name(value) if value and column in NAMES else value
        if column in NESTED:
            if deeper(value, METADATA_DEPTH):
                raise InvalidInput(f"{column} may be nested {METADATA_DEPTH} levels deep")
            return scrub_all(value, kinds=self._kinds)[0]
        return value

    def _scrubbed(self, text: str) -> str:
        if len(text) > MAX_SHORT:
            return scrub(text, kinds=self._kinds).text
        if text not in self._short:  # rationales and speakers stand in many rows of a batch
            self._short[text] = scrub(text, kinds=self._kinds).text
        return self._short[text]
