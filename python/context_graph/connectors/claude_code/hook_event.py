"""What a host told at one moment, cleaned and small enough to wait in a file."""

import json
import os.path
from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_type_hints

from context_graph.connectors.claude_code.filters import cleaned, is_trivial
from context_graph.connectors.repository import project_of as repository_of
from context_graph.errors import InvalidInput
from context_graph.safety.pii import ALL_KINDS, scrub

__all__ = [
    "AGENT",
    "EVENTS",
    "EVENTS_OF",
    "RECALL_EVENTS",
    "HookEvent",
    "RecallRequest",
    "parse_event",
    "project_of",
    "recall_request",
]

AGENT = "claude-code"
EVENTS = ("UserPromptSubmit", "Stop", "SessionEnd")
"""The events of Claude Code that are captured: a prompt, the end of an answer, the end of a session."""

RECALL_EVENTS = ("SessionStart", "UserPromptSubmit")
"""The events at which it is told what the memory knows."""

EVENTS_OF = {"capture": EVENTS, "recall": RECALL_EVENTS}
"""By what a hook is for."""

LONGEST_ID = 128
LONGEST_PATH = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class HookEvent:
    """One event of a host, as it waits in the spool.

    Attributes
    ----------
    at : int
        Microseconds; what the transcript says later belongs to a later event.
    text : str
        The prompt, or the last message of the answer; cleaned.
    private : bool
        Something in it was marked as private, and is not in `text`.
    transcript : str
        The path of the host's own file, empty where it named none.
    """

    event: str
    session: str
    at: int
    agent: str = AGENT
    project: str = ""
    repository: str = ""
    transcript: str = ""
    text: str = ""
    private: bool = False
    cut: bool = False

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=True)  # lone surrogates too must reach the file

    @classmethod
    def from_json(cls, text: str) -> "HookEvent":
        """Read one back; what is none is `InvalidInput`."""
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"expected one JSON object, got {len(text)} characters that are none") from error
        types = get_type_hints(cls)
        if not isinstance(fields, dict) or not {"event", "session", "at"} <= set(fields) <= set(types):
            raise InvalidInput(f"expected an object with event, session and at, got {_kind(fields)}")
        for name, value in fields.items():
            if type(value) is not types[name]:
                raise InvalidInput(f"expected {name} as {types[name].__name__}, got {type(value).__name__}")
        return cls(**fields)


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What a host wants to know at one moment.

    Attributes
    ----------
    text : str
        The prompt, cleaned; empty at the start of a session.
    repository : str
        Tells apart checkouts of one name; empty where there is none.
    """

    event: str
    session: str
    project: str
    text: str
    repository: str = ""


def recall_request(event_input: Any, *, kinds: Set[str] = ALL_KINDS) -> RecallRequest | None:
    """What a hook's input asks the memory for; None where there is nothing to ask.

    Parameters
    ----------
    event_input : dict
        As Claude Code writes it to the hook's standard input.
    """
    if not isinstance(event_input, dict):
        raise InvalidInput(f"expected a JSON object, got {_kind(event_input)}")
    event = event_input.get("hook_event_name")
    if event not in RECALL_EVENTS:
        raise InvalidInput(f"expected hook_event_name to be {', '.join(RECALL_EVENTS)}, got {str(event)[:40]!r}")
    text = cleaned(_text(event_input, "prompt"), kinds=kinds).text if event == "UserPromptSubmit" else ""
    if event == "UserPromptSubmit" and is_trivial(text):
        return None
    project, repository = project_of(_text(event_input, "cwd"), kinds=kinds)
    return RecallRequest(event, _text(event_input, "session_id").strip()[:LONGEST_ID], project, text, repository)


def parse_event(event_input: Any, *, at: int, agent: str = AGENT, kinds: Set[str] = ALL_KINDS) -> HookEvent | None:
    """What of a hook's input is kept; None where there is nothing to keep.

    Parameters
    ----------
    event_input : dict
        As Claude Code writes it to the hook's standard input.
    kinds : set of str
        Sensitive text that is replaced, as the setting `redact` says.
    """
    if not isinstance(event_input, dict):
        raise InvalidInput(f"expected a JSON object, got {_kind(event_input)}")
    event = event_input.get("hook_event_name")
    if event not in EVENTS:
        raise InvalidInput(f"expected hook_event_name to be {', '.join(EVENTS)}, got {str(event)[:40]!r}")
    transcript = _text(event_input, "transcript_path")[:LONGEST_PATH]
    session = _text(event_input, "session_id").strip() or os.path.basename(transcript).removesuffix(".jsonl")
    if not session:
        raise InvalidInput("expected a session_id, got none")
    message = cleaned(
        _text(event_input, {"UserPromptSubmit": "prompt", "Stop": "last_assistant_message"}.get(event, "")), kinds=kinds
    )
    if event == "UserPromptSubmit" and not message.private and is_trivial(message.text):
        return None
    project, repository = project_of(_text(event_input, "cwd"), kinds=kinds)
    return HookEvent(
        event=event, session=session[:LONGEST_ID], at=at, agent=agent, transcript=transcript,
        project=project, repository=repository, text=message.text, private=message.private, cut=message.cut,
    )  # fmt: skip


def project_of(folder: str, *, kinds: Set[str] = ALL_KINDS) -> tuple[str, str]:
    """The name of the project in a folder, and its repository: of the checkout that the folder lies in, else of the
    folder itself, which then has none.
    """
    name, repository = os.path.basename(folder.rstrip("/")), ""
    if os.path.isabs(folder) and "\0" not in folder and os.path.isdir(folder):
        project = repository_of(Path(folder))
        name, repository = project.name, project.repository
    return scrub(name[:60], kinds=kinds).text, scrub(repository, kinds=kinds).text


def _text(event_input: Mapping[str, Any], key: str) -> str:
    value = event_input.get(key)
    return value if isinstance(value, str) else ""


def _kind(value: Any) -> str:
    return (
        f"an object with {', '.join(map(str, value))[:80] or 'nothing'}"
        if isinstance(value, dict)
        else type(value).__name__
    )
