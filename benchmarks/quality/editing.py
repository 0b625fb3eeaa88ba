"""What the memory and the graph say of a folder that was edited for long, beside what its files say.

::

    python -m benchmarks.quality.editing --source PATH [--minutes 60] [--keep benchmarks/results/folders]

A copy of a folder of documents is followed by two processes on one home, as by a user: `context-graph seed --watch`,
and one that reads the documents into the graph and watches them. A script edits the copy every few seconds: words,
names, new and deleted files, many at once, big files, bytes that are no text, a folder moved away and back, a file
of the same size and time. At the end every text of every file must be a memory, every memory of the folder a text
of its file, every document the hash of its file, the log whole; and neither process may have grown by more than what
was stored.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.quality.report import save
from context_graph import Memory
from context_graph.agents.watching import watch_documents, watched
from context_graph.connectors.folder.documents import MARKDOWN, Survey, survey, text_files
from context_graph.connectors.folder.seeding import AGENT
from context_graph.ingest.draft import Draft, cleaned
from context_graph.knowledge.project import documents, project_name
from context_graph.models import NodeState
from context_graph.server.dispatch import call
from context_graph.settings import Settings

WORDS = "harbour lamp pump crane permit tide keeper cellar brine noon dusk signal rope gull ferry anchor".split()
TEXT = (*MARKDOWN, ".rst", ".txt")
PAUSE_S = (0.5, 4.0)
"""Between two edits."""

BURST = 30
"""Files that are written at once."""

AWAY_S = 5.0
"""How long a folder is moved away."""

MAX_SETTLING_S = 300.0
"""How long both may take to be in step again after the last edit."""

SAID = "context-graph seed: "
TOLD = 20
"""Differences that a result lists; all are counted."""


@dataclass(slots=True)
class Editor:
    """Edits a folder by chance, always in the same way for a seed.

    Attributes
    ----------
    broken : dict
        By path what a file held before its bytes became no text.
    """

    root: Path
    random: random.Random
    away: Path
    pause: Callable[[float], None] = time.sleep
    done: Counter[str] = field(default_factory=Counter)
    broken: dict[Path, bytes] = field(default_factory=dict)
    number: int = 0

    def edit(self) -> str:
        """Do one thing to the folder; returns which."""
        actions = (self.change, self.insert, self.rename, self.delete, self.create, self.burst, self.big, self.garble)
        actions += (self.move_folder, self.replace, self.empty, self.same_stamp, self.front_matter)
        (action,) = self.random.choices(actions, weights=(12, 8, 6, 4, 6, 1, 1, 3, 1, 4, 1, 4, 3))
        action()
        self.done[action.__name__] += 1
        return action.__name__

    def end(self) -> None:
        """Make text again of what is none, so that all of the folder can be compared."""
        for path, data in self.broken.items():
            if path.exists():
                path.write_bytes(data)
        self.broken.clear()

    def files(self) -> list[Path]:
        return sorted(path for path in self.root.rglob("*") if path.suffix in TEXT and path.is_file())

    def any_file(self) -> Path:
        return self.random.choice([path for path in self.files() if path not in self.broken])

    def sentence(self) -> str:
        self.number += 1
        words = " ".join(self.random.choices(WORDS, k=self.random.randint(6, 30)))
        return f"Note {self.number} of the {words}."

    def document(self) -> str:
        others = self.random.sample(self.files(), 2)
        links = " ".join(f"[{one.stem}]({os.path.relpath(one, self.root)})" for one in others)
        paragraphs = "\n\n".join(self.sentence() for _ in range(self.random.randint(1, 4)))
        return f"# Page {self.number}\n\n{paragraphs}\n\n## See\n\n{links} #tag{self.number % 7}\n"

    def change(self) -> None:
        """Another word in a line."""
        path = self.any_file()
        lines = path.read_text("utf-8").split("\n")
        place = self.random.randrange(len(lines))
        lines[place] = f"{lines[place]} {self.random.choice(WORDS)}{self.number}"
        path.write_text("\n".join(lines), "utf-8")

    def insert(self) -> None:
        path = self.any_file()
        blocks = path.read_text("utf-8").split("\n\n")
        blocks.insert(self.random.randint(1, len(blocks)), self.sentence())
        path.write_text("\n\n".join(blocks), "utf-8")

    def rename(self) -> None:
        path = self.any_file()
        self.number += 1
        folder = self.random.choice(self.files()).parent
        path.rename(folder / f"{path.stem[:20]}-{self.number}{path.suffix}")

    def delete(self) -> None:
        self.any_file().unlink()

    def create(self) -> None:
        folder = self.random.choice(self.files()).parent
        if self.random.random() < 0.3:
            folder = folder / f"folder{self.number}"
            folder.mkdir(exist_ok=True)
        text = self.document()
        (folder / f"page{self.number}.md").write_text(text, "utf-8")

    def burst(self) -> None:
        for _ in range(BURST):
            self.random.choice((self.change, self.create, self.rename, self.delete))()

    def big(self) -> None:
        """A file just below, or above, what is read."""
        size = self.random.choice((200_000, 1_100_000))
        self.number += 1
        text = "\n\n".join(f"Line {n} of big file {self.number}." for n in range(3))
        filler = "<!--" + "x" * (size - len(text) - 8) + "-->"
        (self.root / f"big{self.number}.md").write_text(f"{text}\n\n{filler}\n", "utf-8")

    def garble(self) -> None:
        """Bytes that are no text in UTF-8; every other time what was garbled is text again."""
        whole = {path: data for path, data in self.broken.items() if path.exists()}
        if whole and self.random.random() < 0.5:
            path = self.random.choice(sorted(whole))
            path.write_bytes(self.broken.pop(path))
            return
        path = self.any_file()
        data = path.read_bytes()
        self.broken[path] = data
        path.write_bytes(data[: len(data) // 2] + b"\xff\xfe\x80" + data[len(data) // 2 :])

    def move_folder(self) -> None:
        """A folder leaves the tree and comes back, to its place."""
        folders = [path for path in self.root.rglob("*") if path.is_dir() and any(path.iterdir())]
        folder = self.random.choice(folders)
        shutil.move(folder, self.away)
        self.pause(self.random.choice((0.1, AWAY_S)))
        shutil.move(self.away, folder)

    def replace(self) -> None:
        """As editors save: a new file in the place of the old one."""
        path = self.any_file()
        beside = path.with_name(f".{path.name}.swp")
        beside.write_text(f"{path.read_text('utf-8')}\n{self.sentence()}\n", "utf-8")
        beside.replace(path)

    def empty(self) -> None:
        self.any_file().write_text("", "utf-8")

    def same_stamp(self) -> None:
        """Other words, the same size and the same time of the last change."""
        path = self.any_file()
        status, text = path.stat(), path.read_text("utf-8")
        letters = [place for place, letter in enumerate(text) if "a" <= letter < "z"]
        if letters:
            place = self.random.choice(letters)
            path.write_text(f"{text[:place]}{chr(ord(text[place]) + 1)}{text[place + 1 :]}", "utf-8")
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def front_matter(self) -> None:
        path = self.any_file()
        text = path.read_text("utf-8")
        if path.suffix in MARKDOWN and not text.startswith("---"):
            self.number += 1
            path.write_text(f"---\ntags: [edited, t{self.number % 9}]\nstatus: draft\n---\n\n{text}", "utf-8")


def differences(memory: Memory, root: Path, folder: str = ".") -> dict[str, list[str]]:
    """Where the memories and documents of a folder are not what its files say."""
    memory.catch_up()
    inventory = survey(root)
    return _of_memories(memory, inventory) | _of_documents(memory, root, folder)


def _of_memories(memory: Memory, inventory: Survey) -> dict[str, list[str]]:
    kinds = memory.settings.redacted
    said = Counter(
        (path, cleaned(Draft(part.text), kinds=kinds)[0].content)
        for path, parts in inventory.parts.items()
        for part in parts
    )  # a file may say a thing twice, under two headings
    top = inventory.folder.as_posix()
    nodes = [
        node
        for node in memory.store.with_metadata('"folder"')
        if node.agent_id == AGENT
        and node.metadata.get("folder") == top
        and node.state != NodeState.FORGOTTEN
        and node.superseded_by is None
    ]
    stored = Counter((str(node.metadata["source"]), node.content) for node in nodes)
    more = [key for key, count in stored.items() if count > said[key] > 0]
    return {
        "lost passages": sorted(f"{path}: {text[:80]!r}" for path, text in said.keys() - stored.keys()),
        "invented passages": sorted(f"{path}: {text[:80]!r}" for path, text in stored.keys() - said.keys()),
        "passages stored too often": sorted(f"{path}: {text[:80]!r}" for path, text in more),
    }


def _of_documents(memory: Memory, root: Path, folder: str) -> dict[str, list[str]]:
    below = root / folder
    inventory = Survey(below, below)
    paths = [path for path in text_files(inventory) if Path(path).suffix.lower() in MARKDOWN]
    files = {path: hashlib.sha256((below / path).read_bytes()).hexdigest() for path in paths}
    nodes = documents(memory).graph(project_name(memory)).nodes
    known = {node.document.path: node.document.hash for node in nodes}
    return {
        "lost documents": sorted(files.keys() - known.keys()),
        "invented documents": sorted(known.keys() - files.keys()),
        "stale documents": sorted(path for path in files.keys() & known.keys() if files[path] != known[path]),
    }


def resources(pid: int) -> dict[str, int]:
    """What a process holds: its own RAM in kB, threads, open files."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    values = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in status) if name in NAMES}
    return {NAMES[name]: value for name, value in values.items()} | {"files": len(os.listdir(f"/proc/{pid}/fd"))}


NAMES = {"RssAnon": "own_ram_kb", "Threads": "threads"}


def _settled(memory: Memory, root: Path) -> tuple[dict[str, list[str]], float]:
    """The differences once there are none, or once both had long enough."""
    began = time.monotonic()
    while True:
        wrong = differences(memory, root)
        waited = time.monotonic() - began
        if not any(wrong.values()) or waited > MAX_SETTLING_S:
            return wrong, waited
        time.sleep(2)


def edited(source: Path, minutes: float, seed: int, place: Path) -> dict[str, object]:
    """Follow a copy of a folder while it is edited for so long, and compare."""
    root, home = place / "project", place / "home"
    shutil.copytree(source, root, symlinks=True)
    began = time.monotonic()
    command = [sys.executable, "-m", "context_graph.cli", "seed", "--source", str(root), "--home", str(home)]
    log = (place / "seed.log").open("wb")
    seeding = subprocess.Popen([*command, "--tier", "base", "--watch", "--json"], stdout=log, stderr=log)
    try:
        while b"watching" not in (place / "seed.log").read_bytes():
            if seeding.poll() is not None:
                raise SystemExit((place / "seed.log").read_text("utf-8"))
            time.sleep(0.2)
        seeded_s = time.monotonic() - began
        with Memory(Settings(home=home, tier="base", project=root)) as memory:
            call(memory, "kg_graph_generate", {"docsPath": ".", "passages": False})
            watch_documents(memory, (".",))
            watched(memory)[0].begun.wait()
            first, _ = _settled(memory, root)
            numbers = _numbers(memory, seeding.pid)
            samples = [numbers]
            editor = Editor(root, random.Random(seed), place / "away")
            ends = time.monotonic() + minutes * 60
            next_sample = time.monotonic() + minutes * 6
            while time.monotonic() < ends:
                editor.edit()
                time.sleep(editor.random.uniform(*PAUSE_S))
                if time.monotonic() > next_sample:
                    samples.append(_numbers(memory, seeding.pid))
                    next_sample += minutes * 6
            editor.end()
            last, settled_s = _settled(memory, root)
            samples.append(_numbers(memory, seeding.pid))
            report = memory.store.verify()
            problem = watched(memory)[0].problem
    finally:
        with suppress(ProcessLookupError):
            seeding.send_signal(2)
        seeding.wait(60)
        log.close()
    lines = (place / "seed.log").read_text("utf-8").splitlines()
    expected = {f"{SAID}watching {root}; Ctrl-C ends it", f"{SAID}no longer watched"}
    return {
        "minutes": minutes, "seed": seed, "files": len(survey(root).parts), "seconds to seed": round(seeded_s, 1),
        "edits": sum(editor.done.values()), "by kind": dict(editor.done.most_common()),
        "differences before": _counted(first), "differences": _counted(last),
        "named": {name: them[:TOLD] for name, them in last.items() if them},
        "seconds to settle": round(settled_s, 1), "log is whole": report.ok, "problem of the graph": problem,
        "problems that seed told": [line for line in lines if line.startswith(SAID) and line not in expected][:TOLD],
        "processes over time": samples,
    }  # fmt: skip


def _counted(wrong: dict[str, list[str]]) -> dict[str, int]:
    return {name: len(them) for name, them in wrong.items()}


def _numbers(memory: Memory, seeding: int) -> dict[str, object]:
    counts = memory.store.counts()
    return {
        "memories": len(memory.corpus.ids), "events": memory.store.head()[0], "edges": counts["edges"],
        "seed": resources(seeding), "graph": resources(os.getpid()),
    }  # fmt: skip


def main() -> None:
    """Edit a copy of a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, required=True, help="a folder of documents; a copy of it is edited")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--place", type=Path, help="where the copy and the home are made, and stay")
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        numbers = edited(arguments.source, arguments.minutes, arguments.seed, arguments.place or Path(folder))
    numbers["load of the machine"] = round(os.getloadavg()[0], 1)
    if arguments.keep:
        save(arguments.keep, "editing", numbers, [], seconds=time.monotonic() - began)
    else:
        print(json.dumps(numbers, indent=1))


if __name__ == "__main__":
    main()
