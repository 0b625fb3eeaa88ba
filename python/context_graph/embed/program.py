"""Reads programs: where a text holds code, in which language, what it is called, what it says of itself."""

import ast
import re
import textwrap
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, pairwise
from zlib import crc32

from context_graph.embed.stems import split_identifier
from context_graph.regex import regex
from context_graph.syntax_trees import syntax_tree
from context_graph.texts import kept_for_texts

__all__ = [
    "ABBREVIATIONS",
    "LANGUAGES",
    "Program",
    "Reading",
    "is_test",
    "opens_with_a_definition",
    "path_hash",
    "plain",
    "program_of",
    "reading",
]

MAX_CODE_CHARS = 16_384
"""Characters of code that are looked at; what follows is found by its words."""

FENCE = regex(r"^[ \t]*```[ \t]*+([\w+#-]*+)[^\n]*+\n(.*?)(?:^[ \t]*```[ \t]*$|\Z)", re.M | re.S)
_MARKS = regex(r"^[ \t]*```.*$", re.M)
_FENCED_TEXT = frozenset("text txt console output log md markdown plaintext diff csv".split())

# A word of a text, a string, a comment or a sign; an open string or comment ends with the text, so a scan is linear.
_TOKEN = regex(
    r"(?P<doc>[rRbBuUfF]{0,2}(?:\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)))"
    r"|(?P<comment>/\*.*?(?:\*/|\Z)|//[^\n]*|\#[^\n]*)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*(?:\"|$)|'(?:[^'\\\n]|\\.)*(?:'|$)|`[^`]*(?:`|\Z))"
    r"|(?P<word>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<sign>[^\s\w])",
    re.S | re.M,
)
_DEFINES = regex(
    r"^[ \t]*(?:@[\w.]++[^\n]*+\n[ \t]*+){0,16}+"  # nothing is given back: lines of @names would be split anew
    r"(?:(?:export|default|public|private|protected|static|final|async|abstract|pub"
    r"|inline|override|virtual|unsafe|extern)\s+){0,5}"
    r"(?:def\s+(?P<python>\w+)\s*\(|class\s+(?P<type>\w+)\s*[(:{<]|class\s+(?P<heir>\w+)\s+(?:extends|implements)\b"
    r"|function\s*\*?\s*(?P<function>\w+)\s*\(|fn\s+(?P<rust>\w+)\s*[(<]|func\s+(?:\([^)\n]*\)\s*)?(?P<go>\w+)\s*\("
    r"|(?:const|let|var)\s+(?P<arrow>\w+)\s*=\s*(?:async\s*)?(?:\([^)\n]*\)|\w+)\s*=>"
    r"|(?:struct|enum|interface|trait|impl|namespace)\s+(?P<record>\w+)[^\n;.?!]{0,80}\{"
    r"|(?:[\w:<>*&\[\],]+[ \t]+)+\**(?P<typed>\w+)\s*\([^;()\n]*\)\s*(?:const\s*)?(?:throws\s+\w+\s*)?\{)",
    re.M,
)
_STATEMENT = regex(
    r"^[ \t]*(?:import\s+[\w.{*]+|from\s+[\w.]+\s+import\b|#\s*include\b|using\s+[\w.:]+|package\s+[\w.]+;?$"
    r"|return\b[^.]*$|(?:if|elif|for|while|with|try|except|else|finally|switch|catch)\b[^.?!]*[:{]\s*$|@\w[\w.]*(?:\(.*)?$"
    r"|(?:const|let|var|auto|int|float|double|bool|char|string|String)\s+\w+\s*(?:=|;)"
    r"|[\w.\[\]'\"*]+\s*(?:[-+*/|&]?=)(?!=)\s*\S|(?:await\s+|raise\s+|throw\s+|print\s+)?[\w.]+\([^\n]*\)\s*;?$"
    r"|[^\n]*[;{]\s*$|[\])}]+[;,]?\s*$|(?:select|insert into|update|delete from|create table)\s)",
    re.I,
)

LANGUAGES = frozenset(
    """python javascript typescript java kotlin scala swift ruby rust golang go php perl lua haskell julia matlab bash
    shell sql cpp c csharp""".split()
)
"""Words for a language: in a question they say which code is meant, not what it does."""

_TAGS = {
    "py": "python", "python3": "python", "js": "javascript", "jsx": "javascript", "ts": "typescript",
    "tsx": "typescript", "c++": "cpp", "cc": "cpp", "hpp": "cpp", "cs": "csharp", "c#": "csharp", "rs": "rust",
    "rb": "ruby", "sh": "bash", "zsh": "bash", "kt": "kotlin", "hs": "haskell", "golang": "go",
}  # fmt: skip
_SIGNS = (
    ("python", regex(r"^[ \t]*(?:async\s+)?def\s+\w+\s*\(|^[ \t]*(?:from\s+[\w.]+\s+)?import\s+\w|\bself\.|"
                          r"^[ \t]*(?:if|for|while|with|class|elif|except)\b[^\n]*:[ \t]*$", re.M)),
    ("rust", regex(r"\bfn\s+\w+.*(?:->|\{)|\blet\s+mut\b|\bimpl\b.*\{", re.M)),
    ("go", regex(r"^func\s|^package\s+\w+$|:=", re.M)),
    ("typescript", regex(r"\binterface\s+\w+\s*\{|\)\s*:\s*\w+(?:<[^>\n]*>)?\s*(?:=>|\{)")),
    ("javascript", regex(r"\bfunction\b|=>|\b(?:const|let|var)\s+\w+\s*=|\brequire\(")),
    ("cpp", regex(r"#\s*include\b|\bstd::|\btemplate\s*<")),
    ("java", regex(r"\b(?:public|private|protected)\s+(?:static\s+)?(?:final\s+)?[\w<>\[\]]+\s+\w+\s*[({=;]")),
    ("sql", regex(r"^[ \t]*(?:select\b.+\bfrom|insert\s+into|create\s+table|update\s+\w+\s+set)\b", re.I | re.M)),
    ("bash", regex(r"^#!.*sh\b|^[ \t]*(?:fi|done|esac)[ \t]*$", re.M)),
)  # fmt: skip

ABBREVIATIONS: dict[str, str] = dict(
    pair.split("=")
    for pair in """arg=argument args=arguments arr=array async=asynchronous attr=attribute attrs=attributes
    auth=authentication avg=average bool=boolean calc=calculate cfg=config char=character chars=characters
    cmd=command col=column cols=columns concat=concatenate conf=config coord=coordinate coords=coordinates
    ctx=context db=database def=define del=delete desc=description dest=destination df=dataframe dict=dictionary
    diff=difference dir=directory dirs=directories dist=distance div=divide doc=document docs=documents
    dst=destination dt=datetime elem=element elems=elements env=environment eq=equal err=error eval=evaluate
    exc=exception exec=execute expr=expression ext=extension fmt=format fn=function freq=frequency func=function
    funcs=functions gen=generate idx=index img=image impl=implementation info=information init=initialize
    int=integer ints=integers iter=iterate kwargs=keywords len=length lib=library loc=location mat=matrix
    max=maximum min=minimum mkdir=directory mod=module msg=message msgs=messages mult=multiply norm=normalize
    np=numpy num=number nums=numbers obj=object objs=objects param=parameter params=parameters pct=percent
    pd=pandas perc=percent pkg=package plt=plot pos=position prev=previous prob=probability proc=process
    qty=quantity rand=random re=regex rec=record recv=receive ref=reference regex=expression rel=relative
    repr=representation req=request res=result resp=response ret=return rm=remove sep=separator seq=sequence
    sess=session sig=signature spec=specification sqrt=root src=source std=standard stdev=deviation str=string
    strs=strings sub=subtract sync=synchronize sys=system tbl=table temp=temporary tmp=temporary trans=transpose
    ts=timestamp txt=text usr=user util=utility utils=utilities val=value vals=values var=variable vars=variables
    vec=vector vecs=vectors ver=version win=window""".split()
)
"""What programmers shorten, and the word that people ask with."""


@dataclass(frozen=True, slots=True)
class Program:
    """One piece of code, taken apart.

    Attributes
    ----------
    language : str or None
    names : tuple of str
        What it defines: functions and types, as written.
    documentation : str
        Docstrings, and the comments of languages that have none.
    identifiers : tuple of str
        Every other word of the code, strings and comments included, in reading order.
    syntax : dict
        Paths of the syntax tree, or of the signs where no parser of ours reads the language, and how often each is.
    """

    language: str | None
    names: tuple[str, ...]
    documentation: str
    identifiers: tuple[str, ...]
    syntax: Mapping[str, int]

    @property
    def head(self) -> str:
        """What it says of itself in plain words: names and documentation."""
        return f"{plain(' '.join(self.names))}. {self.documentation}".strip(". ")

    @property
    def body(self) -> str:
        """Its identifiers in plain words."""
        return plain(" ".join(self.identifiers))


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with its code put into plain words.

    Attributes
    ----------
    text : str
        Prose as it stands; in place of code, its head and its body.
    programs : tuple of Program
    spans : tuple of (start, end)
        Where the programs stand in the text that was read.
    """

    text: str
    programs: tuple[Program, ...]
    spans: tuple[tuple[int, int], ...]


@kept_for_texts(maxsize=256)  # one memory is read for its words, its vectors and its code
def reading(text: str) -> Reading | None:
    """Read the code in a text: fenced blocks, or all of it where it is a program; None where there is none.

    Examples
    --------
    >>> reading("def readTSV2(path):\\n    return open(path)").programs[0].head
    'read tsv 2'
    >>> reading("Anna (my sister) plays; I listen.") is None
    True
    """
    if _is_code(text):
        spans = [(0, len(text), "")]
    else:
        spans = [
            (match.start(2), match.end(2), match[1].lower())
            for match in FENCE.finditer(text)
            if match[1].lower() not in _FENCED_TEXT and (match[1] or _is_code(match[2]))
        ]
    if not spans:
        return None
    texts, programs, last = [], [], 0
    for start, end, tag in spans:
        program = program_of(text[start:end][:MAX_CODE_CHARS], tag)
        prose = _MARKS.sub("", text[last:start]).strip()
        told = f"{program.head}\n{program.body}"
        if prose:
            texts.append(prose)
        texts.append(told)
        programs.append(program)
        last = end
    if rest := _MARKS.sub("", text[last:]).strip():
        texts.append(rest)
    return Reading("\n".join(texts), tuple(programs), tuple((start, end) for start, end, _ in spans))


def program_of(code: str, tag: str = "") -> Program:
    """Take a piece of code apart; by Python's own parser where it is Python that parses, else by its signs."""
    language = _language(code, tag)
    words: list[str] = []
    documentation: list[str] = []
    signs: list[str] = []
    comments: list[str] = []
    names = tuple(dict.fromkeys(next(filter(None, found.groups())) for found in _DEFINES.finditer(code)))
    definitions = set(names)
    for token in _TOKEN.finditer(code):
        kind, word = token.lastgroup, token[0]
        signs.append(word if kind == "sign" or word in _KEYWORDS else str(kind))
        if kind == "doc":
            documentation.append(word.lstrip("rRbBuUfF").strip("\"'"))
        elif kind == "comment":
            if language == "python" and word.startswith("//"):
                words += re.findall(r"\w+", word)  # a division, and what it divides by
            elif not (word.startswith("#") and language not in _HASH_COMMENTS):
                comments.append(word.strip("/*#! \t\n"))
        elif kind == "string":
            words += re.findall(r"\w+", word)
        elif kind in ("word", "number") and word not in definitions and word not in _KEYWORDS:
            words.append(word)
    if language == "python":
        words += [word for comment in comments for word in re.findall(r"\w+", comment)]
    else:
        documentation += comments
    syntax = _tree_paths(code) if language == "python" else {}
    told = " ".join(" ".join(documentation).split())
    return Program(language, names, told, tuple(words), syntax or _sign_paths(signs))


def plain(text: str) -> str:
    """Identifiers in plain words: camelCase, snake_case and digits split, lower case.

    Examples
    --------
    >>> plain("parseHTMLPage utf8_to_str md5sum")
    'parse html page utf 8 to str md 5 sum'
    """
    parts = (part for word in re.findall(r"[^\W\d_]+|\d+", text) for part in split_identifier(word))
    return " ".join(parts)


_TEST = regex(
    r"^[ \t]*(?:async\s+)?def\s+test_\w+\s*\(|^[ \t]*class\s+Test[A-Z_]\w*"  # Python
    r"|^[ \t]*(?:it|test|describe)(?:\.\w+)?\(\s*['\"`]"  # JavaScript
    r"|#\[(?:\w+::)?test\b|^func\s+(?:Test|Benchmark|Fuzz)[A-Z_]\w*\("  # Rust, Go
    r"|^[ \t]*@(?:Parameterized)?Test\b|^[ \t]*\[(?:Fact|Theory|Test|TestMethod|TestCase)\b"  # Java, C#
    r"|^[ \t]*(?:public\s+)?function\s+test[A-Z_]\w*\s*\(|^[ \t]*TEST(?:_[FP])?\(",  # PHP, C++
    re.M,
)


_TEST_MARKS = (
    "test_", "Test", "TEST", "it(", "it.", "test(", "test.", "describe", "#[", "Benchmark", "Fuzz", "[Fact", "[Theory",
    "function",
)  # fmt: skip
"""One of these stands in all that the expression matches: most texts have none, and are not searched."""


def is_test(text: str) -> bool:
    """Whether a text is code that tests other code.

    Examples
    --------
    >>> is_test("def test_glow():\\n    assert glow(1)"), is_test("def glow(level):\\n    return level")
    (True, False)
    """
    code = text[:MAX_CODE_CHARS]
    return any(mark in code for mark in _TEST_MARKS) and _TEST.search(code) is not None


def opens_with_a_definition(text: str) -> bool:
    """Whether a text is code that begins with a function or a type.

    Examples
    --------
    >>> opens_with_a_definition("def glow(level):\\n    return level"), opens_with_a_definition("glow(1)\\nx = 2")
    (True, False)
    """
    code = text[:MAX_CODE_CHARS]
    return _opens(code, _first_definition(code))


def _first_definition(code: str) -> re.Match[str] | None:
    return _DEFINES.search(code) if any(sign in code for sign in _CODE_SIGNS) else None


def _opens(code: str, first: re.Match[str] | None) -> bool:
    return first is not None and not code[: first.start()].strip()


_KEYWORDS = frozenset(
    """and as assert async await break case catch class const continue def default del delete do elif else enum except
    export extends false False final finally fn for from func function global if impl implements import in interface is
    lambda let new None nonlocal not null or package pass private protected pub public raise return self static struct
    super switch this throw throws trait true True try typeof use using var void while with yield""".split()
)
_CODE_SIGNS = ("(", "=", "{", ";", ":\n")
"""One of these stands in all code."""

_HASH_COMMENTS = frozenset({"python", "ruby", "bash", "perl", "julia", None})


def _is_code(text: str) -> bool:
    """Whether a text is a program: it opens with a definition, or enough of its lines are statements."""
    text = text[:MAX_CODE_CHARS]
    first = _first_definition(text)
    if _opens(text, first):
        return True  # what follows is its documentation and its body
    if not any(sign in text for sign in _CODE_SIGNS):
        return False
    lines = [line for line in text.splitlines() if line.strip()][:200]
    statements = sum(bool(_STATEMENT.match(line)) for line in lines)
    return statements >= (0.4 if first is not None else 0.6) * len(lines) and len(lines) >= 2


def _language(code: str, tag: str) -> str | None:
    tag = _TAGS.get(tag, tag)
    if tag in LANGUAGES:
        return tag
    return next((name for name, sign in _SIGNS if sign.search(code)), None)


def _tree_paths(code: str) -> dict[str, int]:
    """Kinds of nodes in the syntax tree, each with its parent, and with its parent's parent; no names."""
    try:
        tree = syntax_tree(textwrap.dedent(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    counts: Counter[tuple[type | None, type, type]] = Counter()
    waiting: list[tuple[ast.AST, type | None, type | None]] = [(tree, None, None)]
    while waiting:
        node, parent, above = waiting.pop()
        kind = type(node)
        if parent is not None:
            counts[above, parent, kind] += 1
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                waiting += [(child, kind, parent) for child in value if isinstance(child, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                waiting.append((value, kind, parent))
    paths: Counter[str] = Counter()
    for (above, parent, kind), count in counts.items():
        paths[f"{parent.__name__}>{kind.__name__}"] += count
        if above is not None:
            paths[f"{above.__name__}>{parent.__name__}>{kind.__name__}"] += count
    return paths


def _sign_paths(signs: list[str]) -> dict[str, int]:
    """Pairs and triples of keywords, signs and kinds of words: the shape of code in any language."""
    return Counter(map(" ".join, chain(pairwise(signs), zip(signs, signs[1:], signs[2:], strict=False))))


@kept_for_texts(maxsize=65_536)
def path_hash(path: str) -> int:
    """A number that is the same in every process."""
    return crc32(path.encode("utf-8", "replace"))
