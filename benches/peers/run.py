"""Measures the heap simulator of tickless against SimPy, Ciw and LINE, and checks that all do the same work.

    python run.py path/to/tickless

Each round runs tickless right before each peer. Prints two tables in Markdown; every run goes to a file of JSON lines.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median, stdev
from typing import TextIO

from scipy.stats import t

HERE = Path(__file__).parent
CONFIDENCE = 0.99


@dataclass
class Case:
    """A network file, its completions in a time unit, and how long each peer runs: (horizon, warm-up)."""

    file: str
    rate: float
    peers: dict[str, tuple[int, int]]


CASES = [
    Case("jackson.toml", 50.0, {"simpy": (50_000, 5_000), "ciw": (4_000, 1_000), "line": (400_000, 5_000)}),
    Case("torus.toml", 81.94, {"simpy": (30_000, 5_000), "ciw": (400, 200), "line": (40_000, 5_000)}),
]


@dataclass
class Run:
    """What one run of a program says."""

    program: str
    version: str
    completions: int
    cpu_seconds: float
    wall_seconds: float
    utilization: float
    system_time: float

    @property
    def rate(self) -> float:
        """Completions per user second."""
        return self.completions / self.cpu_seconds

    @property
    def wall_rate(self) -> float:
        """Completions per second of wall time."""
        return self.completions / self.wall_seconds


def output(command: list[str]) -> tuple[dict, float, float]:
    """The JSON that a program prints, its user seconds and its wall seconds."""
    begin = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    text = subprocess.run(command, stdout=subprocess.PIPE, cwd=HERE, check=True).stdout
    wall = time.perf_counter() - begin
    return json.loads(text), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, wall


def tickless(command: str, case: Case, seed: int, *options: str) -> Run:
    """The heap simulator. The times are those of the whole process."""
    network = [command, "network", case.file, "--backend", "heap", "--format", "json", "--seed", str(seed), *options]
    report, cpu, wall = output(network)
    return Run(
        program="tickless",
        version=report["version"],
        completions=report["completions"],
        cpu_seconds=cpu,
        wall_seconds=wall,
        utilization=mean(station["utilization"] for station in report["stations"]),
        system_time=report["statistics"]["mean_present"] / report["statistics"]["throughput"],
    )


def peer(name: str, case: Case, seed: int) -> Run:
    """A peer. The times are those of its simulation alone."""
    until, warmup = case.peers[name]
    options = [f"--until={until}", f"--warmup={warmup}", f"--seed={seed}"]
    if name == "line":
        options.append(f"--samples={round(case.rate * until)}")
    result = output([sys.executable, f"{name}_network.py", case.file, *options])[0]
    return Run(**result | {"program": name, "utilization": mean(result["utilization"])})


def interval(values: list[float]) -> tuple[float, float]:
    """The mean and its half width."""
    return mean(values), t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * stdev(values) / len(values) ** 0.5


def agreement(ours: list[float], theirs: list[float]) -> str:
    """Both means, and whether they differ by no more than both half widths allow."""
    (a, about_a), (b, about_b) = interval(ours), interval(theirs)
    verdict = "agree" if abs(a - b) <= (about_a**2 + about_b**2) ** 0.5 else "DIFFER"
    return f"{a:.4f} +- {about_a:.4f} | {b:.4f} +- {about_b:.4f} | {verdict}"


def speed_row(case: Case, name: str, ours: list[Run], theirs: list[Run]) -> str:
    """Medians of rates, and their ratios."""
    rates = [median(run.rate for run in runs) for runs in (theirs, ours)]
    walls = [median(run.wall_rate for run in runs) for runs in (theirs, ours)]
    seconds = median(run.cpu_seconds for run in theirs)
    return (
        f"| {case.file} | {name} {theirs[0].version} | {seconds:.1f} | {rates[0]:,.0f} | {rates[1]:,.0f} "
        f"| {rates[1] / rates[0]:,.1f}x | {walls[1] / walls[0]:,.1f}x |"
    )


def check_rows(command: str, case: Case, name: str, theirs: list[Run]) -> list[str]:
    """Utilization and system time beside those of tickless with the same horizon and warm-up."""
    until, warmup = case.peers[name]
    options = (f"--until={until}", f"--warmup={warmup}")
    ours = [tickless(command, case, 100 + seed, *options) for seed in range(len(theirs))]
    figures = ("utilization", "system_time")
    return [
        f"| {case.file} | {name} | {figure} | "
        + agreement(*([getattr(run, figure) for run in runs] for runs in (ours, theirs)))
        + " |"
        for figure in figures
    ]


def measure(command: str, case: Case, seed: int, file: TextIO) -> None:
    """A round of one case: tickless right before each peer."""
    for name in case.peers:
        for run in (tickless(command, case, seed), peer(name, case, seed)):
            print(json.dumps({"case": case.file, "pair": name, **vars(run)}), file=file, flush=True)


def pairs(runs: Path, case: Case, name: str) -> tuple[list[Run], list[Run]]:
    """Of all rounds the runs of tickless before a peer, and those of the peer."""
    lines = [json.loads(line) for line in runs.read_text().splitlines()]
    ours: list[Run] = []
    theirs: list[Run] = []
    for line in lines:
        if (line.pop("case"), line.pop("pair")) == (case.file, name):
            (theirs if line["program"] == name else ours).append(Run(**line))
    return ours, theirs


def main() -> None:
    """Runs all rounds and prints the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tickless", type=os.path.abspath, help="the command, a release build")
    parser.add_argument("--rounds", type=int, default=5, help="with 0 the file of earlier rounds is reported again")
    parser.add_argument("--runs", type=Path, default=Path("runs.jsonl"), help="file to which every run is added")
    arguments = parser.parse_args()
    with arguments.runs.open("a") as file:
        for seed in range(1, arguments.rounds + 1):
            for case in CASES:
                measure(arguments.tickless, case, seed, file)
    report(arguments.tickless, arguments.runs)


def report(command: str, runs: Path) -> None:
    """Prints both tables."""
    print("| network | peer | CPU s a run | completions/CPU s | tickless | ratio | ratio by wall time |")
    print("|---|---|---|---|---|---|---|")
    for case in CASES:
        for name in case.peers:
            print(speed_row(case, name, *pairs(runs, case, name)), flush=True)
    print("\n| network | peer | figure | tickless | peer | |\n|---|---|---|---|---|---|")
    for case in CASES:
        for name in case.peers:
            print(*check_rows(command, case, name, pairs(runs, case, name)[1]), sep="\n", flush=True)


if __name__ == "__main__":
    main()
