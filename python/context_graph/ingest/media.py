"""Files among memories: what is found in one becomes the text of its memory, how it looks or sounds a vector of E10."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from context_graph.embed.multimodal import Media
from context_graph.errors import InvalidInput
from context_graph.index.corpus import Corpus
from context_graph.ingest.draft import CONTENT_LIMIT, Draft
from context_graph.media import MediaFile, contents, descriptors, words
from context_graph.reading.media import INSTALL, NOTE, OF
from context_graph.retrieval.media_similarity import Alike, alike
from context_graph.safety.pii import scrub

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_graph.runtime import Runtime

__all__ = [
    "LOOK", "MediaReading", "examined", "lacking", "look_around", "noted", "read_media", "with_text",
]  # fmt: skip

LOOK = 0.8
"""Cosine of signals from which two files are called alike; see docs/memory/media.md for what was measured."""

MAX_ALIKE = 4


@dataclass(frozen=True, slots=True)
class MediaReading:
    """What was found in a file.

    Attributes
    ----------
    note : dict
        What the metadata will say of it.
    """

    file: MediaFile
    media: Media
    note: dict[str, Any]

    @property
    def kept(self) -> bool:
        """Whether the file itself goes into the store."""
        return bool(self.note["kept"])


def read_media(memory: "Runtime", draft: Draft) -> tuple[Draft, MediaReading | None]:
    """The draft with the text of its file, and what else was found in it; a draft without a file as it is.

    Words from a file are content like any other: they are cleaned, inspected and embedded after this.

    Raises
    ------
    InvalidInput
        Where the file is damaged behind a sound header, or there is none though the modality says so.
    """
    file = draft.file
    if file is None:
        if draft.modality != "text":
            raise InvalidInput(
                f"content is text, and modality says {draft.modality}; leave modality out, or send the file itself "
                "as content_base64 or data_uri",
                field="modality",
            )
        return draft, None
    caption = draft.content.strip() or _caption(draft.metadata)
    signal, text, missing = examined(memory, file)
    sources = (["caption"] if caption else []) + (["name"] if _named(draft) else [])
    sources += [("ocr" if file.modality == "image" else "speech")] if text else []
    hidden = scrub(text, kinds=memory.settings.redacted).types
    keeps_file = memory.settings.keep_media and not hidden
    if hidden:
        missing.append(
            f"the file itself was not kept, for the text in it held {', '.join(hidden)}, which cannot be cut out of it"
        )
    elif not keeps_file:
        missing.append("the file itself was not kept: the setting keep_media is off")
    content, cut = with_text("\n".join(filter(None, [caption, _mark(file)])), file.modality, text)
    missing += cut
    note = {
        "type": file.mime, "bytes": len(file.data), "sha256": file.sha256, "width": file.width, "height": file.height,
        "duration_s": None if file.duration_s is None else round(file.duration_s, 3), "kept": keeps_file,
        "text_from": sources, "missing": missing,
    }  # fmt: skip
    found = MediaReading(
        file, Media(signal, bool(sources)), {key: value for key, value in note.items() if value is not None}
    )
    return replace(draft, content=content, modality=file.modality), found


def with_text(content: str, modality: str, text: str) -> tuple[str, list[str]]:
    """The content of a memory with the text of its file, and what to say of it where it is cut."""
    if not text:
        return content, []
    whole = f"{content}\n{OF[modality]}:\n{text}"
    cut = [f"of its text, what is beyond {CONTENT_LIMIT} characters was left out"]
    return whole[:CONTENT_LIMIT], cut if len(whole) > CONTENT_LIMIT else []


def noted(draft: Draft, reading: MediaReading | None) -> Draft:
    """The draft, once it is cleaned, with what is known of its file: no digest is mistaken for a secret."""
    return draft if reading is None else replace(draft, metadata={**draft.metadata, NOTE: reading.note})


def look_around(corpus: Corpus, vector: np.ndarray | None, modality: str, visible: np.ndarray) -> Alike | None:
    """The visible memories whose files look or sound like a new one; None for a memory without a file."""
    if vector is None:
        return None
    mask = visible & (corpus.columns.modality == corpus.modalities.known(modality))
    return alike(corpus, vector, mask, look=LOOK, k=MAX_ALIKE)


def lacking(modality: str, mime: str) -> list[str]:
    """What cannot be had of such a file here, for what reads it is not installed."""
    if modality == "image":
        seen = contents.has("PIL")
        look = [] if seen else [f"how it looks was not described, for Pillow is not installed: {INSTALL}"]
        if seen and words.can_read():
            return look
        return [*look, f"text in it was not read, for OCR is not installed: {INSTALL}"]
    what, decoded = "sounds" if modality == "audio" else "looks", mime == "audio/wav" or contents.has("av")
    look = [] if decoded else [f"how it {what} was not described, for its decoder (PyAV) is not installed: {INSTALL}"]
    if words.can_hear():
        return look
    return [*look, f"speech in it was not transcribed, for the speech model is not installed: {INSTALL}"]


def examined(memory: "Runtime", file: MediaFile) -> tuple[np.ndarray | None, str, list[str]]:
    """Signal, text, and what could not be had."""
    missing, settings, text = lacking(file.modality, file.mime), memory.settings, ""
    if file.modality == "image":
        shown = contents.pixels(file)
        if shown is None:
            return None, "", missing
        if words.can_read():
            text = "\n".join(words.read(shown, threads=settings.threads))
        return descriptors.picture(shown), text, missing
    if file.modality == "audio":
        heard = contents.samples(file, settings.media_seconds)
        signal = None if heard is None else descriptors.sound(*heard)
    else:
        frames = contents.frames(file)
        signal = None if frames is None else descriptors.film(frames)
    if words.can_hear() and settings.media_seconds:
        speech = contents.speech(file, settings.media_seconds)
        text = "" if speech is None else words.transcribe(speech, threads=settings.threads)
    if file.duration_s is not None and file.duration_s > settings.media_seconds:
        missing.append(f"only its first {settings.media_seconds} s were listened to: the setting media_seconds")
    return signal, text, missing


def _mark(file: MediaFile) -> str:
    """One line that says what the memory holds, in words that are no names."""
    parts = [f"{file.modality}: {file.mime.partition('/')[2].removeprefix('x-')}"]
    if file.width and file.height:
        parts.append(f"{file.width} x {file.height}")
    if file.duration_s is not None:
        parts.append(f"{file.duration_s:.1f} s")
    return f"[{', '.join(parts)}]"


def _caption(metadata: "Mapping[str, Any]") -> str:
    given = metadata.get("caption")
    return given.strip() if isinstance(given, str) else ""


def _named(draft: Draft) -> bool:
    return bool(draft.name) or any(isinstance(draft.metadata.get(key), str) for key in ("name", "title"))
