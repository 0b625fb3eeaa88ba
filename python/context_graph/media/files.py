"""A file that was sent to be remembered: its type and measures are checked here, before anything decodes it."""

import hashlib
import struct
from collections.abc import Callable
from dataclasses import dataclass

from context_graph.errors import InvalidInput, PayloadTooLarge
from context_graph.media import boxes, ebml, pictures, sounds
from context_graph.media.kinds import agreed, modality_of
from context_graph.media.measures import Measures, cut

__all__ = ["MediaFile", "opened"]


@dataclass(frozen=True, slots=True)
class MediaFile:
    """A picture, a sound or a film, checked.

    Attributes
    ----------
    mime : str
        What its bytes are, one of `MIME_TYPES`.
    duration_s : float, optional
        As its header says; of an MP3 without a count of frames, estimated.
    """

    data: bytes
    mime: str
    width: int | None = None
    height: int | None = None
    duration_s: float | None = None

    @property
    def modality(self) -> str:
        return modality_of(self.mime)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def __repr__(self) -> str:
        return f"MediaFile({self.mime}, {len(self.data)} bytes)"


def opened(
    data: bytes,
    *,
    declared: str | None = None,
    modality: str | None = None,
    most_bytes: int = 10_000_000,
    most_pixels: int = 40_000_000,
) -> MediaFile:
    """Check a file: its type by its bytes, its measures by its header.

    Parameters
    ----------
    declared, modality : str, optional
        The MIME type, and image, audio or video, as its sender says; another than the bytes have is an error.
    most_pixels : int
        Of a picture, or of a film's frame: a small file can hold a picture that fills the memory.

    Raises
    ------
    InvalidInput
        Another type than was said, an unknown one, or a file that is cut or damaged.
    PayloadTooLarge
    """
    if not data:
        raise InvalidInput("expected a file, got 0 bytes", field="content_base64")
    if len(data) > most_bytes:
        raise PayloadTooLarge(f"expected a file of at most {most_bytes} bytes, got {len(data)}")
    mime = agreed(data, declared, modality)
    try:
        measures = _READERS[mime](data)
    except (IndexError, struct.error):
        raise cut(mime, "its header is not whole") from None
    wide, high = measures.width, measures.height
    if modality_of(mime) == "image" and not (wide and high):
        raise cut(mime, f"its header says {wide} x {high} pixels")
    if wide and high and wide * high > most_pixels:
        raise PayloadTooLarge(
            f"expected at most {most_pixels} pixels, the header of this {mime} says {wide} x {high} = {wide * high}; "
            "make it smaller, or raise the setting media_pixels"
        )
    return MediaFile(data, mime, wide, high, measures.duration_s)


def _avi(data: bytes) -> Measures:
    for name, first, last in sounds.chunks(data):
        if name == b"LIST" and data[first : first + 8] == b"hdrlavih":
            micros, frames = (int.from_bytes(data[first + at : first + at + 4], "little") for at in (12, 28))
            wide, high = (int.from_bytes(data[first + at : first + at + 4], "little") for at in (44, 48))
            if int.from_bytes(data[4:8], "little") + 8 > len(data):
                raise cut("AVI", f"it says {int.from_bytes(data[4:8], 'little') + 8} bytes and has {len(data)}")
            return Measures(wide or None, high or None, micros * frames / 1e6 or None)
        if last > len(data):
            break
    raise cut("AVI", "its header is missing")


_BOXED = ("audio/mp4", "video/mp4", "video/quicktime")
_READERS: dict[str, Callable[[bytes], Measures]] = {
    **pictures.READERS,
    **sounds.READERS,
    **dict.fromkeys(_BOXED, boxes.measured),
    **dict.fromkeys(("audio/webm", "video/webm", "video/x-matroska"), ebml.measured),
    "video/x-msvideo": _avi,
}
