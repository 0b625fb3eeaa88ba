"""`context-graph completion`."""

import argparse
from importlib import import_module

from context_graph.cli import COMMANDS
from context_graph.cli._options import options
from context_graph.cli._output import show
from context_graph.errors import Refused

SHELLS = ("bash", "zsh", "tcsh")
EXAMPLE = "context-graph completion bash > ~/.local/share/bash-completion/completions/context-graph"


def parser() -> argparse.ArgumentParser:
    arg_parser = options("completion", "Print what makes a shell complete commands and options.", example=EXAMPLE)
    arg_parser.add_argument("shell", choices=SHELLS, help="which shell")
    return arg_parser


def run(parsed: argparse.Namespace) -> int:
    try:
        import shtab
    except ImportError as error:
        raise Refused(
            "completion needs the package shtab, which is not installed", hint="pip install shtab installs it"
        ) from error
    script = shtab.complete(_whole(), shell=parsed.shell)
    show(parsed, {"shell": parsed.shell, "script": script}, script)
    return 0


def _whole() -> argparse.ArgumentParser:
    """One parser of all commands."""
    whole = argparse.ArgumentParser("context-graph")
    commands = whole.add_subparsers()
    for name, (group, text) in COMMANDS.items():
        of_command = import_module(f"context_graph.cli.{group}.{name}").parser()
        commands.add_parser(name, parents=[of_command], add_help=False, help=text)
    return whole
