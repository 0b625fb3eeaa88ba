"""Every Triton kernel compiles ahead of time for an H100 and an RTX 5090, without either, and inside their limits."""

import json
import os
import re
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

ALIGNED = {"i32", *(f"*{kind}" for kind in "fp64 fp32 fp16 bf16 i64 i32 i8 u8".split())}
built = {}
for family in families.__all__:
    for name, (kernel, signature, constants) in getattr(families, family).COMPILED.items():
        places = {(kernel.arg_names.index(key),): value for key, value in constants.items()}
        aligned = [(i,) for i, key in enumerate(kernel.arg_names) if signature[key] in ALIGNED]
        sixteens = dict.fromkeys(aligned, [["tt.divisibility", 16]])
        for architecture in map(int, sys.argv[1:]):
            for numbers, attributes in (("any", {}), ("sixteens", sixteens)):
                source = ASTSource(kernel, signature, constexprs=places, attrs=attributes)
                made = triton.compile(source, target=GPUTarget("cuda", architecture, 32), options={"num_warps": 4})
                size, asm = len(made.asm["cubin"]), {language: made.asm[language] for language in ("ptx", "sass")}
                built[f"{name} {architecture} {numbers}"] = {"shared": made.metadata.shared, "cubin": size, **asm}
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
    assert families == {
        *("cones", "dense", "fusemoe", "hdc", "hebbian", "hopfield"),
        *("maxsim", "modulation", "poincare", "sparse", "transe"),
    }
    for name, made in built.items():
        assert made["cubin"] > 0, name
        assert made["shared"] <= SHARED_BYTES, (name, made["shared"])
        assert ".local" not in made["ptx"], f"{name} keeps something in local memory"


@pytest.mark.long
def test_nothing_spills_where_numbers_are_multiples_of_sixteen(built):
    """For which a launch compiles anew, with loads of 16 bytes: the rows of all models are that long."""
    spilling = {
        name: count
        for name, made in built.items()
        if name.endswith("sixteens") and (count := len(re.findall(r"\b(?:LDL|STL)\b", made["sass"])))
    }
    assert not spilling
    for family in ("dense_query_f32", "dense_batch_f32", "maxsim_maxima_f32", "transe_score_l2", "hopfield_part_f32"):
        for architecture in ARCHITECTURES:
            assert re.search(r"\bLD\S+\.128", built[f"{family} {architecture} sixteens"]["sass"]), family


@pytest.mark.long
def test_bits_are_counted_by_the_instruction_for_it(built):
    for architecture in ARCHITECTURES:
        assert "popc.b32" in built[f"hdc_hamming {architecture} any"]["ptx"]


@pytest.mark.long
def test_terms_wait_for_one_another(built):
    for architecture in ARCHITECTURES:
        for score in ("dot", "bm25"):
            assert "bar.sync" in built[f"sparse_{score} {architecture} any"]["ptx"]
