"""One call, from a tool's name to its answer; knows no transport."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from context_graph.errors import ContextGraphError, StoreError
from context_graph.models import Caller
from context_graph.presentation.pulse import RESTING, PulseView, pulse_of
from context_graph.safety.display import printable_values
from context_graph.server.errors import error_text, error_values, incident
from context_graph.tools import built, find

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
    session : str, optional
        In which it was called; none where it failed.
    """

    structured: dict[str, Any]
    texts: tuple[str, ...]
    is_error: bool
    session: str | None = None


def call(
    memory: "Memory", name: str, arguments: Mapping[str, Any] | None = None, *, caller: Caller | None = None
) -> Outcome:
    """Call a tool. An unknown one raises `ToolNotFound`; all else that goes wrong is an outcome.

    Parameters
    ----------
    caller : Caller, optional
        Of the connection; the memory's own by default.
    """
    tool, caller, began = find(name), caller or memory.caller, time.perf_counter()
    try:
        output = tool.run(memory, {} if arguments is None else arguments, caller)
        values, notes, also = output.wire(), output.notes(), output.pulse_also_as
        if tool.family == "core" and tool.read_only:
            notes = [*notes, *memory.notices()]
        session = output.session or caller.session_id
        pulse = _pulse_after(memory, session)
        _note(memory, name, arguments, caller, session, began, ok=output.problem is None)
    except ContextGraphError as error:
        _note(memory, name, arguments, caller, None, began, ok=False)
        return failed(
            error_values(error),
            _pulse(memory, caller.session_id),
            form=partial(tool.output.failure, took_ms=_ms(began)),
        )
    except Exception as error:
        _note(memory, name, arguments, caller, None, began, ok=False)
        return failed(
            incident(error), _pulse(memory, caller.session_id), form=partial(tool.output.failure, took_ms=_ms(began))
        )
    if also:
        values[also] = pulse.cognitive()
    values["pulse"] = pulse.values()
    if output.problem is not None:
        values["details"] = error_values(output.problem)
    values, notes = printable_values(values), printable_values(notes)
    text = json.dumps(values, ensure_ascii=False)
    if output.problem is not None:
        text = f"{error_text(values['details'])}\n{text}"
    return Outcome(values, (pulse.line(), text, *notes), output.problem is not None, session)


def failed(
    values: dict[str, Any],
    pulse: PulseView = RESTING,
    *,
    form: Callable[[dict[str, Any]], dict[str, Any]] = lambda values: {"error": values},
) -> Outcome:
    """The outcome of a call that went wrong.

    Parameters
    ----------
    form : callable
        Puts the values into the form that the tool's contract has for errors.
    """
    values = printable_values(values)
    return Outcome({**form(values), "pulse": pulse.values()}, (pulse.line(), error_text(values)), True)


def _note(
    memory: "Memory",
    name: str,
    arguments: Mapping[str, Any] | None,
    caller: Caller,
    session: str | None,
    began: float,
    *,
    ok: bool,
) -> None:
    """Add a call to the chain of its session: its tool, its end and its time."""
    memory.background.used()
    if not memory.settings.trajectories:
        return
    from context_graph.runtime.calls import ToolCall  # the store comes with it, which `initialize` does not wait for

    arguments = arguments if isinstance(arguments, Mapping) else {}
    if name == "use_tool":
        inner = arguments.get("name")
        name = inner if isinstance(inner, str) and built([inner]) else name
    agent = memory.written_name(caller.agent_id) if caller.agent_id else None
    memory.calls.add(session or caller.session_id, agent, ToolCall(name, ok, _ms(began), memory.clock()))


def _ms(began: float) -> float:
    return round(1_000 * (time.perf_counter() - began), 3)


def _pulse_after(memory: "Memory", session: str) -> PulseView:
    """The pulse beside an answer: what was done is told, also where the pulse cannot be read."""
    try:
        return pulse_of(memory, session, frozenset(built()))
    except StoreError:
        return RESTING


def _pulse(memory: "Memory", session: str) -> PulseView:
    """The pulse beside an error; a broken store still answers."""
    try:
        return pulse_of(memory, session, frozenset(built()))
    except Exception:
        return RESTING
