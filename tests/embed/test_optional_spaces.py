"""An optional space is one file: nothing else names it, and everything that such a space needs works."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import context_graph
from context_graph.embed import OPTIONAL, SPACES
from tests.requirements import requirement

PACKAGE = Path(context_graph.__file__).parent
USE = Path(__file__).with_name("toy_space_use.py")
COLOURED = {"Anna": True, "Ben": True, "Clara": False, "David": False}


def use(verb: str, home: Path, lines: Path) -> dict:
    done = subprocess.run(
        [sys.executable, str(USE), verb, str(home), str(lines)], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A home with a memory of the new space and its lines, and what was said of it."""
    folder = tmp_path_factory.mktemp("made")
    return folder, use("store", folder / "home", folder / "lines.jsonl")


@pytest.fixture
def places(made, tmp_path):
    shutil.copytree(made[0], tmp_path, dirs_exist_ok=True)
    return tmp_path / "home", tmp_path / "lines.jsonl"


@pytest.fixture
def stored(made):
    return made[1]


@requirement("architecture:a-space-is-one-file")
def test_a_new_space_is_embedded_stored_loaded_and_scored_without_another_file(places, stored):
    assert stored["kept"] == COLOURED and stored["rows"] == [0, 1]
    assert stored["scores"]["Ben"] > stored["scores"].get("Anna", 0.0)
    assert use("load", *places) == stored, "in another process, from the store and from the cache"
    assert use("load", *places) == stored and stored["sound"]


@requirement("architecture:a-space-is-one-file")
@pytest.mark.parametrize("signed", [True, False])
def test_a_new_space_is_exported_and_imported(places, stored, tmp_path, signed):
    vectors = [json.loads(line) for line in places[1].read_text("utf-8").splitlines()]
    assert len([line for line in vectors if line.get("space") == "E14"]) == 2
    elsewhere = tmp_path / "elsewhere"
    if signed:  # by a key that the importing store has too: the vectors are believed
        elsewhere.mkdir(mode=0o700)
        shutil.copy(places[0] / "ed25519.key", elsewhere)
    assert use("import", elsewhere, places[1]) == stored | {"embedded": 0 if signed else 4}


def test_a_store_from_before_a_space_answers_and_is_embedded_anew(places):
    before = use("without", *places)  # a version without the space reads the store, and writes its cache
    assert before["kept"] == COLOURED and before["rows"] == [] and before["sound"]
    assert use("load", *places)["rows"] == [0, 1], "a cache without the space is made anew"


@pytest.mark.parametrize("tier", ["base"])
def test_every_optional_space_has_a_maker_in_a_store(tier):
    from context_graph.embed import Embedder

    assert OPTIONAL.keys() <= Embedder(tier).makers.keys()
    assert [*OPTIONAL] == [id for id in SPACES if id in OPTIONAL]


NAMED_IN = {"embed/experts.py"}
"""The learned experts: which spaces they read, and at which place, is part of their weights."""


@requirement("architecture:a-space-is-one-file")
def test_no_code_names_an_optional_space_but_its_own_file():
    own = {id: Path(sys.modules[type(encoder).__module__].__file__) for id, encoder in OPTIONAL.items()}
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text("utf-8")
        if not any(space in source.upper() for space in own):
            continue
        tree = ast.parse(source)
        prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
        ]
        named = {text.upper() for text in texts}
        for space, home in own.items():
            if path != home and path.relative_to(PACKAGE).as_posix() not in NAMED_IN:
                assert space.upper() not in named, f"{path} names {space}"
