"""Width and height of pictures from their headers, before anything is decoded."""

import struct
from collections.abc import Callable

from context_graph.media.measures import Measures, cut

__all__ = ["READERS"]


def _png(data: bytes) -> Measures:
    if data[12:16] != b"IHDR" or len(data) < 33:
        raise cut("PNG", "its header is missing")
    if not 0 < data.rfind(b"IEND") <= len(data) - 8:
        raise cut("PNG", "its end is missing")
    return Measures(*struct.unpack(">II", data[16:24]))


_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers of JPEG: those that open a frame, and those without a length."""


def _jpeg(data: bytes) -> Measures:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            break
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _ALONE:
            at += 2
        elif marker in _FRAMES:
            if b"\xff\xd9" not in data[at:]:
                raise cut("JPEG", "its end is missing")
            high, wide = struct.unpack(">HH", data[at + 5 : at + 9])
            return Measures(wide, high)
        else:
            at += 2 + max(2, int.from_bytes(data[at + 2 : at + 4], "big"))
    raise cut("JPEG", "no frame header was found")


def _gif(data: bytes) -> Measures:
    if len(data) < 14 or b"\x3b" not in data[-64:]:
        raise cut("GIF", "its end is missing")
    return Measures(*struct.unpack("<HH", data[6:10]))


def _webp(data: bytes) -> Measures:
    if len(data) < 30 or int.from_bytes(data[4:8], "little") + 8 > len(data):
        raise cut("WebP", f"it says {int.from_bytes(data[4:8], 'little') + 8} bytes and has {len(data)}")
    form = data[12:16]
    if form == b"VP8X":
        return Measures(1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little"))
    if form == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return Measures(1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    if form == b"VP8 ":
        wide, high = struct.unpack("<HH", data[26:30])
        return Measures(wide & 0x3FFF, high & 0x3FFF)
    raise cut("WebP", f"its first chunk is {form!r}")


def _bmp(data: bytes) -> Measures:
    if int.from_bytes(data[10:14], "little") >= len(data):
        raise cut("BMP", "its pixels are missing")
    if data[14] == 12:
        return Measures(*struct.unpack("<HH", data[18:22]))
    wide, high, _, bits, packed = struct.unpack("<iiHHI", data[18:34])
    wide, high = abs(wide), abs(high)  # a negative height says that rows begin at the top
    start = int.from_bytes(data[10:14], "little")
    if packed == 0 and start + (wide * bits + 31) // 32 * 4 * high > len(data):
        raise cut("BMP", "some of its pixels are missing")
    return Measures(wide, high)


READERS: dict[str, Callable[[bytes], Measures]] = {
    "image/png": _png, "image/jpeg": _jpeg, "image/gif": _gif, "image/webp": _webp, "image/bmp": _bmp,
}  # fmt: skip
"""By type."""
