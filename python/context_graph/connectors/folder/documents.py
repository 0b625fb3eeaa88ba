"""A folder in parts: each of its files as its reader cuts it."""

import io
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.connectors.folder.listing import text_files
from context_graph.connectors.folder.parts import TOO_SHORT, LaterParts, Part, Skipped, Survey
from context_graph.connectors.folder.readers import READERS, MissingExtra, Reader, Section, Unreadable
from context_graph.connectors.folder.readers.markdown import MARKDOWN, unread_front_matter
from context_graph.connectors.folder.readers.plain import CODE
from context_graph.connectors.folder.readers.registry import suffix_of
from context_graph.embed.program import reading
from context_graph.errors import InvalidInput
from context_graph.ingest.splitter import pieces
from context_graph.progress import counted

if TYPE_CHECKING:
    from context_graph.connectors.folder.readings import Readings

__all__ = ["MARKDOWN", "TOO_SHORT", "Part", "Skipped", "Survey", "survey", "text_files"]

MIN_PIECE_CHARS = 20  # characters; a lone bracket or heading tells nothing
LONGEST_FILE = 1_000_000
MINIFIED = 2_000
"""Characters of a line, on average, from which code was written by a program for a program."""

MAX_NULS = 8
"""Characters NUL in a text, or one in a hundred; where more are, a file that decodes is no text all the same."""

FENCE = "```"

PLAIN = Reader(lambda text, path: [Section("", text)], "text")


def survey(
    source: Path, *, missing: bool = False, only: Collection[str] | None = None, readings: "Readings | None" = None
) -> Survey:
    """Read a file or folder: of a git checkout what git does not ignore, else all that is neither hidden, built nor
    left out by a .gitignore.

    Parameters
    ----------
    missing : bool
        Whether a source that is not there is an empty one; an error otherwise.
    only : collection of str, optional
        Paths below the folder: of the files that are worth reading, read these alone.
    readings : Readings, optional
        Documents that are as they say are parsed when their parts are asked for.
    """
    root = Path(source).resolve()
    if not root.exists():
        if missing:
            return Survey(root, root)
        raise InvalidInput(f"source must be a file or a folder, and {source} does not exist", field="source")
    if root.is_file():
        longest = READERS.get(suffix_of(root), PLAIN).max_bytes
        if (size := root.stat().st_size) > longest:
            raise InvalidInput(
                f"{source} has {size:,} bytes, and of a file at most {longest:,} are read; split it",
                field="source",
            )
        done = Survey(root, root.parent, readings=readings)
        _read(done, root.name)
        return done
    done = Survey(root, root, readings=readings)
    for path in counted(list(text_files(done)), "reading files"):
        if only is None or path in only:
            _read(done, path)
    return done


def _read(done: Survey, path: str) -> None:
    """Take in the parts of a file, or why it gives none; a file that is gone gives no word."""
    suffix, data = suffix_of(path), b""
    reader = READERS.get(suffix, PLAIN)
    try:
        if not reader.binary:
            place = f"{done.folder}/{path}"
            with open(place, "rb") as file:  # pathlib takes several times as long, and there may be many files
                data = file.read()
            if done.readings is not None and suffix in MARKDOWN:
                done.contents[path] = content = done.readings.content(data)
                if earlier := done.readings.get(place, content):
                    read_later = partial(_parts_of, done, path, reader, data)
                    done.noted[path], done.parts[path] = earlier, LaterParts(len(earlier.order), read_later)
                    return
        parts = list(_parts_of(done, path, reader, data))
    except (FileNotFoundError, NotADirectoryError):
        return
    except UnicodeDecodeError:
        done.skipped.append(Skipped(path, "not text in UTF-8"))
        return
    except OSError as error:
        done.skipped.append(Skipped(path, f"unreadable: {error.strerror}"))
        return
    except MissingExtra as extra:
        done.skipped.append(Skipped(path, f"needs the extra [{extra}]"))
        return
    except Unreadable as error:
        done.skipped.append(Skipped(path, str(error)))
        return
    if len(parts) > reader.max_parts:
        done.skipped.append(Skipped(path, f"read in part: the first {reader.max_parts} passages of {len(parts)}"))
        del parts[reader.max_parts :]
        done.contents.pop(path, None)
    done.parts[path] = parts
    if not parts:
        done.skipped.append(Skipped(path, TOO_SHORT))


def _parts_of(done: Survey, path: str, reader: Reader, data: bytes) -> Iterator[Part]:
    return _parts(path, reader, _sections(done, path, reader, data))


def _sections(done: Survey, path: str, reader: Reader, data: bytes) -> list[Section]:
    file = done.folder / path
    if reader.binary:
        return list(reader.read(file))
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8-sig").read()
    if text.count("\0") > max(MAX_NULS, len(text) // 100):
        raise Unreadable("not text")
    if reader.kind == "code" and suffix_of(path) != ".ipynb" and len(text) > MINIFIED * (1 + text.count("\n")):
        raise Unreadable("minified")
    if suffix_of(path) in MARKDOWN and (problem := unread_front_matter(text)):
        done.skipped.append(Skipped(path, f"read in part: {problem}"))
        done.contents.pop(path, None)  # said again at each look, as long as it is so
    try:
        return list(reader.read(text, file))
    except MissingExtra as extra:
        if not reader.plain:
            raise
        done.notes[path] = str(extra)
        return [Section("", text)]


def _parts(path: str, reader: Reader, sections: list[Section]) -> Iterator[Part]:
    tag, is_code = suffix_of(path).lstrip("."), reader.kind == "code" and suffix_of(path) not in CODE
    for section in sections:
        reached = 0
        first = True
        for piece in [section.text] if section.whole else _pieces(section):
            start = section.text.find(piece.lstrip("\n").partition("\n")[0], reached)
            start = max(start, reached)
            reached = min(start + len(piece), len(section.text))
            line = section.line + section.text.count("\n", 0, start) if section.line else 0
            text = piece
            if is_code:
                margin = section.text[section.text.rfind("\n", 0, start) + 1 : start]
                if not margin.strip():  # a cut between two lines took it from the second
                    text = margin + piece.lstrip("\n")
                text = _as_code(text, "" if first else section.signature, tag)
            first = False
            yield Part(
                path, section.heading, text, reader.kind, line, line + piece.strip("\n").count("\n") if line else 0,
                section.place, section.definition, section.signature, section.occurred_at, section.tags,
                section.ended,
            )  # fmt: skip


def _pieces(section: Section) -> Iterator[str]:
    return pieces(section.text, least=1 if section.definition else MIN_PIECE_CHARS)


def _as_code(piece: str, signature: str, tag: str) -> str:
    """A piece of code that reads as code: a later piece of a definition below its signature, and what could pass for
    prose within a fence.
    """
    if signature:
        first = piece.lstrip("\n")
        indent = " " * (len(first) - len(first.lstrip(" ")))
        piece = f"{signature}\n{indent}...\n{first}"
    return piece if reading(piece) is not None or FENCE in piece else f"{FENCE}{tag}\n{piece}\n{FENCE}"
