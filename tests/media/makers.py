"""Tiny files of every type, made byte by byte: what a header says is then known."""

import io
import struct
import wave
import zlib

import numpy as np

RED, BLUE = (200, 30, 30), (30, 30, 200)


def png(pixels: np.ndarray) -> bytes:
    """uint8 (h, w, 3) as a PNG."""
    high, wide, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    return png_of(wide, high, zlib.compress(rows))


def png_of(wide: int, high: int, body: bytes) -> bytes:
    parts = (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)), (b"IDAT", body), (b"IEND", b"")
    made = [
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(made)


def plain(colour=RED, wide: int = 32, high: int = 24) -> np.ndarray:
    return np.full((high, wide, 3), colour, np.uint8)


def stripes(colour=RED, *, period: int = 8, upright: bool = True, side: int = 96, seed: int = 0) -> np.ndarray:
    """Stripes of a colour on grey with a little noise: uint8 (side, side, 3)."""
    at = np.arange(side) // (period // 2) % 2
    pattern = np.broadcast_to(at if upright else at[:, None], (side, side))
    image = np.where(pattern[..., None], np.array(colour), np.array((128, 128, 128)))
    noise = np.random.default_rng(seed).integers(-12, 13, (side, side, 3))
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def tone(hertz: float, *, seconds: float = 1.0, rate: int = 16_000, beat: float = 0.0, seed: int = 0) -> np.ndarray:
    """A tone with its octave and a little noise, swelling `beat` times a second: float32 (t,)."""
    at = np.arange(int(seconds * rate)) / rate
    swell = 1.0 if beat == 0 else 0.55 + 0.45 * np.sin(2 * np.pi * beat * at)
    sound = 0.3 * swell * (np.sin(2 * np.pi * hertz * at) + 0.5 * np.sin(4 * np.pi * hertz * at))
    return (sound + np.random.default_rng(seed).normal(0, 0.003, len(at))).astype(np.float32)


def wav(samples: np.ndarray, rate: int = 16_000, *, width: int = 2, channels: int = 1) -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        scaled = np.clip(samples, -1, 1 - 2**-15)
        if width == 1:
            data = (scaled * 127 + 128).astype(np.uint8).tobytes()
        elif width == 3:
            data = (scaled * 2**31).astype("<i4").view(np.uint8).reshape(-1, 4)[:, 1:].tobytes()
        else:
            data = (scaled * 2.0 ** (8 * width - 1)).astype(f"<i{width}").tobytes()
        file.writeframes(data)
    return made.getvalue()


def float_wav(samples: np.ndarray, rate: int) -> bytes:
    data = samples.astype("<f4").tobytes()
    form = struct.pack("<HHIIHH", 3, 1, rate, rate * 4, 4, 32)
    body = b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def gif(wide: int, high: int) -> bytes:
    head = b"GIF89a" + struct.pack("<HHBBB", wide, high, 0x80, 0, 0) + bytes(6)
    return head + b"," + struct.pack("<HHHHB", 0, 0, wide, high, 0) + b"\x02\x02\x44\x01\x00\x3b"


def bmp(wide: int, high: int) -> bytes:
    row = (wide * 3 + 3) // 4 * 4
    info = struct.pack("<IiiHHIIiiII", 40, wide, high, 1, 24, 0, row * high, 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + row * high, 0, 0, 54) + info + bytes(row * high)


def jpeg(wide: int, high: int) -> bytes:
    """A header and an end: enough to measure, nothing to decode."""
    application = b"\xff\xe0" + struct.pack(">H", 16) + b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0"
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 17, 8, high, wide, 3) + bytes(9)
    return b"\xff\xd8" + application + frame + b"\xff\xd9"


def webp(wide: int, high: int, form: bytes = b"VP8X") -> bytes:
    if form == b"VP8X":
        body = bytes(4) + (wide - 1).to_bytes(3, "little") + (high - 1).to_bytes(3, "little")
    elif form == b"VP8L":
        body = b"\x2f" + ((wide - 1) | (high - 1) << 14).to_bytes(4, "little") + bytes(5)
    else:
        body = bytes(3) + b"\x9d\x01\x2a" + struct.pack("<HH", wide, high)
    chunk = form + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def flac(rate: int, total: int) -> bytes:
    about = struct.pack(">HH", 4096, 4096) + bytes(6) + (rate << 44 | 15 << 36 | total).to_bytes(8, "big") + bytes(16)
    return b"fLaC" + b"\x80" + len(about).to_bytes(3, "big") + about + b"\xff\xf8" + bytes(20)


def mp3(frames: int, *, tagged: bool = False, counted: bool = False) -> bytes:
    """Frames of 128 kbit/s at 44,100 Hz: 417 bytes and 1,152 samples each."""
    one = b"\xff\xfb\x90\x00" + bytes(413)
    first = (b"\xff\xfb\x90\x00" + bytes(32) + b"Xing" + struct.pack(">II", 1, frames)).ljust(417, b"\0")
    return (b"ID3\x04\0\0\0\0\0\x0a" + bytes(10) if tagged else b"") + (first if counted else b"") + one * frames


def ogg(seconds: float, codec: str = "opus") -> bytes:
    rate = 48_000 if codec == "opus" else 22_050
    head = b"OpusHead" + bytes(11) if codec == "opus" else b"\x01vorbis" + struct.pack("<IBI", 0, 1, rate) + bytes(14)
    return b"".join(
        b"OggS\0\0" + struct.pack("<qIIIB", position, 1, number, 0, 1) + bytes([len(body)]) + body
        for number, (position, body) in enumerate([(0, head), (int(seconds * rate), b"x" * 50)])
    )


def _box(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", 8 + len(body)) + name + body


def mp4(seconds: float, size: tuple[int, int] | None, brand: bytes = b"isom", *, long: bool = False) -> bytes:
    times = (
        struct.pack(">QQIQ", 0, 0, 1000, int(seconds * 1000))
        if long
        else (struct.pack(">IIII", 0, 0, 1000, int(seconds * 1000)))
    )
    header = _box(b"mvhd", bytes([long, 0, 0, 0]) + times + bytes(80))
    wide, high = size or (0, 0)
    track = _box(b"tkhd", bytes(76) + struct.pack(">II", wide << 16, high << 16))
    kind = _box(b"mdia", _box(b"hdlr", bytes(8) + (b"vide" if size else b"soun") + bytes(12)))
    movie = _box(b"moov", header + _box(b"trak", track + kind))
    return _box(b"ftyp", brand + bytes(4) + b"isom") + movie + _box(b"mdat", bytes(32))


def _element(number: bytes, body: bytes) -> bytes:
    return number + (0x4000 | len(body)).to_bytes(2, "big") + body


def webm(seconds: float, size: tuple[int, int] | None, kind: bytes = b"webm") -> bytes:
    about = _element(b"\x15\x49\xa9\x66", _element(b"\x44\x89", struct.pack(">d", seconds * 1000)))
    track = _element(b"\x83", b"\x01" if size else b"\x02")
    if size:
        wide, high = (
            _element(name, value.to_bytes(2, "big")) for name, value in zip((b"\xb0", b"\xba"), size, strict=True)
        )
        track += _element(b"\xe0", wide + high)
    tracks = _element(b"\x16\x54\xae\x6b", _element(b"\xae", track))
    return _element(b"\x1a\x45\xdf\xa3", _element(b"\x42\x82", kind)) + _element(b"\x18\x53\x80\x67", about + tracks)


def avi(seconds: float, size: tuple[int, int]) -> bytes:
    header = struct.pack("<14I", 40_000, 0, 0, 0, int(seconds * 25), 0, 1, 0, *size, 0, 0, 0, 0)
    content = b"hdrlavih" + struct.pack("<I", len(header)) + header
    body = b"AVI LIST" + struct.pack("<I", len(content)) + content
    return b"RIFF" + struct.pack("<I", len(body)) + body


SAMPLES = {
    "image/png": png(plain()), "image/jpeg": jpeg(32, 24), "image/gif": gif(32, 24), "image/bmp": bmp(32, 24),
    "image/webp": webp(32, 24), "audio/wav": wav(tone(440)), "audio/flac": flac(16_000, 16_000),
    "audio/mpeg": mp3(40), "audio/ogg": ogg(1.0), "audio/mp4": mp4(1.0, None, b"M4A "),
    "audio/webm": webm(1.0, None), "video/mp4": mp4(1.0, (32, 24)), "video/quicktime": mp4(1.0, (32, 24), b"qt  "),
    "video/webm": webm(1.0, (32, 24)), "video/x-matroska": webm(1.0, (32, 24), b"matroska"),
    "video/x-msvideo": avi(1.0, (32, 24)),
}  # fmt: skip
"""One file of each type: pictures of 32 x 24, sounds of a second."""
