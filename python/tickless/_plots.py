"""Figures as pictures of matplotlib."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ._conversions import chosen, needed
from ._tickless import Figure, Run


def _axes(ax: Any, height: float) -> Any:
    pyplot = needed("matplotlib.pyplot", "plot()")
    return ax if ax is not None else pyplot.subplots(figsize=(6.4, height), layout="constrained")[1]


def intervals(run: Run, figures: str | Iterable[str], ax: Any) -> Any:
    """Means with their intervals, one below the other."""
    all = chosen(run, figures)
    units = {figure.unit: figure.name for figure in all}
    if len(units) > 1:
        said = ", ".join(f"{name} in {unit or 'numbers'}" for unit, name in units.items())
        raise ValueError(f"figures of several units are on no axis together: {said}; plot those of one unit")
    ax = _axes(ax, 1 + 0.3 * len(all))
    places = range(len(all))
    half = [figure.half_width or 0 for figure in all]
    ax.errorbar([figure.mean for figure in all], places, xerr=half, fmt="o", capsize=3)
    ax.set_yticks(places, [figure.name for figure in all])
    ax.invert_yaxis()
    ax.set_xlabel("".join(units))
    return ax


def distribution(figure: Figure, ax: Any) -> Any:
    """The values of the replications as a histogram, with their mean and its interval."""
    ax = _axes(ax, 3.6)
    values = figure.values
    ax.hist(values[np.isfinite(values)], bins="auto", color="lightgray")
    ax.axvline(figure.mean, color="black")
    if figure.half_width is not None:
        ax.axvspan(figure.mean - figure.half_width, figure.mean + figure.half_width, color="black", alpha=0.2)
    ax.set_title(figure.name)
    ax.set_xlabel(figure.unit)
    ax.set_ylabel("replications")
    return ax
