"""The `context-graph` command: what a person installs, inspects, undoes and exports with."""

import os
import sys
from collections.abc import Sequence

from context_graph.suggestions import nearest, synonyms

__all__ = ["main"]

COMMANDS = {
    "quickstart": ("ops", "show the memory at work on real text, and the lines to paste into your agent"),
    "serve": ("ops", "run the MCP server, on standard input and output or over HTTP"),
    "view": ("ops", "open the page of the memory in a browser"),
    "remember": ("store", "store one memory"),
    "ask": ("store", "say what an agent is told for a question"),
    "token": ("ops", "make, list or revoke tokens for the server over HTTP"),
    "search": ("store", "find memories"),
    "list": ("store", "list memories, the last stored first"),
    "status": ("store", "say what the memory holds and what waits"),
    "brief": ("store", "say what an agent should know for one turn"),
    "facts": ("store", "say what memories state of people and things, with citations"),
    "extract": ("store", "ask a language model of yours what the rules do not read in memories"),
    "seed": ("capture", "remember a folder: Markdown, text and code files"),
    "inspect": ("store", "show a memory with its links and its history"),
    "log": ("store", "list what was written, newest first"),
    "forget": ("store", "remove a memory; undo brings it back for 30 days"),
    "undo": ("store", "take back a write by its hash"),
    "release": ("store", "let a memory out of quarantine"),
    "goal": ("store", "set, list or remove goals"),
    "model": ("store", "choose the model that reads texts; list, show or remove models of cases"),
    "export": ("capture", "write all memories as JSON Lines"),
    "import": ("capture", "take in an export, a file of the official memory server, or a folder"),
    "backup": ("ops", "copy the store while servers go on writing"),
    "restore": ("ops", "put a backup in the place of the store"),
    "verify": ("ops", "check the log, its checkpoints and the tables; or a proof"),
    "repair": ("ops", "join concepts that are one name spelt in several ways"),
    "replay": ("ops", "make the tables anew from the log"),
    "embed": ("ops", "embed now what another model embedded, as after a change of tier"),
    "peer": ("ops", "say which other homes this one is synchronised with"),
    "sync": ("ops", "exchange with other homes what either has not seen"),
    "checkpoint": ("ops", "sign the log as it is now"),
    "prove": ("ops", "print a proof that a write is in the log"),
    "migrate": ("ops", "bring the store to the present format"),
    "hook": ("capture", "capture conversations of Claude Code and recall in them: install, uninstall, drain"),
    "capture": ("capture", "remember the turns of a transcript from standard input"),
    "call": ("store", "call a tool with JSON arguments"),
    "tools": ("store", "list the tools with their schemas"),
    "bench": ("ops", "measure retrieval on a public question set, whole or part by part"),
    "doctor": ("ops", "check the store, the kernels, the model and the server"),
    "config": ("ops", "show every setting and where it comes from"),
    "completion": ("ops", "print what makes bash, zsh or tcsh complete commands and options"),
}
"""By name, the group and what it does. Each lives in `<group>/<name>.py`, which is imported only when it is called."""

WITH_VALUE = ("--home", "--tier")
"""Options of every command behind which a value stands."""

_SYNONYMS = synonyms(
    {
        "remember": "add store save write note put create learn memorize memorise",
        "ask": "recall inject context query question answer",
        "search": "find grep lookup retrieve",
        "list": "ls all memories recent",
        "status": "info stats statistics health",
        "inspect": "show get cat read node",
        "log": "history events audit",
        "forget": "delete remove rm del erase purge",
        "undo": "revert rollback unforget",
        "serve": "start run server mcp",
        "view": "ui web open page browser dashboard",
        "seed": "index ingest scan",
        "export": "dump download",
        "import": "load",
        "config": "settings set configure",
        "hook": "install setup uninstall",
        "doctor": "check test diagnose",
        "quickstart": "init demo help",
        "model": "embedder models",
        "migrate": "upgrade",
    }
)
"""The command that does what another word asks for."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns 0, 1 when it failed on what is there, 2 when the line is wrong, 130 when interrupted."""
    try:
        code = _called(list(sys.argv[1:] if arguments is None else arguments))
        if sys.stdout is not None:
            sys.stdout.flush()  # a reader who has left is noticed here, not at exit
        return code
    except BrokenPipeError:  # the reader of a pipe has had enough
        return _silenced(0)
    except KeyboardInterrupt:
        print("context-graph: interrupted; what was stored before stays", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"context-graph: standard output: {error.strerror}", file=sys.stderr)
        return _silenced(1)


def _silenced(code: int) -> int:
    """Let nothing more be written at exit, which would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _called(arguments: list[str]) -> int:
    if arguments[:1] == ["--version"]:
        from context_graph import __version__

        print(f"context-graph {__version__}")
        return 0
    if arguments[:1] in (["-h"], ["--help"]):
        print(_overview())
        return 0
    if not arguments:
        print(_overview(), file=sys.stderr)
        return 2
    if arguments[:1] == ["hook"] and not {"-h", "--help"} & set(arguments):
        # the host of these two waits for them, and reads exit codes in a way of its own
        if arguments[1:2] == ["capture"]:
            from context_graph.cli.capture._hooked import captured

            return captured(arguments[2:])
        if arguments[1:2] == ["recall"]:
            from context_graph.cli.capture._recalled import recalled

            return recalled(arguments[2:])
    from context_graph.cli._run import misused, run

    if arguments[0] in COMMANDS:
        return run(COMMANDS[arguments[0]][0], arguments[0], arguments[1:])
    if arguments[0].startswith("-"):
        return misused("context-graph", f"options stand behind the command: {_put_behind(arguments)}", arguments)
    near = nearest(arguments[0], COMMANDS, _SYNONYMS)
    guess = f"did you mean {near}?" if near else "context-graph --help lists them"
    return misused("context-graph", f"there is no command {arguments[0][:40]!r}; {guess}", arguments)


def _put_behind(arguments: list[str]) -> str:
    """The line that somebody meant who wrote options before the command."""
    import shlex

    values = [option in WITH_VALUE for option in ("", *arguments)]  # by place, whether it is the value of an option
    place = next((at for at, word in enumerate(arguments) if word in COMMANDS and not values[at]), None)
    if place is None:
        return "context-graph COMMAND [options]; context-graph --help lists the commands"
    return shlex.join(["context-graph", arguments[place], *arguments[place + 1 :], *arguments[:place]])


def _overview() -> str:
    lines = ["usage: context-graph COMMAND [options]", "", "A long-term memory for AI agents, on this machine.", ""]
    lines += [f"  {name:<12} {text}" for name, (_, text) in COMMANDS.items()]
    lines += ["", "context-graph COMMAND --help explains one command; --version prints the version."]
    return "\n".join(lines)
