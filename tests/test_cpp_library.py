"""The library for C and C++: installed beside its headers it is found, compiles, links and answers without Python."""

import math
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import context_graph
from context_graph.kernels import cones, dense, poincare, sparse
from tests.native.shared import HEADERS, INCLUDE, LIBRARY, need, need_the_headers_of_this_checkout, run
from tests.requirements import requirement

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs" / "kernels" / "library"
VERSION = "python/context_graph/__init__.py"  # CMakeLists.txt reads it there
STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only")


@pytest.fixture(autouse=True)
def fresh():
    need_the_headers_of_this_checkout()


@requirement("library:headers")
@pytest.mark.long
@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_each_header_stands_alone(standard, tmp_path):
    need("g++")
    for path in HEADERS:
        source = tmp_path / "main.cpp"
        source.write_text(f"#include <{path.relative_to(INCLUDE).as_posix()}>\nint main() {{}}\n", encoding="utf-8")
        run("g++", f"-std={standard}", *STRICT, f"-I{INCLUDE}", source)


@requirement("library:headers")
@pytest.mark.parametrize("path", [path for path in HEADERS if path.suffix == ".h"], ids=lambda path: path.name)
def test_each_c_header_stands_alone_in_c(path, tmp_path):
    need("gcc")
    source = tmp_path / "main.c"
    source.write_text(
        f"#include <{path.relative_to(INCLUDE).as_posix()}>\nint main(void) {{ return 0; }}\n", encoding="utf-8"
    )
    run("gcc", "-std=c11", *STRICT, f"-I{INCLUDE}", source)


def test_the_library_has_nothing_that_only_a_debugger_reads():
    need("readelf")
    assert ".debug_" not in run("readelf", "-SW", LIBRARY / "libcontext_graph_kernels.a")


def random_numbers(count, state=1):
    """The generator of the example."""
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        yield (state >> 16) / 32768 - 1


def answers_in_python():
    """What the two programs print."""
    numbers = np.fromiter(random_numbers(1001 * 64), np.float32).reshape(1001, 64)
    scores, ids = dense.topk(numbers[1000:], numbers[:1000], 3)
    c = [f"row {id} {score:.4f}" for id, score in zip(ids[0], scores[0], strict=True)]
    index = sparse.Index()
    counts = np.array([1, 1, 2, 1, 1, 1, 2, 1], np.float32)
    index.append(np.array([0, 1, 0, 2, 3, 0, 1, 3]), counts, np.array([2, 3, 3]))
    weights = np.array([math.log(1 + (3 - df + 0.5) / (df + 0.5)) for df in index.df([1, 3])], np.float32)
    scores, ids = index.search([1, 3], weights, 2, bm25=True)
    c += [f"document {id} {score:.4f}" for id, score in zip(ids, scores, strict=True)]

    points = np.array([[0.05, 0], [0.5, 0], [0, 0.5], [0.8, 0.1]], np.float32)
    query = np.array([[0.7, 0.05]], np.float32)
    distances, ids = poincare.nearest(query, points, 3)
    cpp = [f"point {id} {distance:.4f}" for id, distance in zip(ids[0], distances[0], strict=True)]
    cpp.append("".join("01"[held] for held in cones.ancestors(query, points, width=0.5)[0].astype(int)))
    cpp.append(
        "x must be finite and inside the ball, c|x|² < 1, got 1 - c|x|² = -1.000000 in row 0; "
        "project pulls strays back in"
    )
    return {"nearest_c": c, "nearest_cpp": cpp}


def answers(folder):
    return {name: run(folder / name).splitlines() for name in ("nearest_c", "nearest_cpp")}


def build_with_cmake(cmake_dir, folder):
    run(
        "cmake",
        "-S",
        EXAMPLE,
        "-B",
        folder,
        f"-Dcontext_graph_DIR={cmake_dir}",
        "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror",
    )
    run("cmake", "--build", folder)


def build_with_pkg_config(library_dir, folder):
    environment = os.environ | {"PKG_CONFIG_PATH": f"{library_dir}/pkgconfig"}
    flags = {
        which: run("pkg-config", which, "context_graph", env=environment).split() for which in ("--cflags", "--libs")
    }
    assert run("pkg-config", "--modversion", "context_graph", env=environment).strip() == context_graph.__version__
    for compiler, standard, name in (("gcc", "c11", "nearest.c"), ("g++", "c++17", "nearest.cpp")):
        program = folder / name.replace(".", "_")
        run(compiler, f"-std={standard}", *flags["--cflags"], EXAMPLE / name, *flags["--libs"], "-o", program)


@requirement("library:installed")
def test_cmake_finds_it_and_programs_answer_as_python_does(tmp_path):
    need("cmake", "gcc", "g++")
    build_with_cmake(context_graph.get_cmake_dir(), tmp_path)
    assert answers(tmp_path) == answers_in_python()


@requirement("library:installed")
def test_pkg_config_finds_it_and_programs_answer_as_python_does(tmp_path):
    need("pkg-config", "gcc", "g++")
    build_with_pkg_config(context_graph.get_library_dir(), tmp_path)
    assert answers(tmp_path) == answers_in_python()


@requirement("library:one-version")
@pytest.mark.parametrize(("asked", "fits"), [("0.2", True), ("0.1", False), ("1.0", False), ("0.2.0 EXACT", True)])
def test_cmake_takes_the_version_that_fits(asked, fits, tmp_path):
    need("cmake", "gcc")
    start = "cmake_minimum_required(VERSION 3.24)\nproject(p LANGUAGES C)"
    text = f"{start}\nfind_package(context_graph {asked} CONFIG REQUIRED)\n"
    (tmp_path / "CMakeLists.txt").write_text(text, encoding="utf-8")
    command = ["cmake", "-S", tmp_path, "-B", tmp_path / "b", f"-Dcontext_graph_DIR={context_graph.get_cmake_dir()}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == fits, done.stderr


@requirement("library:installed")
@pytest.mark.long
def test_the_library_builds_without_python(tmp_path):
    need("cmake", "g++")
    source = tmp_path / "source"
    build = source / "build" / "library"  # as deep as that of a wheel: a compiler cache then knows what is compiled
    for needed in ("csrc", "CMakeLists.txt", "LICENSE", VERSION):
        (source / needed).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / needed).is_dir() else shutil.copy
        copy(ROOT / needed, source / needed)
    compiler = "-DCMAKE_CXX_COMPILER=g++"  # by the name that wheels are built by
    run("cmake", "-S", source, "-B", build, compiler, "-DCG_PYTHON=OFF", "-DCG_CUDA=OFF")
    run("cmake", "--build", build, "-j2")
    run("cmake", "--install", build, "--prefix", tmp_path / "prefix")
    build_with_cmake(tmp_path / "prefix" / "lib" / "cmake" / "context_graph", tmp_path / "example")
    assert answers(tmp_path / "example") == answers_in_python()
