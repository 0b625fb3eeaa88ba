"""Front matter of Markdown: what stands between two lines of --- at the top, and what it says of its document."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from context_graph.dates import read_date
from context_graph.instants import EARLIEST, LATEST
from context_graph.models import Microseconds
from context_graph.regex import regex

if TYPE_CHECKING:
    from yaml import MarkedYAMLError

__all__ = [
    "begins_with_key", "date_in", "ended_in", "front_matter", "line_of_key", "note_tag", "tags_in", "title_in",
]  # fmt: skip

MAX_FRONT_MATTER_CHARS = 16_384
MAX_FRONT_MATTER_DEPTH = 12
MAX_FRONT_MATTER_VALUES = 2_000
MAX_WRITTEN_DATE_CHARS = 60

_FRONT_MATTER = regex(r"\ufeff?---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.S | re.M)
_ENDED = {
    "superseded": "superseded", "replaced": "superseded", "deprecated": "obsolete", "obsolete": "obsolete",
    "expired": "obsolete", "withdrawn": "retracted", "retracted": "retracted", "rejected": "rejected",
    "archived": "archived",
}  # fmt: skip
"""First words of a status that say: no longer so, as records of decisions have them."""

_SUCCESSORS = ("superseded_by", "superseded-by", "replaced_by", "replaced-by")
_IN_A_VALUE = ("while parsing a flow", "while scanning a quoted", "while scanning a simple key")
"""Errors of the YAML parser that name where a value begins, and are noticed far below."""
_KEY = regex(r"""[ \t]*["']?([\w .-]{1,60}?)["']?[ \t]*:""")


def note_tag(tags: dict[str, str], name: str) -> None:
    """Note a tag under its name without case, as it is written first; a number is none."""
    name = name.strip().lstrip("#").rstrip("/")
    if name and not name.isdigit():
        tags.setdefault(name.casefold(), name)


def _names(value: Any) -> Iterator[str]:
    """Tags of the front matter: a list, or a text with commas or spaces."""
    if isinstance(value, str):
        yield from re.split(r"[,\s]+", value)
    elif isinstance(value, Sequence):
        yield from (str(one) for one in value if isinstance(one, str | int))


def front_matter(text: str) -> tuple[dict[str, Any], int, tuple[str, ...]]:
    """The front matter, where the rest begins, and what is wrong with it."""
    if not text.startswith(("---", "\ufeff---")) or (found := _FRONT_MATTER.match(text)) is None:
        return {}, 0, ()
    try:
        return _loaded(found[1]), found.end(), ()
    except (ValueError, RecursionError) as error:
        return {}, found.end(), (f"front matter: {error}",)


def begins_with_key(text: str) -> bool:
    """Whether what stands between the lines --- at the top of a document begins with a key, as front matter that
    cannot be read does; prose between two rules begins with none.
    """
    match = _FRONT_MATTER.match(text)
    return match is not None and bool(_key_of(match[1].lstrip().partition("\n")[0]))


def title_in(frontmatter: Mapping[str, Any]) -> str:
    """The title that front matter names; empty where it names none."""
    title = frontmatter.get("title")
    return str(title).strip() if isinstance(title, str | int | float) else ""


def tags_in(frontmatter: Mapping[str, Any]) -> tuple[str, ...]:
    """The tags that front matter names under `tags` and `tag`, each once.

    Examples
    --------
    >>> tags_in({"tags": "plan, #alpha, Plan"})
    ('plan', 'alpha')
    """
    tags: dict[str, str] = {}
    for key in ("tags", "tag"):
        for name in _names(frontmatter.get(key)):
            note_tag(tags, name)
    return tuple(tags.values())


def date_in(frontmatter: Mapping[str, Any]) -> Microseconds | None:
    """The date of a document: that under `occurred`, as an export writes it, else `date`, else `created`; None where
    none can be read.

    Examples
    --------
    >>> date_in({"date": "soon", "created": "1970-01-02"})
    86400000000
    """
    for key in ("occurred", "date", "created"):
        value = frontmatter.get(key)
        if isinstance(value, bool) or not isinstance(value, str | int):
            continue
        try:
            moment = read_date(str(value)[:MAX_WRITTEN_DATE_CHARS])
        except ValueError:  # no date, or one with a time zone that cannot be
            continue
        if EARLIEST <= moment <= LATEST:
            return moment
    return None


def ended_in(frontmatter: Mapping[str, Any]) -> str:
    """How a document ended by its front matter, in a word that says so of a memory too: superseded, rejected,
    retracted, obsolete or archived; empty where it holds.

    Examples
    --------
    >>> ended_in({"status": "Superseded by 0003"}), ended_in({"status": "accepted", "superseded-by": ""})
    ('superseded', '')
    """
    status = frontmatter.get("status")
    first = status.split()[:1] if isinstance(status, str) else []
    if first and (word := _ENDED.get(first[0].strip(",.:;").lower())):
        return word
    return "superseded" if any(frontmatter.get(key) for key in _SUCCESSORS) else ""


def line_of_key(text: str, key: str) -> int:
    """The line of a document that a key of its front matter stands in, from 1; 0 where that is not to be seen."""
    match = _FRONT_MATTER.match(text)
    lines = match[1].splitlines() if match else []
    return next((place for place, line in enumerate(lines, 2) if _key_of(line) == key), 0)


def _key_of(line: str) -> str:
    match = _KEY.match(line)
    return match[1] if match else ""


def _loaded(text: str) -> dict[str, Any]:
    """Front matter as JSON values: no tags of Python, no aliases that multiply, no depth that breaks a parser."""
    import yaml

    if len(text) > MAX_FRONT_MATTER_CHARS:
        raise ValueError(f"expected at most {MAX_FRONT_MATTER_CHARS} characters, got {len(text)}")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        depth = 0
        for event in yaml.parse(text, Loader=loader):  # a flat pass: deep data would overflow the stack of the C loader
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if isinstance(event, yaml.AliasEvent):
                raise ValueError(_placed(text, event.start_mark.line, "expected no aliases (*name)"))
            if depth > MAX_FRONT_MATTER_DEPTH:
                raise ValueError(
                    _placed(text, event.start_mark.line, f"expected at most {MAX_FRONT_MATTER_DEPTH} levels")
                )
        values = yaml.load(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        raise ValueError(_placed(text, _wrong_line(error), error.problem or "no YAML")) from None
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())[:200]) from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ValueError(f"expected keys with values, got {type(values).__name__}")
    plain: dict[str, Any] = _plain(values, Counter())
    return plain


def _wrong_line(error: "MarkedYAMLError") -> int | None:
    """Where the value begins that could not be read, else where reading ended; from 0."""
    inside = error.context is not None and error.context.startswith(_IN_A_VALUE)
    mark = error.context_mark if inside and error.context_mark is not None else error.problem_mark
    return None if mark is None else mark.line


def _placed(text: str, line: int | None, problem: str) -> str:
    """What is wrong in a line of front matter, with the line of the file, which has --- above it, and the key."""
    problem = " ".join(problem.split())[:200]
    lines = text.splitlines()[: None if line is None else line + 1]
    while lines and not lines[-1].strip():
        lines.pop()
    if line is None or not lines:
        return problem
    key = _key_of(lines[-1])
    return f"line {len(lines) + 1}: {key}: {problem}" if key else f"line {len(lines) + 1}: {problem}"


def _plain(value: Any, count: Counter[str]) -> Any:
    count["values"] += 1
    if count["values"] > MAX_FRONT_MATTER_VALUES:
        raise ValueError(f"expected at most {MAX_FRONT_MATTER_VALUES} values")
    if isinstance(value, dict):
        return {str(key): _plain(one, count) for key, one in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(one, count) for one in value]
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, float) and value - value != 0:  # infinite or not a number: JSON has neither
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        return str(value)
    return value if isinstance(value, str | int | float | bool | None) else str(value)
