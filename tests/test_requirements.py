"""Every promise has a test, and every test that names a promise names one that exists."""

import re
from pathlib import Path

import pytest

from tests.requirements import REQUIREMENTS

ROOT = Path(__file__).parent.parent
_NAMED = re.compile(r'^\s*@requirement\("([^"]+)"\)', re.MULTILINE)


def _tied() -> dict[str, set[str]]:
    tied: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in _NAMED.findall(path.read_text(encoding="utf-8")):
            tied.setdefault(name, set()).add(path.relative_to(ROOT).as_posix())
    return tied


def test_each_promise_has_a_test_and_each_test_a_promise():
    assert set(_tied()) == set(REQUIREMENTS)


@pytest.mark.parametrize("name", sorted(REQUIREMENTS))
def test_each_promise_is_a_sentence_with_a_page(name):
    text, source = REQUIREMENTS[name]
    assert re.fullmatch(r"[a-z]+:[a-z0-9-]+", name)
    assert text[:1].isupper() or text[:1] == "`"
    assert text.endswith(".")
    assert (ROOT / "docs" / source).is_file()
