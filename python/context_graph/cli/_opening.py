"""The memory that a command works on."""

import argparse
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from context_graph.cli._output import complain
from context_graph.errors import ContextGraphError, InvalidInput, NodeNotFound, NotFound, NotInitialized

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.models import Node
    from context_graph.settings import Settings

__all__ = ["all_cores", "node_named", "opened", "opened_late", "project_named", "settings_of"]

MAX_NAMED_PROJECTS = 20
"""Projects that are named where none is of the name given."""


def settings_of(parsed: argparse.Namespace, **flags: Any) -> "Settings":
    """The settings, where options beat the environment and the file."""
    from context_graph.settings import load_settings

    return load_settings({"home": parsed.home, "tier": parsed.tier, **flags})[0]


def all_cores(parsed: argparse.Namespace) -> int | None:
    """Threads for work that a person waits for: all cores, or None where a setting says how many."""
    from context_graph.settings import load_settings

    origin = load_settings({"home": parsed.home, "tier": parsed.tier})[1]["threads"]
    return min(8, os.cpu_count() or 1) if origin == "default" else None


class _Notices(logging.Handler):
    """What is said of a memory as it is opened: shown once, and not where an error says the same."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        self._texts[record.getMessage()] = None

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Within it, what the package logs is kept to be shown."""
        package = logging.getLogger("context_graph")
        package.addHandler(self)
        try:
            yield
        finally:
            package.removeHandler(self)

    def show(self) -> None:
        """Show it on standard error."""
        for text in self._texts:
            complain(f"context-graph: {text}")


@contextmanager
def opened(parsed: argparse.Namespace, *, make: bool = False, **flags: Any) -> Iterator["Memory"]:
    """The memory of the chosen directory, for as long as the command runs.

    Parameters
    ----------
    make : bool
        Whether one is made where there is none, as by what stores something.

    Raises
    ------
    NotInitialized
        There is no memory; nothing was made.
    StoreCorrupt
        There was one, and it is damaged or lost.
    """
    from context_graph.memory import Memory
    from context_graph.store import has_store, refuse_lost

    settings = settings_of(parsed, **flags)
    if not make and not has_store(settings.home):
        refuse_lost(settings.home)
        raise NotInitialized(
            f"expected a memory in {settings.home}, there is none yet; context-graph remember 'TEXT' makes one, "
            "--home names another directory"
        )
    notices = _Notices()
    with notices.kept():
        memory = Memory(settings)
    with memory:
        memory.background.short = True
        try:
            yield memory
        except ContextGraphError as error:
            why = memory.store.unwritable
            if not why or why not in str(error):
                notices.show()
            raise
        notices.show()


@contextmanager
def opened_late(parsed: argparse.Namespace, **flags: Any) -> Iterator[Callable[[], "Memory"]]:
    """The memory of the chosen directory, opened or made by the first call, for as long as the command runs."""
    with ExitStack() as stack:
        yield cache(lambda: stack.enter_context(opened(parsed, make=True, **flags)))


def node_named(memory: "Memory", text: str) -> "Node":
    """The node whose id, or citation tag, begins so; forgotten ones too."""
    digits = text.strip().strip("[]").removeprefix("node_").replace("-", "").lower()
    if not 6 <= len(digits) <= 32 or digits.strip("0123456789abcdef"):
        raise InvalidInput(
            f"expected the id of a memory or a tag such as node_0193a4b2c1, got {text[:60]!r}", field="node",
            hint="context-graph search shows tags",
        )  # fmt: skip
    found = memory.store.find_by_prefix(digits, limit=3)
    if not found:
        raise NodeNotFound(f"no memory has an id that begins with {digits}; context-graph search shows tags")
    if len(found) > 1:
        raise InvalidInput(f"several ids begin with {digits}: {', '.join(node.id for node in found)}; give more digits")
    return found[0]


def project_named(memory: "Memory", text: str | None) -> str | None:
    """The project that an option names, as memories name it; None where the option was not given.

    Parameters
    ----------
    text : str, optional
        Its name, the address of its repository, or a folder that was seeded, which may be relative as for `seed`.

    Raises
    ------
    NotFound
        No memory is of such a project; the hint names those there are.
    """
    if text is None:
        return None
    from context_graph.connectors.folder.paths import stored_path
    from context_graph.derived import Projects

    projects = memory.view(Projects)
    folder = stored_path(os.path.realpath(os.path.expanduser(text))) if text.strip() else text
    for name in (text, folder):
        if projects.ids(memory.corpus, name):
            return name
    names = [name for name in projects.names(memory.corpus) if "/" not in name]  # each address has its last part too
    known = ", ".join(names[:MAX_NAMED_PROJECTS]) + (", ..." if len(names) > MAX_NAMED_PROJECTS else "")
    advice = (
        f"projects here: {known}" if names else "no memory here is of a project; context-graph seed FOLDER makes one"
    )
    raise NotFound(f"no memory is of the project {text[:80]!r}", hint=advice)
