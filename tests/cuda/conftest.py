"""Each kernel runs in one build of the emulator; the others compile every kernel again and wait for --long."""

from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)  # before what is long is skipped
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        chosen = getattr(item, "callspec", None)
        if item.path.parent == here and chosen is not None and chosen.params.get("build", "plain") != "plain":
            item.add_marker(pytest.mark.long)
