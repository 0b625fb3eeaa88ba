"""How long sounds are, from their headers, and the samples of WAV, which needs no decoder."""

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from context_graph.media.measures import Measures, cut

__all__ = ["READERS", "Wave", "chunks", "samples", "wave"]

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE


class Wave(NamedTuple):
    """The samples of a WAV file as they lie in it."""

    rate: int
    channels: int
    bits: int
    floating: bool
    data: bytes


def chunks(data: bytes, start: int = 12) -> Iterator[tuple[bytes, int, int]]:
    """Name, first and last byte of each chunk of a RIFF file."""
    while start + 8 <= len(data):
        size = int.from_bytes(data[start + 4 : start + 8], "little")
        yield data[start : start + 4], start + 8, start + 8 + size
        start += 8 + size + size % 2


def wave(data: bytes) -> Wave:
    """Format and samples of a WAV file; every length is held against the bytes that are there."""
    form = None
    for name, first, last in chunks(data):
        if name == b"fmt " and last - first >= 16 and last <= len(data):
            code, channels, rate, _, _, bits = struct.unpack("<HHIIHH", data[first : first + 16])
            if code == _EXTENSIBLE and last - first >= 26:
                code = int.from_bytes(data[first + 24 : first + 26], "little")
            form = code, channels, rate, bits
        if name == b"data":
            if form is None:
                raise cut("WAV", "its samples come before their format")
            if last > len(data) and last - first not in (0, 0xFFFFFFFF):  # what a stream writes, for it knows no end
                raise cut("WAV", f"{last - first} bytes of samples are announced, {len(data) - first} are there")
            code, channels, rate, bits = form
            if not (channels and rate) or (code, bits) not in _WIDTHS:
                said = f"format {code}, {bits} bits, {channels} channels, {rate} Hz"
                raise cut("WAV", f"{said} is none that is read; expected PCM or floating point")
            return Wave(rate, channels, bits, code == _FLOAT, data[first : min(last, len(data))])
    raise cut("WAV", "it has no samples")


_WIDTHS = {(_PCM, 8), (_PCM, 16), (_PCM, 24), (_PCM, 32), (_FLOAT, 32), (_FLOAT, 64)}


def samples(wave: Wave, most_s: float) -> np.ndarray:
    """The mean of the channels, in [-1, 1]: float32 (t,)."""
    width = wave.bits // 8
    frame = width * wave.channels
    whole = min(len(wave.data) // frame, int(most_s * wave.rate)) * frame
    raw = wave.data[:whole]
    if wave.floating:
        values = np.frombuffer(raw, f"<f{width}").astype(np.float32)
        values = np.clip(np.nan_to_num(values), -1.0, 1.0)
    elif width == 1:
        values = (np.frombuffer(raw, np.uint8).astype(np.float32) - 128.0) / 128.0
    elif width == 3:
        wide = np.zeros((len(raw) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(raw, np.uint8).reshape(-1, 3)
        values = wide.view("<i4")[:, 0].astype(np.float32) / 2.0**31
    else:
        values = np.frombuffer(raw, f"<i{width}").astype(np.float32) / 2.0 ** (wave.bits - 1)
    return values.reshape(-1, wave.channels).mean(axis=1)


def _wav(data: bytes) -> Measures:
    found = wave(data)
    length = len(found.data) // (found.bits // 8 * found.channels)
    if length == 0:
        raise cut("WAV", "it has no samples")
    return Measures(duration_s=length / found.rate)


def _flac(data: bytes) -> Measures:
    if len(data) < 42 or data[4] & 0x7F != 0:
        raise cut("FLAC", "its stream description is missing")
    rate, total = int.from_bytes(data[18:21], "big") >> 4, int.from_bytes(data[21:26], "big") & (1 << 36) - 1
    if rate == 0:
        raise cut("FLAC", "its sample rate is 0")
    at = 4
    while at + 4 <= len(data):
        last, size = data[at] & 0x80, int.from_bytes(data[at + 1 : at + 4], "big")
        at += 4 + size
        if last:
            break
    if at >= len(data):
        raise cut("FLAC", "no frame follows its description")
    return Measures(duration_s=total / rate if total else None)


_RATES = {3: (44_100, 48_000, 32_000), 2: (22_050, 24_000, 16_000), 0: (11_025, 12_000, 8_000)}
_KBITS_1 = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_KBITS_2 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
"""Of MPEG layer III: sample rates by version, bit rates of version 1 and of the others."""


def _mp3(data: bytes) -> Measures:
    """From the count of frames where the file tells it, else from the bit rate of the first: then it is an estimate."""
    at = 0
    if data[:3] == b"ID3" and len(data) > 10:
        size = 0
        for byte in data[6:10]:
            size = size << 7 | byte & 0x7F
        at = 10 + size
    at = _first_frame(data, at)
    version, layout = data[at + 1] >> 3 & 3, data[at + 3] >> 6
    rate = _RATES[version][data[at + 2] >> 2 & 3]
    kbits = (_KBITS_1 if version == 3 else _KBITS_2)[data[at + 2] >> 4]
    per_frame = 1_152 if version == 3 else 576
    side = (17 if layout == 3 else 32) if version == 3 else (9 if layout == 3 else 17)
    told = at + 4 + side
    if data[told : told + 4] in (b"Xing", b"Info") and data[told + 7] & 1:
        return Measures(duration_s=int.from_bytes(data[told + 8 : told + 12], "big") * per_frame / rate)
    return Measures(duration_s=(len(data) - at) / (kbits * 125))


def _first_frame(data: bytes, at: int) -> int:
    """The first place from `at` where a frame begins that another follows, or the end of the file."""
    for start in range(at, min(at + 65_536, len(data) - 4)):
        if (length := _frame_length(data, start)) is not None:
            following = start + length
            if following + 4 > len(data) >= following or _frame_length(data, following) is not None:
                return start
    raise cut("MP3", "no whole frame of sound was found")


def _frame_length(data: bytes, at: int) -> int | None:
    if at + 4 > len(data) or data[at] != 0xFF or data[at + 1] & 0xE6 != 0xE2:
        return None
    version, code, which = data[at + 1] >> 3 & 3, data[at + 2] >> 4, data[at + 2] >> 2 & 3
    if version == 1 or code in (0, 15) or which == 3:
        return None
    kbits, rate = (_KBITS_1 if version == 3 else _KBITS_2)[code], _RATES[version][which]
    return (144_000 if version == 3 else 72_000) * kbits // rate + (data[at + 2] >> 1 & 1)


def _ogg(data: bytes) -> Measures:
    """From the position that the last page names; Opus counts at 48 kHz whatever it was made from."""
    at, last, rate = 0, 0, None
    while at + 27 <= len(data) and data[at : at + 4] == b"OggS":
        segments = data[at + 26]
        body = at + 27 + segments
        end = body + sum(data[at + 27 : body])
        if end > len(data):
            raise cut("Ogg", f"its last page ends at byte {end} of {len(data)}")
        if data[body : body + 8] == b"OpusHead":
            rate = 48_000
        elif data[body : body + 7] == b"\x01vorbis":
            rate = int.from_bytes(data[body + 12 : body + 16], "little")
        position = int.from_bytes(data[at + 6 : at + 14], "little", signed=True)
        last, at = max(last, position), end
    if at == 0 or data[at : at + 4] == b"OggS":
        raise cut("Ogg", f"the page at byte {at} is not whole")
    return Measures(duration_s=last / rate if rate and last else None)


READERS: dict[str, Callable[[bytes], Measures]] = {
    "audio/wav": _wav, "audio/flac": _flac, "audio/mpeg": _mp3, "audio/ogg": _ogg,
}  # fmt: skip
"""By type."""
