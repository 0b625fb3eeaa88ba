"""A home of its own for every command, on the base tier."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from context_graph.cli import main
from context_graph.memory import Memory
from context_graph.settings import load_settings

CODE = """def litres(pots: int) -> float:
    'How much water the pots need.'
    return 1.5 * pots
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home that the environment names."""
    monkeypatch.setenv("CONTEXT_GRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CONTEXT_GRAPH_TIER", "base")
    return tmp_path / "home"


@pytest.fixture
def empty(home: Path) -> Path:
    """The same home with a memory in it that holds nothing yet."""
    with Memory(load_settings()[0]):
        return home


@pytest.fixture
def run(home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command in this process."""

    def run(*arguments: str) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A small folder: two sections of Markdown, one function, one file that is not text."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "garden.md").write_text(
        "# Garden\n\nThe tomatoes stand on the balcony that faces south.\n\n## Water\n\n"
        "Water the tomatoes every second evening, because the pots dry out.\n",
        encoding="utf-8",
    )
    (folder / "watering.py").write_text(CODE, encoding="utf-8")
    (folder / "old.txt").write_bytes("Die Bl\xe4tter sind braun geworden.".encode("latin-1"))
    return folder


@pytest.fixture
def stored(run: Callable[..., Ran], notes: Path) -> list[dict[str, Any]]:
    """The memories of the folder, as search finds them."""
    assert run("seed", "--source", notes).code == 0
    return run("search", "water the tomatoes", "--json").json["results"]
