"""The parts of CUDA C++ that g++ does not know, as plain C++ on the same lines."""

import re

__all__ = ["rewrite"]


def rewrite(source: str) -> str:
    """Launches, shared memory and inline PTX of a .cu or .cuh become calls of the emulator."""
    code = _blank(source)
    edits = [*_launches(source, code), *_shared(source, code), *_assembly(source, code)]
    for start, stop, text in sorted(edits, reverse=True):
        lost = source.count("\n", start, stop) - text.count("\n")
        source = source[:start] + text + "\n" * lost + source[stop:]
    return source


def _blank(source: str) -> str:
    """The source with comments and the insides of strings as spaces, so that positions stay."""

    def spaces(match: re.Match) -> str:
        text = match[0]
        if text.startswith('"'):
            return '"' + " " * (len(text) - 2) + '"'
        return re.sub(r"[^\n]", " ", text)

    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", spaces, source, flags=re.DOTALL)


def _close(code: str, start: int) -> int:
    """Where the bracket that opens at `start` closes."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    depth, opens, closes = 0, code[start], pairs[code[start]]
    for at in range(start, len(code)):
        depth += (code[at] == opens) - (code[at] == closes)
        if depth == 0:
            return at
    raise SyntaxError(f"'{opens}' of line {code.count(chr(10), 0, start) + 1} never closes")


def _launches(source: str, code: str) -> list[tuple[int, int, str]]:
    edits = []
    for match in re.finditer(r"<<<", code):
        start = match.start()
        while code[start - 1].isspace():
            start -= 1
        if code[start - 1] == ">":  # template arguments of the kernel
            depth = 0
            while True:
                start -= 1
                depth += (code[start] == ">") - (code[start] == "<")
                if depth == 0:
                    break
        while re.match(r"[\w:]", code[start - 1]):
            start -= 1
        stop = code.index(">>>", match.end())
        kernel, configuration = source[start : match.start()], source[match.end() : stop]
        edits.append((start, stop + 3, f"emulator::prepare({kernel}, emulator::Configuration({configuration}))"))
    return edits


def _shared(source: str, code: str) -> list[tuple[int, int, str]]:
    edits = []
    for match in re.finditer(r"(\bextern\s+)?\b__shared__\b", code):
        stop = code.index(";", match.end())
        declaration = source[match.end() : stop]
        align = re.search(r"(?:alignas|__align__)\s*\(([^)]*)\)", declaration)
        declaration = re.sub(r"(?:alignas|__align__)\s*\([^)]*\)", "", declaration)
        name = re.search(r"(\w+)\s*((?:\[[^\]]*\]\s*)*)$", declaration.strip())
        if name is None or "," in re.sub(r"<[^>]*>|\[[^\]]*\]", "", declaration):
            line = source.count("\n", 0, match.start()) + 1
            raise SyntaxError(f"one __shared__ declarator a statement, line {line}: {declaration.strip()}")
        kind = declaration.strip()[: name.start()].strip()
        if match[1]:
            text = f"{kind}* const {name[1]} = emulator::dynamic<{kind}>()"
        else:
            shape = f"emulator_type_{name[1]}"
            text = (
                f"typedef {kind} {shape}{name[2]}; "
                f"{shape}& {name[1]} = emulator::shared<{shape}>([] {{}}, {align[1] if align else 1})"
            )
        edits.append((match.start(), stop, text))
    return edits


def _assembly(source: str, code: str) -> list[tuple[int, int, str]]:
    edits = []
    for match in re.finditer(r"\basm\b\s*(?:volatile\b|__volatile__\b)?\s*\(", code):
        start = match.end() - 1
        stop = _close(code, start)
        sections = _split(source, code, start + 1, stop, ":")
        text = sections[0].strip()
        operands = []
        for number, section in enumerate(sections[1:3]):
            inner = _blank(section)
            for operand in _split(section, inner, 0, len(section), ","):
                found = re.match(r'\s*("[^"]*")\s*\((.*)\)\s*$', operand, re.DOTALL)
                if found:
                    operands.append(f"emulator::{'read' if number else 'written'}({found[1]}, {found[2]})")
        arguments = ", ".join(["emulator::Where::current()", text, *operands])
        edits.append((match.start(), stop + 1, f"emulator::ptx({arguments})"))
    return edits


def _split(source: str, code: str, start: int, stop: int, at: str) -> list[str]:
    """The pieces between separators that stand outside all brackets."""
    pieces, depth, first = [], 0, start
    for position in range(start, stop):
        depth += (code[position] in "([{") - (code[position] in ")]}")
        if code[position] == at and depth == 0:
            pieces.append(source[first:position])
            first = position + 1
    return [*pieces, source[first:stop]]
