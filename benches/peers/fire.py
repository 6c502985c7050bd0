"""The grid fire that wildfire_simulator publishes for Cadmium v2, beside the same rules as a rule file.

    python fire.py TICKLESS PEER [--sides 100 300] [--until 150] [--rounds 3] [--backend heap]

PEER is the program of cadmium_fire.cpp. Shares of trees are thousandths in the rule file. The burning rate and the weight of a
neighbour are such that no share lies in the middle between two thousandths (the sample of the publication has 0.05 and 0.25): there
the noise of floating point would decide. All else is the sample's. Cells are compared: shares must be equal, temperatures within 0.01.
"""

import argparse
import csv
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

BURN, WEIGHT = 3329 / 65536, 16383 / 65536
HEAT, COOL, THRESHOLD = 0.1, 0.01, 30

AROUND = ["(-1,0)", "(0,-1)", "(0,1)", "(1,0)"]


def rule(side):
    """The rule file: each cell takes its start from its number, 1 or 0, and from then on burns."""
    around = lambda what: " + ".join(what.format(cell) for cell in AROUND)
    hot = "if({0}~b > 0, {0}~t, 0)"
    steps = {
        "t": f"if((0,0)~b > 0, min((0,0)~t + ({around(hot)}) * {HEAT * WEIGHT:.10f} + (0,0)~t * {HEAT}, 100), "
        f"if((0,0)~f > 0, max((0,0)~t - {COOL}, 20), (0,0)~t))",
        "lit": f"$t >= {THRESHOLD} and (0,0)~u > 0 and (0,0)~b = 0",
        "b": f"if($lit, {1000 * BURN!r}, (0,0)~b)",
        "u": "if($lit, (0,0)~u - $b, (0,0)~u)",
        "burnt": f"$b * {BURN!r}",
        "f": "trunc((0,0)~f + $burnt + 0.5)",
        "s": f"min(1000, ({around('{0}~b')}) * {WEIGHT!r} + (0,0)~b)",
        "low": "remainder($s, 32)",
        "p": "$u * (($s - $low) / 32)",
        "pr": "remainder($p, 1000)",
        "m": "remainder($pr * 32, 1000)",
        "n": "$u * $low",
        "nr": "remainder($n, 1000)",
        "part": "fractional($burnt)",
        "rest": "$m + $nr - 1000 * $part + 500",
    }
    # A product of thousandths is beyond the range of numbers: it is divided by 1000 part by part, exactly.
    whole = "32 * (($p - $pr) / 1000) + ($pr * 32 - $m) / 1000 + ($n - $nr) / 1000 - ($burnt - $part)"
    carry = "if($rest < 0, -1, if($rest < 1000, 0, if($rest < 2000, 1, 2)))"
    steps["new"] = f"$b + {whole} + {carry}"
    assignments = " ".join(f"${name} := {value};" for name, value in steps.items())
    sets = "~b := $new; ~f := $f; ~t := $t; ~u := max(0, 1000 - $new - $f);"
    # A cell starts with the same number on all ports: 0, or 1 where it burns.
    start = "{ ~u := if((0,0)~u = 1, 900, 1000); ~b := if((0,0)~u = 1, 100, 0); ~f := 0; ~t := if((0,0)~u = 1, 50, 20); } 1 { (0,0)~t < 20 }"
    return f"""[top]
components : fire
[fire]
type : cell
dim : ({side},{side})
delay : inertial
border : wrapped
neighbors : fire(-1,0) fire(0,-1) fire(0,0) fire(0,1) fire(1,0)
neighborports : u b f t
statevariables : {" ".join(steps)}
initialvalue : 0
initialCellsValue : fire.val
localtransition : burn
[burn]
rule : {start}
rule : {{ {sets} }} {{ {assignments} }} 1 {{ t }}
"""


def write(side, folder):
    """The files of both programs."""
    spots = [(row, column) for row in range(12, side, 50) for column in range(12, side, 50)]
    rules, scenario = folder / "fire.ma", folder / "fire.json"
    (folder / "fire.val").write_text("".join(f"({row},{column}) = 1\n" for row, column in spots))
    rules.write_text(rule(side))
    state = {"p": 100, "u": 1, "b": 0, "f": 0, "temp": 20, "burnRate": BURN}
    default = {
        "delay": "inertial", "cell_type": "FIRE", "state": state,
        "config": {"tempThreshold": THRESHOLD, "burnRate": BURN, "coolingRate": COOL, "heatTransfer": HEAT},
        "neighborhood": [
            {"type": "von_neumann", "vicinity": WEIGHT, "range": 1},
            {"type": "relative", "vicinity": 1, "neighbors": [[0, 0]]},
        ],
    }
    burning = {"state": {"u": 0.9, "b": 0.1, "temp": 50}, "cell_map": spots}
    scenario.write_text(json.dumps({"scenario": {"shape": [side, side], "wrapped": True}, "cells": {"default": default, "burning": burning}}))
    return rules, scenario


def compare(values, states):
    """How many cells burn; an error where a cell differs."""
    ours = {(int(line["row"]), int(line["column"])): [float(line[name]) for name in "ubft"] for line in csv.DictReader(values.open())}
    burning = 0
    for row, column, *shares, heat in csv.reader(states.open()):
        cell = int(row), int(column)
        theirs = [round(1000 * float(share)) for share in shares]
        if ours[cell][:3] != theirs or abs(ours[cell][3] - float(heat)) > 0.01:
            raise SystemExit(f"cell {cell}: {ours[cell]} here, {theirs} and {heat} there")
        burning += theirs[1] > 0
    return burning


def main():
    """A table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("tickless")
    arguments.add_argument("peer")
    arguments.add_argument("--sides", type=int, nargs="+", default=[100, 300])
    arguments.add_argument("--until", type=int, default=150)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--backend", default="heap")
    given = arguments.parse_args()
    print("| side | cells that burn | CPU s of tickless | wall time of its run | of Cadmium: set-up | run | ratio of all | of theirs without set-up |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for side in given.sides:
            rules, scenario = write(side, folder)
            values, states = folder / "values.csv", folder / "states.csv"
            ours, theirs = [], []
            # Ours have their start at 1, and send one later what Cadmium's have computed.
            command = [given.tickless, "cells", rules, "--until", str(given.until + 1.5), "--backend", given.backend, "--format", "json"]
            for _ in range(given.rounds):
                before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                result = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
                ours.append((resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, result["wall_seconds"]))
                found = json.loads(subprocess.run([given.peer, scenario, str(given.until), states], capture_output=True, check=True).stdout)
                theirs.append((found["setup"], found["seconds"]))
            subprocess.run([*command, "--values", values], capture_output=True, check=True)
            burning = compare(values, states)
            (user, wall), (setup, alone) = ([statistics.median(times) for times in zip(*of)] for of in (ours, theirs))
            print(f"| {side} | {burning} | {user:.2f} | {wall:.3f} | {setup:.2f} | {alone:.2f} | {(setup + alone) / user:.1f} | {alone / user:.1f} |", flush=True)


if __name__ == "__main__":
    main()
