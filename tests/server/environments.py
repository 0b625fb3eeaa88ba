"""Programs of others that are tested against: where one cannot be had, the test is skipped by what is missing."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import pytest

from benchmarks import environments
from benchmarks.environments import Unavailable

__all__ = ["node_packages", "node_program", "python_with"]

P = ParamSpec("P")
R = TypeVar("R")


def _or_skip(program: Callable[P, R]) -> Callable[P, R]:
    @wraps(program)
    def skipping(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return program(*args, **kwargs)
        except Unavailable as missing:
            pytest.skip(str(missing))

    return skipping


node_packages = _or_skip(environments.node_packages)
node_program = _or_skip(environments.node_program)
python_with = _or_skip(environments.python_with)
