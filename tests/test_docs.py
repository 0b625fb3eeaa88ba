"""The documents: complete, linked, and every line that can run does."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from context_graph import kernels
from context_graph.cli import COMMANDS, main
from context_graph.embed import SPACES
from context_graph.memory import Memory
from context_graph.retrieval.config import LINKS, RANKING, RULES
from context_graph.retrieval.pipeline import STAGES
from context_graph.settings import Settings
from context_graph.tools.registry import all_tools
from tests.requirements import requirement

REPOSITORY = Path(__file__).parents[1]
DOCUMENTS = [REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
TEXT = "\n".join(path.read_text("utf-8") for path in DOCUMENTS)
RETRIEVAL = (REPOSITORY / "docs" / "memory" / "retrieval.md").read_text("utf-8")
RANKING_PAGE = (REPOSITORY / "docs" / "memory" / "ranking.md").read_text("utf-8")
TRIED = (REPOSITORY / "docs" / "research" / "retrieval.md").read_text("utf-8")
"""What has no weight is told there, and what has one on the page about ranking."""
AGENTS = (REPOSITORY / "docs" / "agents.md").read_text("utf-8")

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
NOT_HERE = re.compile(
    r"claude mcp add |python3 -m venv |context-graph quickstart$|context-graph capture .*<|context-graph .* --watch"
)
"""Lines for a client's own command, for a fresh machine, with redirection or until Ctrl-C; quickstart has its tests."""


def blocks(language: str) -> Iterator[tuple[Path, str]]:
    for path in DOCUMENTS:
        for found in FENCE.finditer(path.read_text("utf-8")):
            if found[1] == language:
                yield path, found[2]


def commands() -> Iterator[tuple[str, str]]:
    """Every shell line of the documents with the name of its document."""
    for path, block in blocks("bash"):
        for line in filter(None, map(str.strip, block.splitlines())):
            yield path.relative_to(REPOSITORY).as_posix(), line


LINES = [(path, line) for path, line in commands() if not NOT_HERE.search(line)]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command):
    assert f"| `{command}` |" in TEXT


@pytest.mark.parametrize("setting", [field.name for field in fields(Settings)])
def test_every_setting_is_documented(setting):
    assert f"| `{setting}` |" in TEXT


FAMILIES = [name for name in kernels.__all__ if name not in ("backends", "cuda_stream")]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_kernel_family_has_a_page(family):
    assert (REPOSITORY / "docs" / "kernels" / f"{family}.md").is_file()
    assert f"kernels/{family}.md" in TEXT


@requirement("docs:kernels-run")
@pytest.mark.parametrize("family", FAMILIES)
def test_the_page_of_every_kernel_family_has_code_that_runs(family):
    page = (REPOSITORY / "docs" / "kernels" / f"{family}.md").read_text("utf-8")
    code = [found[2] for found in FENCE.finditer(page) if found[1] == "python"]
    assert any(f"{family}." in block and "assert " in block for block in code)


@pytest.mark.parametrize("tool", [tool.name for tool in all_tools()])
def test_every_tool_is_documented_and_agents_are_told_when_to_use_it(tool):
    assert f"## {tool}\n" in TEXT
    assert f"`{tool}`" in AGENTS


def cells_of(name: str) -> list[str]:
    """Of the row on the page about ranking; none where the row is among what was tried."""
    used, tried = (
        [line.split("|")[1:-1] for line in page.splitlines() if line.startswith(f"| `{name}` |")]
        for page in (RANKING_PAGE, TRIED)
    )
    assert len(used) + len(tried) == 1, f"{name} must have one row, about ranking or among what was tried"
    return used[0] if used else []


@pytest.mark.parametrize("space", SPACES.values(), ids=lambda space: space.id)
def test_every_space_is_documented_once(space):
    row = f"| {space.id} | `{space.name}` |"
    assert RANKING_PAGE.count(row) + TRIED.count(row) == 1


SCORES = sorted({score for config in RANKING.values() for table in config.tables.values() for score in table})


@pytest.mark.parametrize("score", SCORES)
def test_the_weights_in_the_document_are_those_of_the_code(score):
    kinds = ("dialogue", "several", "note", "topic", "code", "exchange")
    weights = [RANKING[tier].tables[kind].get(score, 0.0) for kind in kinds for tier in ("minilm", "base")]
    assert [float(cell) for cell in cells_of(score)[-12:]] == (weights if any(weights) else [])


@pytest.mark.parametrize(("name", "weight"), [*LINKS.items(), *RULES.items()])
def test_the_links_and_rules_in_the_document_are_those_of_the_code(name, weight):
    assert [float(cell) for cell in cells_of(name)[1:2]] == ([weight] if weight else [])


def test_the_two_stories_name_what_is_in_the_code():
    stories = (REPOSITORY / "docs" / "architecture.md").read_text("utf-8").split("## The story of")[1:]
    code = "\n".join(path.read_text("utf-8") for path in Path(main.__code__.co_filename).parents[1].rglob("*.py"))
    named = {name.rsplit(".")[-1] for name in re.findall(r"`([A-Za-z_.]+)`", "".join(stories).partition("\n## ")[0])}
    assert {name for name in named if not re.search(rf"\b{name}\b", code)} == set()


def test_the_stages_in_the_document_are_those_of_the_code():
    stages = RETRIEVAL.partition("## The stages")[2].partition("## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", stages, re.M) == list(STAGES)


def test_every_shell_line_is_one_that_is_run_or_left_out_on_purpose():
    strange = [line for _, line in LINES if not line.startswith("context-graph ")]
    assert strange == []


@pytest.fixture(scope="module")
def filled(tmp_path_factory) -> Path:
    """A home that the lines share, and a folder small enough to be seeded by each that wants to."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "docs").mkdir()
    (folder / "docs" / "note.md").write_text(
        "# Undo\n\nEvery write has a hash, and `undo` takes that write back.\n", encoding="utf-8"
    )
    with Memory(Settings(home=folder / "home", tier="base")) as memory:
        for project in ("context-graph", "atlas"):  # which lines name by `--project`
            memory.remember(f"The project {project} has a plan.", metadata={"project": project})
    return folder


@pytest.mark.parametrize(("document", "line"), LINES, ids=[f"{path}: {line}"[:80] for path, line in LINES])
def test_every_shell_line_runs(document, line, filled, monkeypatch, capsys):
    monkeypatch.setenv("CONTEXT_GRAPH_HOME", str(filled / "home"))
    monkeypatch.setenv("CONTEXT_GRAPH_TIER", "base")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(filled / "claude"))
    monkeypatch.chdir(filled)
    code = main(shlex.split(line, comments=True)[1:])
    assert code == 0, capsys.readouterr().err


PYTHON = list(blocks("python"))
ADAPTED = {"langchain": "langchain_core", "llamaindex": "llama_index.core", "openai_agents": "agents"}


@pytest.mark.parametrize(("document", "code"), PYTHON, ids=[path.name for path, _ in PYTHON])
def test_every_python_block_runs(document, code, tmp_path, monkeypatch):
    for package in re.findall(r"^(?:import|from) (torch|agents)\b", code, re.M):
        pytest.importorskip(package, reason=f"{package} is not installed")
    for adapter in re.findall(r"context_graph\.integrations\.(\w+)", code):
        pytest.importorskip(ADAPTED[adapter], reason=f"{ADAPTED[adapter]} is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Settings, "__init__", _in(tmp_path, Settings.__init__))
    exec(compile(code, str(document), "exec"), {"__name__": "documented"})


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_links_lead_somewhere(document):
    text = FENCE.sub("", document.read_text("utf-8"))
    for target in LINK.findall(text):
        path, _, heading = target.partition("#")
        if "://" in target or path.startswith("benchmarks/results/"):  # results come with their first run
            continue
        found = (document.parent / path).resolve() if path else document
        assert found.exists(), f"{document.name} links to {target}"
        if heading:
            assert heading in _anchors(found), f"{document.name} links to {target}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_every_document_can_be_reached_from_the_readme(document):
    reached, waiting = set(), [REPOSITORY / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md" or not page.is_file():
            continue
        reached.add(page)
        targets = LINK.findall(page.read_text("utf-8"))
        waiting += [(page.parent / target.partition("#")[0]).resolve() for target in targets]
    assert document in reached


def _anchors(page: Path) -> set[str]:
    titles = [line.lstrip("# ") for line in page.read_text("utf-8").splitlines() if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def _in(home: Path, make):
    """Settings that live in a folder of the test's, whatever the example says."""

    def init(self, **given):
        make(self, **{"home": home, "tier": "base"} | given)

    return init
