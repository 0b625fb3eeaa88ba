"""The Ed25519 key of a store, which signs checkpoints and exports; cryptography is imported at first use."""

import hmac
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.errors import StoreError
from context_graph.store.files import naming, synchronise

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

__all__ = ["exists", "pseudonym", "public_key", "sign", "verify"]

KEY_BYTES = 32
CONTEXT = b"context-graph checkpoint 1\n"
"""Signed with every message, so that a signature means nothing anywhere else."""


def exists(home: Path) -> bool:
    """Whether the store has a key already."""
    return _path(home).exists()


def _path(home: Path) -> Path:
    return home / "ed25519.key"


def _seed(home: Path) -> bytes:
    path = _path(home)
    if not path.exists():
        fresh = home / f".ed25519.{secrets.token_hex(8)}"
        file = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        try:
            with naming(path), open(file, "wb") as stream:
                stream.write(secrets.token_bytes(KEY_BYTES))
                stream.flush()
                os.fsync(stream.fileno())
            os.link(fresh, path)  # whole or not at all; where two processes race, one key wins
        except FileExistsError:
            pass
        finally:
            fresh.unlink(missing_ok=True)
        synchronise(home)  # a checkpoint must not outlive its key
    seed = path.read_bytes()
    if len(seed) != KEY_BYTES:
        raise StoreError(f"{path} must hold {KEY_BYTES} bytes, got {len(seed)}; restore it from a backup")
    return seed


def _private(home: Path) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(_seed(home))


def pseudonym(home: Path, name: str) -> str:
    """Another name, always the same one, from which nobody without the key can tell the first, nor try guesses."""
    return hmac.digest(_seed(home), b"context-graph pseudonym 1\n" + name.encode(), "sha256").hex()[:16]


def public_key(home: Path) -> str:
    """The public half, in hex; made together with the key at first use."""
    return _private(home).public_key().public_bytes_raw().hex()


def sign(home: Path, message: bytes) -> str:
    """Signature in hex."""
    return _private(home).sign(CONTEXT + message).hex()


def verify(public: str, message: bytes, signature: str) -> bool:
    """Whether the owner of `public` signed `message`."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), CONTEXT + message)
    except (InvalidSignature, ValueError):
        return False
    return True
