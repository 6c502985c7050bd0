"""Classes, priorities, patience, shifts and the rest of `tickless network` beside Ciw and LINE's `ldes`.

    python vocabulary.py path/to/tickless            # prints a table in Markdown; exit code 1 where a figure lies outside
    python vocabulary.py path/to/tickless --self-test

Every network is the tables of one file of tickless, and `vocabulary_peers.py` makes models of the peers of it. All start empty, and all
run as long, as often and with the same warm-up. A figure (`vocabulary_peers.Count`) of a class at a station is inside where the means
differ by no more than the root of the sum of the squares of both half widths, Student's of 99 %. By chance about one of a hundred is
outside, so the run fails by intervals of 1 - 0.01 / n for all n figures together (Bonferroni).
"""

import argparse
import copy
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean, stdev

from scipy.stats import t

from network import timed
from vocabulary_peers import Count, in_ciw, in_line, interrupts

SHARE_OUTSIDE = 0.01
BOTH = ("ciw", "line")
CIW = ("ciw",)
LINE = ("line",)


def station(name: str, service: str, **keys) -> dict:
    """A station. `a_service`, say, is what class `a` has of its own there."""
    own: dict[str, dict] = {}
    for key in [key for key in keys if key[:2] in ("a_", "b_", "c_")]:
        own.setdefault(key[0], {"name": key[0]})[key[2:]] = keys.pop(key)
    return {"name": name, "service": service, **keys} | ({"class": list(own.values())} if own else {})


def source(name: str, interval: str | None, to: str, **keys) -> dict:
    """A source of tokens of the class of its name."""
    return {"name": f"source {name}", "class": name, "to": to, **keys} | ({"interval": interval} if interval else {})


def route(way: str, probability: float = 1.0, only: str | None = None, **keys) -> dict:
    """A route, `"first second"`, of all classes or only of one."""
    start, end = way.split()
    return {"from": start, "to": end, "probability": probability, **keys} | ({"class": only} if only else {})


@dataclass
class Case:
    """A network and the peers that have all of it. Classes are `a`, `b` and `c`, with these priorities; without routes tokens leave."""

    features: str
    peers: tuple[str, ...]
    priorities: tuple[int, ...]
    stations: list[dict]
    sources: list[dict]
    routes: list[dict] | None = None
    until: float = 4000.0

    @property
    def network(self) -> dict:
        """Its tables."""
        leave = [{"from": each["name"], "to": "out"} for each in self.stations]
        return {
            "class": [{"name": name, "priority": priority} for name, priority in zip("abc", self.priorities)],
            "station": self.stations,
            "source": self.sources,
            "sink": [{"name": "out"}],
            "route": leave if self.routes is None else self.routes,
        }


AB = [source("a", "exponential:2.5", "x"), source("b", "exponential:2.5", "x")]
"""0.4 of each class a time unit."""
ABC = [source(name, "exponential:2", "x") for name in "abc"]

CASES = [
    Case("priorities, 2 servers", BOTH, (0, 1), [station("x", "exponential:2", servers=2)], AB),
    Case(
        "3 priorities, laws by class",
        BOTH,
        (0, 1, 2),
        [station("x", "erlang:2,0.5", b_service="uniform:0.1,0.9", c_service="hyperexponential:0.8,0.25,1.25")],
        ABC,
    ),
    Case(
        "preemptive priorities, laws by class",
        BOTH,
        (0, 1),
        [station("x", "exponential:0.8", preemptive=True, b_service="erlang:3,1.2")],
        AB,
    ),
    Case(
        "3 preemptive priorities, 3 servers",
        BOTH,
        (0, 1, 2),
        [station("x", "exponential:1.6", preemptive=True, servers=3)],
        ABC,
    ),
    Case(
        "lcfs, laws by class",
        BOTH,
        (0, 0),
        [station("x", "exponential:1", discipline="lcfs", b_service="uniform:0,2")],
        AB,
    ),
    Case(
        "lcfs, priorities, batches",
        CIW,
        (0, 1),
        [station("x", "exponential:0.7", discipline="lcfs")],
        [source("a", "exponential:5", "x", batch=[0.3, 0.4, 0.3]), AB[1]],
    ),
    Case(
        "siro, 2 servers, laws by class",
        BOTH,
        (0, 0),
        [station("x", "exponential:2", discipline="siro", servers=2, b_service="uniform:0.5,3")],
        AB,
    ),
    Case(
        "siro, priorities, feedback",
        CIW,
        (0, 1),
        [station("x", "exponential:0.8", discipline="siro")],
        AB,
        [route("x x", 0.2), route("x out", 0.8)],
    ),
    Case(
        "balking, reneging, 2 servers",
        CIW,
        (0,),
        [station("x", "exponential:2", servers=2, balking=[0, 0, 0.1, 0.2, 0.3, 0.5], patience="exponential:3")],
        [source("a", "exponential:0.8", "x")],
    ),
    Case(
        "balking, priorities, laws by class",
        BOTH,
        (1, 0),
        [station("x", "exponential:1.2", balking=[0, 0.1, 0.2, 0.4], b_service="erlang:2,1.5")],
        AB,
    ),
    Case(
        "balking, lcfs, 3 servers, capacity",
        BOTH,
        (0,),
        [station("x", "exponential:2.5", servers=3, discipline="lcfs", capacity=8, balking=[0, 0, 0, 0, 0.2, 0.3])],
        [source("a", "exponential:0.7", "x")],
    ),
    Case(
        "rates, 2 servers, laws by class",
        BOTH,
        (0, 1),
        [station("x", "exponential:1.5", servers=2, b_service="uniform:0.5,1.5")],
        [source("a", None, "x", rates=[[0, 0.5], [30, 1.0], [60, 0.2]], period=100.0), AB[1]],
        until=6000.0,
    ),
    Case(
        "priorities, patience by class",
        CIW,
        (0, 1),
        [station("x", "exponential:1.2", a_patience="exponential:6", b_patience="exponential:3")],
        AB,
    ),
    Case(
        "reneging to a pause and back",
        CIW,
        (0,),
        [
            station("x", "exponential:1", patience="exponential:2", reneges_to="pause"),
            station("pause", "uniform:2,8", servers="infinite"),
        ],
        [source("a", "exponential:1.2", "x")],
        [route("x out"), route("pause x", 0.7), route("pause out", 0.3)],
    ),
    Case(
        "uniform patience, siro, capacity",
        CIW,
        (0, 0),
        [station("x", "exponential:1.2", discipline="siro", capacity=6, patience="uniform:1,5")],
        AB,
    ),
    Case(
        "capacity, batches",
        CIW,
        (0,),
        [station("x", "exponential:0.9", capacity=5)],
        [source("a", "exponential:2.5", "x", batch=[0.2, 0.3, 0.5])],
    ),
    Case("capacity, priorities, 2 servers", BOTH, (0, 1), [station("x", "exponential:2.4", capacity=5, servers=2)], AB),
    Case(
        "shifts that interrupt, balking",
        CIW,
        (0,),
        [
            station(
                "x",
                "uniform:0.5,2.5",
                shifts=[[0, 3], [20, 1], [35, 2]],
                period=50.0,
                shift_end="interrupt",
                balking=[0] * 6 + [0.4],
            )
        ],
        [source("a", "exponential:1", "x")],
    ),
    Case(
        "shifts that interrupt, reneging, laws by class",
        CIW,
        (0, 0),
        [
            station(
                "x",
                "exponential:2",
                shifts=[[0, 2], [24, 0], [40, 3]],
                period=60.0,
                shift_end="interrupt",
                patience="exponential:9",
                b_service="erlang:2,1.5",
            )
        ],
        AB,
    ),
    Case(
        "shifts to the end of services, rates",
        CIW,
        (0,),
        [station("x", "uniform:1,3", shifts=[[0, 3], [30, 0], [40, 2], [70, 0]], period=80.0)],
        [source("a", None, "x", rates=[[0, 1.2], [25, 0.2], [50, 0.8]], period=80.0)],
    ),
    Case(
        "rates, reneging, 3 servers, priorities",
        CIW,
        (0, 1),
        [station("x", "exponential:2", servers=3, patience="exponential:4")],
        [
            source("a", None, "x", rates=[[0, 0.5], [30, 1.4], [60, 0.2]], period=100.0),
            source("b", None, "x", rates=[[0, 1.0], [50, 0.3]], period=100.0),
        ],
        until=6000.0,
    ),
    Case(
        "rates, batches, infinite servers",
        CIW,
        (0,),
        [station("x", "erlang:2,4", servers="infinite"), station("y", "exponential:0.5", servers=2)],
        [source("a", None, "x", rates=[[0, 0.3], [20, 1.5]], period=40.0, batch=[0.5, 0.5])],
        [route("x y"), route("y out")],
    ),
    Case(
        "class switching, feedback, priorities",
        BOTH,
        (1, 0),
        [station("x", "exponential:0.6", b_service="exponential:0.4")],
        [source("a", "exponential:1", "x")],
        [route("x x", 0.4, only="a", becomes="b"), route("x out", 0.6, only="a"), route("x out", only="b")],
    ),
    Case(
        "class switching, 3 stations, infinite servers",
        BOTH,
        (0, 1),
        [
            station("x", "exponential:0.7"),
            station("y", "uniform:2,4", servers="infinite"),
            station("z", "erlang:2,1.6", servers=2, b_service="exponential:1"),
        ],
        AB,
        [
            route("x y", 0.5, only="a", becomes="b"),
            route("x z", 0.5, only="a"),
            route("x y", only="b"),
            route("y z"),
            route("z out"),
        ],
    ),
    Case(
        "preemptive priorities, class switching, feedback",
        BOTH,
        (0, 1),
        [station("x", "exponential:0.5", preemptive=True), station("y", "exponential:1.2", preemptive=True, servers=2)],
        AB,
        [
            route("x y"),
            route("y x", 0.3, only="a", becomes="b"),
            route("y out", 0.7, only="a"),
            route("y out", only="b"),
        ],
    ),
    Case(
        "failures, balking",
        BOTH,
        (0,),
        [
            station(
                "x",
                "exponential:1",
                failures={"up": "exponential:30", "down": "exponential:4"},
                balking=[0] * 5 + [0.5],
            )
        ],
        [source("a", "exponential:1.3", "x")],
    ),
    Case(
        "failures of 2 servers, erlang services",
        CIW,
        (0,),
        [station("x", "erlang:2,2", servers=2, failures={"up": "erlang:2,40", "down": "uniform:2,8"})],
        [source("a", "exponential:1.6", "x")],
        until=8000.0,
    ),
    Case(
        "failures, preemptive priorities",
        BOTH,
        (0, 1),
        [station("x", "exponential:0.8", preemptive=True, failures={"up": "exponential:20", "down": "exponential:2"})],
        AB,
    ),
    Case(
        "failures, 2 stations, batches, scrap and rework",
        CIW,
        (0, 0),
        [
            station("x", "uniform:0.5,0.9", failures={"up": "exponential:50", "down": "erlang:2,5"}),
            station("y", "exponential:0.6", b_service="exponential:0.9"),
        ],
        [source("a", "erlang:2,2", "x", batch=[0.6, 0.4])],
        [
            route("x y"),
            route("y x", 0.15, only="a", becomes="b"),
            route("y out", 0.85, only="a"),
            route("y out", only="b"),
        ],
    ),
    Case(
        "emergency department: priorities, routes by class, patience, balking, infinite servers",
        CIW,
        (0, 1),
        [
            station("x", "exponential:1.2", servers=2, balking=[0] * 10 + [0.3]),
            station("y", "erlang:2,3.5", servers=3, b_patience="exponential:30", a_service="erlang:2,5"),
            station("z", "uniform:3,9", servers="infinite"),
        ],
        [source("a", "exponential:6", "y"), source("b", "exponential:1.8", "x")],
        [route("x y"), route("y z", 0.3), route("y out", 0.7), route("z y")],
        until=8000.0,
    ),
    Case(
        "closed: 2 classes, preemptive priorities, infinite servers",
        CIW,
        (0, 1),
        [
            station("x", "exponential:1", preemptive=True, b_service="exponential:0.5"),
            station("y", "exponential:6", servers="infinite", a_tokens=3, b_tokens=5),
        ],
        [],
        [route("x y"), route("y x")],
    ),
    Case(
        "sjf, 2 servers, laws by class",
        LINE,
        (0, 0),
        [station("x", "hyperexponential:0.7,1,4", discipline="sjf", servers=2, b_service="exponential:2")],
        AB,
    ),
    Case(
        "lcfs-preemptive, laws by class",
        LINE,
        (0, 0),
        [station("x", "uniform:0,2", discipline="lcfs-preemptive", b_service="erlang:2,1")],
        AB,
    ),
]


def toml(value) -> str:
    """A value in TOML; a table is written inline."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
    return "[" + ", ".join(map(toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


def in_tickless(command: str, network: dict, until: float, warmup: float, seed: int) -> tuple[Count, float, int]:
    """A run of tickless, the CPU seconds of the whole process, and completions from time 0 on."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write("".join(f"{key} = {toml(value)}\n" for key, value in network.items()))
        file.flush()
        options = [f"--until={until}", f"--warmup={warmup}", f"--seed={seed}", "--backend=heap", "--format=json"]
        run = [command, "network", file.name, *options]
        results: list[subprocess.CompletedProcess] = []
        cpu, _ = timed(
            lambda: results.append(subprocess.run(run, check=False, capture_output=True, text=True)),
            resource.RUSAGE_CHILDREN,
        )
    if results[0].returncode:
        sys.exit(results[0].stderr)
    result = json.loads(results[0].stdout)
    interrupted = {each["name"] for each in network["station"] if interrupts(each)}
    rates = {"losses": "lost", "balked": "balked", "reneged": "reneged"}
    count = {}
    for each in result["classes"]:
        at = each["station"], each["class"]
        count |= {(*at, figure): each[key] / (until - warmup) for key, figure in rates.items()}
        count |= {(*at, "present"): each["mean_present"], (*at, "throughput"): each["throughput"]}
        if at[0] not in interrupted:
            count[*at, "waiting"] = each["mean_waiting_time"]
        if each["reneged"]:
            count[*at, "patience"] = each["mean_patience"]
    return count, cpu, result["completions"]


@dataclass
class Difference:
    """A figure of both sides, replication by replication."""

    figure: tuple[str, str, str]
    ours: list[float]
    theirs: list[float]

    def outside(self, figures: int = 1) -> bool:
        """Whether the means differ by more than both half widths allow, where so many figures are compared together."""
        squares = 0.0
        for values in (self.ours, self.theirs):
            quantile = t.ppf(1 - SHARE_OUTSIDE / figures / 2, len(values) - 1)
            squares += (quantile * stdev(values)) ** 2 / len(values)
        return abs(mean(self.ours) - mean(self.theirs)) > math.sqrt(squares) + 1e-9

    def __str__(self) -> str:
        half = lambda values: t.ppf(1 - SHARE_OUTSIDE / 2, len(values) - 1) * stdev(values) / math.sqrt(len(values))
        sides = (f"{mean(values):.5f} +- {half(values):.5f}" for values in (self.ours, self.theirs))
        return f"{self.figure[2]} of {self.figure[1]} at {self.figure[0]}: " + " | ".join(sides)


def differences(ours: list[Count], theirs: list[Count], peer: str) -> list[Difference]:
    """All figures that both have, and that are not 0 on both sides."""
    figures = sorted(set().union(*ours, *theirs))
    if peer == "line":
        figures = [figure for figure in figures if figure[2] in ("present", "throughput")]
    values = lambda counts, figure: [count.get(figure, 0.0) for count in counts]
    pairs = [Difference(figure, values(ours, figure), values(theirs, figure)) for figure in figures]
    return [pair for pair in pairs if any(pair.ours) or any(pair.theirs)]


def beside(command: str, case: Case, replications: int, change: Callable[[dict], None] = lambda _: None):
    """For each peer of a case its name, the differences, and the CPU seconds of tickless and of the peer. `change` changes what the
    peers are given."""
    until, warmup = case.until, case.until / 10
    # Of its own for each network: a source draws the same times with the same seed.
    first = 1000 * CASES.index(case)
    seeds = range(first, first + replications)
    ours = [in_tickless(command, case.network, until, warmup, seed) for seed in seeds]
    other = copy.deepcopy(case.network)
    change(other)
    completions = mean(run[2] for run in ours)
    for peer in case.peers:
        if peer == "ciw":
            theirs = [in_ciw(other, until, warmup, 500 + seed) for seed in seeds]
        else:
            theirs = [in_line(other, until, warmup, 500 + seed, completions) for seed in seeds]
        all_of_them = differences([run[0] for run in ours], [run[0] for run in theirs], peer)
        yield peer, all_of_them, sum(run[1] for run in ours), sum(run[1] for run in theirs)


def self_test(command: str, replications: int) -> None:
    """The comparison must find nothing between equal networks, and a service that takes a tenth longer, other balking, and another
    order of the classes, wherever a peer is given one of these."""

    def slower(network: dict) -> None:
        network["station"][0]["service"] = "exponential:2.2"

    def balks(network: dict) -> None:
        network["station"][0]["balking"] = [0, 0, 0.3, 0.4, 0.5, 0.7]

    def turned(network: dict) -> None:
        for each in network["class"]:
            each["priority"] = 1 - each["priority"]

    def same(network: dict) -> None:
        pass

    for number, change, found in (
        (0, same, False),
        (0, slower, True),
        (0, turned, True),
        (8, same, False),
        (8, balks, True),
    ):
        for peer, pairs, *_ in beside(command, CASES[number], replications, change):
            outside = [pair for pair in pairs if pair.outside(len(pairs))]
            print(f"{CASES[number].features}, {change.__name__}, {peer}: {len(outside)} of {len(pairs)} outside")
            if bool(outside) != found:
                sys.exit(
                    f"the comparison {'missed a change' if found else 'finds a difference'}: {peer}, {change.__name__}"
                )


def main() -> None:
    """Prints the table, what is outside, and how many."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tickless", type=os.path.abspath, help="the command, a release build")
    parser.add_argument("--replications", type=int, default=20)
    parser.add_argument("--only", default="", help="cases whose features have this text")
    parser.add_argument("--self-test", action="store_true", help="whether changed values are found")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.tickless, arguments.replications)
    found: list[tuple[str, Difference]] = []
    print("| network | peer | figures | inside | CPU s, tickless | peer |\n|---|---|---|---|---|---|")
    for case in CASES:
        if arguments.only not in case.features:
            continue
        for peer, pairs, ours, theirs in beside(arguments.tickless, case, arguments.replications):
            inside = sum(not pair.outside() for pair in pairs)
            print(f"| {case.features} | {peer} | {len(pairs)} | {inside} | {ours:.2f} | {theirs:.2f} |", flush=True)
            found += [(f"{case.features}, {peer}", pair) for pair in pairs]
    outside = [(name, pair) for name, pair in found if pair.outside()]
    print(f"\n{len(found) - len(outside)} of {len(found)} figures inside; outside, tickless | peer:")
    for name, pair in outside:
        print(f"  {name}: {pair}{' AFTER BONFERRONI' if pair.outside(len(found)) else ''}")
    sys.exit(any(pair.outside(len(found)) for _, pair in found))


if __name__ == "__main__":
    main()
