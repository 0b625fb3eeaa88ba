"""Pictures of models, by matplotlib: the network, the cases in two dimensions, and prior beside posterior."""

import os
import secrets
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import numpy as np

from context_graph.cases.base import Cases
from context_graph.cases.layout import case_map, layers
from context_graph.cases.model import Model, models
from context_graph.cases.networks import network_of
from context_graph.errors import InvalidInput, NotApplicable, StoreError
from context_graph.inference.networks import Network, infer, spelt
from context_graph.locks import Rank, lock
from context_graph.models import Caller
from context_graph.runtime import Runtime
from context_graph.runtime.records import Entry
from context_graph.safety.display import printable
from context_graph.store import make_folder

__all__ = ["Format", "Picture", "PictureKind", "draw"]

PictureKind = Literal["network", "cases", "inference"]
Format = Literal["png", "svg", "pdf"]
FOLDER = "pictures"
WIDTH, HEIGHT, DPI = 1200, 800, 100
MAX_DRAWN_VARIABLES = 60
MAX_BARS = 12
"""Variables whose distributions one picture shows."""

MAX_COLOURS = 9
"""Outcomes with a colour of their own."""

MAX_LABEL = 24
BLUE, GREY, DARK = "#3b6ea5", "#b8c4d0", "#20303f"

_drawing = lock(Rank.LEAF, "drawing")
"""matplotlib draws one picture at a time."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that was written."""

    path: Path
    format: Format
    details: dict[str, Any]
    notes: list[str] = field(default_factory=list)


def draw(
    memory: Runtime,
    name: str,
    kind: PictureKind,
    caller: Caller,
    *,
    path: str | None = None,
    format: Format | None = None,
    evidence: Mapping[str, Any] | None = None,
) -> Picture:
    """Draw a model into a file inside the folder of pictures.

    Parameters
    ----------
    path : str, optional
        Relative to that folder, or absolute and inside it.
    evidence : mapping, optional
        inference: what is seen, as for `inference.networks.infer`.
    """
    entry = models(memory, caller).get(name)
    if kind != "cases" and entry.value.network is None:
        raise InvalidInput(f"{name!r:.80} has no network; ask for model_type cases", field="model_type")
    if kind == "cases" and entry.value.type == "bayesian":
        raise InvalidInput(f"{name!r:.80} has no cases; ask for model_type network or inference", field="model_type")
    if evidence and kind != "inference":
        raise InvalidInput(f"evidence belongs to model_type inference, got {kind}", field="evidence")
    target, chosen = _place(memory.settings.home / FOLDER, entry, kind, path, format)
    if find_spec("matplotlib") is None:
        raise NotApplicable(
            "pictures need the package matplotlib, which is not installed: pip install 'ultimate-context-graph[viz]', "
            "then start the server anew"
        )
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    notes: list[str] = []
    if kind == "cases":
        memory.catch_up()
        with memory.view(Cases).arrays(entry.name, entry.value.cases.features) as arrays:
            points = case_map(arrays, arrays.visible(memory.viewer(caller)))
            outcomes = [arrays.cases[row].outcome for row in points.rows]
        if len(outcomes) < points.base:
            notes.append(f"{len(outcomes)} of {points.base} cases are drawn, spread evenly over all.")
    else:
        network = network_of(memory, entry, caller).network
        bars = _distributions(network, evidence or {}, notes) if kind == "inference" else []
    with _drawing, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of signs that the font lacks
        figure = Figure(
            figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, layout=ConstrainedLayoutEngine(w_pad=0.15, h_pad=0.15)
        )
        FigureCanvasAgg(figure)
        figure.suptitle(_label(f"{entry.name}: {kind}", 80), color=DARK, parse_math=False)
        if kind == "network":
            details = _draw_network(figure, network, notes)
        elif kind == "cases":
            details = _draw_points(figure, points.places, outcomes, points.shown)
        else:
            details = _draw_bars(figure, bars, bool(evidence))
        _save(figure, target, chosen)
    return Picture(target, chosen, {"width": WIDTH, "height": HEIGHT, "format": chosen, **details}, notes)


def _place(
    folder: Path, entry: Entry[Model], kind: PictureKind, path: str | None, format: Format | None
) -> tuple[Path, Format]:
    """Where a picture goes, and in which format: inside the folder, with the ending of its format."""
    wanted = path or f"{_file_name(entry.name)}-{kind}.{format or 'svg'}"
    if "\x00" in wanted or len(wanted) > 1_000:
        raise InvalidInput("output_path must be a path of at most 1000 characters", field="output_path")
    root = folder.resolve()
    target = (root / wanted).resolve()  # a link inside that leads out is followed before it is judged
    if not target.is_relative_to(root) or target == root:
        raise InvalidInput(
            f"output_path must lie inside {root}, got {wanted!r:.100}; give a name alone, or leave it out",
            field="output_path",
        )
    ending = target.suffix.lower().removeprefix(".")
    chosen = format or (ending if ending in ("png", "svg", "pdf") else None)
    if chosen is None or ending != chosen:
        raise InvalidInput(
            f"output_path must end in .{format or 'png, .svg or .pdf'}, got {target.name!r:.100}", field="output_path"
        )
    if target.is_dir():
        raise InvalidInput(f"output_path must be a file, {target} is a folder", field="output_path")
    return target, chosen  # type: ignore[return-value]


def _file_name(name: str) -> str:
    kept = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in name)[:60]
    return kept or "model"


def _label(text: Any, most: int = MAX_LABEL) -> str:
    plain = printable(" ".join((text if isinstance(text, str) else spelt(text)).split()))
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def _save(figure: Any, target: Path, format: Format) -> None:
    """Write the picture whole or not at all, the same bytes for the same model, readable by its owner alone."""
    import matplotlib

    blank: dict[str, Any] = {
        "png": {"Software": None},
        "svg": {"Date": None, "Creator": None},
        "pdf": {"CreationDate": None, "Creator": None},
    }[format]
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        make_folder(target.parent)
        try:
            with matplotlib.rc_context({"svg.hashsalt": "context-graph"}):
                os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
                figure.savefig(partial, format=format, metadata=blank)
            partial.replace(target)
        finally:
            with suppress(FileNotFoundError):
                partial.unlink()
    except OSError as error:
        raise StoreError(f"the picture cannot be written to {target}: {error}; choose another output_path") from error


# The network


def _draw_network(figure: Any, network: Network, notes: list[str]) -> dict[str, Any]:
    names = list(network.variables)[:MAX_DRAWN_VARIABLES]
    if len(names) < len(network.variables):
        notes.append(f"The first {len(names)} of {len(network.variables)} variables are drawn.")
    places = layers(network, names)
    axes = figure.add_subplot()
    axes.axis("off")
    deepest = max(-y for _, y in places.values())
    widest = max(abs(x) for x, _ in places.values())
    axes.set_xlim(-widest - 0.7, widest + 0.7)
    axes.set_ylim(-deepest - 0.6, 0.6)
    size = max(6, min(12, 60 // max(1, round(2 * widest + 1))))
    boxes = {}
    for name in names:
        states = ", ".join(_label(state, 12) for state in network.variables[name].states[:4])
        more = ", …" if len(network.variables[name].states) > 4 else ""
        boxes[name] = axes.text(
            *places[name], f"{_label(name)}\n{_label(states + more, 36)}", ha="center", va="center", fontsize=size,
            color=DARK, parse_math=False, linespacing=1.5, zorder=2,
            bbox={"boxstyle": "round,pad=0.5", "facecolor": "#eef3f8", "edgecolor": BLUE},
        ).get_bbox_patch()  # fmt: skip
    for name in names:
        for parent in (one for one in network.variables[name].parents if one in places):
            bend = 0.0 if places[parent][1] - places[name][1] == 1 else 0.3  # around what stands between
            axes.annotate(
                "", xy=places[name], xytext=places[parent], zorder=1,
                arrowprops={"arrowstyle": "-|>", "color": GREY, "lw": 1.4, "patchA": boxes[parent],
                            "patchB": boxes[name], "shrinkA": 2, "shrinkB": 2,
                            "connectionstyle": f"arc3,rad={bend}"},
            )  # fmt: skip
    edges = sum(len(network.variables[name].parents) for name in names)
    return {"variables": len(names), "edges": edges}


# The cases


def _draw_points(figure: Any, points: np.ndarray, outcomes: Sequence[Any], shown: Sequence[float]) -> dict[str, Any]:
    axes = figure.add_subplot()
    numbers = [one for one in outcomes if isinstance(one, int | float) and not isinstance(one, bool)]
    if len(numbers) == len(outcomes) and len(set(numbers)) > MAX_COLOURS:
        cloud = axes.scatter(points[:, 0], points[:, 1], c=np.array(numbers, float), s=18, cmap="viridis", alpha=0.8)
        figure.colorbar(cloud, ax=axes, label="outcome")
    else:
        counted: dict[str, int] = {}
        labels = ["no outcome" if one is None else _label(one) for one in outcomes]
        for label in labels:
            counted[label] = counted.get(label, 0) + 1
        named = sorted(counted, key=lambda one: (-counted[one], one))[:MAX_COLOURS]
        for number, label in enumerate([*named, "others"]):
            chosen = np.array([one == label if number < len(named) else one not in named for one in labels])
            if chosen.any():
                axes.scatter(
                    points[chosen, 0], points[chosen, 1], s=18, alpha=0.75, color=f"C{number}",
                    label=f"{label.replace('$', chr(92) + '$').lstrip('_')} ({int(chosen.sum())})",
                )  # fmt: skip
        axes.legend(frameon=False)
    for number, (axis, share) in enumerate(zip((axes.xaxis, axes.yaxis), [*shown, 0.0, 0.0][:2], strict=True), 1):
        axis.set_label_text(f"principal component {number} ({share:.0%} of the variance)")
    axes.spines[["top", "right"]].set_visible(False)
    return {"cases": len(points), "variance_shown": round(sum(shown), 4)}


# Inference


def _distributions(
    network: Network, evidence: Mapping[str, Any], notes: list[str]
) -> list[tuple[str, Sequence[Any], list[float], list[float]]]:
    """Of each variable that is not seen: name, states, prior, posterior."""
    names = [name for name in network.variables if name not in evidence]
    if len(names) > MAX_BARS:
        notes.append(f"The first {MAX_BARS} of {len(names)} variables are drawn.")
    names = names[:MAX_BARS]
    if not names:
        raise InvalidInput("expected a variable that is not seen, evidence names them all", field="evidence")
    prior = infer(network, names).probabilities
    posterior = infer(network, names, evidence=evidence).probabilities if evidence else prior
    return [(name, network.variables[name].states, prior[name], posterior[name]) for name in names]


def _draw_bars(
    figure: Any, bars: Sequence[tuple[str, Sequence[Any], list[float], list[float]]], with_evidence: bool
) -> dict[str, Any]:
    columns = min(len(bars), 3 if len(bars) <= 9 else 4)
    grid = figure.subplots(-(-len(bars) // columns), columns, squeeze=False).ravel()
    for axes in grid[len(bars) :]:
        axes.axis("off")
    for axes, (name, states, prior, posterior) in zip(grid, bars, strict=False):
        at = np.arange(len(states))
        if with_evidence:
            axes.barh(at - 0.2, prior, 0.38, color=GREY, label="prior")
            axes.barh(at + 0.2, posterior, 0.38, color=BLUE, label="posterior")
        else:
            axes.barh(at, prior, 0.6, color=GREY, label="prior")
        axes.set_yticks(at, [_label(state) for state in states], parse_math=False)
        axes.set_xlim(0, 1)
        axes.invert_yaxis()
        axes.set_title(_label(name), color=DARK, fontsize=11, parse_math=False)
        axes.spines[["top", "right"]].set_visible(False)
    grid[0].legend(frameon=False, fontsize=8)
    return {"variables": len(bars)}
