"""The command's families of models: its digests, its errors, and results that show themselves."""

import json
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import QUEUE, Digest

import tickless as tl

#: A small model of each family, the words of its command and its options.
FAMILIES: list[tuple[Callable[..., tl.Model], str, dict[str, int | float | str | bool | list[str]]]] = [
    (tl.torus, "torus", {"side": 12, "tokens": 2, "service": "exponential:3", "window": 0.5, "until": 40, "replications": 2}),
    (tl.phold, "phold", {"processes": 40, "population": 2, "until": 12.5, "remote": 0.75}),
    (tl.search, "search", {"side": 40, "searches": 12, "density": 0.3, "keep_paths": True}),
    (tl.fire, "cells fire", {"side": 24, "ignite": ["4,4", "12,12@5"], "until": 30.0}),
    (tl.watershed, "cells watershed", {"side": 12, "rain": 30.0, "until": 300}),
]


def words(options: dict[str, int | float | str | bool | list[str]]) -> list[str]:
    """The options as on the command line."""
    given = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        values = value if isinstance(value, list) else [value]
        given += [option] if value is True else [f"{option}={one}" for one in values]
    return given


@pytest.fixture
def life(networks: Path) -> Path:
    """A file of rules."""
    return networks.parent / "cells" / "life.ma"


def test_digests_are_those_of_the_command(digest_of_command: Digest, life: Path) -> None:
    for make, command, options in FAMILIES:
        result = make(**options, seed=5).run(backend="heap")
        assert result.digest == digest_of_command(*command.split(), *words(options), "--seed", "5"), command
        assert (result.backend, result.adapter) == ("heap", None)
        assert result.fields.digest == result.digest and result.fields.events == result.events > 0
        assert result.rerun().digest == result.digest
        assert make(**options).run(seed=5, backend="heap").digest == result.digest
        assert make(**options).run(seed=6, backend="heap").digest != result.digest, command
    rules = tl.rules(life, until=400).run(backend="heap")
    assert rules.digest == digest_of_command("cells", "rules", life, "--until", "400")


@pytest.mark.usefixtures("adapter")
def test_a_device_has_the_same_bits() -> None:
    heap, device = (tl.phold(processes=40, until=12.5).run(backend=backend) for backend in ["heap", "wgpu"])
    assert (device.backend, device.digest, device.events) == ("wgpu", heap.digest, heap.events)
    assert device.adapter and device.fields.adapter.name == device.adapter
    assert device.rerun(backend="heap").digest == heap.digest


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unexpected argument '--sid' found tip: a similar argument exists: '--side'"):
        tl.torus(sid=4)
    with pytest.raises(ValueError, match="invalid value '0' for '--side <N>': it takes a whole number from 1"):
        tl.torus(side=0)
    with pytest.raises(ValueError, match="report is an option of the command that has no meaning here"):
        tl.torus(report="page.html")
    with pytest.raises(ValueError, match="--threads is for replications and searches side by side"):
        tl.phold(threads=2)
    with pytest.raises(ValueError, match="'river' is none of torus, phold"):
        tl.Model("river")
    with pytest.raises(tl.ModelError, match="until is -1; it must be above 0"):
        tl.torus().run(until=-1)
    with pytest.raises(FileNotFoundError, match="nowhere.ma"):
        tl.rules(tmp_path / "nowhere.ma")
    with pytest.raises(FileNotFoundError, match="nowhere.asc"):
        tl.fire(fuel=tmp_path / "nowhere.asc")
    (tmp_path / "fuel.asc").write_text("a map")
    with pytest.raises(tl.ModelError, match="fuel.asc, line 1"):
        tl.fire(fuel=tmp_path / "fuel.asc")
    with pytest.raises(ValueError, match="--pending is for rounds on a device"):
        tl.phold(processes=40, until=1, pending="splay").run(backend="heap")


def test_a_file_that_has_changed_ends_a_rerun(tmp_path: Path, life: Path) -> None:
    file = tmp_path / "life.ma"
    file.write_text(life.read_text())
    result = tl.rules(file=file, until=400).run(backend="heap")
    assert result.rerun().digest == result.digest
    file.write_text(life.read_text() + "\n")
    with pytest.raises(tl.ModelError, match="life.ma has changed since the run"):
        result.rerun()


def test_what_the_command_notes_is_a_warning() -> None:
    with pytest.warns(UserWarning, match="nothing happens before the horizon of 0.5"):
        tl.phold(processes=4, lookahead=1.0, until=0.5).run(backend="heap")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tl.phold(processes=4, until=2.0).run(backend="heap")


def test_fields_are_those_of_the_json(queue: tl.Network) -> None:
    result = tl.torus(side=8, until=20).run(backend="heap")
    assert isinstance(result, tl.Run) and result.fields.statistics.mean_present == result["network.mean_present"].mean == 64
    assert result.to_dict()["parameters"]["stations"] == result.fields.parameters.stations == 64
    run = queue.run(replications=4, backend="heap")
    assert [station.station for station in run.fields.stations] == ["desk"]
    assert run.fields.statistics.utilization == run["network.utilization"].mean
    assert run.fields.arguments.description == queue.toml
    assert "tickless" in str(run) and run.digest in str(run)


def test_tables_are_the_files_of_the_command(queue: tl.Network, tmp_path: Path) -> None:
    run = queue.run(replications=3, series_step=50, distributions=True, backend="heap")
    stations = pl.DataFrame(run.table("stations"))
    assert stations["station"].to_list() == ["desk"] and stations["arrivals"].dtype == pl.Int64
    assert stations["utilization"].dtype == pl.Float64
    run.write("stations", tmp_path / "stations.csv")
    assert stations.equals(pl.read_csv(tmp_path / "stations.csv", schema=stations.schema))
    assert set(pa.table(run.table("classes")).column("class").to_pylist()) == {"urgent", "other"}
    series, histograms = pl.DataFrame(run.table("series")), pl.DataFrame(run.table("histograms"))
    assert series["time"].unique().sort().to_list() == [float(50 * step) for step in range(9)]
    assert "waiting_time" in histograms["measure"]
    visits = pl.DataFrame(run.table("visits"))
    assert len(pl.DataFrame(run.table("visits", sample="1/10"))) < len(visits)
    result = tl.phold(processes=40, until=12.5).run(backend="heap")
    processes = result.table("processes_csv")
    assert pl.DataFrame(processes)["executed"].sum() == result.events
    if hasattr(pd.DataFrame, "from_arrow"):
        assert int(pd.DataFrame.from_arrow(processes)["executed"].sum()) == result.events


def test_a_table_that_there_is_not_says_why(queue: tl.Network, tmp_path: Path) -> None:
    run = queue.run(backend="heap")
    with pytest.raises(ValueError, match="the run has not kept what --series shows: run it with series_step=4"):
        run.table("series")
    with pytest.raises(ValueError, match="run it with distributions=True"):
        run.table("histograms")
    with pytest.raises(ValueError, match="tip: a similar argument exists: '--stations'"):
        run.table("station")
    with pytest.raises(ValueError, match="this network folds nothing"):
        run.table("folded")
    fire = tl.fire(side=16, until=60).run(backend="heap")
    with pytest.raises(ValueError, match="--arrival writes an ESRI ASCII grid"):
        fire.table("arrival")
    fire.write("arrival", tmp_path / "arrival.asc")
    assert (tmp_path / "arrival.asc").read_text().startswith("ncols 16")
    with pytest.raises(FileNotFoundError, match="there is no such folder"):
        fire.write("arrival", tmp_path / "nowhere" / "arrival.asc")


def test_results_show_themselves(queue: tl.Network, tmp_path: Path) -> None:
    for result, said in [
        (queue.run(replications=4, backend="heap"), "desk"),
        (tl.fire(side=24, until=120).run(backend="heap"), "data:image/png;base64"),
    ]:
        page = tmp_path / "page.html"
        result.report(page)
        text = page.read_text()
        assert text.startswith("<!DOCTYPE html>") and result.digest in text and said in text
        assert f"tickless {result.fields.model}" in text.replace("cells ", "") and "pytest" not in text
        shown = result._repr_html_()
        assert shown.startswith("<iframe srcdoc=") and said in shown and len(shown) < len(text) * 2
    with pytest.raises(ValueError, match="--report writes a page"):
        queue.run(backend="heap").report(tmp_path / "page.pdf")
    with pytest.raises(FileNotFoundError):
        queue.run(backend="heap").report(tmp_path / "nowhere" / "page.html")


def test_a_network_runs_until_it_is_precise(queue: tl.Network) -> None:
    run = queue.run(until=4000, precision=0.1, backend="heap")
    assert run.replications >= 10 and run.fields.precision.met
    assert run.rerun().digest == run.digest
    with pytest.raises(ValueError, match="'--precision <P>' cannot be used with '--replications"):
        queue.run(precision=0.1, replications=3)


def test_a_pilot_finds_the_warm_up() -> None:
    # The queue is long, and empty at first.
    busy = QUEUE.replace("exponential:1.5", "exponential:1.65").replace("patience", "# ")
    with pytest.warns(UserWarning, match="the horizon of 4000 is too short to tell the warm-up"):
        run = tl.Network.from_toml(busy).run(until=4000, warmup="auto", replications=2, backend="heap")
    assert run.warmup > 0 and run.fields.pilot.time == run.warmup
    assert run.rerun().warmup == run.warmup


INTERRUPTED = """
import tickless as tl
model = tl.phold(processes=64, until=1e8)
try:
    print("begins", flush=True)
    model.run(backend="heap")
except KeyboardInterrupt:
    print("interrupted", model.run(until=5, backend="heap").digest)
"""


def test_ctrl_c_ends_a_run() -> None:
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begins\n"
        process.send_signal(signal.SIGINT)
        digest = tl.phold(processes=64, until=5).run(backend="heap").digest
        assert process.communicate(timeout=60)[0] == f"interrupted {digest}\n"
    assert process.returncode == 0


def test_the_command_repeats_what_python_ran(tmp_path: Path) -> None:
    result = tl.search(side=40, searches=12).run(backend="heap")
    (tmp_path / "result.json").write_text(json.dumps(result.to_dict()))
    command = [os.environ["TICKLESS_COMMAND"], "rerun", str(tmp_path / "result.json")]
    assert result.digest in subprocess.run(command, check=True, capture_output=True, text=True).stdout
