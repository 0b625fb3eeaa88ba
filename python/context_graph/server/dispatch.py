"""One call, from a tool's name to its answer; knows no transport."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from context_graph.errors import ContextGraphError, StoreError
from context_graph.models import Caller
from context_graph.safety.display import printable
from context_graph.server.errors import error_values, incident, told
from context_graph.server.pulse import RESTING, PulseView, pulse_of
from context_graph.tools import find

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["Outcome", "call", "failed"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a call.

    Attributes
    ----------
    structured : dict
        The values, with the pulse.
    texts : tuple of str
        The pulse in one line, the values as JSON (or the error in words), and notes.
    """

    structured: dict[str, Any]
    texts: tuple[str, ...]
    is_error: bool


def call(
    memory: "Memory", name: str, arguments: Mapping[str, Any] | None = None, *, caller: Caller | None = None
) -> Outcome:
    """Call a tool. An unknown one raises `ToolNotFound`; all else that goes wrong is an outcome.

    Parameters
    ----------
    caller : Caller, optional
        Of the connection; the memory's own by default.
    """
    tool, caller = find(name), caller or memory.caller
    try:
        output = tool.run(memory, {} if arguments is None else arguments, caller)
        values, notes, also = output.wire(), output.notes(), output.pulse_also_as
        if tool.family == "core" and tool.read_only:
            notes = [*notes, *memory.notices()]
        pulse = _pulse_after(memory, output.session or caller.session_id)
    except ContextGraphError as error:
        return failed(error_values(error), _pulse(memory, caller.session_id))
    except Exception as error:
        return failed(incident(error), _pulse(memory, caller.session_id))
    if also:
        values[also] = pulse.cognitive()
    values["pulse"] = pulse.values()
    values, notes = _shown(values), _shown(notes)
    return Outcome(values, (pulse.line(), json.dumps(values, ensure_ascii=False), *notes), False)


def failed(values: dict[str, Any], pulse: PulseView = RESTING) -> Outcome:
    """The outcome of a call that went wrong."""
    values = _shown(values)
    return Outcome({"error": values, "pulse": pulse.values()}, (pulse.line(), told(values)), True)


def _shown(value: Any) -> Any:
    """The same values without a control character in any text, stored text among them."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {key: _shown(entry) for key, entry in value.items()}
    return [_shown(entry) for entry in value] if isinstance(value, list | tuple) else value


def _pulse_after(memory: "Memory", session: str) -> PulseView:
    """The pulse beside an answer: what was done is told, also where the pulse cannot be read."""
    try:
        return pulse_of(memory, session)
    except StoreError:
        return RESTING


def _pulse(memory: "Memory", session: str) -> PulseView:
    """The pulse beside an error; a broken store still answers."""
    try:
        return pulse_of(memory, session)
    except Exception:
        return RESTING
