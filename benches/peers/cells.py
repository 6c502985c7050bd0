"""Conway's Life of tickless beside Cadmium v2: the same cells at the start, wrapped, every cell alive or dead by a number of its place.

    python cells.py TICKLESS PEER [--sides 300 600] [--until 1000] [--rounds 3] [--backend heap]

PEER is the program of cadmium_life.cpp.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

RULES = """[top]
components : life
[life]
type : cell
dim : ({side},{side})
delay : transport
defaultDelayTime : 100
border : wrapped
neighbors : life(-1,-1) life(-1,0) life(-1,1) life(0,-1) life(0,0) life(0,1) life(1,-1) life(1,0) life(1,1)
initialvalue : 0
initialCellsValue : {start}
localtransition : rules
[rules]
rule : 1 100 {{ (0,0) = 1 and (truecount = 3 or truecount = 4) }}
rule : 1 100 {{ (0,0) = 0 and truecount = 3 }}
rule : 0 100 {{ t }}
"""


def alive(side):
    """The cells that live at the start."""
    mixed = lambda x, y: ((x * 73856093) ^ (y * 19349663)) & 0xFFFFFFFF
    return [(x, y) for x in range(side) for y in range(side) if mixed(x, y) % 100 < 35]


def write(side, folder):
    """The files of both programs."""
    cells = alive(side)
    rules, start, scenario = folder / "life.ma", folder / "life.val", folder / "life.json"
    start.write_text("".join(f"({x},{y}) = 1\n" for x, y in cells))
    rules.write_text(RULES.format(side=side, start=start.name))
    default = {
        "delay": "transport", "cell_type": "life", "state": {"alive": 0},
        "neighborhood": [{"type": "moore", "range": 1}],
    }
    config = {"scenario": {"shape": [side, side], "wrapped": True}, "cells": {"default": default, "alive": {"state": {"alive": 1}, "cell_map": cells}}}
    scenario.write_text(json.dumps(config))
    return rules, scenario


def main():
    """A table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("tickless")
    arguments.add_argument("peer")
    arguments.add_argument("--sides", type=int, nargs="+", default=[300, 600])
    arguments.add_argument("--until", type=int, default=1000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--backend", default="heap")
    given = arguments.parse_args()
    print("| side | CPU s of tickless | wall time of its run | of Cadmium: set-up | run | ratio of all | of theirs without set-up |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for side in given.sides:
            rules, scenario = write(side, folder)
            ours, theirs = [], []
            for _ in range(given.rounds):
                before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                command = [given.tickless, "cells", rules, "--until", str(given.until), "--backend", given.backend, "--format", "json"]
                result = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
                user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
                ours.append((user, result["wall_seconds"]))
                found = json.loads(subprocess.run([given.peer, scenario, str(given.until)], capture_output=True, check=True).stdout)
                theirs.append((found["setup"], found["seconds"]))
            values = {value["value"]: value["cells"] for value in result["statistics"]["values"]}
            if values.get(1.0, 0) != found["alive"]:
                raise SystemExit(f"{values} cells here, {found['alive']} alive there")
            (user, wall), (setup, alone) = ([statistics.median(times) for times in zip(*of)] for of in (ours, theirs))
            print(f"| {side} | {user:.2f} | {wall:.4f} | {setup:.2f} | {alone:.2f} | {(setup + alone) / user:.1f} | {alone / user:.1f} |", flush=True)


if __name__ == "__main__":
    main()
