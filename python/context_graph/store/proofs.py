"""Proofs about the log that anyone can check without the store: that an event is in it, that nothing was rewritten."""

from collections.abc import Mapping, Sequence
from typing import Any

from context_graph.errors import InvalidInput, Refused, StoreCorrupt
from context_graph.models import Author, Event
from context_graph.store import keys, merkle
from context_graph.store.chain import NOBODY, author_hash, canonical, chain_hash, payload_hash

__all__ = ["STATED", "check", "stated", "that_it_contains", "that_it_grew"]

STATED = ("size", "head", "root")
"""What a checkpoint signs: how many events, the last hash, the Merkle root over all hashes."""

HEAD = ("seq", "id", "type", "hlc", "agent_id", "session_id", "context_id", "payload_hash", "previous_hash", "hash")


def stated(tree: merkle.Growing, size: int, head: str) -> dict[str, Any]:
    """What a checkpoint over these events says."""
    return {"size": size, "head": head, "root": tree.root().hex()}


def that_it_contains(
    event: Event,
    checkpoint: Event,
    hashes: Sequence[str],
    author_salt: bytes | None,
    content: tuple[bytes, bytes] | None,
) -> dict[str, Any]:
    """Proof that the log which a checkpoint signed contains an event.

    Parameters
    ----------
    hashes : sequence of str
        Of all events up to the checkpoint, in order.
    author_salt : bytes or None
        Shows that the names are those of the author; None where they were deleted, or are hashed themselves.
    content : (salt, payload), optional
        Lets the proof also show what the event says.

    Raises
    ------
    Refused
        The event is younger than the checkpoint.
    """
    signed = _signed(checkpoint)
    if event.seq > signed["size"]:
        raise Refused(
            f"event {event.hash[:16]} was written after the last checkpoint, which covers {signed['size']} events; "
            "context-graph checkpoint makes a new one"
        )
    path = merkle.inclusion([bytes.fromhex(hash) for hash in hashes[: signed["size"]]], event.seq - 1)
    author = event.author
    fields = (
        event.seq, event.id, event.type, event.hlc, author.agent_id, author.session_id, author.context_id,
        event.payload_hash, event.previous_hash, event.hash,
    )  # fmt: skip
    head: dict[str, Any] = dict(zip(HEAD, fields, strict=True))
    proof = {
        "kind": "inclusion",
        "event": head,
        "path": [step.hex() for step in path],
        "checkpoint": signed,
    }
    if event.author_hash is not None:
        head["author_hash"] = event.author_hash
    if author_salt is not None:
        proof["author_salt"] = author_salt.hex()
    return proof if content is None else proof | {"salt": content[0].hex(), "payload": content[1].decode()}


def that_it_grew(older: Event, newer: Event, hashes: Sequence[str]) -> dict[str, Any]:
    """Proof that the log of an older checkpoint is the beginning of that of a newer one."""
    first, second = _signed(older), _signed(newer)
    if first["size"] > second["size"]:
        first, second = second, first
    path = merkle.consistency([bytes.fromhex(hash) for hash in hashes[: second["size"]]], first["size"])
    return {"kind": "consistency", "from": first, "to": second, "path": [step.hex() for step in path]}


def _signed(checkpoint: Event) -> dict[str, Any]:
    if checkpoint.type != "checkpoint" or checkpoint.payload is None:
        raise InvalidInput(
            f"event {checkpoint.hash[:16]} is of type {checkpoint.type}, not a checkpoint; "
            "context-graph log --type checkpoint lists them"
        )
    return {name: checkpoint.payload["note"][name] for name in (*STATED, "public_key", "signature")}


def check(proof: Mapping[str, Any]) -> str:
    """What a proof shows, in words; `StoreCorrupt` where it shows nothing, `InvalidInput` where it is no proof.

    Raises
    ------
    InvalidInput
        It is no proof as `context-graph prove` writes it.
    """
    try:
        if proof.get("kind") == "inclusion":
            return _check_inclusion(proof)
        if proof.get("kind") == "consistency":
            return _check_consistency(proof)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput(f"expected a proof as context-graph prove writes it, got: {error!r}") from error
    raise InvalidInput(f"expected a proof of kind inclusion or consistency, got {str(proof.get('kind'))[:40]!r}")


def _check_inclusion(proof: Mapping[str, Any]) -> str:
    event, checkpoint = proof["event"], proof["checkpoint"]
    author = Author(event["session_id"], event["agent_id"], event["context_id"])
    by = event.get("author_hash")
    if by is not None:
        salt = proof.get("author_salt")
        named = author == NOBODY if salt is None else author_hash(bytes.fromhex(salt), author) == by
        _must(named, "the author is not the one that was hashed")
    own = chain_hash(
        event["previous_hash"], event["seq"], event["id"], event["type"], event["hlc"], by or author,
        event["payload_hash"],
    )  # fmt: skip
    _must(own == event["hash"], "the event is not the one that was hashed")
    if "payload" in proof:
        content = payload_hash(bytes.fromhex(proof["salt"]), proof["payload"].encode())
        _must(content == event["payload_hash"], "the payload is not the one that was hashed")
    top, path = bytes.fromhex(checkpoint["root"]), [bytes.fromhex(step) for step in proof["path"]]
    held = merkle.includes(top, checkpoint["size"], bytes.fromhex(event["hash"]), event["seq"] - 1, path)
    _must(held, "the path does not lead to the root of the checkpoint")
    _check_signature(checkpoint)
    said = " and what it says" if "payload" in proof else ""
    return (
        f"event {event['hash'][:16]}{said} is number {event['seq']} of the {checkpoint['size']} that key "
        f"{checkpoint['public_key'][:16]} signed"
    )


def _check_consistency(proof: Mapping[str, Any]) -> str:
    older, newer = proof["from"], proof["to"]
    path = [bytes.fromhex(step) for step in proof["path"]]
    grew = merkle.extends(
        bytes.fromhex(older["root"]), older["size"], bytes.fromhex(newer["root"]), newer["size"], path
    )
    _must(grew, "the newer log does not begin with the older one")
    for checkpoint in (older, newer):
        _check_signature(checkpoint)
    _must(older["public_key"] == newer["public_key"], "the two checkpoints were signed by different keys")
    return (
        f"the log of {newer['size']} events begins with the {older['size']} of the older checkpoint, unchanged; "
        f"key {newer['public_key'][:16]} signed both"
    )


def _check_signature(checkpoint: Mapping[str, Any]) -> None:
    message = canonical({name: checkpoint[name] for name in STATED})
    _must(keys.verify(checkpoint["public_key"], message, checkpoint["signature"]), "the signature is not by its key")


def _must(true: bool, otherwise: str) -> None:
    if not true:
        raise StoreCorrupt(f"the proof does not hold: {otherwise}")
