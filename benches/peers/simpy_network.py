"""The network in SimPy: a process per token, a Resource per station."""

import argparse
import random
from bisect import bisect
from collections.abc import Generator
from itertools import accumulate

import simpy

from network import EXIT, Network, Result, main, timed


class Simulation:
    """The stations, and what is counted: completions, busy time, time at the stations."""

    def __init__(self, network: Network) -> None:
        self.env = simpy.Environment()
        self.rates = [1 / service for service in network.service]
        self.targets = [[target for target, _ in routes] for routes in network.routes]
        self.bounds = [list(accumulate(share for _, share in routes))[:-1] for routes in network.routes]
        self.servers = [simpy.Resource(self.env) for _ in network.service]
        self.clear()
        for station, tokens in enumerate(network.tokens):
            for _ in range(tokens):
                self.env.process(self.token(station))
        for station, interval in network.sources:
            self.env.process(self.source(station, 1 / interval))

    def clear(self) -> None:
        """Begins to count anew. What is under way is counted whole where it ends."""
        self.completions = 0
        self.present = 0.0
        self.busy = [0.0] * len(self.rates)

    def token(self, station: int) -> Generator[simpy.Event, None, None]:
        """A token on its way through the network."""
        env, servers, rates = self.env, self.servers, self.rates
        while station != EXIT:
            arrived = env.now
            with servers[station].request() as request:
                yield request
                service = random.expovariate(rates[station])
                yield env.timeout(service)
            self.completions += 1
            self.present += env.now - arrived
            self.busy[station] += service
            station = self.targets[station][bisect(self.bounds[station], random.random())]

    def source(self, station: int, rate: float) -> Generator[simpy.Event, None, None]:
        """Tokens from outside."""
        while True:
            yield self.env.timeout(random.expovariate(rate))
            self.env.process(self.token(station))


def simulate(network: Network, arguments: argparse.Namespace) -> Result:
    """Runs to the end of the warm-up, then to the horizon."""
    random.seed(arguments.seed)
    simulation = Simulation(network)
    before = 0

    def run() -> None:
        nonlocal before
        simulation.env.run(until=arguments.warmup)
        before = simulation.completions
        simulation.clear()
        simulation.env.run(until=arguments.until)

    cpu, wall = timed(run)
    measured = arguments.until - arguments.warmup
    return Result(
        version=simpy.__version__,
        completions=before + simulation.completions,
        cpu_seconds=cpu,
        wall_seconds=wall,
        utilization=[busy / measured for busy in simulation.busy],
        system_time=simulation.present / simulation.completions,
    )


if __name__ == "__main__":
    main(simulate)
