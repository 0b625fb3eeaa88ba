"""Which project a folder belongs to, and memories that know it."""

import subprocess

import pytest

from context_graph.connectors.claude_code.hook_event import parse_event
from context_graph.connectors.folder.documents import survey
from context_graph.connectors.folder.seeding import seed
from context_graph.connectors.repository import project_of
from context_graph.recall.question import Question
from context_graph.server.dispatch import call
from tests.requirements import requirement

CONFIG = 'class Config:\n    """Settings of the {0}."""\n\n    def load(self):\n        return "{0}"\n'


@pytest.fixture
def checkout(tmp_path):
    root = tmp_path / "lamp-app"
    (root / "src").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


@requirement("project:known")
def test_a_checkout_is_known_by_its_root_and_its_remote(checkout, tmp_path):
    assert project_of(checkout / "src").repository == checkout.as_posix(), "without a remote its root"
    for name, url in (("backup", "https://b.example/x.git"), ("origin", "https://me:secret@git.example/crew/lamp.git")):
        subprocess.run(["git", "-C", checkout, "remote", "add", name, url], check=True)
    project = project_of(checkout / "src")
    assert (project.name, project.root, project.repository) == ("lamp-app", checkout, "https://git.example/crew/lamp")
    plain = tmp_path / "plain"
    plain.mkdir()
    assert (project_of(plain).name, project_of(plain).repository) == ("plain", "")


@requirement("project:known")
def test_a_work_tree_has_the_remote_of_its_checkout(checkout, tmp_path):
    git = ["git", "-C", checkout, "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "remote", "add", "origin", "git@git.example:crew/lamp.git"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", tmp_path / "tree"], check=True)
    assert project_of(tmp_path / "tree").repository == "git@git.example:crew/lamp"


def test_a_broken_config_names_no_repository(checkout):
    (checkout / ".git" / "config").write_bytes(b"[remote \xff\n url\n[[[[" + b'[remote "a"]\n' * 1_000)
    assert project_of(checkout).repository == checkout.as_posix()


@requirement("project:known")
def test_a_hook_notes_the_project_of_the_folder_that_it_runs_in(checkout):
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "Why does the lamp go out at noon?"}
    notice = parse_event(event | {"cwd": str(checkout / "src")}, at=0)
    assert (notice.project, notice.repository) == ("lamp-app", checkout.as_posix())
    assert parse_event(event | {"cwd": "/no/such/place"}, at=0).project == "place"


@requirement("project:filter")
def test_files_of_one_name_are_told_apart_by_project(memory, tmp_path):
    for name in ("lighthouse", "harbour"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.py").write_text(CONFIG.format(name), "utf-8")
        list(seed(memory, survey(tmp_path / name)))
    memory.remember("The settings of the lighthouse were loaded by Mira.")
    for project in ("harbour", "Harbour", str(tmp_path / "harbour")):
        hits = memory.recall("Where are the settings loaded?", project=project).hits
        assert hits and {hit.node.metadata["project"] for hit in hits} == {"harbour"}
    assert not memory.recall("Where are the settings loaded?", project="brewery").hits
    context = memory.inject("How does Config load the settings of the harbour?").text
    assert "from config.py:1-5, in harbour" in context and "in lighthouse" in context
    assert ">       def load(self):\n>           return" in context, "code keeps its line breaks"


@requirement("project:filter")
def test_a_project_that_is_learned_later_counts_from_then_on(memory, tmp_path):
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "config.py").write_text(CONFIG.format("harbour"), "utf-8")
    list(seed(memory, survey(folder)))
    question = Question("Where are the settings loaded?", project="crew/lamp", record=False)
    assert not memory.recall(question).hits
    subprocess.run(["git", "init", "-q", folder], check=True)
    subprocess.run(["git", "-C", folder, "remote", "add", "origin", "https://git.example/crew/lamp"], check=True)
    assert {step.change for step in seed(memory, survey(folder))} == {"unchanged"}
    for name in ("lamp", "https://git.example/crew/lamp.git"):
        assert memory.recall("Where are the settings loaded?", project=name).hits


@requirement("seed:no-curation")
def test_curation_proposes_nothing_for_what_a_file_keeps(memory, tmp_path, clock):
    folder = tmp_path / "kernels"
    folder.mkdir()
    body = 'def score_{0}(rows, query):\n    """The score of each row of {0} for a query."""\n    return rows @ query\n'
    for name in ("torch", "triton", "numpy"):
        (folder / f"{name}.py").write_text(body.format(name), "utf-8")
        (folder / f"{name}.md").write_text("# Ports\n\nThe server listens on port 8080 by default.\n", "utf-8")
    list(seed(memory, survey(folder)))
    clock.pass_time(days=40)
    assert call(memory, "get_memetic_status", {}).structured["curation_tasks"] == []


def test_a_snippet_is_the_beginning_of_a_hit_with_its_line_breaks(memory, tmp_path):
    (tmp_path / "config.py").write_text(CONFIG.format("harbour") + "".join(f"        x{i} = {i}\n" for i in range(40)))
    list(seed(memory, survey(tmp_path)))
    arguments = {"query": "settings of the harbour", "top_k": 1, "include_snippets": True}
    hit = call(memory, "search_graph", arguments).structured["results"][0]
    assert hit["snippet"].startswith('class Config:\n    """Settings of the harbour."""\n') and hit["snippet"].endswith(
        "…"
    )
    assert len(hit["snippet"]) <= 600 and "content" not in hit
