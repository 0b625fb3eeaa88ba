"""How a picture looks and how a sound sounds, as 384 numbers: no learned weights, no randomness, NumPy alone."""

import numpy as np

__all__ = ["DIMENSIONS", "film", "picture", "sound"]

DIMENSIONS = 384
COLOUR, EDGES, FREQUENCIES = slice(0, 128), slice(128, 320), slice(320, 384)
"""Blocks of a picture."""

SIDE = 128
"""Pictures are brought to this many pixels a side: the descriptors then do not know how large they were."""

GRID, ORIENTATIONS = 4, 12
RINGS, WEDGES = 16, 4
BANDS = 64
WINDOW_S, HOP_S = 0.025, 0.010
HIGHEST_HZ = 8_000.0
MAX_FRAMES = 16
FAINT = 0.05
"""Length below which a block is not stretched to unit length: a tone that never changes has no changes to compare."""


def picture(rgb: np.ndarray) -> np.ndarray:
    """Colours, edges and frequencies of a picture: uint8 (h, w, 3) -> float32 (384,), unit length.

    [colours 128: the root of the histogram over 4 x 4 x 4 cells of RGB, less what even colours would give, and of each
    cell of a 4 x 4 grid the mean brightness, its deviation and the mean of two colour differences;
    edges 192: in each cell of the grid, how much of the gradient runs in each of 12 directions;
    frequencies 64: the energy of 16 rings and 4 wedges of the spectrum, on a logarithmic scale, less its trend].

    Raises
    ------
    ValueError
        Where the array is not of pixels.

    Examples
    --------
    >>> grey, red = np.full((8, 8, 3), 128, np.uint8), np.full((8, 8, 3), (200, 0, 0), np.uint8)
    >>> bool(picture(grey) @ picture(grey) > 0.99), bool(picture(grey) @ picture(red) < 0.5)
    (True, True)
    """
    if rgb.ndim != 3 or rgb.shape[2] != 3 or 0 in rgb.shape or rgb.dtype != np.uint8:
        raise ValueError(f"expected pixels as uint8 (h, w, 3), got {rgb.dtype} {rgb.shape}")
    small = _resized(rgb) / np.float32(255.0)
    grey = small @ np.array([0.299, 0.587, 0.114], np.float32)
    return _joined([_colours(small, grey), _edges(grey), _frequencies(grey)])


def film(frames: np.ndarray) -> np.ndarray:
    """The mean of the descriptors of some frames: uint8 (n, h, w, 3) -> float32 (384,), unit length."""
    total = np.sum([picture(frame) for frame in frames], axis=0)
    return (total / max(float(np.linalg.norm(total)), 1e-9)).astype(np.float32)


def sound(samples: np.ndarray, rate: int) -> np.ndarray:
    """The spectrum of a sound and how it changes: float32 (t,) in [-1, 1] -> float32 (384,), unit length.

    Of 64 mel bands up to 8 kHz on a logarithmic scale: [mean 64, loudness taken out; deviation 64; mean size of the
    change from window to window 64; how the mean of each third differs from the whole 3 x 64].
    """
    bands = _mel_bands(samples, rate)
    mean = bands.mean(axis=0)
    deviation = bands.std(axis=0)
    change = np.abs(np.diff(bands, axis=0)).mean(axis=0) if len(bands) > 1 else np.zeros(BANDS)
    thirds = (
        np.concatenate([part.mean(axis=0) - mean for part in np.array_split(bands, 3)])
        if len(bands) > 2
        else (np.zeros(3 * BANDS))
    )
    return _joined([mean - mean.mean(), deviation, change, thirds], faint=(FAINT, 1.0, 1.0, 4.0))


def _joined(blocks: list[np.ndarray], faint: tuple[float, ...] | None = None) -> np.ndarray:
    """Blocks of unit length side by side, the whole of unit length; a faint block stays short."""
    least = faint or (FAINT,) * len(blocks)
    parts = [block / max(float(np.linalg.norm(block)), short) for block, short in zip(blocks, least, strict=True)]
    whole = np.concatenate(parts)
    return (whole / max(float(np.linalg.norm(whole)), 1e-9)).astype(np.float32)


def _resized(rgb: np.ndarray) -> np.ndarray:
    """The mean colour of each of SIDE x SIDE cells, whose edges may fall inside a pixel: float32 (SIDE, SIDE, 3)."""
    rows = _averaging(rgb.shape[0])
    columns = _averaging(rgb.shape[1])
    return np.einsum("ih,hwc,jw->ijc", rows, rgb.astype(np.float32), columns, optimize=True)


def _averaging(length: int) -> np.ndarray:
    """How much of each pixel lies in each of SIDE equal cells, rows that sum to 1: float32 (SIDE, length)."""
    edges = np.linspace(0, length, SIDE + 1)
    pixels = np.arange(length)
    within = np.minimum(edges[1:, None], pixels + 1) - np.maximum(edges[:-1, None], pixels)
    weights = np.maximum(within, 0)
    return (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


def _cells(values: np.ndarray) -> np.ndarray:
    """(SIDE, SIDE) -> (GRID, GRID, pixels)."""
    step = SIDE // GRID
    return values.reshape(GRID, step, GRID, step).swapaxes(1, 2).reshape(GRID, GRID, -1)


def _colours(small: np.ndarray, grey: np.ndarray) -> np.ndarray:
    place = np.minimum((small * 4).astype(int), 3) @ np.array([16, 4, 1])
    shares = np.bincount(place.ravel(), minlength=64) / place.size
    histogram = np.sqrt(shares) - np.sqrt(1 / 64)
    red_green, yellow_blue = small[..., 0] - small[..., 1], (small[..., 0] + small[..., 1]) / 2 - small[..., 2]
    cells = _cells(grey)
    layout = [cells.mean(axis=2) - grey.mean(), cells.std(axis=2)]
    layout += [_cells(part).mean(axis=2) for part in (red_green, yellow_blue)]
    return np.concatenate([histogram, *(part.ravel() for part in layout)])


def _edges(grey: np.ndarray) -> np.ndarray:
    down, right = np.gradient(grey)
    size, angle = np.hypot(down, right), np.arctan2(down, right) % np.pi
    at = angle / np.pi * ORIENTATIONS
    low = at.astype(int) % ORIENTATIONS
    share = at - np.floor(at)  # split between two directions, so that a small turn changes little
    histogram = np.zeros((GRID, GRID, ORIENTATIONS))
    cells = [_cells(part) for part in (low, size * (1 - share), size * share)]
    for row in range(GRID):
        for column in range(GRID):
            bins, first, second = (part[row, column] for part in cells)
            histogram[row, column] = np.bincount(bins, first, ORIENTATIONS)
            histogram[row, column] += np.bincount((bins + 1) % ORIENTATIONS, second, ORIENTATIONS)
    histogram = np.sqrt(histogram)
    return (histogram - histogram.mean()).ravel()


def _frequencies(grey: np.ndarray) -> np.ndarray:
    taper = np.hanning(SIDE)
    spectrum = np.abs(np.fft.rfft2((grey - grey.mean()) * np.outer(taper, taper))) ** 2
    down, right = np.fft.fftfreq(SIDE)[:, None] * SIDE, np.arange(spectrum.shape[1])[None] * 1.0
    radius, angle = np.hypot(down, right), np.arctan2(down, right)
    ring = np.floor(np.log2(np.maximum(radius, 1)) / np.log2(SIDE / 2) * RINGS).astype(int)
    wedge = np.minimum(((angle + np.pi / 2) / np.pi * WEDGES).astype(int), WEDGES - 1)
    inside = (radius >= 1) & (ring < RINGS)
    place = (ring * WEDGES + wedge)[inside]
    energy = np.bincount(place, spectrum[inside], RINGS * WEDGES)
    count = np.bincount(place, minlength=RINGS * WEDGES)
    level = np.log10(energy / np.maximum(count, 1) + 1e-4).reshape(RINGS, WEDGES)
    held = count.reshape(RINGS, WEDGES) > 0  # the lowest rings have fewer places than wedges
    trend = np.polyfit(np.repeat(np.arange(RINGS), WEDGES)[held.ravel()], level[held], 1)
    return np.where(held, level - np.polyval(trend, np.arange(RINGS))[:, None], 0.0).ravel()


def _mel_bands(samples: np.ndarray, rate: int) -> np.ndarray:
    """Log energies of the bands in each window: float64 (windows, BANDS)."""
    width, hop = max(int(WINDOW_S * rate), 16), max(int(HOP_S * rate), 1)
    if len(samples) < width:
        samples = np.pad(samples, (0, width - len(samples)))
    starts = np.arange(0, len(samples) - width + 1, hop)
    taper, filters = np.hanning(width), _filters(width, rate)
    found = np.empty((len(starts), BANDS))
    for first in range(0, len(starts), 1_024):  # minutes of sound need not stand in RAM at once
        part = starts[first : first + 1_024]
        windows = samples[part[:, None] + np.arange(width)] * taper
        found[first : first + 1_024] = np.log10(np.abs(np.fft.rfft(windows)) ** 2 @ filters.T / width + 1e-8)
    return found


def _filters(width: int, rate: int) -> np.ndarray:
    """Triangles of equal width on the mel scale: float64 (BANDS, width // 2 + 1)."""
    centres = 700 * (10 ** (np.linspace(0, 2595 * np.log10(1 + HIGHEST_HZ / 700), BANDS + 2) / 2595) - 1)
    hertz = np.arange(width // 2 + 1) * rate / width
    spread = rate / width  # never narrower than what the window can tell apart
    rising = (hertz - np.minimum(centres[:-2], centres[1:-1] - spread)[:, None]) / np.maximum(
        centres[1:-1] - centres[:-2], spread
    )[:, None]
    falling = (np.maximum(centres[2:], centres[1:-1] + spread)[:, None] - hertz) / np.maximum(
        centres[2:] - centres[1:-1], spread
    )[:, None]
    return np.maximum(0, np.minimum(rising, falling))
