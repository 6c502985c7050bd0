"""Turns a network of `vocabulary.py`, the tables of a file of tickless, into a model of Ciw and one of LINE, and counts what they did.

A `Count` has for each (station, class, figure) the value of one replication after the warm-up:

    present     tokens there, in the mean over the time
    throughput  services that ended, a time unit
    waiting     of the services that began; not where services are interrupted: Ciw's has earlier parts of the service in it
    lost, balked, reneged    tokens a time unit
    patience    how long those that reneged had waited
"""

import contextlib
import io
import math
import resource
from collections import defaultdict

import ciw
import line_solver as line

from network import timed

Count = dict[tuple[str, str, str], float]
BREAKDOWN = "breakdown"
DISCIPLINES = {"fcfs": ciw.disciplines.FIFO, "lcfs": ciw.disciplines.LIFO, "siro": ciw.disciplines.SIRO}


def of_class(station: dict, name: str, key: str) -> str | int | None:
    """What a class has at a station."""
    own = (each[key] for each in station.get("class", []) if each["name"] == name and key in each)
    return next(own, None if key == "tokens" else station.get(key))


def interrupts(station: dict) -> bool:
    """Whether services are interrupted."""
    return bool(
        {"preemptive", "failures"} & station.keys()
        or station.get("shift_end") == "interrupt"
        or station.get("discipline") == "lcfs-preemptive"
    )


def numbers(law: str) -> tuple[str, list[float]]:
    """The name of a law and its numbers."""
    name, _, values = law.partition(":")
    return name, [float(value) for value in values.split(",")]


def without_failures(network: dict) -> dict:
    """Ciw has no failures. A token of a class of its own for each server goes around: it takes the server from all others while that
    is down, and is at a station of infinite servers while it is up."""
    failing = [station for station in network["station"] if "failures" in station]
    if not failing:
        return network
    stations, ups, routes = [], [], []
    for station in network["station"]:
        if "failures" in station:
            name, up = station["name"], f"{station['name']} up"
            failures = station["failures"]
            station = station | {"class": [*station.get("class", []), {"name": BREAKDOWN, "service": failures["down"]}]}
            tokens = {"name": BREAKDOWN, "tokens": station.get("servers", 1)}
            ups.append({"name": up, "service": failures["up"], "servers": "infinite", "class": [tokens]})
            routes += [{"from": a, "to": b, "class": BREAKDOWN} for a, b in ((name, up), (up, name))]
        stations.append(station)
    lower = [each | {"priority": each.get("priority", 0) + 1} for each in network["class"]]
    return network | {
        "class": [*lower, {"name": BREAKDOWN}],
        "station": stations + ups,
        "route": routes + network["route"],
    }


def ciw_law(law: str | None) -> ciw.dists.Distribution | None:
    """A law in Ciw."""
    match numbers(law) if law else None:
        case None:
            return None
        case "exponential", [mean]:
            return ciw.dists.Exponential(1 / mean)
        case "uniform", [low, high]:
            return ciw.dists.Uniform(low, high)
        case "erlang", [k, mean]:
            return ciw.dists.Gamma(k, mean / k)
        case "hyperexponential", [p, a, b]:
            return ciw.dists.HyperExponential([1 / a, 1 / b], [p, 1 - p])
    raise ValueError(f"{law}: no law of Ciw")


class Router(ciw.routing.NodeRouting):
    """Routes by the class before the service ended and the one that Ciw has switched to; who reneges goes to a node of its own."""

    def __init__(self, ways: dict[str, dict[int, float]], reneges_to: int):
        self.ways, self.reneges_to = ways, reneges_to

    def next_node(self, ind: ciw.Individual) -> ciw.Node:
        """Where to after a service."""
        shares = self.ways[ind.previous_class]
        return self.simulation.nodes[ciw.random_choice(list(shares), list(shares.values()))]

    def next_node_for_jockeying(self, ind: ciw.Individual) -> ciw.Node:
        """Where to after reneging."""
        return self.simulation.nodes[self.reneges_to]


class InCiw:
    """A network in Ciw: a node a station."""

    def __init__(self, network: dict, until: float):
        self.network, self.until = without_failures(network), until
        self.stations = self.network["station"]
        self.classes = [each["name"] for each in self.network["class"]]
        self.nodes = {station["name"]: number for number, station in enumerate(self.stations, 1)}
        self.nodes |= {sink["name"]: -1 for sink in network["sink"]}

    def arrival(self, station: dict, name: str) -> tuple[ciw.dists.Distribution | None, ciw.dists.Distribution]:
        """When tokens of a class come to a station from outside, and how many at a time."""
        first = self.network["class"][0]["name"]
        sources = [
            source
            for source in self.network["source"]
            if source["to"] == station["name"] and source.get("class", first) == name
        ]
        if not sources:
            tokens = of_class(station, name, "tokens")
            return ciw.dists.Sequential([0.0, math.inf]) if tokens else None, ciw.dists.Deterministic(tokens or 1)
        (source,) = sources
        law = ciw_law(source.get("interval"))
        if "rates" in source:
            times, rates = zip(*source["rates"])
            law = ciw.dists.PoissonIntervals(list(rates), [*times[1:], source["period"]], self.until)
        sizes = source.get("batch", [1.0])
        return law, ciw.dists.Pmf(list(range(1, len(sizes) + 1)), sizes)

    def routes(self, station: dict, name: str) -> list[dict]:
        """The routes of a class from a station."""
        routes = [route for route in self.network["route"] if route["from"] == station["name"]]
        own = [route for route in routes if route.get("class") == name]
        return own or [route for route in routes if "class" not in route]

    def switches(self, station: dict) -> dict[str, dict[str, float]]:
        """What each class becomes at the end of its service, with which probability."""
        matrix = {name: dict.fromkeys(self.classes, 0.0) for name in self.classes}
        for name, row in matrix.items():
            for route in self.routes(station, name) or [{}]:
                row[route.get("becomes", name)] += route.get("probability", 1.0)
        return matrix

    def router(self, station: dict, name: str) -> Router:
        """The routes of those that have just become a class, by the class that they had."""
        ways: dict[str, dict[int, float]] = {}
        for before in self.classes:
            shares: dict[int, float] = defaultdict(float)
            for route in self.routes(station, before):
                if route.get("becomes", before) == name:
                    shares[self.nodes[route["to"]]] += route.get("probability", 1.0)
            ways[before] = {to: share / sum(shares.values()) for to, share in shares.items()}
        return Router(ways, self.nodes[station.get("reneges_to", self.network["sink"][0]["name"])])

    def servers(self, station: dict) -> float | int | ciw.Schedule:
        """The servers of a node."""
        if "shifts" not in station:
            return math.inf if station.get("servers") == "infinite" else station.get("servers", 1)
        times, servers = zip(*station["shifts"])
        resume = "resume" if interrupts(station) else False
        return ciw.Schedule(list(servers), [*times[1:], station["period"]], resume)

    def model(self) -> ciw.Network:
        """The model."""

        def each(what) -> dict[str, list]:
            return {name: [what(station, name) for station in self.stations] for name in self.classes}

        def balking(station: dict, _: str):
            shares = station.get("balking")
            return shares and (lambda n, **_: shares[min(n, len(shares) - 1)])

        def room(station: dict) -> float:
            in_service = 0 if "shifts" in station else station.get("servers", 1)
            return station["capacity"] - in_service if "capacity" in station else math.inf

        return ciw.create_network(
            arrival_distributions=each(lambda *at: self.arrival(*at)[0]),
            batching_distributions=each(lambda *at: self.arrival(*at)[1]),
            service_distributions=each(lambda *at: ciw_law(of_class(*at, "service"))),
            reneging_time_distributions=each(lambda *at: ciw_law(of_class(*at, "patience"))),
            baulking_functions=each(balking),
            routing={name: ciw.routing.NetworkRouting(routers) for name, routers in each(self.router).items()},
            number_of_servers=[self.servers(station) for station in self.stations],
            queue_capacities=[room(station) for station in self.stations],
            priority_classes=(
                {each["name"]: each.get("priority", 0) for each in self.network["class"]},
                ["resume" if interrupts(station) and "shifts" not in station else False for station in self.stations],
            ),
            class_change_matrices=[self.switches(station) for station in self.stations],
            service_disciplines=[DISCIPLINES[station.get("discipline", "fcfs")] for station in self.stations],
        )


def in_ciw(network: dict, until: float, warmup: float, seed: int) -> tuple[Count, float]:
    """A run of Ciw, and its CPU seconds."""
    ciw.seed(seed)
    simulation = ciw.Simulation(InCiw(network, until).model())
    cpu, _ = timed(lambda: simulation.simulate_until_max_time(until))
    sums: Count = defaultdict(float)
    means: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    figures = {"service": "throughput", "renege": "reneged", "baulk": "balked", "rejection": "lost"}
    for record in simulation.get_all_records(include_incomplete=True):
        kind, name = record.record_type, record.original_customer_class
        if record.node > len(network["station"]) or name == BREAKDOWN:
            continue
        station = network["station"][record.node - 1]
        at = station["name"], name
        end = until if kind == "incomplete" else record.exit_date
        if kind in figures and end >= warmup:
            sums[*at, figures[kind]] += 1 / (until - warmup)
        if kind == "renege" and end >= warmup:
            means[*at, "patience"].append(record.waiting_time)
        if kind in ("service", "renege", "incomplete"):
            sums[*at, "present"] += max(0.0, end - max(record.arrival_date, warmup)) / (until - warmup)
        begun = record.service_start_date if kind in ("service", "incomplete") else None
        if begun and begun >= warmup and not interrupts(station):
            means[*at, "waiting"].append(begun - record.arrival_date)
    return sums | {figure: sum(values) / len(values) for figure, values in means.items()}, cpu


def line_law(law: str | None) -> line.Distribution:
    """A law in LINE."""
    match numbers(law) if law else None:
        case None:
            return line.Disabled()
        case "exponential", [mean]:
            return line.Exp(1 / mean)
        case "uniform", [low, high]:
            return line.Uniform(low, high)
        case "erlang", [k, mean]:
            return line.Erlang(k / mean, int(k))
        case "hyperexponential", [p, a, b]:
            return line.HyperExp(p, 1 / a, 1 / b)
    raise ValueError(f"{law}: no law of LINE")


def strategy(station: dict) -> line.SchedStrategy:
    """LINE has a strategy for each pair of a discipline and whether priorities count."""
    names = {"fcfs": "HOL", "lcfs": "LCFSPRIO", "siro": "SIRO", "sjf": "SJF", "lcfs-preemptive": "LCFSPRPRIO"}
    return line.SchedStrategy["FCFSPRPRIO" if "preemptive" in station else names[station.get("discipline", "fcfs")]]


def in_line(network: dict, until: float, warmup: float, seed: int, completions: float) -> tuple[Count, float]:
    """A run of LINE's `ldes` as long as so many completions take, and the CPU seconds of its process. Of its figures those two that
    it takes from the time after the warm-up are comparable: tokens present and throughput."""
    model = line.Network("network")
    source, sink = line.Source(model, "source"), line.Sink(model, "sink")
    classes = {each["name"]: line.OpenClass(model, each["name"], each.get("priority", 0)) for each in network["class"]}
    queues, nodes = [], {each["name"]: sink for each in network["sink"]}
    for station in network["station"]:
        infinite = station.get("servers") == "infinite"
        queue = (
            line.Delay(model, station["name"]) if infinite else line.Queue(model, station["name"], strategy(station))
        )
        queues.append(queue)
        nodes[station["name"]] = queue
        if not infinite:
            queue.set_number_of_servers(station.get("servers", 1))
        if "capacity" in station:
            queue.set_capacity(station["capacity"])
        if "failures" in station:
            queue.set_breakdown(line_law(station["failures"]["up"]), line_law(station["failures"]["down"]))
        for name, each in classes.items():
            queue.set_service(each, line_law(of_class(station, name, "service")))
            if "capacity" in station:
                queue.set_drop_rule(each, line.DropStrategy.DROP)
            if patience := of_class(station, name, "patience"):
                queue.set_patience(each, line_law(patience))
            if "balking" in station:
                shares = list(enumerate(station["balking"]))
                steps = [(n, n if n < len(shares) - 1 else math.inf, share) for n, share in shares if share]
                queue.set_balking(each, line.BalkingStrategy.QUEUE_LENGTH, steps)
    routing = model.init_routing_matrix()
    for name, each in classes.items():
        mine = [one for one in network["source"] if one.get("class", network["class"][0]["name"]) == name]
        source.set_arrival(each, line_law(None))
        for one in mine:
            law = line_law(one.get("interval"))
            if "rates" in one:
                times, rates = zip(*one["rates"])
                law = line.NHPP([*times, one["period"]], list(rates))
            source.set_arrival(each, law)
            routing.set(each, each, source, nodes[one["to"]], 1.0)
            if "batch" in one:
                source.set_arrival_batch(each, line.DiscreteSampler(one["batch"]))
        ways = InCiw(network, until)
        for station, queue in zip(network["station"], queues):
            for route in ways.routes(station, name):
                after = classes[route.get("becomes", name)]
                routing.set(each, after, queue, nodes[route["to"]], route.get("probability", 1.0))
    # It prints which class goes first.
    with contextlib.redirect_stdout(io.StringIO()):
        model.link(routing)
        solver = line.LDES(
            model,
            samples=round(completions),
            seed=seed,
            tranfilter="fixed",
            warmupfrac=warmup / until,
            cimethod="none",
            verbose="silent",
        )
        cpu, _ = timed(solver.runAnalyzer, resource.RUSAGE_CHILDREN)
    count = {}
    for s, station in enumerate(network["station"], 1):
        for c, name in enumerate(classes):
            count[station["name"], name, "present"] = float(solver.result.QN[s, c])
            count[station["name"], name, "throughput"] = float(solver.result.TN[s, c])
    return count, cpu
