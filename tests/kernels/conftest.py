"""What every kernel test shares: the backends, the sizes where vector code breaks, the tolerances with their reason."""

import numpy as np
import pytest

from context_graph.kernels import backends

BACKENDS = [name for name in ("reference", "scalar", "avx2", "avx512", "cuda")]


def pytest_generate_tests(metafunc):
    if "backend" in metafunc.fixturenames:
        usable = backends()
        metafunc.parametrize(
            "backend",
            [
                pytest.param(
                    name, marks=[] if usable[name]["usable"] else pytest.mark.skip(reason=usable[name]["reason"])
                )
                for name in BACKENDS
            ],
        )


@pytest.fixture
def rng():
    return np.random.default_rng(20261121)
