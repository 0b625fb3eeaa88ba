"""The protocol's package, imported at less cost."""

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import BaseModel

__all__ = ["deferred_models"]


@contextmanager
def deferred_models() -> Iterator[None]:
    """While this lasts, pydantic builds the validators of new models at their first use.

    The package defines every type of five protocol revisions, of which a client meets a few dozen: building them
    all costs 0.3 s of the start.
    """
    BaseModel.model_config["defer_build"] = True
    try:
        yield
    finally:
        del BaseModel.model_config["defer_build"]
