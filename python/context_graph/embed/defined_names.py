"""The names that a piece of code defines where others see them: functions, types, and what is assigned at its top."""

import re
from typing import NamedTuple

from context_graph.embed.program import FENCE, MAX_CODE_CHARS, plain
from context_graph.embed.stems import stem_of
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["DefinedNames", "defined_names", "name_stems", "uses"]

_ASSIGNED = regex(
    r"(?:(?:export|pub|public|static|final|readonly|const|let|var|val|constexpr|inline|local|declare)[ \t]+){0,5}"
    r"(?:(?:int|float|double|bool|boolean|char|string|String|long|auto|size_t)[ \t]+)?"
    r"(?P<name>[A-Za-z_$]\w{0,80})[ \t]*(?::[^=\n]{0,120})?=(?![=>])"
)
"""At the indentation of the whole, or of what a class holds; a keyword argument stands deeper."""

_DEFINED = regex(
    r"(?:(?:export|default|public|private|protected|static|async|abstract|pub|final)[ \t]+){0,5}"
    r"(?:def|class|function|fn|func|struct|enum|interface|trait|type|macro_rules!|#define)[ \t]+"
    r"(?:\([^)\n]{0,80}\)[ \t]*)?(?P<name>[A-Za-z_$]\w{0,80})"
)
_LISTED = regex(r"[ \t]*['\"]?[\w.]+['\"]?,?[ \t]*")
"""A line of an import or of `__all__`, which has a name and nothing else."""

_IMPORTED = regex(r"[ \t]*(?:from|import|use|using|export \{|#\s*include|__all__)\b")


class DefinedNames(NamedTuple):
    """Names as they are written: of functions and types, and of what is assigned."""

    declared: frozenset[str]
    assigned: frozenset[str]


def _code(text: str) -> str:
    """The code that a text is; nothing of a manual with examples."""
    fenced = FENCE.search(text[:MAX_CODE_CHARS])
    if fenced is None:
        return text[:MAX_CODE_CHARS]
    return "" if text[: fenced.start()].strip() else fenced[2]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@kept_for_texts(maxsize=1_024)
def defined_names(text: str) -> DefinedNames:
    """The names that code defines; a manual with examples defines none.

    Examples
    --------
    >>> code = "MAX_TRIES = 3\\n\\nclass Pump:\\n    speed: int = 2\\n    def run(self, n=1):\\n        left = n"
    >>> [sorted(names) for names in defined_names(code)]
    [['Pump', 'run'], ['MAX_TRIES', 'speed']]
    >>> sorted(defined_names("export const maxTries = 3;\\nrun(\\n    tries=maxTries,\\n)").assigned)
    ['maxTries']
    """
    declared: set[str] = set()
    assigned: set[str] = set()
    lines = [line for line in _code(text).split("\n") if line.strip()]
    outer = min(map(_indent, lines), default=0)
    within = -1  # the indentation of the body of a class; -1 where none is open
    for line in lines:
        indent = _indent(line)
        statement = line[indent:]
        if within >= 0 and indent <= outer and not statement.startswith(("@", "#")):
            within = -1
        if (match := _DEFINED.match(statement)) is not None:
            declared.add(match["name"])
            if indent == outer and "class" in statement[: match.start("name")].split():
                within = indent + 4
        elif indent in (outer, within) and (match := _ASSIGNED.match(statement)) is not None:
            assigned.add(match["name"])
    return DefinedNames(frozenset(declared), frozenset(assigned))


def uses(text: str, name: str) -> bool:
    """Whether code has a name elsewhere than where it defines or imports it.

    Examples
    --------
    >>> uses("if tries > MAX_TRIES:\\n    stop()", "MAX_TRIES"), uses("MAX_TRIES = 3", "MAX_TRIES")
    (True, False)
    >>> uses("from pumps import (\\n    MAX_TRIES,\\n)\\nimport os", "MAX_TRIES")
    False
    """
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for line in _code(text).split("\n"):
        if name not in line or _IMPORTED.match(line) or _LISTED.fullmatch(line):
            continue
        declared = line.lstrip()
        of_definition = next((m for m in (_DEFINED.match(declared), _ASSIGNED.match(declared)) if m), None)
        start = of_definition.end("name") if of_definition is not None and of_definition["name"] == name else 0
        if word.search(declared, start):
            return True
    return False


@kept_for_texts(maxsize=4_096)
def name_stems(name: str) -> frozenset[str]:
    """The stems of the words of which a name is made.

    Examples
    --------
    >>> sorted(name_stems("MAX_TRIES")), sorted(name_stems("parseHTMLPage"))
    (['max', 'try'], ['html', 'page', 'pars'])
    """
    return frozenset(filter(None, map(stem_of, plain(name).split())))
