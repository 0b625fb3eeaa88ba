"""What decoders make of real files; what is damaged behind a sound header is refused."""

import io

import makers
import numpy as np
import pytest

from context_graph.errors import InvalidInput
from context_graph.media import contents, descriptors, opened


def pictured(form: str, pixels: np.ndarray, **options) -> bytes:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    made = io.BytesIO()
    image.fromarray(pixels).save(made, form, **options)
    return made.getvalue()


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "WEBP"])
def test_a_picture_of_every_type_looks_the_same(form):
    pixels = makers.stripes(period=24)
    file = opened(pictured(form, pixels))
    shown = contents.pixels(file)
    assert (file.width, file.height) == (96, 96) and shown.shape == (96, 96, 3)
    assert descriptors.picture(shown) @ descriptors.picture(pixels) > 0.8


def test_a_large_picture_is_made_smaller_and_a_turned_one_turned_back():
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    assert (
        contents.pixels(opened(pictured("PNG", np.zeros((10, 4_000, 3), np.uint8)))).shape[1] == contents.LONGEST_SIDE
    )
    turned = image.Exif()
    turned[0x0112] = 6
    shown = contents.pixels(opened(pictured("JPEG", makers.plain(wide=40, high=20), exif=turned)))
    assert shown.shape == (40, 20, 3)


def test_what_shines_through_is_white():
    pixels = np.zeros((8, 8, 4), np.uint8)
    assert (contents.pixels(opened(pictured("PNG", pixels))) == 255).all()


@pytest.mark.parametrize(
    "data",
    [makers.jpeg(32, 24), makers.png_of(32, 24, b"no zlib"), makers.webp(32, 24, b"VP8L"), makers.png_of(9, 9, b"")],
)
def test_a_picture_damaged_behind_its_header_is_refused(data):
    pytest.importorskip("PIL", reason="Pillow is not installed")
    with pytest.raises(InvalidInput, match="cut or damaged"):
        contents.pixels(opened(data))


def coded(form: str, codec: str, *, film: bool, seconds: int = 2) -> bytes:
    """A sound, or a film of red, green and blue with that sound."""
    av = pytest.importorskip("av", reason="PyAV is not installed")
    made = io.BytesIO()
    with av.open(made, "w", format=form) as container:
        streams = []
        if film:
            picture = container.add_stream(codec, rate=10)
            picture.width, picture.height, picture.pix_fmt = 64, 48, "yuv420p"
            picture.codec_context.gop_size = 5
            streams.append(picture)
            for number in range(seconds * 10):
                colour = [makers.RED, makers.BLUE][number * 2 // (seconds * 10)]
                frame = av.VideoFrame.from_ndarray(makers.plain(colour, 64, 48), format="rgb24")
                frame.pts = number
                container.mux(picture.encode(frame))
        else:
            voice = container.add_stream(codec, rate=48_000, layout="mono")
            streams.append(voice)
            samples = makers.tone(440, seconds=seconds, rate=48_000)
            fifo = av.AudioFrame.from_ndarray((samples[None] * 32_767).astype(np.int16), format="s16", layout="mono")
            fifo.sample_rate = 48_000
            resampler = av.AudioResampler(
                format=voice.format, layout="mono", rate=48_000, frame_size=voice.frame_size or 1_024
            )
            for frame in [*resampler.resample(fifo), *resampler.resample(None)]:
                container.mux(voice.encode(frame))
        for stream in streams:
            container.mux(stream.encode(None))
    return made.getvalue()


SOUNDS = [
    ("flac", "flac", "audio/flac"), ("mp3", "libmp3lame", "audio/mpeg"), ("ogg", "libopus", "audio/ogg"),
    ("ipod", "aac", "audio/mp4"), ("webm", "libopus", "audio/webm"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "codec", "mime"), SOUNDS)
def test_a_sound_of_every_type_sounds_the_same(form, codec, mime):
    file = opened(coded(form, codec, film=False))
    assert file.mime == mime and file.duration_s == pytest.approx(2, abs=0.15)
    samples, rate = contents.samples(file, 60)
    assert rate == contents.RATE and len(samples) == pytest.approx(2 * rate, rel=0.1)
    plain = descriptors.sound(makers.tone(440, seconds=2), 16_000)
    other = descriptors.sound(makers.tone(1_500, seconds=2), 16_000)
    assert descriptors.sound(samples, rate) @ plain > 0.5 > descriptors.sound(samples, rate) @ other
    assert len(contents.speech(file, 0.5)) == contents.RATE // 2


FILMS = [
    ("mp4", "mpeg4", "video/mp4"), ("mov", "mpeg4", "video/quicktime"), ("webm", "libvpx", "video/webm"),
    ("matroska", "mpeg4", "video/x-matroska"), ("avi", "mpeg4", "video/x-msvideo"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "codec", "mime"), FILMS)
def test_a_film_of_every_type_is_looked_into(form, codec, mime):
    file = opened(coded(form, codec, film=True))
    assert (file.mime, file.width, file.height) == (mime, 64, 48)
    assert file.duration_s == pytest.approx(2, abs=0.2)
    frames = contents.frames(file)
    assert frames.shape[1:] == (48, 64, 3) and 2 <= len(frames) <= contents.MAX_FRAMES
    assert frames[0].mean(axis=(0, 1)).argmax() == 0 and frames[-1].mean(axis=(0, 1)).argmax() == 2
    assert contents.speech(file, 60) is None  # it is silent


@pytest.mark.parametrize("data", [makers.flac(16_000, 16_000), makers.ogg(1.0), makers.webm(1.0, None)])
def test_a_sound_damaged_behind_its_header_is_refused(data):
    pytest.importorskip("av", reason="PyAV is not installed")
    with pytest.raises(InvalidInput, match="cut or damaged"):
        contents.samples(opened(data), 60)


@pytest.mark.parametrize("data", [makers.avi(1.0, (32, 24)), makers.webm(1.0, (32, 24))])
def test_a_film_damaged_behind_its_header_is_refused(data):
    pytest.importorskip("av", reason="PyAV is not installed")
    with pytest.raises(InvalidInput, match="cut or damaged"):
        contents.frames(opened(data))


def test_a_film_in_an_unknown_coding_is_refused():
    pytest.importorskip("av", reason="PyAV is not installed")
    with pytest.raises(InvalidInput, match="a coding that the decoder does not know"):
        contents.frames(opened(makers.mp4(1.0, (32, 24))))


def test_a_wav_needs_no_decoder(monkeypatch):
    monkeypatch.setattr(contents, "has", lambda package: False)
    samples, rate = contents.samples(opened(makers.wav(makers.tone(440))), 60)
    assert (len(samples), rate) == (16_000, 16_000)
    assert contents.samples(opened(makers.mp3(40)), 60) is None
    assert contents.frames(opened(makers.mp4(1.0, (32, 24)))) is None
    assert contents.pixels(opened(makers.gif(3, 3))) is None
