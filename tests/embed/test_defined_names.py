"""Which names a piece of code defines, and where it only uses one."""

import pytest

from context_graph.embed.defined_names import defined_names, name_stems, uses

MODULE = '''"""Sluices."""

import os

GATE_COUNT: int = 4
_levels, spare = {}, None
WIDTHS = dict(
    north=3,
    south=5,
)


class Sluice:
    """A gate."""

    depth = 2

    def open(self, by=1):
        level = by
        return level


async def drain(sluice):
    left = 3
'''


def test_what_stands_at_the_level_of_a_module_or_a_class_is_defined():
    names = defined_names(MODULE)
    assert names.declared == {"Sluice", "open", "drain"}
    assert names.assigned >= {"GATE_COUNT", "WIDTHS", "depth"}
    assert names.assigned.isdisjoint({"north", "by", "level", "left"})


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("```py\nGATE_COUNT = 4\n```", {"GATE_COUNT"}),
        ("export const gateCount = 4;", {"gateCount"}),
        ("static final int GATE_COUNT = 4;", {"GATE_COUNT"}),
        ("pub fn drain(gate: &Gate) {", {"drain"}),
        ("func (s *Sluice) Drain(by int) error {", {"Drain"}),
        ("if GATE_COUNT == 4:\n    run()", set()),
        ("## Gates\n\nSet it:\n\n```bash\nexport GATE_COUNT=4\n```", set()),
        ("    def drain(self):\n        left = 3", {"drain"}),
    ],
)
def test_names_in_other_shapes_of_code(code, names):
    assert set().union(*defined_names(code)) == names


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for gate in range(GATE_COUNT):\n    gate.open()", True),
        ("GATE_COUNT = 4", False),
        ("GATE_COUNT = 4\nhalf = GATE_COUNT // 2", True),
        ("from sluice import GATE_COUNT, drain", False),
        ("from sluice import (\n    GATE_COUNT,\n    drain,\n)", False),
        ("__all__ = ['GATE_COUNT']", False),
        ("MAX_GATE_COUNT + 1", False),
    ],
)
def test_a_use_is_neither_a_definition_nor_an_import(code, expected):
    assert uses(code, "GATE_COUNT") is expected


def test_a_name_is_made_of_words():
    assert name_stems("GATE_COUNT") == name_stems("gateCount") == {"gate", "count"}
