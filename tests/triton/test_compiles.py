"""Every Triton kernel compiles ahead of time for an H100 and an RTX 5090, without either, and inside their limits."""

import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("triton", reason="triton is not installed")

SHARED_BYTES = 101_376  # most a block may have on sm_120
ARCHITECTURES = (90, 120)

# Not interpreted here, so in a process of its own.
BUILD = """
import json, sys
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from context_graph.kernels import triton as families

built = {}
for family in families.__all__:
    for name, (kernel, signature, constants) in getattr(families, family).COMPILED.items():
        places = {(kernel.arg_names.index(key),): value for key, value in constants.items()}
        for architecture in map(int, sys.argv[1:]):
            source = ASTSource(kernel, signature, constexprs=places)
            made = triton.compile(source, target=GPUTarget("cuda", architecture, 32), options={"num_warps": 4})
            size, ptx = len(made.asm["cubin"]), made.asm["ptx"]
            built[f"{name} {architecture}"] = {"shared": made.metadata.shared, "ptx": ptx, "cubin": size}
print(json.dumps(built))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    environment |= {"TRITON_CACHE_DIR": str(tmp_path_factory.mktemp("triton")), "TRITON_DEFAULT_FP_FUSION": "0"}
    command = [sys.executable, "-c", BUILD, *map(str, ARCHITECTURES)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.long
def test_all_are_built_and_fit(built):
    families = {name.partition("_")[0] for name in built}
    assert families == {"poincare", "cones", "hopfield", "fusemoe", "hdc", "modulation", "hebbian", "maxsim"}
    for name, made in built.items():
        assert made["cubin"] > 0, name
        assert made["shared"] <= SHARED_BYTES, (name, made["shared"])
        assert ".local" not in made["ptx"], f"{name} keeps something in local memory"


@pytest.mark.long
def test_bits_are_counted_by_the_instruction_for_it(built):
    for architecture in ARCHITECTURES:
        assert "popc.b32" in built[f"hdc_hamming {architecture}"]["ptx"]
