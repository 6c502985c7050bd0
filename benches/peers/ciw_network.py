"""The network in Ciw: a node per station; tokens of time 0 are a batch that arrives then."""

import argparse
import math

import ciw

from network import EXIT, Network, Result, main, timed


def arrivals(network: Network) -> list[ciw.dists.Distribution | None]:
    """Where tokens come from: a source, or once at time 0."""
    intervals = dict(network.sources)

    def interval(station: int) -> ciw.dists.Distribution | None:
        if station in intervals:
            return ciw.dists.Exponential(rate=1 / intervals[station])
        return ciw.dists.Sequential([0.0, math.inf]) if network.tokens[station] else None

    return [interval(station) for station in range(len(network.service))]


def batches(network: Network) -> list[ciw.dists.Distribution]:
    """How many come at once."""
    sources = {station for station, _ in network.sources}
    if any(network.tokens[station] for station in sources):
        raise ValueError("a station with a source and with tokens is not translated")
    return [ciw.dists.Deterministic(value=max(1, tokens)) for tokens in network.tokens]


def router(routes: list[tuple[int, float]]) -> ciw.routing.Probabilistic:
    """The routes of a node. Nodes are counted from 1; what is left of the probability leaves."""
    inside = [(target + 1, share) for target, share in routes if target != EXIT]
    return ciw.routing.Probabilistic(
        destinations=[target for target, _ in inside], probs=[share for _, share in inside]
    )


def overlap(start: float | None, end: float | None, window: tuple[float, float]) -> float:
    """How much of a window something takes that began at `start`, if ever, and ended at `end`, if ever."""
    first, last = window
    return 0.0 if start is None else max(0.0, min(last if end is None else end, last) - max(start, first))


def simulate(network: Network, arguments: argparse.Namespace) -> Result:
    """Runs to the horizon; what is counted comes from Ciw's records of visits, those under way included."""
    ciw.seed(arguments.seed)
    simulation = ciw.Simulation(
        ciw.create_network(
            arrival_distributions=arrivals(network),
            batching_distributions=batches(network),
            service_distributions=[ciw.dists.Exponential(rate=1 / service) for service in network.service],
            number_of_servers=[1] * len(network.service),
            routing=ciw.routing.NetworkRouting(routers=[router(routes) for routes in network.routes]),
        )
    )
    cpu, wall = timed(lambda: simulation.simulate_until_max_time(arguments.until))
    records = simulation.get_all_records(only=["service"], include_incomplete=True)
    ended = [record.exit_date for record in records if record.record_type == "service"]
    window = arguments.warmup, arguments.until
    busy = [0.0] * len(network.service)
    for record in records:
        busy[record.node - 1] += overlap(record.service_start_date, record.service_end_date, window)
    present = sum(overlap(record.arrival_date, record.exit_date, window) for record in records)
    return Result(
        version=ciw.__version__,
        completions=len(ended),
        cpu_seconds=cpu,
        wall_seconds=wall,
        utilization=[time / (arguments.until - arguments.warmup) for time in busy],
        system_time=present / sum(end >= arguments.warmup for end in ended),
    )


if __name__ == "__main__":
    main(simulate)
