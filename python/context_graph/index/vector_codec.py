"""Serialization of a fingerprint for the store: bytes in every space, with the name of the model."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed import OPTIONAL, Embedder, Fingerprint, late, lexical
from context_graph.index.batch import form_of, pack_tokens, pack_words
from context_graph.models import Node

if TYPE_CHECKING:
    from context_graph.store import Transaction

__all__ = ["completed", "put_vectors", "vectors_of"]


def completed(
    embedder: Embedder, fingerprint: Fingerprint, stop: Callable[[], bool] = lambda: False
) -> tuple[np.ndarray, list[np.ndarray]] | None:
    """E1 and the token vectors of all chunks, with the pending ones embedded; None where `stop` interrupts."""
    chunks, pools = list(fingerprint.chunks), []
    for chunk in fingerprint.pending:
        if stop():
            return None
        tokens, pool = embedder.later(chunk)
        chunks.append(late.quantised(tokens))
        pools.append(pool)
    return (embedder.with_rest(fingerprint, pools) if pools else fingerprint.semantic), chunks


def vectors_of(
    node: Node, fingerprint: Fingerprint, makers: Mapping[str, str], form: int | None = None
) -> dict[str, tuple[str, bytes]]:
    """The serialized vectors of a memory by space: the name of the model, and the bytes.

    Parameters
    ----------
    makers : mapping
        Of the spaces that a model serves; see `Embedder`.
    form : int, optional
        The traits of its text, where they are known.
    """
    form = form_of(node.content) if form is None else form
    optional = {id: (makers[id], OPTIONAL[id].pack(vector)) for id, vector in fingerprint.optional.items()}
    return optional | {
        "E1": (makers["E1"], fingerprint.semantic.astype(np.float16).tobytes()),
        "E6": (lexical.MAKER, pack_words(fingerprint, form)),
        "E9": ("hdc-1", fingerprint.bits.tobytes()),
        "E12": (makers["E12"], pack_tokens(fingerprint.chunks)),
    }


def put_vectors(tx: "Transaction", node_id: str, vectors: Mapping[str, tuple[str, bytes]]) -> None:
    """Replace all vectors of a memory by those of `vectors_of`.

    An optional space may hold a vector of another model or version where this one makes none. It is removed: left
    there, it would be compared with vectors of this model, or be embedded again at every opening.
    """
    for space, (maker, data) in vectors.items():
        tx.put_vector(node_id, space, maker, data)
    for space in OPTIONAL.keys() - vectors.keys():
        tx.remove_vector(node_id, space)
