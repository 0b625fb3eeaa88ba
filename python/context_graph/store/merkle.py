"""Merkle tree of RFC 6962: one root stands for all events so far, and short proofs show what it stands for."""

import hashlib
from collections.abc import Iterable, Sequence

__all__ = ["Growing", "consistency", "extends", "includes", "inclusion", "root"]


def _leaf(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def _join(left: bytes, right: bytes) -> bytes:
    """Leaves and inner nodes are hashed apart, so neither passes for the other."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Growing:
    """A tree that grows leaf by leaf and has a root at every size."""

    def __init__(self) -> None:
        self._peaks: list[tuple[int, bytes]] = []  # complete subtrees of falling height, as the bits of a counter

    def add(self, leaf: bytes) -> None:
        """Append a leaf."""
        height, top = 0, _leaf(leaf)
        while self._peaks and self._peaks[-1][0] == height:
            top = _join(self._peaks.pop()[1], top)
            height += 1
        self._peaks.append((height, top))

    def root(self) -> bytes:
        """Root over the leaves so far."""
        if not self._peaks:
            return hashlib.sha256(b"").digest()
        top = self._peaks[-1][1]
        for _, peak in self._peaks[-2::-1]:
            top = _join(peak, top)
        return top


def root(leaves: Iterable[bytes]) -> bytes:
    """Root over leaves in order.

    Examples
    --------
    >>> root([]).hex()[:16]
    'e3b0c44298fc1c14'
    """
    tree = Growing()
    for leaf in leaves:
        tree.add(leaf)
    return tree.root()


def inclusion(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The siblings on the way from one leaf to the root, lowest first: RFC 6962, 2.1.1."""
    path: list[bytes] = []
    low, high = 0, len(leaves)
    while high - low > 1:
        middle = low + _split(high - low)
        if index < middle:
            path.append(root(leaves[middle:high]))
            high = middle
        else:
            path.append(root(leaves[low:middle]))
            low = middle
    return path[::-1]


def consistency(leaves: Sequence[bytes], first: int) -> list[bytes]:
    """What shows that the tree over the `first` leaves is the beginning of this one: RFC 6962, 2.1.2."""
    path: list[bytes] = []
    low, high, whole = 0, len(leaves), True  # whole: the old root itself is known to the verifier
    while first != high:
        middle = low + _split(high - low)
        if first <= middle:
            path.append(root(leaves[middle:high]))
            high = middle
        else:
            path.append(root(leaves[low:middle]))
            low, whole = middle, False
    return ([] if whole else [root(leaves[low:high])]) + path[::-1]


def includes(top: bytes, size: int, leaf: bytes, index: int, path: Sequence[bytes]) -> bool:
    """Whether a leaf stands at an index of the tree with this root: RFC 9162, 2.1.3.2."""
    if not 0 <= index < size:
        return False
    at, last, root_hash = index, size - 1, _leaf(leaf)
    for sibling in path:
        if last == 0:
            return False
        if at % 2 or at == last:
            root_hash = _join(sibling, root_hash)
            while at and not at % 2:
                at, last = at >> 1, last >> 1
        else:
            root_hash = _join(root_hash, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and root_hash == top


def extends(old: bytes, first: int, top: bytes, size: int, path: Sequence[bytes]) -> bool:
    """Whether the tree of `size` leaves begins with the older one of `first` leaves: RFC 9162, 2.1.4.2."""
    if not 0 < first <= size:
        return first == 0 and not path and old == root([])
    if first == size:
        return not path and old == top
    steps = list(path) if first & (first - 1) else [old, *path]
    if not steps:
        return False
    at, last = first - 1, size - 1
    while at % 2:
        at, last = at >> 1, last >> 1
    was = now = steps[0]
    for sibling in steps[1:]:
        if last == 0:
            return False
        if at % 2 or at == last:
            was, now = _join(sibling, was), _join(sibling, now)
            while at and not at % 2:
                at, last = at >> 1, last >> 1
        else:
            now = _join(now, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and was == old and now == top


def _split(count: int) -> int:
    """The largest power of two below a count of at least 2."""
    return 1 << (count - 1).bit_length() - 1
