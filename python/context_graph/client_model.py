"""The client's own language model, where the user lets it be asked; how it is asked is for the server to say."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from context_graph.regex import regex

__all__ = ["MAX_COMPLETION_CHARS", "MODEL_NAME", "ClientModel", "Completion", "Prompt", "client_model", "reachable"]

MAX_COMPLETION_CHARS = 20_000
"""Of what a model wrote; several times what it is asked for."""

MODEL_NAME = regex(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,99}")
"""What may stand for a model beside what it has proposed: no sentence that a reader could follow."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked.

    Attributes
    ----------
    system : str
        What it is to do; text of ours alone.
    text : str
        What it is to do it with; stored text in it is quoted.
    """

    system: str
    text: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, or why it wrote nothing.

    Attributes
    ----------
    model : str
        Its name, as the client tells it, or the settings.
    problem : str
        Why there is no text, as the end of a sentence; empty where there is one.
    """

    text: str = ""
    model: str = ""
    problem: str = ""


ClientModel = Callable[[Prompt], Completion]
"""Asks, and waits for the answer no longer than its deadline; raises nothing."""

_model: ContextVar[ClientModel | None] = ContextVar("client_model", default=None)


@contextmanager
def reachable(model: ClientModel | None) -> Iterator[None]:
    """While this lasts, let the work of this thread ask a model.

    Examples
    --------
    >>> with reachable(lambda prompt: Completion(problem="it is switched off")):
    ...     ask = client_model()
    >>> ask(Prompt("Sum up.", "> It rains.", 100)).problem, client_model()
    ('it is switched off', None)
    """
    token = _model.set(model)
    try:
        yield
    finally:
        _model.reset(token)


def client_model() -> ClientModel | None:
    """The model that may be asked; None where the user allows none, or nobody is there who has one."""
    return _model.get()
