"""The TypeScript of docs/typescript.md passes its compiler, and does what it promises beside a real server."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from environments import node_packages, node_program

EXAMPLE = Path(__file__).parents[2] / "docs/examples/typescript_client.ts"
PACKAGES = ("@modelcontextprotocol/sdk@1.32.2", "typescript@5.9.3", "@types/node@20.19.9")
OPTIONS = (
    "--strict", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "--skipLibCheck",
    "--types", "node", "--outDir", "made",
)  # fmt: skip


@pytest.mark.long
def test_the_example_compiles_and_runs(tmp_path):
    folder, (node, _) = node_packages(*PACKAGES), node_program()
    (tmp_path / "node_modules").symlink_to(folder / "node_modules")
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    shutil.copy(EXAMPLE, tmp_path)
    compiler = folder / "node_modules/typescript/bin/tsc"
    made = subprocess.run(
        [node, compiler, *OPTIONS, EXAMPLE.name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout
    home = {"CONTEXT_GRAPH_HOME": str(tmp_path / "home"), "CONTEXT_GRAPH_TIER": "base"}
    server = f"{sys.executable} -m context_graph.cli serve"
    done = subprocess.run(
        [node, "made/typescript_client.js"], cwd=tmp_path, env=os.environ | home | {"SERVER": server},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    assert done.stdout.splitlines() == [
        "found: The spare key hangs behind the boiler.",
        "a note for 60 minutes: Perhaps the boiler leaks.",
        "of monday: 1",
        "of tuesday: 0",
        "refused: true",
    ]
