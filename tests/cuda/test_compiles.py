"""Every .cu builds alone for sm_120, within the budget of launch.json, on a machine without a GPU."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from emulator import CUDA, LAUNCH
from emulator.build import CSRC, contents, made
from machine_code import codes, nvdisasm

SHARED_BYTES = 101_376  # most a block may have on sm_120
SOURCES = sorted(CUDA.glob("*.cu"))

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not on PATH")
EVERYDAY = ("hebbian.cu", "sparse.cu")  # the others wait for --long: nvcc takes seconds for each
each_source = pytest.mark.parametrize(
    "source",
    [pytest.param(path, id=path.name, marks=[pytest.mark.long] * (path.name not in EVERYDAY)) for path in SOURCES],
)


@cache
def nvcc() -> str:
    """What nvcc says it is."""
    return subprocess.run(["nvcc", "--version"], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def cubin():
    """Machine code of a source beside its PTX, and what the compiler said; kept as the emulator keeps its programs."""
    headers = [*CUDA.glob("*.cuh"), *CSRC.rglob("*.hpp"), *CSRC.rglob("*.inl")]

    @cache
    def build(source: Path) -> tuple[Path, str]:
        options = ["-cubin", "-arch=sm_120", "-Xptxas", "-v"]

        def make(folder: Path) -> None:
            folder.mkdir()
            command = ["nvcc", *options, "--keep", "--keep-dir", str(folder), str(source)]
            out = folder / f"{source.stem}.cubin"
            built = subprocess.run([*command, "-o", str(out)], check=False, capture_output=True, text=True)
            assert built.returncode == 0, built.stderr
            for path in folder.iterdir():
                if path.suffix not in (".cubin", ".ptx"):
                    path.unlink()
            (folder / "said").write_text(built.stderr, encoding="utf-8")

        folder = made(f"cubin_{source.stem}", [nvcc(), options, contents([source, *headers])], make)
        return folder / f"{source.stem}.cubin", (folder / "said").read_text(encoding="utf-8")

    return build


def resident_blocks(registers: int, threads: int, shared: int) -> int:
    """Blocks a multiprocessor of compute capability 12.0 holds at a time: 48 warps, 64 K registers, 100 KB shared."""
    warps = -(-threads // 32)
    by_registers = 65_536 // (-(-registers * 32 // 256) * 256) // warps
    by_shared = 102_400 // (-(-(shared + 1024) // 128) * 128)
    return min(24, 48 // warps, by_registers, by_shared)


@each_source
def test_it_compiles_without_spills_and_within_its_budget(source, cubin):
    found = re.findall(r"entry function '(\w+)'.*?\n.*?\n(.*?)\n(.*?)\n", cubin(source)[1])
    assert {name for name, _, _ in found} == {name for name, entry in LAUNCH.items() if entry["file"] == source.name}
    for name, stack, use in found:
        entry = LAUNCH[name]
        assert "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads" in stack, f"{name}: {stack}"
        registers, shared = (
            int(m[1]) if (m := re.search(rf"(\d+) {what}", use)) else 0 for what in ("registers", "bytes smem")
        )
        assert registers <= entry["registers"], (
            f"{name} uses {registers} registers, launch.json says {entry['registers']}"
        )
        assert shared == entry["static_shared_bytes"], f"{name} has {shared} static shared bytes"
        assert shared <= SHARED_BYTES
        if all(isinstance(size, int) for size in entry["block"]):
            threads = entry["block"][0] * entry["block"][1] * entry["block"][2]
            assert resident_blocks(registers, threads, shared) * threads >= 512, f"{name} leaves a multiprocessor idle"


@pytest.mark.long
@each_source
def test_it_compiles_for_the_oldest_card_of_the_default_build(source, tmp_path):
    """Its PTX is what every other card gets; spills are promised for sm_120 alone."""
    families = (CUDA.parent / "csrc" / "KernelFamily.cmake").read_text(encoding="utf-8")
    assert re.search(r'set\(CG_CUDA_ARCHS "120-real;80-virtual" CACHE', families)
    command = ["nvcc", "-cubin", "-arch=sm_80", "-Xptxas", "-v", str(source), "-o", str(tmp_path / "out.cubin")]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    found = set(re.findall(r"entry function '(\w+)'", built.stderr))
    assert found == {name for name, entry in LAUNCH.items() if entry["file"] == source.name}


@each_source
def test_its_ptx_holds_the_kernels_with_the_blocks_of_the_table(source, cubin):
    text = cubin(source)[0].with_suffix(".ptx").read_text(encoding="utf-8")
    entries = re.findall(r"\.visible \.entry (\w+)\((.*?)\{", text, re.DOTALL)
    assert {name for name, _ in entries} == {name for name, entry in LAUNCH.items() if entry["file"] == source.name}
    for name, body in entries:
        most = re.search(r"\.maxntid (\d+)", body)
        assert most and [int(most[1]), 1, 1] == LAUNCH[name]["block"], f"{name}: {body[-80:]}"
        assert body.count(".param") == len(LAUNCH[name]["parameters"])
    assert "atom.add.f32" not in text and "red.add.f32" not in text, "float atomics have no fixed order"


@each_source
def test_its_machine_code_is_what_the_table_says(source, cubin):
    """Rows in pieces of sixteen bytes, no slow way where there was none, and nothing kept outside registers."""
    if nvdisasm() is None:
        pytest.skip("nvdisasm is neither on PATH nor beside nvcc nor in Triton (pip install nvidia-cuda-nvdisasm)")
    found = codes(cubin(source)[0])
    assert set(found) == {name for name, entry in LAUNCH.items() if entry["file"] == source.name}
    for name, code in found.items():
        budget, doubles = LAUNCH[name]["machine_code"], code.count("D(ADD|MUL|FMA)")
        assert code.count("LDL|STL") == 0, f"{name} keeps numbers in local memory"
        assert code.wide >= budget["wide"], f"{name}: {code.wide:.2f} of its bytes come 16 at a time"
        assert code.count("CALL") <= budget["calls"], f"{name} calls {code.count('CALL')} subroutines"
        assert doubles <= budget["doubles"], f"{name} has {doubles} instructions in float64"
        for wanted in budget.get("has", []):
            assert code.count(wanted) > 0, f"{name} has no {wanted}"


NARROW = """
extern "C" __global__ void narrow(const float* rows, int n, float* out) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += rows[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void mixed(const float4* rows, const float* scale, int n, float* out) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += rows[i].x * rows[i].y * rows[i].z * rows[i].w * scale[i];
    out[threadIdx.x] = double(sum) / n;
}
extern "C" __global__ void __launch_bounds__(1024, 2) spilling(const float* rows, int n, float* out) {
    float kept[64];
    for (int x = 0; x < 64; ++x) kept[x] = rows[x * n];
    for (int i = 0; i < n; ++i) kept[i % 64] += kept[(i + 7) % 64];
    for (int x = 0; x < 64; ++x) out[x * n + threadIdx.x] = kept[x];
}
"""


def test_the_look_at_machine_code_sees_what_it_is_for(tmp_path):
    if nvdisasm() is None:
        pytest.skip("nvdisasm is neither on PATH nor beside nvcc nor in Triton (pip install nvidia-cuda-nvdisasm)")
    source, out = tmp_path / "narrow.cu", tmp_path / "narrow.cubin"
    source.write_text(NARROW, encoding="utf-8")
    subprocess.run(["nvcc", "-cubin", "-arch=sm_120", str(source), "-o", str(out)], check=True, capture_output=True)
    found = codes(out)
    assert found["narrow"].wide == 0 and found["mixed"].wide == 0.8
    assert found["mixed"].count("CALL") > 0 and found["mixed"].count("D(ADD|MUL|FMA)") > 0
    assert found["spilling"].count("LDL|STL") > 0 and found["mixed"].count("LDL|STL") == 0
