"""Fires of tickless beside FlamMap and pyretechnics: rates, intensities and flame lengths of each cell of a landscape of LANDFIRE, arrival
times of fires on uniform ground and on that landscape, and how many cells burn in a second of one core.

    python fires.py TICKLESS PYRETECHNICS [--rounds 3] [--device cuda]

PYRETECHNICS is a clone of https://github.com/pyregence/pyretechnics: its folder test/data has the landscape and what FlamMap 6 made of
it. The packages are those of requirements-fires.txt. With --device the last table is of that backend: one fire and a thousand.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

import numpy
import rasterio
from pyretechnics import eulerian_level_set as els
from pyretechnics.space_time_cube import SpaceTimeCube

MOISTURE = {"1h": 6, "10h": 8, "100h": 10, "herb": 75, "woody": 60}
SIDE, METRES = 301, 30.0
FOLDERS = {
    "elevation": "LF2020_Elev_220_CONUS/LC20_Elev_220",
    "slope": "LF2020_SlpP_220_CONUS/LC20_SlpP_220",
    "aspect": "LF2020_Asp_220_CONUS/LC20_Asp_220",
    "fuel": "LF2022_FBFM40_230_CONUS/LC22_F40_230",
    "cover": "LF2022_CC_230_CONUS/LC22_CC_230",
    "height": "LF2022_CH_230_CONUS/LC22_CH_230",
}


def weather(folder, wind, start):
    """A file of one row: the wind at 20 feet in km/h, and where it comes from."""
    path = folder / "weather.csv"
    names = ",".join(f"moisture_{name}" for name in MOISTURE)
    values = ",".join(str(value) for value in MOISTURE.values())
    path.write_text(f"minutes,wind_kmh,wind_adjustment,wind_from,{names}\n0,{wind},1,{start},{values}\n")
    return path


def run(tickless, arguments, outputs, folder):
    """The grids that a run writes, its result, and its user seconds."""
    files = {name: folder / f"{name}.tif" for name in outputs}
    options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [tickless, "cells", "fire", "--backend", "heap", "--format", "json", *map(str, arguments), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    grids = {name: rasterio.open(path).read(1, masked=True).filled(numpy.nan) for name, path in files.items()}
    return grids, json.loads(done.stdout), seconds


def landscape(data, folder):
    """The landscape as arrays, and the options that name it; slope in degrees, which LANDFIRE has in percent here."""
    arrays, profile = {}, None
    for name, place in FOLDERS.items():
        with rasterio.open(data / "landfire_inputs" / f"{place}.tif") as file:
            arrays[name], profile = file.read(1), file.profile
    with_slope = {**profile, "dtype": "float64", "nodata": -9999.0}
    with rasterio.open(folder / "slope.tif", "w", **with_slope) as file:
        percent = numpy.where(arrays["slope"] == 32767, numpy.nan, arrays["slope"].astype(float))
        file.write(numpy.nan_to_num(numpy.degrees(numpy.arctan(percent / 100)), nan=-9999.0), 1)
    of = {name: data / "landfire_inputs" / f"{place}.tif" for name, place in FOLDERS.items()}
    options = ["--fuel", of["fuel"], "--slope", folder / "slope.tif", "--aspect", of["aspect"]]
    return arrays, options + ["--canopy-cover", of["cover"], "--canopy-height", of["height"], "--adjust-wind"]


def ratios(ours, theirs, chosen):
    """How many values there are, and their ratio: least, median, mean, most."""
    found = ours[chosen] / theirs[chosen]
    return len(found), *(float(number) for number in (found.min(), numpy.median(found), found.mean(), found.max()))


def flammap(tickless, data, folder):
    """Every cell burns from the start: each tells of the head of its own fire. Cells where FlamMap has no crown fire."""
    arrays, options = landscape(data, folder)
    with rasterio.open(data / "landfire_inputs" / f"{FOLDERS['fuel']}.tif") as file:
        left, bottom, right, top = file.bounds
    ring = [[left - 1, bottom - 1], [right + 1, bottom - 1], [right + 1, top + 1], [left - 1, top + 1]]
    everywhere = folder / "everywhere.geojson"
    everywhere.write_text(json.dumps({"type": "Polygon", "coordinates": [ring + ring[:1]]}))
    given = options + ["--weather", weather(folder, 0, 0), "--ignitions", everywhere, "--until", 1]
    grids, _, _ = run(tickless, given, ["rate-of-spread", "intensity", "flame-length"], folder)
    of = {"rate-of-spread": ("ROS_ch_hr", 0.33528), "intensity": ("FLI_BTU_ft-s", 3.461469), "flame-length": ("FL_ft", 0.3048)}
    kinds = rasterio.open(data / "flammap_outputs" / "fire_type.tif").read(1)
    for name, (file, unit) in of.items():
        theirs = rasterio.open(data / "flammap_outputs" / f"{file}.tif").read(1) * unit
        chosen = (kinds == 1) & numpy.isfinite(grids[name]) & (theirs > 0)
        print(f"| {name} | {ratios(grids[name], theirs, chosen)[0]:,} | " + " | ".join(f"{number:.4f}" for number in ratios(grids[name], theirs, chosen)[1:]) + " |")


def pyretechnics(arrays, wind, start, until, first):
    """Arrival times in minutes, and user seconds of the spread alone. Its first row is in the south."""
    arrays = {name: numpy.flipud(values) for name, values in arrays.items()}
    rows, columns = arrays["fuel"].shape
    first = (rows - 1 - first[0], first[1])
    shape = (1, rows, columns)
    constant = {"wind_speed_10m": wind * 1.15, "upwind_direction": start, "foliar_moisture": 0.9}
    for name, cube in (("1h", "dead_1hr"), ("10h", "dead_10hr"), ("100h", "dead_100hr"), ("herb", "live_herbaceous"), ("woody", "live_woody")):
        constant[f"fuel_moisture_{cube}"] = MOISTURE[name] / 100
    zero = numpy.zeros((rows, columns), dtype="float32")
    layers = {
        "slope": numpy.where(arrays["slope"] == 32767, 0, arrays["slope"]) / 100,
        "aspect": numpy.where(arrays["aspect"] > 360, 0, arrays["aspect"]).clip(0),
        "fuel_model": numpy.where(arrays["fuel"] == 32767, 91, arrays["fuel"]),
        "canopy_cover": numpy.where(arrays["cover"] == 32767, 0, arrays["cover"]) / 100,
        "canopy_height": numpy.where(arrays["height"] == 32767, 0, arrays["height"]) / 10,
        # No crowns burn.
        "canopy_base_height": zero + 100, "canopy_bulk_density": zero,
    }
    cubes = {name: SpaceTimeCube(shape, values.astype("float32")[None]) for name, values in layers.items()}
    cubes |= {name: SpaceTimeCube(shape, value) for name, value in constant.items()}
    state = els.SpreadState(shape).ignite_cell(first)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    done = els.spread_fire_with_phi_field(cubes, state, (until, METRES, METRES), 0, until, use_wind_limit=False)
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    times = done["spread_state"].get_full_matrices()["time_of_arrival"]
    return numpy.flipud(numpy.where(times < 0, numpy.nan, times)), seconds


def compared(name, tickless, arrays, options, case, rounds, folder):
    """A row of the table: arrival times side by side, and cells burnt in a user second."""
    wind, start, until, first = case
    given = options + ["--weather", weather(folder, wind, start), "--ignite", f"{first[1]},{first[0]}", "--until", until]
    rates = []
    for _ in range(rounds):
        grids, result, own = run(tickless, given, ["arrival"], folder)
        times, other = pyretechnics(arrays, wind, start, until, first)
        burnt = numpy.count_nonzero(numpy.isfinite(times))
        rates.append((result["statistics"]["burnt_cells"] / own, burnt / other))
    ours, both = grids["arrival"], numpy.isfinite(grids["arrival"]) & numpy.isfinite(times)
    late = both & (times > until / 4) & (times > 0)
    _, _, middle, mean, _ = ratios(ours, times, late)
    spread = numpy.percentile(ours[late] / times[late], [5, 95])
    areas = numpy.count_nonzero(numpy.isfinite(ours)) / numpy.count_nonzero(numpy.isfinite(times))
    agree = numpy.count_nonzero(both) / numpy.count_nonzero(numpy.isfinite(ours) | numpy.isfinite(times))
    own, other = (statistics.median(rate) for rate in zip(*rates))
    print(f"| {name} | {numpy.count_nonzero(both):,} | {areas:.3f} | {agree:.3f} | {middle:.3f} | {mean:.3f} | {spread[0]:.3f} to {spread[1]:.3f} | {own:,.0f} | {other:,.0f} | {own / other:.1f} |", flush=True)
    return other


def on_device(name, device, tickless, options, theirs, rounds, folder):
    """A row of the table: cells burnt in a second of the rounds, and how many times those of pyretechnics that is."""
    rates = []
    for _ in range(rounds):
        command = [tickless, "cells", "fire", "--backend", device, "--format", "json", *map(str, options)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        result = json.loads(done.stdout)
        rates.append((result["events"] / result["wall_seconds"], result["events"]))
    rate, cells = sorted(rates)[len(rates) // 2]
    print(f"| {name} | {cells:,} | {rate:,.0f} | {rate / theirs:,.0f} |", flush=True)


def main():
    """All tables."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("tickless")
    arguments.add_argument("pyretechnics", type=pathlib.Path)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--device", help="the backend of the last table: wgpu or cuda")
    given = arguments.parse_args()
    data = given.pyretechnics / "test" / "data"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        print("| beside FlamMap | cells | least | median | mean | most |\n|---|---|---|---|---|---|")
        flammap(given.tickless, data, folder)
        print("\n| beside pyretechnics | cells | area | in both | median time | mean | 5 to 95 % | cells/s | theirs | ratio |")
        print("|---|---|---|---|---|---|---|---|---|---|")
        flat = folder / "flat.asc"
        flat.write_text(f"ncols {SIDE}\nnrows {SIDE}\nxllcorner 0\nyllcorner 0\ncellsize {METRES}\n" + "102 " * SIDE * SIDE)
        nothing = numpy.zeros((SIDE, SIDE), dtype="int16")
        level = {"slope": nothing, "aspect": nothing, "cover": nothing, "height": nothing, "fuel": nothing + 102}
        trees = folder / "trees.asc"
        trees.write_text(flat.read_text().replace("102 ", "0 "))
        options = ["--fuel", flat, "--canopy-cover", trees, "--canopy-height", trees, "--adjust-wind"]
        middle, theirs = (SIDE // 2, SIDE // 2), {}
        for name, case in {
            "GR2, calm": (0, 0, 10000, middle),
            "GR2, 10 km/h from the west": (10, 270, 2000, (SIDE // 2, 60)),
            "GR2, 20 km/h from 240 degrees": (20, 240, 800, (SIDE // 2 + 70, 40)),
            "GR2, 40 km/h from 315 degrees": (40, 315, 300, (40, 40)),
        }.items():
            theirs[name] = compared(name, given.tickless, level, options, case, given.rounds, folder)
        arrays, options = landscape(data, folder)
        for name, case in {
            "LANDFIRE, calm": (0, 0, 10000, (300, 270)),
            "LANDFIRE, 30 km/h from the west": (30, 270, 5000, (300, 270)),
        }.items():
            theirs[name] = compared(name, given.tickless, arrays, options, case, given.rounds, folder)
        if given.device:
            print("\n| on a device | cells | cells/s | times theirs |\n|---|---|---|---|")
            wide = folder / "wide.asc"
            wide.write_text(f"ncols 1024\nnrows 1024\nxllcorner 0\nyllcorner 0\ncellsize {METRES}\n" + "102 " * 1024 * 1024)
            breeze = ["--weather", weather(folder, 8, 240), "--until", 20000]
            many = ["--replications", 1000]
            row = lambda name, options, beside: on_device(name, given.device, given.tickless, options, theirs[beside], given.rounds, folder)
            row("GR2, 1,024 x 1,024", ["--fuel", wide, "--ignite", "512,512", *breeze], "GR2, 20 km/h from 240 degrees")
            row("GR2, 1,024 x 1,024, 100 fires", ["--fuel", wide, "--replications", 100, *breeze], "GR2, 20 km/h from 240 degrees")
            calm = [*options, "--weather", weather(folder, 0, 0), "--until", 20000]
            row("LANDFIRE, calm", [*calm, "--ignite", "270,300"], "LANDFIRE, calm")
            row("LANDFIRE, calm, 1,000 fires", [*calm, *many], "LANDFIRE, calm")
            windy = [*options, "--weather", weather(folder, 30, 270), "--until", 5000]
            row("LANDFIRE, 30 km/h, 1,000 fires", [*windy, *many], "LANDFIRE, 30 km/h from the west")


if __name__ == "__main__":
    main()
