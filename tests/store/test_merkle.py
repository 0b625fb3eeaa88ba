"""The Merkle tree against an independent library, pymerkle."""

import pymerkle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree

from context_graph.store import merkle

SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 64, 100]


def leaves(size: int) -> list[bytes]:
    return [b"leaf %d" % i for i in range(size)]


def theirs(size: int) -> InmemoryTree:
    tree = InmemoryTree(algorithm="sha256")
    for leaf in leaves(size):
        tree.append_entry(leaf)
    return tree


@pytest.mark.parametrize("size", SIZES)
def test_roots_are_those_of_pymerkle(size):
    assert merkle.root(leaves(size)) == theirs(size).get_root()


@pytest.mark.parametrize("size", SIZES)
def test_inclusion_paths_are_those_of_pymerkle(size):
    mine, other = leaves(size), theirs(size)
    for index in range(size):
        path = merkle.inclusion(mine, index)
        proof = other.prove_inclusion(index + 1, size)
        assert {step.hex() for step in path} == set(proof.serialize()["path"]) - {other.get_leaf(index + 1).hex()}
        assert merkle.includes(other.get_root(), size, mine[index], index, path)
        pymerkle.verify_inclusion(other.get_leaf(index + 1), merkle.root(mine), proof)


@pytest.mark.parametrize("size", SIZES)
def test_trees_that_pymerkle_calls_consistent_are_shown_to_be(size):
    mine, other = leaves(size), theirs(size)
    for first in range(1, size):
        path = merkle.consistency(mine, first)
        assert merkle.extends(theirs(first).get_root(), first, other.get_root(), size, path)
        pymerkle.verify_consistency(merkle.root(mine[:first]), merkle.root(mine), other.prove_consistency(first, size))


def test_the_consistency_paths_of_the_standard():
    """The example of RFC 6962, 2.1.3, its nodes computed by pymerkle."""

    def node(low: int, high: int) -> bytes:
        tree = InmemoryTree(algorithm="sha256")
        for leaf in leaves(7)[low:high]:
            tree.append_entry(leaf)
        return tree.get_root()

    assert merkle.consistency(leaves(7), 3) == [node(2, 3), node(3, 4), node(0, 2), node(4, 7)]
    assert merkle.consistency(leaves(7), 4) == [node(4, 7)]
    assert merkle.consistency(leaves(7), 6) == [node(4, 6), node(6, 7), node(0, 4)]


@given(st.data())
def test_a_changed_proof_proves_nothing(data):
    size = data.draw(st.integers(2, 40))
    index, first = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size - 1))
    mine, top = leaves(size), merkle.root(leaves(size))
    path = merkle.inclusion(mine, index)
    assert not merkle.includes(top, size, b"another leaf", index, path)
    assert not merkle.includes(top, size, mine[index], index, path[:-1])
    assert not merkle.includes(top, size, mine[index], index, [*path, bytes(32)])
    for other in {index ^ 1, size - 1 - index} - {index}:
        assert not merkle.includes(top, size, mine[index], other, path)
    old, grown = merkle.root(mine[:first]), merkle.consistency(mine, first)
    assert not merkle.extends(merkle.root([*mine[: first - 1], b"x"]), first, top, size, grown)
    assert not merkle.extends(old, first, merkle.root([*mine[:-1], b"x"]), size, grown)
    at = data.draw(st.integers(0, len(grown) - 1))
    flipped = bytes([grown[at][0] ^ 1, *grown[at][1:]])
    assert not merkle.extends(old, first, top, size, [*grown[:at], flipped, *grown[at + 1 :]])


def test_nothing_and_everything_are_consistent():
    assert merkle.root([]).hex().startswith("e3b0c442")
    assert merkle.extends(merkle.root([]), 0, merkle.root(leaves(3)), 3, [])
    assert merkle.extends(merkle.root(leaves(3)), 3, merkle.root(leaves(3)), 3, [])
    assert not merkle.extends(merkle.root(leaves(3)), 4, merkle.root(leaves(3)), 3, [])
    assert not merkle.includes(merkle.root(leaves(3)), 3, b"leaf 0", 3, [])
