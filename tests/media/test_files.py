"""Which files are taken, what their headers say, and how every other is refused."""

import base64
import struct

import makers
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.errors import InvalidInput, PayloadTooLarge
from context_graph.media import MIME_TYPES, from_base64, from_data_uri, kind_of, opened
from context_graph.media.kinds import SYNONYMS, modality_of

SAMPLES = makers.SAMPLES


def test_there_is_a_sample_of_every_type():
    assert set(SAMPLES) == set(MIME_TYPES) >= set(SYNONYMS.values())


@pytest.mark.parametrize("mime", MIME_TYPES)
def test_the_type_is_read_off_the_bytes(mime):
    file = opened(SAMPLES[mime], declared=mime, modality=modality_of(mime))
    assert (file.mime, file.modality) == (mime, mime.partition("/")[0])
    assert len(file.sha256) == 64 and repr(file) == f"MediaFile({mime}, {len(SAMPLES[mime])} bytes)"


@pytest.mark.parametrize("mime", [mime for mime in MIME_TYPES if not mime.startswith("audio")])
def test_the_size_is_read_off_the_header(mime):
    file = opened(SAMPLES[mime])
    assert (file.width, file.height) == (32, 24)


@pytest.mark.parametrize("mime", [mime for mime in MIME_TYPES if not mime.startswith("image")])
def test_the_length_is_read_off_the_header(mime):
    assert opened(SAMPLES[mime]).duration_s == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize(
    ("data", "wide", "high"),
    [
        (makers.webp(300, 200, b"VP8L"), 300, 200),
        (makers.webp(300, 200, b"VP8 "), 300, 200),
        (makers.bmp(31, 7), 31, 7),
        (makers.mp4(2.0, (640, 480), long=True), 640, 480),
    ],
)
def test_other_forms_of_a_type_are_measured_too(data, wide, high):
    file = opened(data)
    assert (file.width, file.height) == (wide, high)


@pytest.mark.parametrize(
    ("data", "seconds"),
    [
        (makers.mp3(100, tagged=True), 100 * 1152 / 44_100),
        (makers.mp3(100, counted=True), 100 * 1152 / 44_100),
        (makers.ogg(3.5, "vorbis"), 3.5),
        (makers.mp4(2.5, (64, 64), long=True), 2.5),
        (makers.float_wav(makers.tone(440, rate=8_000), 8_000), 1.0),
        (makers.wav(makers.tone(440), width=1), 1.0),
        (makers.wav(makers.tone(440), width=3), 1.0),
        (makers.wav(np.repeat(makers.tone(440), 2), channels=2), 1.0),
    ],
)
def test_other_forms_of_a_sound_are_measured_too(data, seconds):
    assert opened(data).duration_s == pytest.approx(seconds, rel=0.01)


@pytest.mark.parametrize("declared", SYNONYMS)
def test_other_names_of_a_type_are_the_same_type(declared):
    assert opened(SAMPLES[SYNONYMS[declared]], declared=declared.upper()).mime == SYNONYMS[declared]


def test_a_false_type_is_refused_with_both_names():
    with pytest.raises(InvalidInput, match="declares image/jpeg, its bytes are image/png"):
        opened(SAMPLES["image/png"], declared="image/jpeg")
    with pytest.raises(InvalidInput, match="modality says audio, the bytes are image/png; say image"):
        opened(SAMPLES["image/png"], modality="audio")


@pytest.mark.parametrize(
    "data",
    [b"%PDF-1.7 ...", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"MZ" + bytes(99), b"BM is a word", b"PK\3\4"],
)
def test_other_types_are_refused(data):
    assert kind_of(data) is None
    with pytest.raises(InvalidInput, match=r"of no type that is read.*expected one of image/png, image/jpeg"):
        opened(data, declared="image/svg+xml")


def test_a_picture_that_would_fill_the_memory_is_refused_by_its_header():
    bomb = makers.png_of(100_000, 100_000, b"")
    with pytest.raises(PayloadTooLarge, match=r"40000000 pixels, .* says 100000 x 100000 = 10000000000"):
        opened(bomb)
    with pytest.raises(PayloadTooLarge, match="media_pixels"):
        opened(makers.mp4(1.0, (60_000, 60_000)))
    assert opened(makers.jpeg(100, 100), most_pixels=10_000).width == 100
    with pytest.raises(PayloadTooLarge):
        opened(makers.jpeg(100, 101), most_pixels=10_000)


def test_a_file_of_too_many_bytes_is_refused():
    with pytest.raises(PayloadTooLarge, match="at most 10 bytes"):
        opened(SAMPLES["image/png"], most_bytes=10)


@pytest.mark.parametrize("mime", [mime for mime in MIME_TYPES if mime not in ("audio/flac", "audio/mpeg")])
def test_a_file_that_is_cut_is_refused(mime):
    data = SAMPLES[mime]
    for keep in (len(data) // 2, len(data) - 3 if mime != "audio/wav" else len(data) - 100):
        with pytest.raises(InvalidInput, match=r"cut or damaged|of no type"):
            opened(data[:keep])


@pytest.mark.parametrize("mime", ["audio/flac", "audio/mpeg"])
def test_a_sound_without_a_frame_is_refused(mime):
    with pytest.raises(InvalidInput, match=r"cut or damaged|of no type"):
        opened(SAMPLES[mime][:42])


@pytest.mark.parametrize("data", [makers.png_of(0, 5, b""), makers.gif(0, 0), makers.wav(np.zeros(0, np.float32))])
def test_a_file_of_nothing_is_refused(data):
    with pytest.raises(InvalidInput, match="cut or damaged"):
        opened(data)


def test_a_wav_in_an_unknown_coding_is_refused():
    data = bytearray(SAMPLES["audio/wav"])
    data[20] = 17  # ADPCM
    with pytest.raises(InvalidInput, match="expected PCM"):
        opened(bytes(data))


@given(st.sampled_from(MIME_TYPES), st.data())
def test_a_damaged_file_is_refused_or_measured_and_never_crashes(mime, draw):
    data = bytearray(SAMPLES[mime][:600])
    for _ in range(draw.draw(st.integers(1, 6))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    cut = draw.draw(st.integers(1, len(data)))
    try:
        file = opened(bytes(data[:cut]))
    except (InvalidInput, PayloadTooLarge):
        return
    assert (file.width or 1) * (file.height or 1) <= 40_000_000
    assert file.duration_s is None or file.duration_s >= 0


@given(st.binary(min_size=1, max_size=300))
def test_base64_comes_back(data):
    text = base64.b64encode(data).decode()
    assert from_base64(text, 300) == data == from_base64(base64.encodebytes(data).decode(), 300)
    assert from_data_uri(f"data:image/PNG;name=a.png;base64,{text}", 300) == (data, "image/png")


@pytest.mark.parametrize("text", ["%%%", "AAA", "AA==AA==", "AA AA", "a-_b", "ÄÄÄÄ", "A"])
def test_what_is_no_base64_is_refused(text):
    with pytest.raises(InvalidInput, match="content_base64 must be standard base64"):
        from_base64(text, 100)


def test_an_empty_file_is_refused():
    for make in (lambda: from_base64("", 10), lambda: from_base64("\n", 10), lambda: opened(b"")):
        with pytest.raises(InvalidInput, match="0 bytes"):
            make()


@pytest.mark.parametrize("size", [11, 1_000, 100_000])
def test_too_much_base64_is_refused(size):
    with pytest.raises(PayloadTooLarge, match="at most 10 bytes") as error:
        from_base64(base64.b64encode(bytes(size)).decode(), 10)
    assert error.value.code == "PAYLOAD_TOO_LARGE"
    assert from_base64(base64.encodebytes(bytes(size)).decode(), size) == bytes(size)


@pytest.mark.parametrize(
    "uri", ["data:,hello", "data:image/png,AAAA", "http://x/y.png", "data:;base64,AAAA", "data:a/b;c"]
)
def test_what_is_no_data_uri_with_base64_is_refused(uri):
    with pytest.raises(InvalidInput, match="data_uri must read data:<type>"):
        from_data_uri(uri, 100)


def test_what_is_said_to_reach_past_its_box_is_not_read_again_for_every_box():
    """Each of 2,000 boxes claims all that follows: read for each of them anew, they would take hours."""
    from context_graph.media import boxes, ebml
    from context_graph.media.measures import find

    claims = struct.pack(">I4sI4s", 16, b"moov", 2**31, b"trak") + struct.pack(">I4sI4s", 16, b"mdia", 2**31, b"hdlr")
    film = struct.pack(">I4s4sI", 16, b"ftyp", b"isom", 0) + 2_000 * claims
    assert not boxes.has_pictures(film)
    assert list(find(boxes._boxes, film, (b"moov", b"trak", b"mdia"))) == []
    segment, tracks, track = (
        number.to_bytes(length, "big") for number, length in ((0x18538067, 4), (0x1654AE6B, 4), (0xAE, 1))
    )
    far = b"\x08\x7f\xff\xff\xff"
    matroska = 2_000 * (segment + b"\x89" + tracks + far + track + far)
    assert not ebml.tracks_pictures(matroska)
    assert list(find(ebml._elements, matroska, (0x18538067, 0x1654AE6B, 0xAE, 0x83))) == []
