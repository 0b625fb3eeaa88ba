"""Pixels and samples of a file, by the decoders of the `media` extra; of WAV, without any."""

import io
import logging
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from context_graph.errors import InvalidInput
from context_graph.media import sounds
from context_graph.media.descriptors import MAX_FRAMES
from context_graph.media.files import MediaFile
from context_graph.media.measures import cut

if TYPE_CHECKING:
    import av

__all__ = ["LONGEST_SIDE", "RATE", "frames", "has", "pixels", "samples", "speech"]

LONGEST_SIDE = 1_280
"""Pixels; a larger picture is made smaller before it is read: print of ordinary size stays legible."""

RATE = 16_000
_SCANNED = 4_096  # frames of a film that are looked at to choose from

_DEMUXERS = {
    "audio/wav": "wav", "audio/flac": "flac", "audio/mpeg": "mp3", "audio/ogg": "ogg", "audio/mp4": "mp4",
    "audio/webm": "matroska", "video/mp4": "mp4", "video/quicktime": "mov", "video/webm": "matroska",
    "video/x-matroska": "matroska", "video/x-msvideo": "avi",
}  # fmt: skip
"""By name, so that no file can ask for a reader of playlists, which would open other files and addresses."""


def has(package: str) -> bool:
    """Whether a package of the extra is here; it is not imported."""
    return find_spec(package) is not None


def pixels(file: MediaFile) -> np.ndarray | None:
    """A picture, of an animation the first: uint8 (h, w, 3), at most LONGEST_SIDE a side; None without Pillow.

    Raises
    ------
    InvalidInput
        Where the file is damaged behind a sound header.
    """
    if not has("PIL"):
        return None
    from PIL import Image, ImageOps

    logging.getLogger("PIL").setLevel(logging.WARNING)
    name = file.mime.partition("/")[2]
    try:
        with Image.open(io.BytesIO(file.data), formats=[name]) as image:
            image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # JPEG is decoded smaller at once
            shown = ImageOps.exif_transpose(image)
            clear = shown.mode in ("RGBA", "LA", "PA") or "transparency" in shown.info
            shown = shown.convert("RGBA" if clear else "RGB")
            shown.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.BOX)  # before more copies are made
            if clear:
                shown = Image.alpha_composite(Image.new("RGBA", shown.size, "white"), shown).convert("RGB")
            return np.asarray(shown)
    except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError) as error:
        raise cut(name.upper(), str(error)) from None


def samples(file: MediaFile, most_s: float) -> tuple[np.ndarray, int] | None:
    """Up to so many seconds of a sound and its rate: float32 (t,); None where a decoder is missing."""
    if file.mime == "audio/wav":
        found = sounds.wave(file.data)
        return sounds.samples(found, most_s), found.rate
    heard = speech(file, most_s)
    if heard is None and has("av"):
        raise _damaged(file, "it has no sound")
    return None if heard is None else (heard, RATE)


def speech(file: MediaFile, most_s: float) -> np.ndarray | None:
    """The sound of a file as speech recognition takes it: float32 (t,) at 16 kHz; None without PyAV, or silent."""
    if not has("av"):
        return None
    import av

    parts, sample_count = [], 0
    try:
        with _container(file) as container:
            if not container.streams.audio:
                return None
            _known(file, container.streams.audio[0])
            resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE)
            for frame in container.decode(audio=0):
                for part in resampler.resample(frame):
                    parts.append(part.to_ndarray().ravel())
                    sample_count += len(parts[-1])
                if sample_count >= most_s * RATE:
                    break
            else:
                parts += [part.to_ndarray().ravel() for part in resampler.resample(None)]
    except (av.FFmpegError, ValueError) as error:
        raise _damaged(file, error) from None
    if not sample_count:
        raise _damaged(file, "no sound could be decoded")
    return np.clip(np.concatenate(parts)[: int(most_s * RATE)], -1.0, 1.0).astype(np.float32)


def frames(file: MediaFile) -> np.ndarray | None:
    """Frames of a film, evenly over those that stand alone: uint8 (n, h, w, 3); None without PyAV."""
    if not has("av"):
        return None
    import av

    try:
        with _container(file) as container:
            if not container.streams.video:
                raise _damaged(file, "it has no pictures")
            stream = _known(file, container.streams.video[0])
            stream.codec_context.skip_frame = "NONKEY"
            times = [frame.pts for frame, _ in zip(container.decode(stream), range(_SCANNED), strict=False)]
        chosen = set(np.unique(np.linspace(0, len(times) - 1, MAX_FRAMES).astype(int)).tolist()) if times else set()
        with _container(file) as container:
            stream = container.streams.video[0]
            stream.codec_context.skip_frame = "NONKEY"
            images = [
                frame.reformat(**_smaller(frame.width, frame.height), format="rgb24").to_ndarray()
                for number, frame in zip(range(len(times)), container.decode(stream), strict=False)
                if number in chosen
            ]
    except (av.FFmpegError, ValueError) as error:
        raise _damaged(file, error) from None
    if not images:
        raise _damaged(file, "no frame could be decoded")
    return np.stack([frame for frame in images if frame.shape == images[0].shape])


def _container(file: MediaFile) -> "av.container.InputContainer":
    import av

    return av.open(io.BytesIO(file.data), format=_DEMUXERS[file.mime], metadata_errors="replace")


def _known(file: MediaFile, stream: "av.stream.Stream") -> "av.stream.Stream":
    if stream.codec_context is None:
        raise InvalidInput(
            f"the {stream.type} in this {file.mime} is in a coding that the decoder does not know; send it in another"
        )
    return stream


def _smaller(width: int, height: int) -> dict[str, int]:
    scale = min(1.0, LONGEST_SIDE / 2 / max(width, height, 1))
    return {"width": max(2, round(width * scale)), "height": max(2, round(height * scale))}


def _damaged(file: MediaFile, error: Exception | str) -> InvalidInput:
    return cut(file.mime, str(error)[:120])
