"""The elements of Matroska and WebM files (EBML): number, size, and elements within."""

import struct
from collections.abc import Iterator

from context_graph.media.measures import Measures, cut, find

__all__ = ["document_type", "measured", "tracks_pictures"]

_HEAD, _DOCUMENT_TYPE, _SEGMENT, _INFO, _SCALE, _DURATION = 0x1A45DFA3, 0x4282, 0x18538067, 0x1549A966, 0x2AD7B1, 0x4489
_TRACKS, _TRACK, _TRACK_TYPE, _PICTURE, _WIDTH, _HEIGHT = 0x1654AE6B, 0xAE, 0x83, 0xE0, 0xB0, 0xBA
_FILM = 1
_NANOSECONDS = 1_000_000  # of a tick, where a file does not say
_MAX_ELEMENTS = 4_096


def _number(data: bytes, at: int, *, marked: bool) -> tuple[int, int] | None:
    """A number of variable length and the place after it; of an element with its length mark, of a size without."""
    if at >= len(data) or data[at] == 0:
        return None
    length = 9 - data[at].bit_length()
    value = int.from_bytes(data[at : at + length], "big")
    return (value if marked else value & ((1 << 7 * length) - 1)), at + length


def _elements(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Number, first and last byte of each element; one of unknown size reaches to the end."""
    for _ in range(_MAX_ELEMENTS):
        head = _number(data, start, marked=True) if start < end else None
        size = _number(data, head[1], marked=False) if head else None
        if head is None or size is None:
            return
        unknown = size[0] == (1 << 7 * (size[1] - head[1])) - 1
        last = end if unknown else size[1] + size[0]
        yield head[0], size[1], last
        start = last


def document_type(data: bytes) -> str | None:
    """webm or matroska; None for other files."""
    if data[:4] != _HEAD.to_bytes(4, "big"):
        return None
    found = next(find(_elements, data, (_HEAD, _DOCUMENT_TYPE)), None)
    return data[slice(*found)].rstrip(b"\0").decode("latin-1") if found else None


def tracks_pictures(data: bytes) -> bool:
    """Whether one of its tracks is a film."""
    kinds = find(_elements, data, (_SEGMENT, _TRACKS, _TRACK, _TRACK_TYPE))
    return any(int.from_bytes(data[slice(*found)], "big") == _FILM for found in kinds)


def measured(data: bytes) -> Measures:
    """Width, height and seconds."""
    for number, _, last in _elements(data, 0, len(data)):
        if number == _SEGMENT and last > len(data):
            raise cut("Matroska", f"it ends at byte {len(data)} of {last}")
    if next(find(_elements, data, (_SEGMENT, _TRACKS)), None) is None:
        raise cut("Matroska", "it has no list of tracks")
    scale = _integer(data, (_SEGMENT, _INFO, _SCALE)) or _NANOSECONDS
    length = next(find(_elements, data, (_SEGMENT, _INFO, _DURATION)), None)
    seconds = None
    if length is not None and length[1] - length[0] in (4, 8):
        ticks = struct.unpack(">f" if length[1] - length[0] == 4 else ">d", data[slice(*length)])[0]
        seconds = ticks * scale / 1e9 if 0 <= ticks < 1e15 else None
    picture = (_SEGMENT, _TRACKS, _TRACK, _PICTURE)
    return Measures(_integer(data, (*picture, _WIDTH)), _integer(data, (*picture, _HEIGHT)), seconds)


def _integer(data: bytes, path: tuple[int, ...]) -> int | None:
    found = next(find(_elements, data, path), None)
    return int.from_bytes(data[slice(*found)], "big") if found else None
