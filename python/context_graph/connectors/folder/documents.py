"""A folder in parts: its Markdown by sections, its text by paragraphs, its code by definitions."""

import ast
import os
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from context_graph.errors import InvalidInput
from context_graph.ingest.splitter import pieces
from context_graph.syntax_trees import syntax_tree

__all__ = ["MARKDOWN", "TOO_SHORT", "Part", "Skipped", "Survey", "survey", "text_files"]

MIN_PIECE_CHARS = 20  # characters; a lone bracket or heading tells nothing
LONGEST_FILE = 1_000_000
MARKDOWN = {".md", ".markdown", ".mdx"}
TEXT = {".txt", ".rst", ".adoc", ".org"}
CODE = {
    ".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".hpp", ".cu", ".cuh",
    ".rb", ".php", ".swift", ".kt", ".scala", ".sh", ".sql", ".toml", ".yaml", ".yml", ".css", ".html", ".lua",
}  # fmt: skip
BUILT = {"node_modules", "__pycache__", "build", "dist", "target", "venv", "env", "vendor", "site-packages"}

TOO_SHORT = "too short"
"""The one reason for which a file that was read gives nothing; all others leave its contents unknown."""


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a file that can stand alone.

    Attributes
    ----------
    path : str
        Of the file, below the folder.
    heading : str
        Where it stands: headings or the definition's name, outermost first.
    line : int
        Where it begins in the file, from 1.
    """

    path: str
    heading: str
    text: str
    kind: str
    line: int = 1


class Skipped(NamedTuple):
    """A file or folder that gives no part, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Survey:
    """What a file or folder holds now.

    Attributes
    ----------
    source : Path
        The file or folder itself, without links.
    folder : Path
        What the paths begin at: the source, or the folder of a single file.
    parts : dict
        Path -> its parts in order, of each file that was read.
    skipped : list of Skipped
        What was not read, and what was read and gave nothing.
    """

    source: Path
    folder: Path
    parts: dict[str, list[Part]] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)

    @property
    def total(self) -> int:
        """How many parts there are."""
        return sum(map(len, self.parts.values()))


def survey(source: Path, *, missing: bool = False) -> Survey:
    """Read a file or folder: of a git checkout what git does not ignore, else all that is neither hidden nor built.

    Parameters
    ----------
    missing : bool
        Whether a source that is not there is an empty one; an error otherwise.
    """
    root = Path(source).resolve()
    if not root.exists():
        if missing:
            return Survey(root, root)
        raise InvalidInput(f"source must be a file or a folder, and {source} does not exist", field="source")
    if root.is_file():
        if (size := root.stat().st_size) > LONGEST_FILE:
            raise InvalidInput(
                f"{source} has {size:,} bytes, and of a file at most {LONGEST_FILE:,} are read; split it",
                field="source",
            )
        done = Survey(root, root.parent)
        _read(done, root.name)
        return done
    done = Survey(root, root)
    for path in text_files(done):
        _read(done, path)
    return done


def text_files(done: Survey) -> Iterator[str]:
    """The files of a folder that are worth reading, in order; what is left out is noted with its reason."""
    for path in sorted(_listed(done)):
        if reason := _unwanted(done.source, path):
            done.skipped.append(Skipped(path, reason))
        else:
            yield path


def _listed(done: Survey) -> Iterator[str]:
    """The files below a folder; whole folders that are left out are noted."""
    listed = _git(done.source, "--cached", "--others") if (done.source / ".git").exists() else None
    if listed is not None:
        ignored = _git(done.source, "--others", "--ignored", "--directory") or ()
        done.skipped.extend(Skipped(path.rstrip("/"), "ignored by git") for path in ignored)
        yield from dict.fromkeys(listed)  # a file in conflict is listed several times
        return

    def unreadable(error: OSError) -> None:
        path = Path(error.filename or done.source).relative_to(done.source).as_posix()
        done.skipped.append(Skipped(path, f"unreadable: {error.strerror}"))

    for top, folders, files in os.walk(done.source, onerror=unreadable):
        below = Path(top).relative_to(done.source)
        for name in sorted(folders):
            path = (below / name).as_posix()
            if _hidden(name):
                done.skipped.append(Skipped(path, "hidden or built"))
            elif (Path(top) / name).is_symlink():
                done.skipped.append(Skipped(path, "a link to a folder"))
        folders[:] = [name for name in folders if not _hidden(name)]
        yield from ((below / name).as_posix() for name in files)


def _git(source: Path, *which: str) -> list[str] | None:
    """What git lists of a folder; None where it lists nothing, as for want of git."""
    command = ["git", "-C", str(source), "ls-files", "-z", "--exclude-standard", *which]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError:
        return None
    names = os.fsdecode(done.stdout).split("\0")
    return [name for name in names if name] if done.returncode == 0 else None


def _hidden(name: str) -> bool:
    return name.startswith(".") or name in BUILT


def _unwanted(root: Path, path: str) -> str | None:
    """Why a file is left out, before it is read; None where it is wanted, or not there any more."""
    if any(_hidden(name) for name in path.split("/")):
        return "hidden or built"
    try:
        status = (root / path).stat()
        if stat.S_ISDIR(status.st_mode):
            return "a link to a folder" if (root / path).is_symlink() else "a repository of its own"
        if not stat.S_ISREG(status.st_mode):
            return "not a file"
        if not (root / path).resolve().is_relative_to(root):
            return "outside the folder"
    except FileNotFoundError:
        return "a broken link" if (root / path).is_symlink() else None
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        return f"unreadable: {getattr(error, 'strerror', None) or error}"
    if Path(path).suffix.lower() not in MARKDOWN | TEXT | CODE:
        return "unknown kind"
    return "too large" if status.st_size > LONGEST_FILE else None


def _read(done: Survey, path: str) -> None:
    """Take in the parts of a file, or why it gives none; a file that is gone gives no word."""
    try:
        text = (done.folder / path).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return
    except UnicodeDecodeError:
        done.skipped.append(Skipped(path, "not text in UTF-8"))
        return
    except OSError as error:
        done.skipped.append(Skipped(path, f"unreadable: {error.strerror}"))
        return
    done.parts[path] = list(_parts(path, text))
    if not done.parts[path]:
        done.skipped.append(Skipped(path, TOO_SHORT))


def _parts(path: str, text: str) -> Iterator[Part]:
    suffix = Path(path).suffix.lower()
    if suffix in MARKDOWN:
        sections, kind = _markdown(text), "documentation"
    elif suffix == ".py":
        sections, kind = _python(text), "code"
    elif suffix in CODE:
        sections, kind = [("", text, 0)], "code"
    else:
        sections, kind = [("", text, 0)], "text"
    for heading, body, above in sections:
        reached = 0
        for piece in pieces(body, least=MIN_PIECE_CHARS):
            start = body.find(piece.lstrip("\n").partition("\n")[0], reached)
            reached = max(start, reached)
            yield Part(path, heading, piece, kind, above + body.count("\n", 0, reached) + 1)


def _markdown(text: str) -> list[tuple[str, str, int]]:
    """Sections under their headings, each with the number of lines above it."""
    from markdown_it import MarkdownIt

    lines = text.splitlines()
    path: list[str] = []
    starts: list[tuple[int, str]] = [(0, "")]
    tokens = MarkdownIt().parse(text)
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.map:
            level = int(token.tag[1])
            path = [*path[: level - 1], inline.content.strip()]
            starts.append((token.map[0], " › ".join(part for part in path if part)))
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    return [(heading, "\n".join(lines[start:end]), start) for (start, heading), end in zip(starts, ends, strict=True)]


def _python(text: str) -> list[tuple[str, str, int]]:
    """Top-level definitions, methods of large classes, and what stands before the first definition."""
    try:
        tree = syntax_tree(text)
    except (SyntaxError, ValueError, RecursionError):
        return [("", text, 0)]
    lines, sections, reached = text.splitlines(), [], 0
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            start = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
            sections += [
                ("", "\n".join(lines[reached:start]), reached),
                (node.name, "\n".join(lines[start : node.end_lineno]), start),
            ]
            reached = node.end_lineno or start
    return [*sections, ("", "\n".join(lines[reached:]), reached)]
