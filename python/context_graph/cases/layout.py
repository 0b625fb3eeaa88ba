"""Where the parts of a picture of a model stand, whatever draws it: variables in layers, cases in two dimensions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from context_graph.cases.base import CaseArrays
from context_graph.cases.columns import Scaled
from context_graph.errors import NotFound
from context_graph.inference.networks import Network

__all__ = ["CaseMap", "case_map", "layers"]

MAX_POINTS = 5_000
MAX_AXES = 300
"""Columns that principal components are made of: those that vary most."""

MAX_ELEMENTS_DRAWN = 20
"""Words of a feature that have a column of their own: the most frequent."""


@dataclass(frozen=True, slots=True)
class CaseMap:
    """Cases in two dimensions by principal components.

    Attributes
    ----------
    rows : int64, shape (n,)
        Of the arrays, those that are shown.
    places : float64, shape (n, 2)
    shown : list of float
        Of each of the two components, its share of the variance.
    base : int
        Cases that could have been shown; where there are more than are shown, these are spread evenly over them.
    """

    rows: np.ndarray
    places: np.ndarray
    shown: list[float]
    base: int


def layers(network: Network, names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Places (x, y) with the first layer at y = 0 and one below at y = -1.

    Each variable stands below its parents, and below their middle where there is room.
    """
    depth: dict[str, int] = {}
    for name in network.variables:  # parents first
        depth[name] = 1 + max((depth[parent] for parent in network.variables[name].parents), default=-1)
    rows: dict[int, list[str]] = {}
    for name in names:
        rows.setdefault(depth[name], []).append(name)
    places: dict[str, tuple[float, float]] = {}
    for level in sorted(rows):

        def middle(name: str) -> float:
            above = [places[parent][0] for parent in network.variables[name].parents if parent in places]
            return sum(above) / len(above) if above else 0.0

        row = sorted(rows[level], key=middle)
        for at, name in enumerate(row):
            places[name] = (at - (len(row) - 1) / 2 + (0.2 if level % 2 else -0.2), -float(level))
    return places


def case_map(arrays: CaseArrays, mask: np.ndarray, most: int = MAX_POINTS) -> CaseMap:
    """Cases in two dimensions.

    Parameters
    ----------
    mask : bool, shape (n,)
        The cases that may be shown; `NotFound` where they are fewer than two.
    """
    rows = np.flatnonzero(mask)
    base = len(rows)
    if len(rows) < 2:
        raise NotFound(f"expected two cases or more to draw, there are {len(rows)}; add_case adds one")
    if base > most:
        rows = rows[np.linspace(0, base - 1, most).astype(int)]
    parts = []
    for name, column in arrays.columns.items():
        if isinstance(column, Scaled):
            values = column.numbers(rows)
            known = values[~np.isnan(values)]
            parts.append(np.where(np.isnan(values), known.mean() if len(known) else 0.0, values)[:, None])
        else:
            details = [arrays.cases[row].features.get(name, []) for row in rows]
            elements = [
                set(map(str, one)) if isinstance(one, list) else {str(one)} if one is not None else set()
                for one in details
            ]
            common: dict[str, int] = {}
            for each in elements:
                for one in each:
                    common[one] = common.get(one, 0) + 1
            frequent = sorted(common, key=lambda one: (-common[one], one))[:MAX_ELEMENTS_DRAWN]
            if frequent:
                parts.append(np.array([[float(one in each) for one in frequent] for each in elements]) / np.sqrt(2))
    matrix = np.concatenate(parts, axis=1) if parts else np.zeros((len(rows), 1))
    matrix = matrix - matrix.mean(axis=0)
    if matrix.shape[1] > MAX_AXES:
        matrix = matrix[:, np.sort(np.argsort(-matrix.var(axis=0), kind="stable")[:MAX_AXES])]
    values, axes = np.linalg.eigh(matrix.T @ matrix)
    values, axes = values[::-1], axes[:, ::-1]
    axes = axes * np.where(
        axes[np.abs(axes).argmax(axis=0), range(axes.shape[1])] < 0, -1.0, 1.0
    )  # one sign, not either
    flat = np.zeros((len(rows), 2))
    projected = matrix @ axes[:, :2]
    flat[:, : projected.shape[1]] = projected
    total = max(float(values.sum()), 1e-12)
    return CaseMap(rows, flat, [float(value) / total for value in values[:2]], base)
