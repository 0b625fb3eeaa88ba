"""Reading a file of lines that may be anything: bounded, and in words where it is not text."""

from collections.abc import Iterator
from pathlib import Path

from context_graph.errors import UnusablePath

__all__ = ["lines_of"]

LONGEST_LINE = 1 << 26
"""Characters; the longest line of an export holds a memory's token vectors, some 11 million."""


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a file, each as it was written, with its line end.

    What an editor, a mail or a checkout on Windows puts in is taken out: a mark of the byte order, and the carriage
    return at the end of a line, which no JSON has there. So a digest over the lines fits.
    """
    try:
        with open(path, encoding="utf-8-sig", newline="\n") as file:
            while line := file.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise UnusablePath(f"{path} has a line of more than {LONGEST_LINE} characters", field="path")
                yield f"{line[:-2]}\n" if line.endswith("\r\n") else line
    except UnicodeDecodeError as error:
        raise UnusablePath(f"{path} is not text in UTF-8: {error.reason}", field="path") from error
    except OSError as error:
        raise UnusablePath(f"{path} cannot be read: {error.strerror or error}", field="path") from error
