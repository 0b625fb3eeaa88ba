"""BM25 over texts: words become terms, and an inverted index ranks them."""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Self

import numpy as np

from context_graph.embed.stems import stems, term_id
from context_graph.errors import InvalidInput
from context_graph.kernels import sparse

__all__ = ["Bm25"]

Tokenize = Callable[[str], Iterable[str]]


class Bm25:
    """Texts ranked by BM25, with the idf of Lucene: ln(1 + (n - df + 0.5) / (df + 0.5)).

    Searches may run in other threads beside one `append` or `remove`: a search ranks the texts of one moment, and
    weighs its words by the counts of a moment before. Writers exclude each other by the caller's lock.

    Parameters
    ----------
    texts : iterable of str
        Their ids are 0, 1, ... in this order.
    tokenize : callable, optional
        The terms of a text or query, with repetitions. Default: Porter stems of the words in lower case without English
        stop words; an identifier gives its parts too. Words that stand without blanks, as those of Chinese or Japanese,
        need a callable that parts them: to this one a run of them is one word.
    k1 : float
        At least 0: how soon repetitions of a word count less.
    b : float
        In [0, 1]: how much long texts are held back.
    backend : str, optional
        As of `kernels.sparse.Index`.

    Examples
    --------
    >>> index = Bm25(["A fox jumps.", "The dogs sleep.", "Two foxes and a dog"])
    >>> index.search("fox", k=2)[1]
    array([0, 2])
    """

    def __init__(
        self,
        texts: Iterable[str] = (),
        *,
        tokenize: Tokenize | None = None,
        k1: float = 1.2,
        b: float = 0.75,
        backend: str | None = None,
    ) -> None:
        if not (_is_number(k1) and _is_number(b) and k1 >= 0 and 0 <= b <= 1):
            raise InvalidInput(f"k1 must be at least 0 and b in [0, 1], got k1={k1!r}, b={b!r}")
        self.k1, self.b, self._tokenize = k1, b, tokenize
        self.index = sparse.Index(backend=backend)
        """The inverted index; a term's id is `embed.stems.term_id` of it."""
        self.append(texts)

    def __len__(self) -> int:
        return len(self.index)

    def append(self, texts: Iterable[str]) -> np.ndarray:
        """Add texts; their ids, int64 (m,), continue the count."""
        if isinstance(texts, str):
            raise InvalidInput("texts must be an iterable of texts, got one text; pass [text]")
        if not isinstance(texts, Iterable):
            raise InvalidInput(f"texts must be an iterable of texts, got {type(texts).__name__}; pass a list of str")
        counts = [self._counted(text) for text in texts]
        terms = np.fromiter((term for counted in counts for term in counted), np.int64)
        values = np.fromiter((count for counted in counts for count in counted.values()), np.float32)
        return self.index.append(terms, values, np.array([len(counted) for counted in counts], np.int64))

    def remove(self, ids: Iterable[int]) -> None:
        """Leave texts out of `search`, and of the counts that words are weighed by; their ids stay taken."""
        self.index.discount(np.fromiter(ids, np.int64))

    def search(
        self, query: str, k: int = 10, *, mask: np.ndarray | None = None, threads: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k best texts.

        Parameters
        ----------
        query : str
            A word that it repeats counts once more.
        k : int
            As in `kernels.sparse.Index.search`.
        mask : bool or uint8, shape (n,), optional
            False or 0 hides a text.

        Returns
        -------
        scores : float32, shape (k,)
            Best first; texts without a word of the query score 0. Padded with -inf.
        ids : int64, shape (k,)
            Ties to the lowest, padded with -1.
        """
        terms, weights = self._weighed(query)
        return self.index.search(
            terms, weights, k, mask=mask, counting=True, bm25=True, k1=self.k1, b=self.b, threads=threads
        )

    def scores(self, query: str, *, threads: int | None = None) -> np.ndarray:
        """BM25 of every text, float32 (n,), of those that were removed too."""
        terms, weights = self._weighed(query)
        return self.index.bm25(terms, weights, k1=self.k1, b=self.b, threads=threads)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index to one file, as `kernels.sparse.Index.save`; a callable that tokenizes is not written."""
        self.index.metadata = {"k1": self.k1, "b": self.b, "stems": self._tokenize is None}
        self.index.save(path)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        tokenize: Tokenize | None = None,
        backend: str | None = None,
        verify: bool = False,
    ) -> Self:
        """The index that `save` wrote, its postings mapped.

        Parameters
        ----------
        path : str or path
        tokenize : callable, optional
            The one that the index was made with, where it was made with one.
        backend, verify
            As in `kernels.sparse.Index.load`.

        Raises
        ------
        ArrayError
            It is no such file, or not whole.
        InvalidInput
            It is an index of other terms than this tokenizer's, or was not saved by `Bm25`.
        """
        loaded = sparse.Index.load(path, backend=backend, verify=verify)
        settings: dict[str, Any] = dict(loaded.metadata)
        if not settings.keys() >= {"k1", "b", "stems"}:
            raise InvalidInput(f"{path} must be saved by Bm25.save, got one of sparse.Index; load it with that class")
        if settings["stems"] != (tokenize is None):
            made_with = "the package's stems" if settings["stems"] else "a callable"
            raise InvalidInput(f"{path} must be read as it was made, with {made_with}; pass tokenize= accordingly")
        index = cls(tokenize=tokenize, k1=settings["k1"], b=settings["b"])
        index.index = loaded
        return index

    def _counted(self, text: str) -> Counter[int]:
        """How often each term occurs, by its id."""
        if not isinstance(text, str):
            raise InvalidInput(f"a text must be a str, got {type(text).__name__}")
        if self._tokenize is None:
            return Counter(map(term_id, stems(text)))
        terms = list(self._tokenize(text))
        if wrong := [term for term in terms if not isinstance(term, str)]:
            raise InvalidInput(
                f"tokenize must give the terms of a text as str, got {type(wrong[0]).__name__} {wrong[0]!r:.40} among "
                f"{len(terms)}; write them as texts, such as str(term)"
            )
        return Counter(map(term_id, terms))

    def _weighed(self, query: str) -> tuple[np.ndarray, np.ndarray]:
        """The query's terms, and how often it has each times its idf."""
        counted = self._counted(query)
        terms = np.fromiter(counted, np.int64, len(counted))
        df = self.index.df(terms)
        idf = np.log1p((self.index.live - df + 0.5) / (df + 0.5))
        return terms, (idf * np.fromiter(counted.values(), np.float64, len(counted))).astype(np.float32)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating)
