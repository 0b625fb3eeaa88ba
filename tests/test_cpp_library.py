"""The static library for C++ users: installed beside its headers, it compiles, links and answers without Python."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUILDS = sorted(ROOT.glob("build/*/cmake_install.cmake"), key=lambda path: path.stat().st_mtime)
HEADERS = sorted((ROOT / "csrc" / "include" / "context_graph").glob("*.hpp"))


def stale() -> bool:
    """Whether the last build is of other headers than those that lie here now."""
    library = BUILDS[-1].with_name("libcontext_graph_kernels.a")
    return not library.exists() or library.stat().st_mtime < max(path.stat().st_mtime for path in HEADERS)


pytestmark = [
    pytest.mark.skipif(not BUILDS, reason="no folder in build/; pip install . makes one"),
    pytest.mark.skipif(bool(BUILDS) and stale(), reason="build/ is older than csrc; pip install . renews it"),
    pytest.mark.skipif(shutil.which("cmake") is None or shutil.which("g++") is None, reason="no cmake or g++ on PATH"),
]

PROGRAM = r"""
#include <cstdio>
#include <vector>

#include <context_graph/cpu.hpp>
#include <context_graph/dense.hpp>

int main() {
    using namespace cg::dense;
    const std::vector<float> rows{1, 0, 0, 1, 2, 2, -1, -1}, query{1, 0.5f};
    std::vector<float> scores(2);
    std::vector<int64_t> ids(2);
    const Queries queries{query.data(), 1, 2};
    topk(kernel_scalar, queries, {rows.data(), Element::f32, 4, 2, 8}, 2, nullptr, scores.data(), ids.data(), 1);
    for (int i = 0; i < 2; ++i) std::printf("%lld %g\n", static_cast<long long>(ids[i]), scores[i]);
    return cg::scalar_usable().usable ? 0 : 1;
}
"""


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    install = ["cmake", "--install", str(BUILDS[-1].parent), "--component", "cpp", "--prefix", str(folder)]
    done = subprocess.run(install, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def compile_(folder, prefix, text, *more):
    source = folder / "main.cpp"
    source.write_text(text, encoding="utf-8")
    command = ["g++", "-std=c++20", "-Wall", "-Werror", f"-I{prefix / 'include'}", str(source), *more]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr


def test_a_program_finds_the_best_rows(prefix, tmp_path):
    cache = (BUILDS[-1].parent / "CMakeCache.txt").read_text(encoding="utf-8")
    cuda = re.findall(r"^CUDA_cudart_static_LIBRARY:FILEPATH=(.*\.a)$", cache, re.MULTILINE)
    libraries = [str(prefix / "lib" / "libcontext_graph_kernels.a"), *cuda, "-ldl", "-lrt", "-pthread"]
    compile_(tmp_path, prefix, PROGRAM, *libraries, "-o", str(tmp_path / "main"))
    ran = subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True)
    assert ran.stdout == "2 3\n0 1\n"


def test_each_header_stands_alone(prefix, tmp_path):
    for name in (path.name for path in HEADERS):
        assert (prefix / "include" / "context_graph" / name).exists()
        compile_(tmp_path, prefix, f"#include <context_graph/{name}>\nint main() {{}}\n", "-fsyntax-only")
