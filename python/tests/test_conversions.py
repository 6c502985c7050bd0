"""Figures in pandas, xarray, matplotlib, and through DLPack."""

import subprocess
import sys
from pathlib import Path

import matplotlib
import matplotlib.axes
import matplotlib.pyplot as plt
import numpy as np
import pytest
from conftest import QUEUE

import tickless as tl

matplotlib.use("agg")


def test_frames_have_a_line_for_each_replication(queue: tl.Network) -> None:
    run = queue.run(replications=5)
    frame = run.to_pandas("station.*.mean_waiting_time")
    kinds = ["desk", "desk.class.urgent", "desk.class.other"]
    assert list(frame.columns) == [f"station.{kind}.mean_waiting_time" for kind in kinds]
    assert frame.index.name == "replication" and len(frame) == 5
    for path in frame:
        assert np.array_equal(frame[path], run[path].values)
    assert list(run.to_pandas().columns) == run.keys() == list(run.figures().to_pandas()["figure"])
    assert run.figures().to_pandas()["mean"][3] == run[run.keys()[3]].mean
    # Until then nobody has come in some replications.
    early = queue.run(until=2, replications=20)
    values = early.to_pandas(["sink.home.mean_time_in_network"]).iloc[:, 0]
    assert 0 < values.count() == early["sink.home.mean_time_in_network"].count < 20


def test_datasets_have_a_dimension_for_each_kind_of_name(networks: Path) -> None:
    seizing = QUEUE.replace('name = "desk"', 'name = "desk"\nseizes = { room = 1 }\nreleases = { room = 1 }')
    text = seizing.replace('"desk"', '"the \\"desk\\".é"') + '[[resource]]\nname = "room"\nunits = 2\n'
    run = tl.Network.from_toml(text).run(replications=3)
    data = run.to_xarray()
    assert data.attrs["digest"] == run.digest and data.sizes["replication"] == 3
    assert list(data["class"].values) == ["urgent", "other"] and list(data["station"].values) == ['the "desk".é']
    found = data["station.class.mean_waiting_time"].sel({"class": "other", "station": 'the "desk".é'})
    path = 'station."the \\"desk\\".é".class.other.mean_waiting_time'
    assert found.dims == ("replication",) and np.array_equal(found, run[path].values)
    assert found.attrs == {"units": "min"}
    assert data["network.throughput"].dims == ("replication",)
    assert data["resource.utilization"].dims == ("replication", "resource")
    assert sum(variable[0].size for variable in data.values()) == len(run.keys())
    few = tl.Network.from_toml(networks / "clinic.toml").run(until=1, warmup=0, replications=2)
    few_data = few.to_xarray(["station.*.utilization", "station.doctor.mean_waiting_time"])
    assert set(few_data) == {"station.utilization", "station.mean_waiting_time"}
    assert np.isnan(few_data["station.mean_waiting_time"].sel(station="x-ray")).all()


def test_plots_show_means_and_intervals(queue: tl.Network) -> None:
    run = queue.run(replications=9)
    ax = run.plot("*mean_waiting_time")
    assert isinstance(ax, matplotlib.axes.Axes) and ax.get_xlabel() == "min"
    assert [label.get_text() for label in ax.get_yticklabels()] == list(run.to_pandas("*mean_waiting_time"))
    figure = run["station.desk.mean_waiting_time"]
    assert figure.half_width is not None
    (bars,) = ax.containers
    segment = bars[2][0].get_segments()[1]
    assert np.allclose(segment[:, 0], [figure.mean - figure.half_width, figure.mean + figure.half_width])
    assert figure.plot(ax=ax) is ax and ax.get_title() == figure.name
    assert sum(patch.get_height() for patch in figure.plot().containers[0]) == 9
    with pytest.raises(ValueError, match="several units .*waiting_time in min, .*utilization in share of time"):
        run.plot(["station.desk.mean_waiting_time", "station.desk.utilization"])
    plt.close("all")


def test_arrays_are_lent_through_dlpack(queue: tl.Network) -> None:
    values = queue.run(replications=3)["network.throughput"].values
    assert np.array_equal(np.from_dlpack(values), values)
    y, error = tl.simulator(queue, ["station.desk.servers"], ["network.throughput"])([[1], [2]])
    for array in (y, error):
        lent = np.from_dlpack(array)
        assert np.shares_memory(lent, array) and lent.shape == (2, 1)


def test_what_is_wrong_is_named(queue: tl.Network) -> None:
    run = queue.run()
    with pytest.raises(tl.ModelError, match="'utilization' is probably meant"):
        run.to_pandas(["station.desk.utilisation"])
    with pytest.raises(ValueError, match=r"no figure is station.\*.utilisation; run.keys\(\) has all"):
        run.to_xarray("station.*.utilisation")


MISSING = """
import sys
for name in ["pandas", "xarray", "matplotlib", "pyarrow"]:
    sys.modules[name] = None
import tickless as tl
run = tl.Network.from_toml('''{queue}''').run(until=10)
for call in [run.to_pandas, run.figures().to_pandas, run.to_xarray, lambda: run.plot(run.keys()[0]), run[run.keys()[0]].plot]:
    try:
        call()
    except ImportError as error:
        print(error)
"""


def test_packages_are_looked_for_when_they_are_needed() -> None:
    program = [sys.executable, "-c", MISSING.format(queue=QUEUE)]
    said = subprocess.run(program, check=True, capture_output=True, text=True, timeout=60).stdout.splitlines()
    needs = ["to_pandas() needs pandas"] * 2 + ["to_xarray() needs xarray"] + ["plot() needs matplotlib"] * 2
    assert said == [f"{need}: pip install {need.split()[-1]}" for need in needs]
