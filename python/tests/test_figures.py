"""Figures: by their paths, and as tables."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tickless as tl

PATH = "station.desk.class.other.mean_waiting_time"


def test_a_figure_is_over_the_replications(queue: tl.Network) -> None:
    run = queue.run(replications=30)
    figure = run[PATH]
    assert (figure.name, figure.unit, figure.count) == (PATH, "min", 30)
    assert figure.values.shape == (30,) and figure.values.dtype == np.float64
    # A ratio of sums is near the mean of ratios.
    assert figure.mean == pytest.approx(figure.values.mean(), rel=0.1) == pytest.approx(float(figure), rel=0.1)
    assert figure.half_width is not None and 0 < figure.half_width < figure.mean
    assert figure.standard_deviation == pytest.approx(figure.values.std(ddof=1), rel=0.2)
    assert repr(figure).startswith(f"{PATH}: ") and repr(figure).endswith(" min")
    one = queue.run()[PATH]
    assert (one.count, one.half_width, one.standard_deviation) == (1, None, None)


def test_what_never_happens_is_not_a_number(queue: tl.Network) -> None:
    figure = queue.run(until=1e-6)[PATH]
    assert math.isnan(figure.mean) and figure.count == 0


def test_dataframes_take_the_table(queue: tl.Network) -> None:
    run = queue.run(replications=5)
    table = run.figures()
    assert table.column_names == ["figure", "unit", "mean", "standard_deviation", "half_width"]
    frame = pl.DataFrame(table)
    assert len(frame) == len(table) and frame.columns == table.column_names
    for figure, unit, mean, deviation, half in frame.rows():
        found = run[figure]
        assert found.unit == unit and found.standard_deviation == deviation and found.half_width == half
        assert mean is None if math.isnan(found.mean) else mean == found.mean
    arrow = pa.table(table)
    assert arrow.to_pydict() == frame.to_dict(as_series=False)
    if hasattr(pd.DataFrame, "from_arrow"):
        assert list(pd.DataFrame.from_arrow(table)["figure"]) == frame["figure"].to_list()
    assert PATH in frame["figure"]
    # A table may be read again, and after its run is gone.
    del run
    assert pa.table(table) == arrow
