"""Questions to the client's model by `sampling/createMessage`: one at a time, each with a deadline."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from context_graph.client_model import MAX_COMPLETION_CHARS, Completion, Prompt
from context_graph.progress import unwanted
from context_graph.server.jsonrpc import Id, Response

__all__ = ["MAX_QUESTIONS_OPEN", "Sampling", "completion_of"]

MAX_QUESTIONS_OPEN = 4
"""Of all clients of a server: each takes a thread that works on calls, and over HTTP there are eight of them."""

CANCELLED_EVERY_S = 0.1
"""How often a question that waits looks whether its call is still wanted."""


@dataclass(slots=True, eq=False)
class _Question:
    id: str
    settled: threading.Event = field(default_factory=threading.Event)
    response: Response | None = None


class Sampling:
    """The questions of one connection.

    Parameters
    ----------
    send : callable
        Given the id of a request of the client's and a message that belongs to it, sends the message and does not wait.
    deadline_s : float
        How long an answer is waited for.
    slots : semaphore
        Shared by all connections of a server.
    """

    def __init__(
        self, send: Callable[[Id, dict[str, Any]], None], deadline_s: float, slots: threading.Semaphore
    ) -> None:
        self._send, self._deadline_s, self._slots = send, deadline_s, slots
        self._changing = threading.Lock()
        self._numbers = count(1)
        self._open: _Question | None = None
        self._ended = False

    def ask(self, within: Id, prompt: Prompt) -> Completion:
        """What the client's model makes of a prompt.

        Parameters
        ----------
        within : str or int
            The client's request that is being worked on.
        """
        if not self._slots.acquire(blocking=False):
            return Completion(
                problem=f"{MAX_QUESTIONS_OPEN} questions to models of clients are open, as many as may be"
            )
        try:
            return self._ask(within, prompt)
        finally:
            self._slots.release()

    def take(self, response: Response) -> None:
        """Hand an answer to who waits for it; one that nobody waits for is dropped."""
        with self._changing:
            question = self._open
            if question is not None and question.id == response.id and question.response is None:
                question.response = response
                question.settled.set()

    def end(self) -> None:
        """The client answers nothing any more."""
        with self._changing:
            self._ended = True
            if self._open is not None:
                self._open.settled.set()

    def _ask(self, within: Id, prompt: Prompt) -> Completion:
        with self._changing:
            if self._ended:
                return Completion(problem="the client has left")
            if self._open is not None:
                return Completion(problem="another question to it was open")
            question = self._open = _Question(f"context-graph-{next(self._numbers)}")
        self._send(within, _request(question.id, prompt))
        problem = self._wait(question)
        with self._changing:
            self._open = None
            response = question.response
        if response is not None:
            return completion_of(response)
        params = {"requestId": question.id, "reason": problem}
        self._send(within, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
        return Completion(problem=problem)

    def _wait(self, question: _Question) -> str:
        """Wait for the answer, and say why there is none where none comes."""
        end = time.monotonic() + self._deadline_s
        while (left := end - time.monotonic()) > 0:
            if question.settled.wait(min(left, CANCELLED_EVERY_S)):
                return "the client has left"
            if unwanted():
                return "the call was cancelled"
        return f"it did not answer within {self._deadline_s:g} s"


def completion_of(response: Response) -> Completion:
    """What an answer of a client says, whatever it is.

    Examples
    --------
    >>> completion_of(Response("a", {"model": "m", "content": {"type": "text", "text": "It rains."}}))
    Completion(text='It rains.', model='m', problem='')
    >>> completion_of(Response("a", None, {"code": -1, "message": "User rejected sampling request"})).problem
    'the client refused: User rejected sampling request (code -1)'
    >>> completion_of(Response("a", {"content": 7})).problem
    'its answer was malformed: expected the name of a model, got none'
    """
    if response.error is not None:
        return Completion(problem=f"the client refused: {_refusal(response.error)}")
    result = response.result
    if not isinstance(result, dict):
        return _malformed(f"expected an object as the result, got {type(result).__name__}")
    model, content = result.get("model"), result.get("content")
    if not isinstance(model, str) or not model.strip():
        return _malformed("expected the name of a model, got none")
    blocks = content if isinstance(content, list) else [content]
    texts = [one.get("text") for one in blocks if isinstance(one, dict) and one.get("type") == "text"]
    text = "\n".join(one for one in texts if isinstance(one, str))
    if not text.strip():
        return _malformed("expected content of type text, got none")
    if len(text) > MAX_COMPLETION_CHARS:
        return _malformed(f"expected {MAX_COMPLETION_CHARS} characters at most, got {len(text)}")
    return Completion(text, model.strip())


def _malformed(problem: str) -> Completion:
    return Completion(problem=f"its answer was malformed: {problem}")


def _refusal(error: Any) -> str:
    """The words of an error, which a client wrote."""
    values = error if isinstance(error, dict) else {}
    message, code = values.get("message"), values.get("code")
    words = " ".join(message.split())[:200] if isinstance(message, str) else ""
    return f"{words or 'without a reason'} (code {code})" if isinstance(code, int) else words or "without a reason"


def _request(id: str, prompt: Prompt) -> dict[str, Any]:
    params = {
        "messages": [{"role": "user", "content": {"type": "text", "text": prompt.text}}],
        "systemPrompt": prompt.system,
        "includeContext": "none",
        "temperature": 0,
        "maxTokens": prompt.max_tokens,
    }
    return {"jsonrpc": "2.0", "id": id, "method": "sampling/createMessage", "params": params}
