"""The network in LINE's discrete-event simulator `ldes`: one class, from a `Source` or from the tokens of time 0."""

import argparse
import resource
from importlib.metadata import version

import numpy
from line_solver import LDES, ClosedClass, Exp, OpenClass, Queue, SchedStrategy, Sink, Source
from line_solver import Network as Model

from network import EXIT, Network, Result, main, timed


def model(network: Network) -> Model:
    """The network as a model of LINE. Its one source is all sources together, which is the same Poisson process."""
    line = Model("network")
    source = Source(line, "source") if network.sources else None
    queues = [Queue(line, f"s{station}", SchedStrategy.FCFS) for station in range(len(network.service))]
    sink = Sink(line, "sink") if network.sources else None
    tokens = OpenClass(line, "tokens") if source else ClosedClass(line, "tokens", sum(network.tokens), queues[0])
    for queue, service in zip(queues, network.service):
        queue.set_service(tokens, Exp(1 / service))
    routing = line.init_routing_matrix()
    if source:
        rate = sum(1 / interval for _, interval in network.sources)
        source.set_arrival(tokens, Exp(rate))
        for station, interval in network.sources:
            routing.set(tokens, tokens, source, queues[station], 1 / interval / rate)
    for queue, routes in zip(queues, network.routes):
        for target, share in routes:
            routing.set(tokens, tokens, queue, sink if target == EXIT else queues[target], share)
    line.link(routing)
    return line


def simulate(network: Network, arguments: argparse.Namespace) -> Result:
    """Runs as many completions as make the horizon. The time is that of the child process, the simulator."""
    solver = LDES(
        model(network),
        samples=arguments.samples,
        seed=arguments.seed,
        tranfilter="fixed",
        warmupfrac=arguments.warmup / arguments.until,
        cimethod=arguments.cimethod,
        verbose="silent",
    )
    if not network.sources:
        solver.options.init_sol = numpy.array(network.tokens, dtype=float)
    cpu, wall = timed(solver.runAnalyzer, resource.RUSAGE_CHILDREN)
    result = solver.result
    first = 1 if network.sources else 0
    present, throughput = result.QN[first:, 0], result.TN[first:, 0]
    return Result(
        version=version("line-solver"),
        completions=arguments.samples,
        cpu_seconds=cpu,
        wall_seconds=wall,
        utilization=list(result.UN[first:, 0]),
        system_time=present.sum() / throughput.sum(),
    )


def options(parser: argparse.ArgumentParser) -> None:
    """What LINE wants to know beside."""
    parser.add_argument("--samples", type=int, required=True, help="completions until the horizon")
    parser.add_argument("--cimethod", default="none", help="how confidence intervals are made")


if __name__ == "__main__":
    main(simulate, options)
