"""What a compiled kernel does, read from its machine code (SASS) by nvdisasm."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

__all__ = ["Code", "codes", "nvdisasm"]

BYTES = {".128": 16, ".64": 8, ".U16": 2, ".S16": 2, ".U8": 1, ".S8": 1}  # else 4
LINE = re.compile(r"\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+ )?([A-Z][A-Z0-9_.]*)(.*)")
LOAD = re.compile(r"LDG\.|LDGSTS")  # from global memory; LDGDEPBAR is a barrier


@cache
def nvdisasm() -> str | None:
    """On PATH, else beside nvcc, else the one that Triton brings."""
    found = shutil.which("nvdisasm")
    if found is not None:
        return found
    places = []
    if nvcc := shutil.which("nvcc"):
        dry = subprocess.run([nvcc, "--dryrun", "-c", "none.cu"], check=False, capture_output=True, text=True).stderr
        places += [Path(folder) for folder in re.findall(r"_HERE_=(.*)", dry)]
    triton = find_spec("triton")
    if triton is not None and triton.origin is not None:
        places.append(Path(triton.origin).parent / "backends" / "nvidia" / "bin")
    return next((str(place / "nvdisasm") for place in places if (place / "nvdisasm").exists()), None)


@dataclass
class Code:
    """The instructions of one kernel, each as its name and the rest, and its loops as first and last instruction."""

    instructions: list[tuple[str, str]]
    loops: list[tuple[int, int]]

    def count(self, pattern: str) -> int:
        """How many instructions have a name that begins so."""
        return sum(re.match(pattern, name) is not None for name, _ in self.instructions)

    @property
    def wide(self) -> float:
        """Of the bytes that loops load from global memory, the share that comes 16 bytes at a time.

        The loops are the innermost ones with such a load: others, over the rest of a row and over a query,
        say nothing about how rows are read. Of several the least; 0 where no loop has one.
        """
        having = [loop for loop in self.loops if any(".128" in name for name in self._loads(loop))]
        inner = [a for a in having if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in having)]
        return min((self._share(loop) for loop in inner), default=0.0)

    def _loads(self, loop: tuple[int, int]) -> list[str]:
        return [name for name, _ in self.instructions[loop[0] : loop[1] + 1] if LOAD.match(name)]

    def _share(self, loop: tuple[int, int]) -> float:
        sizes = [next((BYTES[kind] for kind in BYTES if kind in name), 4) for name in self._loads(loop)]
        return sum(size for size in sizes if size == 16) / sum(sizes)


def codes(cubin: Path) -> dict[str, Code]:
    """Every kernel of a .cubin by its name."""
    text = subprocess.run([str(nvdisasm()), str(cubin)], check=True, capture_output=True, text=True).stdout
    parts = re.findall(r"\.text\.(\w+):(.*?)(?=\n\.text\.|\Z)", text, re.DOTALL)
    return {name: _code(body) for name, body in parts}


def _code(body: str) -> Code:
    labels, found, loops = {}, [], []
    for line in body.splitlines():
        if label := re.match(r"(\.L_\w+):", line):
            labels[label[1]] = len(found)
        elif instruction := LINE.match(line):
            found.append((instruction[1], instruction[2]))
    for last, (name, rest) in enumerate(found):
        target = re.search(r"`\((\.L_\w+)\)", rest)
        if name.startswith("BRA") and target and labels.get(target[1], last) < last:  # a jump back
            loops.append((labels[target[1]], last))
    return Code(found, loops)
