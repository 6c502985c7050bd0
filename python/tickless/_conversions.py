"""Figures as frames of pandas and datasets of xarray."""

import importlib
import json
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._tickless import Figure, Run, Table


def needed(name: str, what: str) -> Any:
    """A package that is no dependency: `what` is what it is needed for."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(f"{what} needs {package}: pip install {package}") from error


def chosen(run: Run, figures: str | Iterable[str] | None) -> list[Figure]:
    """The figures of paths, in which a star stands for any text; all of them without paths."""
    found: dict[str, Figure] = {}
    for path in ["*"] if figures is None else [figures] if isinstance(figures, str) else figures:
        some = [path]
        if "*" in path:
            pattern = re.compile(".*".join(map(re.escape, path.split("*"))))
            some = [key for key in run.keys() if pattern.fullmatch(key)]
            if not some:
                raise ValueError(f"no figure is {path}; run.keys() has all of them")
        found |= {key: run[key] for key in some}
    return list(found.values())


def frame_of_table(table: Table) -> Any:
    """A table as a frame."""
    needed("pandas", "to_pandas()")
    return needed("pyarrow", "to_pandas() of a table").table(table).to_pandas()


def frame(run: Run, figures: str | Iterable[str] | None) -> Any:
    """Values of figures, a line a replication."""
    pandas = needed("pandas", "to_pandas()")
    index = pandas.RangeIndex(run.replications, name="replication")
    return pandas.DataFrame({figure.name: figure.values for figure in chosen(run, figures)}, index=index)


def dataset(run: Run, figures: str | Iterable[str] | None) -> Any:
    """Values of figures by replications and names."""
    xarray = needed("xarray", "to_xarray()")
    kinds: dict[str, list[tuple[dict[str, str], Figure]]] = {}
    names: dict[str, list[str]] = {}
    for figure in chosen(run, figures):
        kind, owners = _owners(figure.name)
        kinds.setdefault(kind, []).append((owners, figure))
        for dimension, name in owners.items():
            known = names.setdefault(dimension, [])
            if name not in known:
                known.append(name)
    variables = {}
    for kind, members in kinds.items():
        dimensions = list(members[0][0])
        values = np.full([run.replications, *(len(names[dimension]) for dimension in dimensions)], np.nan)
        for owners, figure in members:
            place = [names[dimension].index(name) for dimension, name in owners.items()]
            np.moveaxis(values, 0, -1)[tuple(place)] = figure.values
        variables[kind] = (["replication", *dimensions], values, {"units": members[0][1].unit})
    coordinates = {"replication": np.arange(run.replications), **names}
    about = {"digest": run.digest, "until": run.until, "warmup": run.warmup}
    return xarray.Dataset(variables, coordinates, about)


def _owners(path: str) -> tuple[str, dict[str, str]]:
    """The path of a figure without names, and the names by what they are of."""
    words = re.findall(r'"(?:[^"\\]|\\.)*"|[^."]+', path)
    kind, owners = words[:1], {}
    rest = words[1:]
    if kind[0] in ("station", "sink", "resource"):
        owners[kind[0]], *rest = rest
        if rest[0] in ("class", "servers"):
            kind.append(rest[0])
            owners[rest[0]], *rest = rest[1:]
    named = {of: json.loads(name) if name.startswith('"') else name for of, name in owners.items()}
    return ".".join([*kind, *rest]), named
