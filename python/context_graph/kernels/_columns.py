"""Where an index keeps its rows: on the CPU, or on the one CUDA device that its searches run on."""

import os
from collections.abc import Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import _validate as check
from context_graph.kernels._arrays import resident
from context_graph.kernels._dispatch import Answer, asked_for, call, choose, why_not
from context_graph.kernels._files import PAGE, IndexFile, opened, write
from context_graph.kernels._gpu import DeviceArray, device_of, entered, inside, using
from context_graph.kernels._types import Ids

__all__ = ["Columns", "Kept", "KeptRows", "finite_there", "takes"]

MIN_CAPACITY = 64  # rows there is room for from the start on the CPU

Method = TypeVar("Method", bound=Callable[..., Any])


class Columns:
    """Arrays with one entry a row, which grow together by doubling.

    On the CPU they are zeroed, start on a cache line, and lie on huge pages when large. On a device a row of several
    numbers starts on a multiple of 16 bytes; it is copied there once, and growing copies within the device.

    Parameters
    ----------
    shapes : dict
        Of each column how many numbers a row has (0: one, in one dimension), how many there is room for on the CPU, and
        their dtype.
    on_device : bool
        On the device in use.
    """

    def __init__(self, shapes: dict[str, tuple[int, int, Any]], *, on_device: bool) -> None:
        self._shapes, self._room = shapes, 0
        self._here: dict[str, np.ndarray] = {}
        self._there: dict[str, _core.DeviceColumn] = {}
        if on_device:
            for name, (items, _, dtype) in shapes.items():
                self._there[name] = _core.DeviceColumn(max(items, 1), np.dtype(dtype), items > 0)
        self.grow(0, 0)

    @property
    def device(self) -> int | None:
        """The number of the CUDA device; None on the CPU."""
        return next(iter(self._there.values())).device if self._there else None

    def nbytes(self, rows: int) -> int:
        """Bytes of so many rows, without spare capacity."""
        if not self._there:
            return sum(column[:rows].nbytes for column in self._here.values())
        sizes = ((max(items, 1) * np.dtype(dtype).itemsize, items) for items, _, dtype in self._shapes.values())
        a_row: int = sum(-(-size // 16) * 16 if items else size for size, items in sizes)
        return rows * a_row

    def grow(self, rows: int, used: int) -> None:
        """Room for so many rows in all, of which the first `used` stay."""
        for kept in self._there.values():
            kept.reserve(rows, used)
        if self._there or (self._here and rows <= self._room):
            return
        self._room = max(rows, 2 * self._room, MIN_CAPACITY)
        for name, (items, padded, dtype) in self._shapes.items():
            column = resident((self._room, padded) if items else (self._room,), dtype)
            if used:
                column[:used] = self._here[name][:used]
            self._here[name] = column

    def first(self, name: str, rows: int, width: int | None = None) -> np.ndarray:
        """The first rows, or of them the first numbers, where they lie."""
        items = self._shapes[name][0]
        if self._there:
            return self._there[name].view([rows, width or items] if items else [rows])
        return self._here[name][:rows, : width or items] if items else self._here[name][:rows]

    def flat(self, name: str, rows: int) -> np.ndarray:
        """The first rows in one dimension; on a device, of a column whose rows fill multiples of 16 bytes."""
        return self._there[name].view([rows * self._shapes[name][0]])

    def part(self, name: str, rows: slice) -> np.ndarray:
        """Rows with their padding, to be read and written; on the CPU only."""
        return self._here[name][rows]

    def write(self, name: str, first: int, rows: np.ndarray) -> None:
        """These rows from the first on; there is room for them."""
        if self._there:
            self._there[name].write(first, rows)
            return
        items, last = self._shapes[name][0], first + len(rows)
        self._here[name][(slice(first, last), slice(items)) if items else slice(first, last)] = rows

    def write_mapped(self, name: str, first: int, rows: np.ndarray, file: int, offset: int) -> None:
        """As `write`, of rows that stand in a file in the layout of this column.

        On the CPU whole pages are mapped instead of copied. A later write copies its page and does not reach the file.
        """
        if not self._there:
            target = self._here[name][first : first + len(rows)]
            if target.nbytes == rows.nbytes and _core.map_file(file, offset, target):
                return
        self.write(name, first, rows)

    def replace(self, name: str, ids: np.ndarray, rows: np.ndarray) -> None:
        """The rows with these ids; of one that is named twice the last stays."""
        if self._there:
            self._there[name].replace(ids, rows)
            return
        items = self._shapes[name][0]
        self._here[name][(ids, slice(items)) if items else ids] = rows

    def stored(self, rows: int) -> dict[str, np.ndarray]:
        """The first rows of every column in the layout of the CPU, for a file."""
        if not self._there:
            return {name: column[:rows] for name, column in self._here.items()}
        arrays = {}
        for name, (items, width, dtype) in self._shapes.items():
            column = self.fetch(name, np.arange(rows))  # (rows, 1) where a row is one number
            arrays[name] = np.zeros((rows, width), dtype) if items else column.reshape(rows)
            if items:
                arrays[name][:, :items] = column
        return arrays

    def width(self, name: str) -> int:
        """How many numbers a row takes on the CPU, padding included."""
        return self._shapes[name][1]

    def restore(self, file: IndexFile, rows: int) -> bool:
        """All rows of what `stored` gave, of columns without rows; False, and nothing done, where a column is missing.

        On the CPU whole pages are mapped instead of copied, where a column is large enough to lie on pages of its own.
        """
        if not all(name in file for name in self._shapes):
            return False
        self.grow(rows, 0)
        for name, (items, width, dtype) in self._shapes.items():
            array = file.array(name, dtype, (rows, width) if items else (rows,))
            if self._there:
                self._there[name].write(0, np.ascontiguousarray(array[:, :items]) if items else array)
                continue
            source, target = (each.reshape(-1).view(np.uint8) for each in (array, self._here[name][:rows]))
            whole = target.nbytes // PAGE * PAGE
            if not (whole and _core.map_file(file.descriptor, file.offset(name), target[:whole])):
                target[:whole] = source[:whole]
            target[whole:] = source[whole:]
        return True

    def take(self, name: str, ids: np.ndarray) -> np.ndarray:
        """A copy of the rows with these ids, where they lie."""
        return self._there[name].take(ids) if self._there else self._here[name][ids, : self._shapes[name][0]]

    def fetch(self, name: str, ids: np.ndarray, width: int | None = None) -> np.ndarray:
        """The same on the CPU, or of each row the first numbers."""
        if self._there:
            return self._there[name].fetch(ids)[:, :width]
        return self._here[name][ids, : self._shapes[name][0]] if width is None else self._here[name][ids, :width]


def takes(method: Method) -> Method:
    """Of an index: its arrays may lie on the GPU that keeps the rows, or will keep them."""

    @wraps(method)
    def taking(self: Any, *arguments: Any, **options: Any) -> Any:
        place = None
        for value in (*arguments, *options.values()):
            if type(value) is not np.ndarray and place is None:
                place = device_of(value)
        if place is None and self.device is None:  # all of it on the CPU, which is no device to enter
            return method(self, *arguments, **options)
        if place is None or inside() or why_not("cuda") is not None:
            with using(self.device):
                return method(self, *arguments, **options)
        if self.device is None and self._open and len(self) == 0:
            with using(place):
                self._move()
        if self.device != place:
            where = "on the CPU" if self.device is None else f"on CUDA device {self.device}"
            raise ArrayError(
                f"this index keeps its rows {where}, got an array on CUDA device {place}; "
                "copy it there, or make an index with backend='cuda' and append to it first"
            )
        arrays = [value for value in (*arguments, *options.values()) if device_of(value) is not None]
        with entered(place, arrays) as seen:
            return method(self, *map(seen, arguments), **{name: seen(value) for name, value in options.items()})

    return taking  # type: ignore[return-value]  # @wraps: to its caller it is the method itself


class Kept:
    """What every index has: a backend, and with "cuda" a device that keeps its rows.

    Of an index made without a backend, by argument or CONTEXT_GRAPH_BACKEND, the first rows decide: where they lie on a
    GPU it keeps them there and searches there, with "cuda".
    """

    _open = False
    _family: ClassVar[str]

    metadata: Mapping[str, Any] = MappingProxyType({})
    """What the owner wants to know of the index later: JSON, which `save` writes and `load` brings back."""

    @property
    def device(self) -> int | None:
        """The number of the CUDA device that keeps the rows; None where they lie on the CPU."""
        return self._columns.device

    _columns: Columns

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index and its `metadata` to one file, whole or not at all; an append meanwhile is left out."""
        options, arrays = self._stored()
        write(path, self._family, options, arrays, self.metadata)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, backend: str | None = None, verify: bool = False) -> Self:
        """The index that `save` wrote.

        On the CPU its large arrays are mapped instead of copied. The file may be deleted or replaced meanwhile, by
        `save` too, but not changed in place.

        Parameters
        ----------
        path : str or path
        backend : str, optional
            As of a new index; it need not be the one that saved.
        verify : bool
            Read the whole file now and compare its bytes with sums that were taken when it was written.

        Raises
        ------
        ArrayError
            It is no such file, not whole, or of another kind of index.
        """
        with opened(path, cls._family, verify=verify) as file:
            index = cls._restored(file, backend)
            index.metadata = file.metadata
        return index

    def _stored(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """The options that `_restored` needs, and the arrays, of one moment."""
        raise NotImplementedError

    @classmethod
    def _restored(cls, file: IndexFile, backend: str | None) -> Self:
        """An index with what a file holds."""
        raise NotImplementedError

    def _settled(self, family: Any, name: str, operation: str, backend: str | None) -> str:
        """The backend, chosen for good unless nobody asked for one."""
        self._open = asked_for(backend) is None
        return choose(family, name, operation, backend)

    def _move(self) -> None:
        """To the device in use, before the first row."""
        raise NotImplementedError

    def _call(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """A compiled function, on the device that keeps the rows."""
        with using(self.device):
            return call(function, *arguments)


class KeptRows(Kept):
    """What every index of rows has, of which each has an entry in every column."""

    _size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        """Bytes in use by the rows, without spare capacity."""
        return self._columns.nbytes(self._size)

    @takes
    def reserve(self, rows: int) -> None:
        """Make room at once for so many rows in all, where it is known how many will come."""
        self._columns.grow(check.count(rows, "rows"), self._size)

    @takes
    def rows(self, ids: Ids) -> np.ndarray:
        """The rows with these ids, (len(ids), dim) in the index's own type, on the CPU."""
        return self._columns.fetch("rows", check.ids(ids, self._size))


def finite_there(rows: np.ndarray, name: str) -> np.ndarray:
    """Rows on the device in use as they are, if all their numbers are finite: 0 times NaN or infinity is NaN."""
    nothing = DeviceArray.upload(np.zeros((1, rows.shape[1]), np.float32))
    try:
        call(_core.dense.scores_cuda, nothing, rows, None, 1)
    except ArrayError:
        raise ArrayError(f"{name} must be finite, got NaN or infinity in an array on a GPU") from None
    return rows
