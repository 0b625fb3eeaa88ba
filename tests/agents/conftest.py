"""A project of documents and Python files, and a memory that reads it."""

import pytest

from tests.knowledge.conftest import ask, memory, opened, project, refused  # noqa: F401  (fixtures)

CODE = {
    "src/shop/__init__.py": '"""A shop."""\n\nfrom shop.cart import Cart as Cart\n',
    "src/shop/cart.py": '''"""Carts."""

import json
import os
from typing import Any, Mapping

from shop import prices


class Cart:
    """What somebody wants to buy."""

    def add(self, item: str, options=[]) -> None:
        options.append(item)

    def total(self, rates: Mapping[str, float]) -> float:
        """What it costs."""
        try:
            return prices.total(self, rates)
        except:
            return 0.0

    def _hidden(self) -> str:
        return json.dumps([])


def choose(a, b, c):
    if a and b or c:
        for one in a:
            while one:
                one = b if c else None
        else:
            return [x for x in b if x if a]
    match a:
        case 1 | 2:
            return 1
        case str():
            return 2
        case _:
            return 3
    assert a
    return lambda: c
''',
    "src/shop/prices.py": '"""Prices."""\n\nimport shop.cart\n\n\ndef total(cart: "shop.cart.Cart", rates) -> float:\n'
    '    """The sum."""\n    return 0.0\n\n\ndef discount(price):\n    return price\n',
    "src/shop/report.py": "from . import prices\n\n\ndef show():\n    from shop import cart\n\n"
    "    return cart, prices\n",
    "src/shop/broken.py": "def half(:\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total({}) == 0.0\n",
}  # fmt: skip


@pytest.fixture
def shop(project):  # noqa: F811
    """The root of the project, with code beside its documents."""
    for path, text in CODE.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text, "utf-8")
    return project
