"""Which runs of words two statements share in the same order, as `difflib.SequenceMatcher` finds them without junk.

The longest run first, then the longest on both sides of it. The places of the words of one statement are found once
for all statements that it is compared with, and no word is looked at that only one of the two has.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

__all__ = ["Block", "changed_places", "matching_blocks", "places_of"]


class Block(NamedTuple):
    """A run of `size` words that stands at place `a` of the one and `b` of the other."""

    a: int
    b: int
    size: int


def places_of(words: Sequence[str]) -> dict[str, list[int]]:
    """Where each word stands, in order."""
    places: dict[str, list[int]] = {}
    for i, word in enumerate(words):
        places.setdefault(word, []).append(i)
    return places


def matching_blocks(a: Sequence[str], b_places: Mapping[str, Sequence[int]], b_length: int) -> list[Block]:
    """The runs of words, in order; two that touch are one.

    Parameters
    ----------
    b_places : mapping
        `places_of` the other statement, which has `b_length` words.

    Examples
    --------
    >>> matching_blocks("the retro is now in birch".split(), places_of("the retro is in aspen".split()), 5)
    [Block(a=0, b=0, size=3), Block(a=4, b=3, size=1)]
    """
    shared = [b_places.get(word, ()) for word in a]
    blocks: list[Block] = []
    ranges = [(0, len(a), 0, b_length)]
    while ranges:
        a_start, a_end, b_start, b_end = ranges.pop()
        best = _longest(shared, a_start, a_end, b_start, b_end)
        if best.size:
            blocks.append(best)
            if a_start < best.a and b_start < best.b:
                ranges.append((a_start, best.a, b_start, best.b))
            if best.a + best.size < a_end and best.b + best.size < b_end:
                ranges.append((best.a + best.size, a_end, best.b + best.size, b_end))
    joined: list[Block] = []
    for block in sorted(blocks):
        if joined and (joined[-1].a + joined[-1].size, joined[-1].b + joined[-1].size) == block[:2]:
            joined[-1] = joined[-1]._replace(size=joined[-1].size + block.size)
        else:
            joined.append(block)
    return joined


def _longest(shared: Sequence[Sequence[int]], a_start: int, a_end: int, b_start: int, b_end: int) -> Block:
    """The longest run within these bounds, of several the first in `a`, then in `b`; of size 0 where there is none."""
    best_a, best_b, best_size = a_start, b_start, 0
    ending: dict[int, int] = {}  # size of the run that ends at each place of b and at the last word of a
    for i in range(a_start, a_end):
        longer: dict[int, int] = {}
        for j in shared[i]:
            if j >= b_end:
                break
            if j >= b_start:
                size = longer[j] = ending.get(j - 1, 0) + 1
                if size > best_size:
                    best_a, best_b, best_size = i - size + 1, j - size + 1, size
        ending = longer
    return Block(best_a, best_b, best_size)


def changed_places(blocks: Sequence[Block], a_length: int, b_length: int) -> list[tuple[str, int, int, int, int]]:
    """What stands between the blocks: "replace", "delete" or "insert", and the places in both where it begins and ends.

    Examples
    --------
    >>> changed_places([Block(0, 0, 3), Block(4, 3, 1)], 6, 5)
    [('delete', 3, 4, 3, 3), ('replace', 5, 6, 4, 5)]
    """
    changes = []
    a = b = 0
    for block in (*blocks, Block(a_length, b_length, 0)):
        if a < block.a or b < block.b:
            kind = "replace" if a < block.a and b < block.b else "delete" if a < block.a else "insert"
            changes.append((kind, a, block.a, b, block.b))
        a, b = block.a + block.size, block.b + block.size
    return changes
