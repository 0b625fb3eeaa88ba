"""The options of a command."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from context_graph.errors import InvalidInput, UnusablePath
from context_graph.suggestions import nearest

__all__ = ["PROJECT_HELP", "options", "path_argument", "reading_content", "whole_number"]

PROJECT_HELP = "only memories of this project: its name, the address of its repository, or a folder that was seeded"


class Options(argparse.ArgumentParser):
    """A parser whose complaints are errors of ours: one line for a person, JSON for a program."""

    def error(self, message: str) -> NoReturn:
        raise InvalidInput(message, hint=f"{self._meant(message)}{self.prog} --help explains it")

    def _meant(self, message: str) -> str:
        """Which option was meant by one that there is not; empty where none is near."""
        _, unknown, words = message.partition("unrecognized arguments: ")
        written = next((word for word in words.split() if word.startswith("--")), "") if unknown else ""
        names = [name for name in self._option_string_actions if name.startswith("--")]
        near = nearest(written.partition("=")[0], names) if written else None
        return f"did you mean {near}? " if near else ""


def options(name: str, text: str, *, example: str) -> Options:
    """The parser of a command, with the options that every command has."""
    parser = Options(
        prog=f"context-graph {name}", description=text, epilog=f"example: {example}", allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    if name != "serve":  # whose standard output belongs to the protocol
        parser.add_argument("--json", action="store_true", help="print JSON, also for an error")
    parser.add_argument(
        "--home", type=path_argument("a directory"), help="directory of the memory (default ~/.context-graph)"
    )
    parser.add_argument("--tier", choices=("auto", "base", "minilm"), help="embedding tier")
    return parser


def path_argument(expected: str) -> Callable[[str], Path]:
    """An argument type: a path that is not empty, which `Path` reads as the current directory."""

    def read(text: str) -> Path:
        if not text.strip():
            raise argparse.ArgumentTypeError(f"expected {expected}, got nothing")
        return Path(text)

    return read


@contextmanager
def reading_content() -> Iterator[None]:
    """Within it, what is no valid input is what lies at a path, or does not: the command is used as it must be."""
    try:
        yield
    except UnusablePath:
        raise
    except InvalidInput as error:
        raise UnusablePath(str(error), field=error.field, hint=error.hint) from error


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """An argument type: a whole number between two bounds."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most}, got {text[:20]!r}")
        return int(text)

    return read
