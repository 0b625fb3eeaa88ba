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
    "metadata:bounded-before-walked": Requirement(
        "Metadata of very many entries are refused before they are walked.", "quickstart.md"
    ),
    # safety: secrets, personal data, who may touch what
    "secrets:everyday-shapes": Requirement(
        "Secrets and personal data in the shapes of everyday notes and commands are replaced before anything is kept.",
        "quickstart.md",
    ),
    "secrets:plain-text-stays": Requirement(
        "Prose and code that speak of secrets and hold none stay as they are.", "quickstart.md"
    ),
    "privacy:names-of-agents-and-sessions": Requirement(
        "An agent or a session that is named by personal data or a secret is written under a pseudonym.",
        "quickstart.md",
    ),
    "secrets:kinds": Requirement(
        "A setting names the kinds of sensitive text that are replaced, or none.", "quickstart.md"
    ),
    # exchange: export, import, seed, capture
    "import:vectors-of-strangers": Requirement(
        "Vectors in a file are believed only where the key of this store signed it; else they are made anew.",
        "quickstart.md",
    ),
    "capture:half-a-character": Requirement(
        "Half a character, which no file can hold, becomes U+FFFD, and the capture goes on.", "quickstart.md"
    ),
    "seed:bounded-file": Requirement(
        "A file given to `seed` by name is bounded as the files of a folder are.", "quickstart.md"
    ),
    "import:order": Requirement(
        "A file whose lines are not in the order of an export is refused with the line before anything is written.",
        "quickstart.md",
    ),
    "import:accepted-is-usable": Requirement(
        "What an import accepts can be searched, verified and exported again.", "quickstart.md"
    ),
    # recall: search and what an agent is told
    # embedding: tiers and models
    # store: the log, locks, damage
    "verify:lost-tail": Requirement(
        "A log that ends before what was committed is reported, though it is sound in itself.", "reliability.md"
    ),
    "verify:changed-key": Requirement("`verify` names a signing key that was replaced.", "reliability.md"),
    "verify:damaged-text": Requirement(
        "A damaged byte of text is reported as damage, with what to do, by every read and by verify.", "reliability.md"
    ),
    "store:foreign-link": Requirement("A store file that links to a file of another user is refused.", "quickstart.md"),
    "verify:backups": Requirement("`verify` looks at the backups in the home directory too.", "reliability.md"),
    # server: the protocol
    # cli: the terminal
    "terminal:no-escapes": Requirement(
        "Stored text that a command prints cannot command the terminal or turn the order of what is read.",
        "reliability.md",
    ),
    # kernels
}


def requirement(name: str) -> Callable[[Test], Test]:
    """Say which promise a test keeps."""
    if name not in REQUIREMENTS:
        raise KeyError(f"{name!r} is not in tests/requirements.py; add it there with its page")
    return lambda test: test
