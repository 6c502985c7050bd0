"""Reads the part of tickless's network files that the benchmark uses: exponential laws, one server, no delay."""

import argparse
import json
import resource
import time
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass

EXIT = -1
"""The target of a route that leaves the network."""


@dataclass
class Network:
    """Stations are numbered in the order of the file."""

    service: list[float]
    """The mean service time of each station."""
    tokens: list[int]
    """Tokens at each station at time 0."""
    sources: list[tuple[int, float]]
    """The station that a source sends to, and the mean interval."""
    routes: list[list[tuple[int, float]]]
    """For each station the targets and their probabilities."""


@dataclass
class Result:
    """What a peer prints as one line of JSON."""

    version: str
    completions: int
    """Services completed from time 0 on."""
    cpu_seconds: float
    """User seconds of the simulation alone."""
    wall_seconds: float
    utilization: list[float]
    """Of each station, after the warm-up."""
    system_time: float
    """The mean number present at all stations by the completions in a time unit, both after the warm-up (Little)."""


def mean(law: str) -> float:
    """The mean of `exponential:MEAN`; no other law is read."""
    name, _, value = law.partition(":")
    if name != "exponential":
        raise ValueError(f"{law}: only exponential laws are compared")
    return float(value)


def torus(table: dict) -> Network:
    """The table `[generate]` of a torus: every token goes to one of four neighbours."""
    width, height = table["width"], table["height"]

    def routes(x: int, y: int) -> list[tuple[int, float]]:
        around = [((x + 1) % width, y), ((x - 1) % width, y), (x, (y + 1) % height), (x, (y - 1) % height)]
        return [(row * width + column, 0.25) for column, row in around]

    size = width * height
    return Network(
        service=[mean(table["service"])] * size,
        tokens=[table["tokens"]] * size,
        sources=[],
        routes=[routes(x, y) for y in range(height) for x in range(width)],
    )


def listed(tables: dict) -> Network:
    """The tables `station`, `source`, `route` and `sink`."""
    numbers = {station["name"]: number for number, station in enumerate(tables["station"])}
    numbers |= {sink["name"]: EXIT for sink in tables["sink"]}
    routes: list[list[tuple[int, float]]] = [[] for _ in tables["station"]]
    for route in tables["route"]:
        routes[numbers[route["from"]]].append((numbers[route["to"]], route["probability"]))
    return Network(
        service=[mean(station["service"]) for station in tables["station"]],
        tokens=[station.get("tokens", 0) for station in tables["station"]],
        sources=[(numbers[source["to"]], mean(source["interval"])) for source in tables["source"]],
        routes=routes,
    )


def read(path: str) -> Network:
    """The network of a file."""
    with open(path, "rb") as file:
        tables = tomllib.load(file)
    return torus(tables["generate"]) if "generate" in tables else listed(tables)


def timed(work: Callable[[], None], who: int = resource.RUSAGE_SELF) -> tuple[float, float]:
    """User seconds and wall seconds of a piece of work."""
    user, wall = resource.getrusage(who).ru_utime, time.perf_counter()
    work()
    return resource.getrusage(who).ru_utime - user, time.perf_counter() - wall


def main(
    simulate: Callable[[Network, argparse.Namespace], Result],
    options: Callable[[argparse.ArgumentParser], None] = lambda parser: None,
) -> None:
    """The command line of a peer."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--until", type=float, required=True, help="horizon in time units")
    parser.add_argument("--warmup", type=float, required=True, help="what happens before it is not counted")
    parser.add_argument("--seed", type=int, default=1)
    options(parser)
    arguments = parser.parse_args()
    print(json.dumps(asdict(simulate(read(arguments.file), arguments))))
