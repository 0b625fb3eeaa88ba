"""Merkle tree hash of RFC 6962: one root stands for all events so far."""

import hashlib
from collections.abc import Iterable

__all__ = ["root"]


def root(leaves: Iterable[bytes]) -> bytes:
    """Root over leaves in order; leaves and inner nodes are hashed apart, so neither passes for the other.

    Examples
    --------
    >>> root([]).hex()[:16]
    'e3b0c44298fc1c14'
    """
    stack: list[tuple[int, bytes]] = []  # complete subtrees of falling height, as the bits of a counter
    for leaf in leaves:
        height, top = 0, hashlib.sha256(b"\x00" + leaf).digest()
        while stack and stack[-1][0] == height:
            top = hashlib.sha256(b"\x01" + stack.pop()[1] + top).digest()
            height += 1
        stack.append((height, top))
    if not stack:
        return hashlib.sha256(b"").digest()
    _, top = stack.pop()
    while stack:
        top = hashlib.sha256(b"\x01" + stack.pop()[1] + top).digest()
    return top
