"""The boxes of MP4 and QuickTime files: size, name, and boxes within."""

from collections.abc import Iterator

from context_graph.media.measures import Measures, cut, find

__all__ = ["brands_of", "has_pictures", "measured"]

_MAX_BOXES = 4_096
_FAMILIES = (b"ftyp", b"moov", b"mdat", b"free", b"wide", b"skip")


def _boxes(data: bytes, start: int = 0, end: int | None = None) -> Iterator[tuple[bytes, int, int]]:
    """Name, first and last byte of the content of each box between two places; the last may reach past the end."""
    end = len(data) if end is None else end
    for _ in range(_MAX_BOXES):
        if start + 8 > end:
            return
        size, name, head = int.from_bytes(data[start : start + 4], "big"), data[start + 4 : start + 8], 8
        if size == 1:
            size, head = int.from_bytes(data[start + 8 : start + 16], "big"), 16
        elif size == 0:  # up to the end of the file
            size = end - start
        if size < head:
            return
        yield name, start + head, start + size
        start += size


def brands_of(data: bytes) -> list[bytes] | None:
    """The major brand first; an old QuickTime file, which names none, counts as `qt`. None for other files."""
    if data[4:8] == b"ftyp":
        size = min(int.from_bytes(data[:4], "big"), 512)
        return [data[8:12], *(data[i : i + 4] for i in range(16, size, 4))]
    return [b"qt  "] if data[4:8] in _FAMILIES[1:] else None


def has_pictures(data: bytes) -> bool:
    """Whether one of its tracks is a film."""
    return any(
        data[first + 8 : first + 12] == b"vide" for first, _ in find(_boxes, data, (b"moov", b"trak", b"mdia", b"hdlr"))
    )


def measured(data: bytes) -> Measures:
    """Width, height and seconds, from the header of the film and of its tracks."""
    for name, _, last in _boxes(data):
        if last > len(data):
            raise cut("MP4", f"its {name.decode('latin-1')} box ends at byte {last} of {len(data)}")
    header = next(find(_boxes, data, (b"moov", b"mvhd")), None)
    if header is None:
        raise cut("MP4", "it has no moov box, which says what is in it")
    first, long = header[0], data[header[0]] == 1
    at, width = (first + 20, 8) if long else (first + 12, 4)
    scale, length = int.from_bytes(data[at : at + 4], "big"), int.from_bytes(data[at + 4 : at + 4 + width], "big")
    sizes = [
        (int.from_bytes(data[last - 8 : last - 4], "big") >> 16, int.from_bytes(data[last - 4 : last], "big") >> 16)
        for _, last in find(_boxes, data, (b"moov", b"trak", b"tkhd"))
    ]
    wide, high = max(sizes, default=(0, 0))
    known = scale > 0 and length != 2 ** (8 * width) - 1
    return Measures(wide or None, high or None, length / scale if known else None)
