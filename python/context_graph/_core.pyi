"""Types of the compiled kernels; a test compares them with the module."""

from collections.abc import Callable, Sequence
from types import NotImplementedType
from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

__version__: str
MAX_PADDED: int

class DeviceArray(_Array):
    """An array on a CUDA device, seen or owned; other libraries read it by DLPack and __cuda_array_interface__.

    It is no subclass. In a call on a GPU it goes where an ndarray goes in a call on the CPU, through functions that use
    of either what both have, so these are annotated with ndarray, and ask `type(array) is DeviceArray` for the rest.
    """

    def __init__(
        self, address: int, shape: Sequence[int], strides: Sequence[int] | None, dtype: np.dtype[Any], device: int,
        owner: Any,
    ) -> None: ...  # fmt: skip
    def __len__(self) -> int: ...
    def __dlpack__(self, **options: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    @staticmethod
    def empty(shape: Sequence[int], dtype: np.dtype[Any]) -> DeviceArray: ...
    @staticmethod
    def from_dlpack(capsule: Any) -> DeviceArray: ...
    @staticmethod
    def seen(
        address: int, shape: Sequence[int], strides: Sequence[int], kind: str, item: int, device: int, owner: Any
    ) -> DeviceArray: ...
    @staticmethod
    def upload(array: _Array) -> DeviceArray: ...
    def first(self, columns: int) -> DeviceArray: ...
    def narrow(self) -> DeviceArray: ...
    def numpy(self) -> _Array: ...
    def packed(self) -> DeviceArray: ...
    def view(self, dtype: np.dtype[Any]) -> DeviceArray: ...
    @property
    def whole(self) -> Any: ...
    @property
    def stream(self) -> int | None: ...
    @property
    def contiguous(self) -> bool: ...
    @property
    def device(self) -> int: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def ndim(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> int: ...
    @property
    def strides(self) -> tuple[int, ...]: ...

class DeviceColumn:
    """Rows of an index on the CUDA device in use when it was made, growing by doubling."""

    def __init__(self, items: int, dtype: np.dtype[Any], padded: bool) -> None: ...
    def fetch(self, ids: _Array) -> _Array: ...
    def replace(self, ids: _Array, rows: _Array) -> None: ...
    def reserve(self, rows: int, used: int) -> None: ...
    def take(self, ids: _Array) -> DeviceArray: ...
    def view(self, shape: Sequence[int]) -> DeviceArray: ...
    def write(self, first: int, rows: _Array) -> None: ...
    @property
    def device(self) -> int: ...
    @property
    def room(self) -> int: ...

class WordPieces:
    """A vocabulary of word pieces in the order of their rows, and what cuts words into them."""

    def __init__(self, pieces: Sequence[str], unknown: int, longest: int) -> None: ...
    def rows(self, text: str) -> tuple[int, ...]: ...

def arena(bytes: int) -> _Array: ...
def best(scores: _Array, k: int, mask: _Array | None) -> tuple[_Array, _Array]: ...
def best_cuda(scores: _Array, k: int, mask: _Array | None) -> tuple[_Array, _Array]: ...
def canonical_json(value: object) -> bytes | None: ...
def embedding_bag(table: _Array, scale: _Array, rows: _Array, weights: _Array, starts: _Array) -> _Array: ...
def device_of(address: int) -> int: ...
def devices() -> int: ...
def map_file(file: int, offset: int, over: _Array) -> bool: ...
def mapped(file: int) -> _Array: ...
def order_after(stream: int) -> None: ...
def sums(bytes: _Array) -> tuple[int, int]: ...
def use_allocator(allocator: Callable[[str, int, tuple[int, ...]], Any] | None) -> Any: ...
def use_device(device: int) -> int: ...
def use_stream(stream: int, check: bool) -> tuple[int, bool]: ...
def usable() -> dict[str, str | None]: ...
def amx() -> bool: ...
def use_amx(use: bool) -> None: ...
def why_not_amx() -> str | None: ...
def use_bfloat16(use: bool) -> None: ...
def why_not_bfloat16() -> str | None: ...
def why_not_cuda() -> str | None: ...

class cones:
    @staticmethod
    def contains_fast(*arguments: Any) -> _Array | NotImplementedType: ...
    @staticmethod
    def energy_fast(*arguments: Any) -> _Array | NotImplementedType: ...
    @staticmethod
    def ancestors_avx2(points: _Array, apexes: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def ancestors_avx512(points: _Array, apexes: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def ancestors_cuda(points: _Array, apexes: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def ancestors_scalar(points: _Array, apexes: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def ancestors_coded_avx2(
        points: _Array,
        apexes: _Array,
        codes: _Array,
        scale: _Array,
        residual: _Array,
        norm: _Array,
        squares: _Array,
        width: float,
        threads: int,
    ) -> tuple[_Array, int]: ...
    @staticmethod
    def ancestors_coded_avx512(
        points: _Array,
        apexes: _Array,
        codes: _Array,
        scale: _Array,
        residual: _Array,
        norm: _Array,
        squares: _Array,
        width: float,
        threads: int,
    ) -> tuple[_Array, int]: ...
    @staticmethod
    def descendants_coded_avx2(
        apexes: _Array,
        points: _Array,
        codes: _Array,
        scale: _Array,
        residual: _Array,
        norm: _Array,
        squares: _Array,
        width: float,
        threads: int,
    ) -> tuple[_Array, int]: ...
    @staticmethod
    def descendants_coded_avx512(
        apexes: _Array,
        points: _Array,
        codes: _Array,
        scale: _Array,
        residual: _Array,
        norm: _Array,
        squares: _Array,
        width: float,
        threads: int,
    ) -> tuple[_Array, int]: ...
    @staticmethod
    def aperture_avx2(apexes: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def aperture_avx512(apexes: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def aperture_cuda(apexes: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def aperture_scalar(apexes: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def contains_avx2(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def contains_avx512(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def contains_cuda(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def contains_scalar(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def descendants_avx2(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def descendants_avx512(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def descendants_cuda(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def descendants_scalar(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def energy_avx2(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def energy_avx512(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def energy_cuda(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...
    @staticmethod
    def energy_scalar(apexes: _Array, points: _Array, width: float, threads: int) -> _Array: ...

class dense:
    MAX_CODED_DIM: int
    @staticmethod
    def encode(rows: _Array, codes: _Array, scale: _Array, residual: _Array, norm: _Array) -> None: ...
    @staticmethod
    def scores_avx2(queries: _Array, rows: _Array, scale: _Array | None, threads: int) -> _Array: ...
    @staticmethod
    def scores_avx512(queries: _Array, rows: _Array, scale: _Array | None, threads: int) -> _Array: ...
    @staticmethod
    def scores_cuda(queries: _Array, rows: _Array, scale: _Array | None, threads: int) -> _Array: ...
    @staticmethod
    def scores_scalar(queries: _Array, rows: _Array, scale: _Array | None, threads: int) -> _Array: ...
    @staticmethod
    def topk_avx2(
        queries: _Array, rows: _Array, scale: _Array | None, k: int, mask: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def topk_avx512(
        queries: _Array, rows: _Array, scale: _Array | None, k: int, mask: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def topk_cuda(
        queries: _Array, rows: _Array, scale: _Array | None, k: int, mask: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def topk_scalar(
        queries: _Array, rows: _Array, scale: _Array | None, k: int, mask: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def topk_screened_avx2(
        queries: _Array,
        rows: _Array,
        codes: _Array,
        scale: _Array,
        residual: _Array,
        norm: _Array,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array, int]: ...
    @staticmethod
    def topk_screened_avx512(
        queries: _Array,
        rows: _Array,
        codes: _Array,
        scale: _Array,
        residual: _Array,
        norm: _Array,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array, int]: ...
    @staticmethod
    def topk_screened_scalar(
        queries: _Array,
        rows: _Array,
        codes: _Array,
        scale: _Array,
        residual: _Array,
        norm: _Array,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array, int]: ...
    @staticmethod
    def encode_signs(rows: _Array, bits: _Array, factor: _Array, ones: _Array) -> None: ...
    @staticmethod
    def rotated_dim(dim: int) -> int: ...
    @staticmethod
    def topk_prefiltered_avx2(
        queries: _Array,
        rows: _Array,
        bits: _Array,
        factor: _Array,
        ones: _Array,
        k: int,
        candidates: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def topk_prefiltered_avx512(
        queries: _Array,
        rows: _Array,
        bits: _Array,
        factor: _Array,
        ones: _Array,
        k: int,
        candidates: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def topk_prefiltered_scalar(
        queries: _Array,
        rows: _Array,
        bits: _Array,
        factor: _Array,
        ones: _Array,
        k: int,
        candidates: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array]: ...

class fusemoe:
    @staticmethod
    def fuse_avx2(
        inputs: _Array, projections: _Array, bias: _Array | None, ids: _Array, weights: _Array, threads: int
    ) -> _Array: ...
    @staticmethod
    def fuse_avx512(
        inputs: _Array, projections: _Array, bias: _Array | None, ids: _Array, weights: _Array, threads: int
    ) -> _Array: ...
    @staticmethod
    def fuse_cuda(
        inputs: _Array, projections: _Array, bias: _Array | None, ids: _Array, weights: _Array, threads: int
    ) -> _Array: ...
    @staticmethod
    def fuse_scalar(
        inputs: _Array, projections: _Array, bias: _Array | None, ids: _Array, weights: _Array, threads: int
    ) -> _Array: ...
    @staticmethod
    def gate_avx2(
        x: _Array, experts: _Array, k: int, kind: int, temperature: float, present: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def gate_avx512(
        x: _Array, experts: _Array, k: int, kind: int, temperature: float, present: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def gate_fast(*arguments: Any) -> tuple[_Array, _Array] | NotImplementedType: ...
    @staticmethod
    def gate_cuda(
        x: _Array, experts: _Array, k: int, kind: int, temperature: float, present: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def gate_scalar(
        x: _Array, experts: _Array, k: int, kind: int, temperature: float, present: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...

class hdc:
    BEYOND: int
    BITS: int
    WORDS: int
    @staticmethod
    def bind_avx2(x: _Array, y: _Array) -> _Array: ...
    @staticmethod
    def bind_avx512(x: _Array, y: _Array) -> _Array: ...
    @staticmethod
    def bind_cuda(x: _Array, y: _Array) -> _Array: ...
    @staticmethod
    def bind_scalar(x: _Array, y: _Array) -> _Array: ...
    @staticmethod
    def bundle_fast(*arguments: Any) -> _Array | NotImplementedType: ...
    @staticmethod
    def bundle_avx2(rows: _Array, seed: int) -> _Array: ...
    @staticmethod
    def bundle_avx512(rows: _Array, seed: int) -> _Array: ...
    @staticmethod
    def bundle_cuda(rows: _Array, seed: int) -> _Array: ...
    @staticmethod
    def bundle_scalar(rows: _Array, seed: int) -> _Array: ...
    @staticmethod
    def distances_avx2(queries: _Array, rows: _Array, threads: int) -> _Array: ...
    @staticmethod
    def distances_avx512(queries: _Array, rows: _Array, threads: int) -> _Array: ...
    @staticmethod
    def distances_cuda(queries: _Array, rows: _Array, threads: int) -> _Array: ...
    @staticmethod
    def distances_scalar(queries: _Array, rows: _Array, threads: int) -> _Array: ...
    @staticmethod
    def encode_avx2(symbols: _Array, offsets: _Array, ngram: int, seed: int, threads: int) -> _Array: ...
    @staticmethod
    def encode_avx512(symbols: _Array, offsets: _Array, ngram: int, seed: int, threads: int) -> _Array: ...
    @staticmethod
    def encode_cuda(symbols: _Array, offsets: _Array, ngram: int, seed: int, threads: int) -> _Array: ...
    @staticmethod
    def encode_scalar(symbols: _Array, offsets: _Array, ngram: int, seed: int, threads: int) -> _Array: ...
    @staticmethod
    def hamming_avx2(x: _Array, y: _Array) -> _Array: ...
    @staticmethod
    def hamming_avx512(x: _Array, y: _Array) -> _Array: ...
    @staticmethod
    def hamming_cuda(x: _Array, y: _Array) -> _Array: ...
    @staticmethod
    def hamming_scalar(x: _Array, y: _Array) -> _Array: ...
    @staticmethod
    def items(symbols: _Array, seed: int) -> _Array: ...
    @staticmethod
    def permute_avx2(rows: _Array, by: int) -> _Array: ...
    @staticmethod
    def permute_avx512(rows: _Array, by: int) -> _Array: ...
    @staticmethod
    def permute_cuda(rows: _Array, by: int) -> _Array: ...
    @staticmethod
    def permute_scalar(rows: _Array, by: int) -> _Array: ...
    @staticmethod
    def search_avx2(
        queries: _Array, rows: _Array, k: int, mask: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def search_avx512(
        queries: _Array, rows: _Array, k: int, mask: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def search_cuda(
        queries: _Array, rows: _Array, k: int, mask: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def search_scalar(
        queries: _Array, rows: _Array, k: int, mask: _Array | None, threads: int
    ) -> tuple[_Array, _Array]: ...

class hebbian:
    @staticmethod
    def learn_avx2(
        graph: modulation.Graph,
        pre: _Array,
        post: _Array,
        kind: int,
        rate: float,
        decay: float,
        least: float,
        most: float,
        normalise: bool,
        threads: int,
    ) -> None: ...
    @staticmethod
    def learn_avx512(
        graph: modulation.Graph,
        pre: _Array,
        post: _Array,
        kind: int,
        rate: float,
        decay: float,
        least: float,
        most: float,
        normalise: bool,
        threads: int,
    ) -> None: ...
    @staticmethod
    def learn_cuda(
        graph: modulation.Graph,
        pre: _Array,
        post: _Array,
        kind: int,
        rate: float,
        decay: float,
        least: float,
        most: float,
        normalise: bool,
        threads: int,
    ) -> None: ...
    @staticmethod
    def learn_scalar(
        graph: modulation.Graph,
        pre: _Array,
        post: _Array,
        kind: int,
        rate: float,
        decay: float,
        least: float,
        most: float,
        normalise: bool,
        threads: int,
    ) -> None: ...
    @staticmethod
    def update_avx2(
        weights: _Array,
        offsets: _Array,
        targets: _Array,
        pre: _Array,
        post: _Array,
        kind: int,
        rate: float,
        decay: float,
        least: float,
        most: float,
        normalise: bool,
        threads: int,
    ) -> None: ...
    @staticmethod
    def update_avx512(
        weights: _Array,
        offsets: _Array,
        targets: _Array,
        pre: _Array,
        post: _Array,
        kind: int,
        rate: float,
        decay: float,
        least: float,
        most: float,
        normalise: bool,
        threads: int,
    ) -> None: ...
    @staticmethod
    def update_cuda(
        weights: _Array,
        offsets: _Array,
        targets: _Array,
        pre: _Array,
        post: _Array,
        kind: int,
        rate: float,
        decay: float,
        least: float,
        most: float,
        normalise: bool,
        threads: int,
    ) -> None: ...
    @staticmethod
    def update_scalar(
        weights: _Array,
        offsets: _Array,
        targets: _Array,
        pre: _Array,
        post: _Array,
        kind: int,
        rate: float,
        decay: float,
        least: float,
        most: float,
        normalise: bool,
        threads: int,
    ) -> None: ...

class hopfield:
    @staticmethod
    def energy_avx2(queries: _Array, patterns: _Array, beta: float, mask: _Array | None, threads: int) -> _Array: ...
    @staticmethod
    def energy_avx512(queries: _Array, patterns: _Array, beta: float, mask: _Array | None, threads: int) -> _Array: ...
    @staticmethod
    def energy_cuda(queries: _Array, patterns: _Array, beta: float, mask: _Array | None, threads: int) -> _Array: ...
    @staticmethod
    def energy_scalar(queries: _Array, patterns: _Array, beta: float, mask: _Array | None, threads: int) -> _Array: ...
    @staticmethod
    def retrieve_avx2(
        queries: _Array,
        patterns: _Array,
        beta: float,
        steps: int,
        tolerance: float,
        mask: _Array | None,
        shortlist: int,
        threads: int,
    ) -> tuple[_Array, _Array, _Array, _Array, _Array]: ...
    @staticmethod
    def retrieve_avx512(
        queries: _Array,
        patterns: _Array,
        beta: float,
        steps: int,
        tolerance: float,
        mask: _Array | None,
        shortlist: int,
        threads: int,
    ) -> tuple[_Array, _Array, _Array, _Array, _Array]: ...
    @staticmethod
    def retrieve_cuda(
        queries: _Array,
        patterns: _Array,
        beta: float,
        steps: int,
        tolerance: float,
        mask: _Array | None,
        shortlist: int,
        threads: int,
    ) -> tuple[_Array, _Array, _Array, _Array, _Array]: ...
    @staticmethod
    def retrieve_scalar(
        queries: _Array,
        patterns: _Array,
        beta: float,
        steps: int,
        tolerance: float,
        mask: _Array | None,
        shortlist: int,
        threads: int,
    ) -> tuple[_Array, _Array, _Array, _Array, _Array]: ...

class maxsim:
    BLOCK: int
    MAX_DIM: int
    @staticmethod
    def encode(tokens: _Array) -> _Array: ...
    @staticmethod
    def maxima_avx2(query: _Array, tokens: _Array, offsets: _Array, threads: int) -> _Array: ...
    @staticmethod
    def maxima_avx512(query: _Array, tokens: _Array, offsets: _Array, threads: int) -> _Array: ...
    @staticmethod
    def maxima_cuda(query: _Array, tokens: _Array, offsets: _Array, threads: int) -> _Array: ...
    @staticmethod
    def maxima_packed_avx2(
        query: _Array, blocks: _Array, scale: _Array, offsets: _Array, ids: _Array | None, threads: int
    ) -> _Array: ...
    @staticmethod
    def maxima_packed_avx512(
        query: _Array, blocks: _Array, scale: _Array, offsets: _Array, ids: _Array | None, threads: int
    ) -> _Array: ...
    @staticmethod
    def maxima_packed_cuda(
        query: _Array, blocks: _Array, scale: _Array, offsets: _Array, ids: _Array | None, threads: int
    ) -> _Array: ...
    @staticmethod
    def maxima_packed_scalar(
        query: _Array, blocks: _Array, scale: _Array, offsets: _Array, ids: _Array | None, threads: int
    ) -> _Array: ...
    @staticmethod
    def maxima_scalar(query: _Array, tokens: _Array, offsets: _Array, threads: int) -> _Array: ...
    @staticmethod
    def token_bounds(
        tokens: _Array, codes: _Array, lengths: _Array, scale: _Array, residual: _Array, norm: _Array
    ) -> None: ...
    @staticmethod
    def pack(codes: _Array, first: int, blocks: _Array, scale: _Array) -> None: ...
    @staticmethod
    def search_avx2(
        query: _Array,
        blocks: _Array,
        scale: _Array,
        offsets: _Array,
        tokens: _Array,
        residual: _Array,
        norm: _Array,
        weights: _Array,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array, int]: ...
    @staticmethod
    def search_avx512(
        query: _Array,
        blocks: _Array,
        scale: _Array,
        offsets: _Array,
        tokens: _Array,
        residual: _Array,
        norm: _Array,
        weights: _Array,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array, int]: ...
    @staticmethod
    def search_scalar(
        query: _Array,
        blocks: _Array,
        scale: _Array,
        offsets: _Array,
        tokens: _Array,
        residual: _Array,
        norm: _Array,
        weights: _Array,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array, int]: ...
    @staticmethod
    def unpack(blocks: _Array, first: int, count: int, dim: int) -> _Array: ...
    @staticmethod
    def weighted_sum(maxima: _Array, weights: _Array) -> _Array: ...
    @staticmethod
    def weighted_sum_cuda(maxima: _Array, weights: _Array) -> _Array: ...

class modulation:
    @staticmethod
    def strongest_paths_fast(*arguments: Any) -> tuple[_Array, _Array] | NotImplementedType: ...

    class Graph:
        def __init__(self, offsets: _Array, targets: _Array, weights: _Array, gains: _Array | None) -> None: ...
        def weights(self) -> _Array: ...
        @property
        def nbytes(self) -> int: ...

    @staticmethod
    def effective_weight_avx2(
        base: _Array, excitatory: _Array, inhibitory: _Array, modulatory: _Array, out: _Array, threads: int
    ) -> None: ...
    @staticmethod
    def effective_weight_avx512(
        base: _Array, excitatory: _Array, inhibitory: _Array, modulatory: _Array, out: _Array, threads: int
    ) -> None: ...
    @staticmethod
    def effective_weight_cuda(
        base: _Array, excitatory: _Array, inhibitory: _Array, modulatory: _Array, out: _Array, threads: int
    ) -> None: ...
    @staticmethod
    def effective_weight_scalar(
        base: _Array, excitatory: _Array, inhibitory: _Array, modulatory: _Array, out: _Array, threads: int
    ) -> None: ...
    @staticmethod
    def pagerank_avx2(
        graph: modulation.Graph, seeds: _Array, damping: float, iterations: int, tolerance: float, threads: int
    ) -> tuple[_Array, int, float]: ...
    @staticmethod
    def pagerank_avx512(
        graph: modulation.Graph, seeds: _Array, damping: float, iterations: int, tolerance: float, threads: int
    ) -> tuple[_Array, int, float]: ...
    @staticmethod
    def pagerank_cuda(
        graph: modulation.Graph, seeds: _Array, damping: float, iterations: int, tolerance: float, threads: int
    ) -> tuple[_Array, int, float]: ...
    @staticmethod
    def pagerank_scalar(
        graph: modulation.Graph, seeds: _Array, damping: float, iterations: int, tolerance: float, threads: int
    ) -> tuple[_Array, int, float]: ...
    @staticmethod
    def spread_avx2(graph: modulation.Graph, activation: _Array, steps: int, keep: float, threads: int) -> _Array: ...
    @staticmethod
    def spread_avx512(graph: modulation.Graph, activation: _Array, steps: int, keep: float, threads: int) -> _Array: ...
    @staticmethod
    def spread_cuda(graph: modulation.Graph, activation: _Array, steps: int, keep: float, threads: int) -> _Array: ...
    @staticmethod
    def spread_scalar(graph: modulation.Graph, activation: _Array, steps: int, keep: float, threads: int) -> _Array: ...
    @staticmethod
    def strongest_paths_avx2(
        graph: modulation.Graph, seeds: _Array, seed_strengths: _Array, hops: int, k: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def strongest_paths_avx512(
        graph: modulation.Graph, seeds: _Array, seed_strengths: _Array, hops: int, k: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def strongest_paths_cuda(
        graph: modulation.Graph, seeds: _Array, seed_strengths: _Array, hops: int, k: int
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def strongest_paths_scalar(
        graph: modulation.Graph, seeds: _Array, seed_strengths: _Array, hops: int, k: int
    ) -> tuple[_Array, _Array]: ...

class poincare:
    @staticmethod
    def distance_fast(*arguments: Any) -> _Array | NotImplementedType: ...
    @staticmethod
    def distances_fast(*arguments: Any) -> _Array | NotImplementedType: ...
    MIN_CURVATURE: float
    RIM: float
    @staticmethod
    def distance_avx2(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def distance_avx512(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def distance_cuda(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def distance_scalar(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def distances_avx2(
        queries: _Array, rows: _Array, slacks: _Array | None, curvature: float, threads: int
    ) -> _Array: ...
    @staticmethod
    def distances_avx512(
        queries: _Array, rows: _Array, slacks: _Array | None, curvature: float, threads: int
    ) -> _Array: ...
    @staticmethod
    def distances_cuda(
        queries: _Array, rows: _Array, slacks: _Array | None, curvature: float, threads: int
    ) -> _Array: ...
    @staticmethod
    def distances_scalar(
        queries: _Array, rows: _Array, slacks: _Array | None, curvature: float, threads: int
    ) -> _Array: ...
    @staticmethod
    def exp_map_avx2(x: _Array, v: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def exp_map_avx512(x: _Array, v: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def exp_map_cuda(x: _Array, v: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def exp_map_scalar(x: _Array, v: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def log_map_avx2(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def log_map_avx512(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def log_map_cuda(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def log_map_scalar(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def mobius_add_avx2(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def mobius_add_avx512(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def mobius_add_cuda(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def mobius_add_scalar(x: _Array, y: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def nearest_avx2(
        queries: _Array,
        rows: _Array,
        slacks: _Array | None,
        curvature: float,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def nearest_avx512(
        queries: _Array,
        rows: _Array,
        slacks: _Array | None,
        curvature: float,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def nearest_cuda(
        queries: _Array,
        rows: _Array,
        slacks: _Array | None,
        curvature: float,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def nearest_scalar(
        queries: _Array,
        rows: _Array,
        slacks: _Array | None,
        curvature: float,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def nearest_screened_avx2(
        queries: _Array,
        rows: _Array,
        slacks: _Array,
        halves: _Array,
        rest: float,
        curvature: float,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array, int]: ...
    @staticmethod
    def nearest_screened_avx512(
        queries: _Array,
        rows: _Array,
        slacks: _Array,
        halves: _Array,
        rest: float,
        curvature: float,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array, int]: ...
    @staticmethod
    def nearest_screened_scalar(
        queries: _Array,
        rows: _Array,
        slacks: _Array,
        halves: _Array,
        rest: float,
        curvature: float,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array, int]: ...
    @staticmethod
    def project_avx2(x: _Array, curvature: float, eps: float, threads: int) -> _Array: ...
    @staticmethod
    def project_avx512(x: _Array, curvature: float, eps: float, threads: int) -> _Array: ...
    @staticmethod
    def project_cuda(x: _Array, curvature: float, eps: float, threads: int) -> _Array: ...
    @staticmethod
    def project_scalar(x: _Array, curvature: float, eps: float, threads: int) -> _Array: ...
    @staticmethod
    def slacks_avx2(rows: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def slacks_avx512(rows: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def slacks_cuda(rows: _Array, curvature: float, threads: int) -> _Array: ...
    @staticmethod
    def slacks_scalar(rows: _Array, curvature: float, threads: int) -> _Array: ...

class sparse:
    class Index:
        def __init__(self) -> None: ...
        def __len__(self) -> int: ...
        def load_arrays(
            self,
            terms: _Array,
            starts: _Array,
            docs: _Array,
            values: _Array,
            forward: _Array,
            forward_starts: _Array,
            lengths: _Array,
            total: float,
            negative: bool,
        ) -> None: ...
        def append(self, terms: _Array, values: _Array, sizes: _Array) -> None: ...
        @property
        def average_length(self) -> float: ...
        @property
        def device(self) -> int | None: ...
        def df(self, terms: _Array) -> _Array: ...
        @property
        def discounted(self) -> _Array: ...
        @property
        def has_negative(self) -> bool: ...
        def move_there(self) -> None: ...
        @property
        def lengths(self) -> _Array: ...
        @property
        def live(self) -> int: ...
        @property
        def nbytes(self) -> int: ...
        @property
        def total(self) -> float: ...
        def to_arrays(self) -> tuple[_Array, ...]: ...
        def pagerank(
            self, ids: _Array, seeds: _Array, terms: _Array, most: int, damping: float, steps: int
        ) -> _Array | None: ...
        def postings(self, term: int) -> tuple[_Array, _Array]: ...
        def scores_avx2(
            self, terms: _Array, weights: _Array, bm25: tuple[float, float, float] | None, threads: int
        ) -> _Array: ...
        def scores_avx512(
            self, terms: _Array, weights: _Array, bm25: tuple[float, float, float] | None, threads: int
        ) -> _Array: ...
        def scores_cuda(
            self, terms: _Array, weights: _Array, bm25: tuple[float, float, float] | None, threads: int
        ) -> _Array: ...
        def scores_scalar(
            self, terms: _Array, weights: _Array, bm25: tuple[float, float, float] | None, threads: int
        ) -> _Array: ...
        def search_avx2(
            self,
            terms: _Array,
            weights: _Array,
            bm25: tuple[float, float, float] | None,
            k: int,
            mask: _Array | None,
            counting: bool,
            threads: int,
        ) -> tuple[_Array, _Array]: ...
        def search_avx512(
            self,
            terms: _Array,
            weights: _Array,
            bm25: tuple[float, float, float] | None,
            k: int,
            mask: _Array | None,
            counting: bool,
            threads: int,
        ) -> tuple[_Array, _Array]: ...
        def search_cuda(
            self,
            terms: _Array,
            weights: _Array,
            bm25: tuple[float, float, float] | None,
            k: int,
            mask: _Array | None,
            counting: bool,
            threads: int,
        ) -> tuple[_Array, _Array]: ...
        def search_scalar(
            self,
            terms: _Array,
            weights: _Array,
            bm25: tuple[float, float, float] | None,
            k: int,
            mask: _Array | None,
            counting: bool,
            threads: int,
        ) -> tuple[_Array, _Array]: ...
        def set_live(self, ids: _Array, live: bool) -> None: ...
        def table(self, terms: _Array, ids: _Array) -> _Array: ...
        def terms_of(self, ids: _Array) -> tuple[_Array, _Array]: ...

class transe:
    @staticmethod
    def score_fast(*arguments: Any) -> _Array | NotImplementedType: ...
    @staticmethod
    def nearest_avx2(
        heads: _Array,
        relations: _Array,
        tails: _Array,
        norm: int,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def nearest_avx512(
        heads: _Array,
        relations: _Array,
        tails: _Array,
        norm: int,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def nearest_cuda(
        heads: _Array,
        relations: _Array,
        tails: _Array,
        norm: int,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def nearest_scalar(
        heads: _Array,
        relations: _Array,
        tails: _Array,
        norm: int,
        k: int,
        mask: _Array | None,
        threads: int,
    ) -> tuple[_Array, _Array]: ...
    @staticmethod
    def score_avx2(heads: _Array, relations: _Array, tails: _Array, norm: int, threads: int) -> _Array: ...
    @staticmethod
    def score_avx512(heads: _Array, relations: _Array, tails: _Array, norm: int, threads: int) -> _Array: ...
    @staticmethod
    def score_cuda(heads: _Array, relations: _Array, tails: _Array, norm: int, threads: int) -> _Array: ...
    @staticmethod
    def score_scalar(heads: _Array, relations: _Array, tails: _Array, norm: int, threads: int) -> _Array: ...
