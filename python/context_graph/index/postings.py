"""Posting lists of the words and names in all memories."""

from collections.abc import Mapping, Sequence

import numpy as np

from context_graph.index.batch import Words

__all__ = ["Postings"]

INDEXES = ("terms", "named")


class Postings:
    """Two inverted indexes with one document for each memory: its terms, and the names in it."""

    def __init__(self, *, backend: str | None = None) -> None:
        from context_graph.kernels import sparse

        self.terms = sparse.Index(backend=backend)
        self.named = sparse.Index(backend=backend)
        """The names in each memory (`lexical.names`), and the memories of each name."""

    @property
    def nbytes(self) -> int:
        return self.terms.nbytes + self.named.nbytes

    def append(self, words: Words) -> None:
        """Add memories. A term whose count is 0 is a name: `named` takes it with the value 1."""
        self.terms.append(words.terms, words.counts, words.term_lengths)
        self.append_names(words)

    def append_terms(self, terms: Mapping[int, float]) -> None:
        """Add the terms of one memory; its names follow."""
        n = len(terms)
        counts = np.fromiter(terms.values(), np.float32, n)
        self.terms.append(np.fromiter(terms.keys(), np.int64, n), counts, np.array([n]))

    def append_names(self, words: Words) -> None:
        """Add the names of memories whose terms are here."""
        is_name = words.counts == 0
        names = words.terms[is_name]
        if len(words) == 1:
            lengths = np.array([len(names)])
        else:
            owners = np.repeat(np.arange(len(words)), words.term_lengths)[is_name]
            lengths = np.bincount(owners, minlength=len(words))
        self.named.append(names, np.ones(len(names), np.float32), lengths)

    def discount(self, rows: Sequence[int]) -> None:
        """Leave rows out of document frequencies and of the average length."""
        self.terms.discount(rows)
        self.named.discount(rows)

    def restore(self, rows: Sequence[int]) -> None:
        """Undo `discount`."""
        self.terms.restore(rows)
        self.named.restore(rows)

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Both indexes as arrays, for `load_arrays`."""
        arrays: dict[str, np.ndarray] = {}
        for index in INDEXES:
            arrays |= {f"{index} {name}": array for name, array in getattr(self, index).to_arrays().items()}
        return arrays

    def load_arrays(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Fill empty indexes from `to_arrays`."""
        for index in INDEXES:
            prefix = f"{index} "
            of_index = {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}
            getattr(self, index).load_arrays(of_index)
