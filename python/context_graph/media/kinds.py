"""Which type a file has, by its first bytes: what its sender calls it is compared, never trusted."""

from collections.abc import Callable

from context_graph.errors import InvalidInput
from context_graph.media.boxes import brands_of, has_pictures
from context_graph.media.ebml import document_type, tracks_pictures

__all__ = ["MIME_TYPES", "agreed", "kind_of", "modality_of", "plain_type"]

MIME_TYPES = (
    "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp",
    "audio/wav", "audio/flac", "audio/mpeg", "audio/ogg", "audio/mp4", "audio/webm",
    "video/mp4", "video/quicktime", "video/webm", "video/x-matroska", "video/x-msvideo",
)  # fmt: skip
"""Every type that is read."""

SYNONYMS = {
    "image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png",
    "image/x-ms-bmp": "image/bmp", "image/x-bmp": "image/bmp",
    "audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/vnd.wave": "audio/wav",
    "audio/x-flac": "audio/flac", "audio/mp3": "audio/mpeg", "audio/x-mpeg": "audio/mpeg",
    "audio/opus": "audio/ogg", "audio/vorbis": "audio/ogg", "application/ogg": "audio/ogg",
    "audio/m4a": "audio/mp4", "audio/x-m4a": "audio/mp4", "audio/aac": "audio/mp4",
    "video/x-m4v": "video/mp4", "video/avi": "video/x-msvideo", "video/msvideo": "video/x-msvideo",
    "video/matroska": "video/x-matroska",
}  # fmt: skip
"""Other names of the same types."""


def plain_type(declared: str) -> str:
    """A declared type in the one spelling used here."""
    declared = declared.strip().lower()
    return SYNONYMS.get(declared, declared)


def modality_of(mime: str) -> str:
    """image, audio or video."""
    return mime.partition("/")[0]


def kind_of(data: bytes) -> str | None:
    """The type of a file among `MIME_TYPES`; None for anything else.

    Examples
    --------
    >>> kind_of(b"GIF89a...........")
    'image/gif'
    >>> kind_of(b"%PDF-1.7") is None
    True
    """
    return next((mime for mime in (sniff(data) for sniff in _SNIFFERS) if mime), None)


def _by_start(data: bytes) -> str | None:
    for start, mime in (
        (b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"), (b"fLaC", "audio/flac"), (b"OggS", "audio/ogg"), (b"ID3", "audio/mpeg"),
    ):  # fmt: skip
        if data.startswith(start):
            return mime
    if data[:2] == b"BM" and data[14:18] in (b"\x0c\0\0\0", b"\x28\0\0\0", b"\x6c\0\0\0", b"\x7c\0\0\0"):
        return "image/bmp"  # two letters prove little; the length of the header that follows does
    if len(data) > 3 and data[0] == 0xFF and data[1] & 0xE6 == 0xE2 and data[2] >> 4 != 15:
        return "audio/mpeg"  # layer III without tags
    return None


def _riff(data: bytes) -> str | None:
    if data[:4] != b"RIFF":
        return None
    return {b"WAVE": "audio/wav", b"WEBP": "image/webp", b"AVI ": "video/x-msvideo"}.get(data[8:12])


def _boxed(data: bytes) -> str | None:
    brands = brands_of(data)
    if brands is None or brands[0] in (b"avif", b"heic", b"heix", b"mif1", b"crx "):
        return None  # pictures in the container of films, which nothing here reads
    if brands[0] == b"qt  ":
        return "video/quicktime"
    return "video/mp4" if has_pictures(data) else "audio/mp4"


def _ebml(data: bytes) -> str | None:
    kind = document_type(data)
    if kind not in ("webm", "matroska"):
        return None
    pictures = tracks_pictures(data)
    if kind == "webm":
        return "video/webm" if pictures else "audio/webm"
    return "video/x-matroska"


_SNIFFERS: tuple[Callable[[bytes], str | None], ...] = (_by_start, _riff, _boxed, _ebml)


def agreed(data: bytes, declared: str | None, modality: str | None) -> str:
    """The type that the bytes have, where it is what the sender says; else an error that names both."""
    detected = kind_of(data)
    if detected is None:
        raise InvalidInput(
            f"the {len(data)} bytes, which begin with {data[:8].hex(' ')}, are of no type that is read"
            f"{f' (declared: {declared})' if declared else ''}; expected one of {', '.join(MIME_TYPES)}",
            field="content_base64" if declared is None else "data_uri",
        )
    if declared is not None and plain_type(declared) != detected:
        raise InvalidInput(
            f"data_uri declares {declared}, its bytes are {detected}; declare what they are", field="data_uri"
        )
    if modality is not None and modality != modality_of(detected):
        raise InvalidInput(
            f"modality says {modality}, the bytes are {detected}; say {modality_of(detected)}", field="modality"
        )
    return detected
