"""What Context Graph promises, one line each, with the page that says so; tests name the promise they keep.

`@requirement("remember:one-word-changes")` ties a test to a promise; `tests/test_requirements.py` finds a promise that
no test keeps, a test that names none of these, and a page that does not exist.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

__all__ = ["REQUIREMENTS", "Requirement", "requirement"]

Test = TypeVar("Test", bound=Callable[..., Any] | type)


class Requirement(NamedTuple):
    """A behaviour that users may rely on.

    Attributes
    ----------
    text : str
        The behaviour, in one sentence.
    source : str
        The page of the documentation that promises it, below `docs/`.
    """

    text: str
    source: str


# One block a subject, in the order of the architecture; "subject:promise" is the name.
REQUIREMENTS: dict[str, Requirement] = {
    # ingest: what is stored, and what counts as known
    # safety: secrets, personal data, who may touch what
    # exchange: export, import, seed, capture
    # recall: search and what an agent is told
    # embedding: tiers and models
    # store: the log, locks, damage
    "store:purge-in-place": Requirement(
        "A permanent deletion leaves every running process as one that opens the memory now, without loading it anew.",
        "reliability.md",
    ),
    "store:no-lock-errors": Requirement(
        "Any number of processes share a home without lock errors, permanent deletions included.", "reliability.md"
    ),
    "store:purge-is-short": Requirement(
        "A permanent deletion looks through the log, empties it and changes backups without keeping writers waiting.",
        "reliability.md",
    ),
    # server: the protocol
    "server:never-hangs": Requirement(
        "Every tool answers while others store, forget and delete for good: locks are taken in one order.",
        "reliability.md",
    ),
    "server:stuck-calls-are-reported": Requirement(
        "A call that takes longer than 20 s is reported once on stderr, with what each thread does.", "reliability.md"
    ),
    "server:every-line-is-answered": Requirement(
        "A line that is no request is answered with a parse error or an invalid request, under the id that it names.",
        "reliability.md",
    ),
    "server:back-pressure": Requirement(
        "A client that never reads its answers is not read from: what waits for it is bounded.", "reliability.md"
    ),
    "server:progress": Requirement(
        "A call whose request has a progress token is told of in notifications that rise, at most four a second.",
        "agents.md",
    ),
    "server:cancelled-calls-stop": Requirement(
        "A call that is cancelled stops at the next stage of its work, unless it has begun to write.", "agents.md"
    ),
    # cli: the terminal
    # kernels
}


def requirement(name: str) -> Callable[[Test], Test]:
    """Say which promise a test keeps."""
    if name not in REQUIREMENTS:
        raise KeyError(f"{name!r} is not in tests/requirements.py; add it there with its page")
    return lambda test: test
