"""A folder as memories: its Markdown by sections, its text by paragraphs, its code by definitions."""

import ast
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.errors import InvalidInput
from context_graph.memory.draft import Draft
from context_graph.memory.parts import pieces
from context_graph.memory.remember import remember
from context_graph.safety.pii import scrub

if TYPE_CHECKING:
    from context_graph.memory.memory import Memory

__all__ = ["Part", "files_of", "parts_of", "seed"]

LEAST = 20  # characters; a lone bracket or heading tells nothing
LONGEST_FILE = 1_000_000
MOST_PARTS = 10_000  # of one file: a file of the longest size has at most a thousand
MARKDOWN = {".md", ".markdown", ".mdx"}
TEXT = {".txt", ".rst", ".adoc", ".org"}
CODE = {
    ".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".hpp", ".cu", ".cuh",
    ".rb", ".php", ".swift", ".kt", ".scala", ".sh", ".sql", ".toml", ".yaml", ".yml", ".css", ".html", ".lua",
}  # fmt: skip
SKIPPED = {"node_modules", "__pycache__", "build", "dist", "target", "venv", "env", "vendor", "site-packages"}


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a file that can stand alone.

    Attributes
    ----------
    heading : str
        Where it stands: headings or the definition's name, outermost first.
    """

    path: str
    heading: str
    text: str
    kind: str


def files_of(source: Path) -> list[Path]:
    """Files worth remembering: what git tracks, or all that is neither hidden, built nor large."""
    if not source.exists():
        raise InvalidInput(f"source must be a file or a folder, and {source} does not exist", field="source")
    if source.is_file():
        if (size := source.stat().st_size) > LONGEST_FILE:
            raise InvalidInput(
                f"{source} has {size:,} bytes, and of a file at most {LONGEST_FILE:,} are read; split it",
                field="source",
            )
        return [source]
    listed = subprocess.run(
        ["git", "-C", str(source), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False,
    ) if (source / ".git").exists() else None  # fmt: skip
    if listed is not None and listed.returncode == 0:
        found = [source / name for name in listed.stdout.decode("utf-8", "replace").split("\0") if name]
    else:
        found = list(source.rglob("*"))
    kinds = MARKDOWN | TEXT | CODE
    root = source.resolve()
    return sorted(
        path
        for path in found
        if path.suffix.lower() in kinds
        and not any(part.startswith(".") or part in SKIPPED for part in path.relative_to(source).parts)
        and path.is_file()
        and path.resolve().is_relative_to(root)  # a link that leads out is not part of the folder
        and path.stat().st_size <= LONGEST_FILE
    )


def parts_of(path: Path, name: str) -> Iterator[Part]:
    """The parts of one file; a file that is not text has none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, OSError):
        return
    suffix = path.suffix.lower()
    if suffix in MARKDOWN:
        sections, kind = _markdown(text), "documentation"
    elif suffix == ".py":
        sections, kind = _python(text), "code"
    elif suffix in CODE:
        sections, kind = [("", text)], "code"
    else:
        sections, kind = [("", text)], "text"
    for heading, body in sections:
        for piece in pieces(body, least=LEAST):
            yield Part(name, heading, piece, kind)


def seed(memory: "Memory", source: Path) -> Iterator[tuple[Part, str, bool]]:
    """Remember a folder part by part; yields each part, the id of its memory and whether it was new.

    Parts of a file are one session and linked to the file's first part; storing a folder again stores only
    what has changed.
    """
    source = Path(source)
    for path in files_of(source):
        name = path.name if path == source else path.relative_to(source).as_posix()
        session = str(uuid.uuid5(uuid.NAMESPACE_URL, f"seed:{source.resolve().name}/{name}"))
        known = {node.content: node.id for node in memory.store.session_memories(session, MOST_PARTS)}
        first: str | None = None
        for part in parts_of(path, name):
            text = scrub(part.text, kinds=memory.settings.redacted).text
            if text in known:  # without embedding it again
                first = first or known[text]
                yield part, known[text], False
                continue
            where = f"{part.path}, {part.heading}" if part.heading else part.path
            done = remember(
                memory,
                Draft(
                    part.text,
                    rationale=f"{part.kind} of the project: {where}"[:500],
                    name=where[:60],
                    metadata={"source": part.path, "heading": part.heading, "kind": part.kind},
                    link_to=() if first is None else (first,),
                    session_id=session,
                    agent_id="seed",
                    domain="code" if part.kind == "code" else None,
                    read_head=False,
                ),
            )
            first = first or done.node.id
            yield part, done.node.id, done.stored


def _markdown(text: str) -> list[tuple[str, str]]:
    """Sections under their headings."""
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
    return [(heading, "\n".join(lines[start:end])) for (start, heading), end in zip(starts, ends, strict=True)]


def _python(text: str) -> list[tuple[str, str]]:
    """Top-level definitions, methods of large classes, and what stands before the first definition."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return [("", text)]
    lines, sections, reached = text.splitlines(), [], 0
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            start = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
            sections += [("", "\n".join(lines[reached:start])), (node.name, "\n".join(lines[start : node.end_lineno]))]
            reached = node.end_lineno or start
    return [*sections, ("", "\n".join(lines[reached:]))]
