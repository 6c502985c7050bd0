"""examples/networks/emergency.toml in SimPy and in Ciw, beside tickless: figures, and completions by CPU second.

    python emergency.py TICKLESS [--rounds 3] [--until 100000]

Both models are the file's: urgent patients are seen first, standard ones balk by the number at the physicians and leave when they have
waited too long. Peers run on one core; the rate counts services that ended, from time 0 on. LINE's `ldes` refuses patience.
"""

import argparse
import json
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Generator

import ciw
import simpy
from scipy import stats

from network import timed
from vocabulary_peers import InCiw

FILE = pathlib.Path(__file__).parents[2] / "examples/networks/emergency.toml"
Figures = dict[str, float]


class Department:
    """The department in SimPy: a process a patient."""

    def __init__(self, network: dict) -> None:
        self.env = simpy.Environment()
        stations = {station["name"]: station for station in network["station"]}
        self.balking = stations["physician"]["balking"]
        self.triage = simpy.Resource(self.env, stations["triage"]["servers"])
        self.physician = simpy.PriorityResource(self.env, stations["physician"]["servers"])
        self.clear()
        for urgent, mean in ((True, 40), (False, 9)):
            self.env.process(self.source(urgent, mean))

    def clear(self) -> None:
        """Counts anew."""
        self.count = defaultdict(int)
        self.waited = defaultdict(float)

    def source(self, urgent: bool, mean: float) -> Generator[simpy.Event]:
        """Patients from outside."""
        while True:
            yield self.env.timeout(random.expovariate(1 / mean))
            self.env.process(self.patient(urgent))

    def patient(self, urgent: bool) -> Generator[simpy.Event]:
        """A patient on the way through the department."""
        env = self.env
        if not urgent:
            with self.triage.request() as request:
                yield request
                yield env.timeout(random.expovariate(1 / 4))
            self.count["triage"] += 1
        while True:
            present = self.physician.count + len(self.physician.queue)
            if random.random() < self.balking[min(present, len(self.balking) - 1)]:
                self.count["balked"] += 1
                return
            arrived = env.now
            with self.physician.request(priority=0 if urgent else 1) as request:
                if urgent:
                    yield request
                else:
                    yield request | env.timeout(random.expovariate(1 / 240))
                    if not request.triggered:
                        self.count["reneged"] += 1
                        return
                who = "urgent" if urgent else "standard"
                self.count[f"begun {who}"] += 1
                self.waited[who] += env.now - arrived
                mean = 35 if urgent else 22
                yield env.timeout(random.gammavariate(2, mean / 2))
            self.count["physician"] += 1
            if random.random() >= 0.3:
                return
            yield env.timeout(random.uniform(10, 30))
            self.count["tests"] += 1
            yield env.timeout(5)


def figures(count: dict, waited: dict, measured: float) -> Figures:
    """What all three say."""
    return {
        "waiting, urgent": waited["urgent"] / count["begun urgent"],
        "waiting, standard": waited["standard"] / count["begun standard"],
        "balked": count["balked"] / measured,
        "reneged": count["reneged"] / measured,
        "seen": count["physician"] / measured,
    }


def in_simpy(network: dict, until: float, warmup: float, seed: int) -> tuple[Figures, float]:
    """Figures, and completions a CPU second."""
    random.seed(seed)
    department = Department(network)
    cpu, _ = timed(lambda: department.env.run(until=warmup))
    completions = sum(department.count[name] for name in ("triage", "physician", "tests"))
    department.clear()
    more, _ = timed(lambda: department.env.run(until=until))
    completions += sum(department.count[name] for name in ("triage", "physician", "tests"))
    return figures(department.count, department.waited, until - warmup), completions / (cpu + more)


class Balking(ciw.routing.NodeRouting):
    """Ciw balks those from outside alone: from another node it is the route that leads out."""

    def __init__(self, ways: dict[int, float], physician: int, shares: list[float]):
        self.ways, self.physician, self.shares, self.balked = ways, physician, shares, []

    def next_node(self, ind: ciw.Individual) -> ciw.Node:
        """Where to after a service."""
        to = ciw.random_choice(list(self.ways), list(self.ways.values()))
        if to == self.physician:
            present = self.simulation.nodes[to].number_of_individuals
            if random.random() < self.shares[min(present, len(self.shares) - 1)]:
                self.balked.append(self.simulation.current_time)
                to = -1
        return self.simulation.nodes[to]

    def next_node_for_jockeying(self, _: ciw.Individual) -> ciw.Node:
        """Where to after reneging."""
        return self.simulation.nodes[-1]


def in_ciw(network: dict, until: float, warmup: float, seed: int) -> tuple[Figures, float]:
    """The same in Ciw. Its tests take the way back, 5 minutes, with them."""
    ciw.seed(seed)
    urgent, standard = "urgent", "standard"
    exponential, erlang = ciw.dists.Exponential, lambda mean: ciw.dists.Gamma(2, mean / 2)
    shares = network["station"][1]["balking"]
    balk = lambda n, **_: shares[min(n, len(shares) - 1)]
    routers = [Balking({2: 1.0}, 2, shares), Balking({3: 0.3, -1: 0.7}, 2, shares), Balking({2: 1.0}, 2, shares)]
    same = lambda *each: {urgent: list(each), standard: list(each)}
    tests = ciw.dists.Uniform(15, 35)
    model = ciw.create_network(
        arrival_distributions={urgent: [None, exponential(1 / 40), None], standard: [exponential(1 / 9), None, None]},
        service_distributions={urgent: [exponential(1 / 4), erlang(35), tests], standard: [exponential(1 / 4), erlang(22), tests]},
        reneging_time_distributions={urgent: [None] * 3, standard: [None, exponential(1 / 240), None]},
        baulking_functions=same(None, balk, None),
        routing={name: ciw.routing.NetworkRouting(routers) for name in (urgent, standard)},
        number_of_servers=[2, 4, float("inf")],
        priority_classes={urgent: 0, standard: 1},
    )
    simulation = ciw.Simulation(model)
    cpu, _ = timed(lambda: simulation.simulate_until_max_time(until))
    count, waited, completions = defaultdict(int), defaultdict(float), 0
    for record in simulation.get_all_records():
        completions += record.record_type == "service"
        if record.node != 2:
            continue
        end, who = record.exit_date, record.customer_class
        if record.record_type == "service" and end >= warmup:
            count["physician"] += 1
        if record.record_type == "service" and record.service_start_date >= warmup:
            count[f"begun {who}"] += 1
            waited[who] += record.waiting_time
        count["balked"] += record.record_type == "baulk" and end >= warmup
        count["reneged"] += record.record_type == "renege" and end >= warmup
    count["balked"] += sum(time >= warmup for router in routers for time in router.balked)
    return figures(count, waited, until - warmup), completions / cpu


def in_tickless(command: str, until: float, warmup: float, seed: int) -> tuple[Figures, float]:
    """The same by the command on one core: the CPU time of the whole process."""
    run = [command, "network", FILE, f"--until={until}", f"--warmup={warmup}", f"--seed={seed}", "--backend=heap", "--format=json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    at = {(each["station"], each["class"]): each for each in result["classes"]}
    seen = [at["physician", name] for name in ("urgent", "standard")]
    measured = until - warmup
    return {
        "waiting, urgent": seen[0]["mean_waiting_time"],
        "waiting, standard": seen[1]["mean_waiting_time"],
        "balked": sum(each["balked"] for each in seen) / measured,
        "reneged": sum(each["reneged"] for each in seen) / measured,
        "seen": sum(each["throughput"] for each in seen),
    }, result["completions"] / cpu


def main() -> None:
    """Tables of figures and of rates; fails where a figure is outside."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("tickless")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--until", type=float, default=100_000.0)
    given = arguments.parse_args()
    network = tomllib.loads(FILE.read_text())
    warmup = given.until / 20
    sides = {"tickless": [], "SimPy": [], "Ciw": []}
    for seed in range(1, given.rounds + 1):
        # Ours is so long that the start of the process does not count.
        sides["tickless"].append(in_tickless(given.tickless, 20 * given.until, 20 * warmup, seed))
        sides["SimPy"].append(in_simpy(network, given.until, warmup, seed))
        sides["Ciw"].append(in_ciw(network, given.until, warmup, seed))
    outside = 0
    print("| figure | " + " | ".join(sides) + " |\n|---|---|---|---|")
    for figure in sides["tickless"][0][0]:
        values = {name: [found[figure] for found, _ in runs] for name, runs in sides.items()}
        mean = {name: statistics.mean(each) for name, each in values.items()}
        quantile = stats.t.ppf(0.995, given.rounds - 1)
        half = {name: quantile * statistics.stdev(each) / len(each) ** 0.5 for name, each in values.items()}
        for name in ("SimPy", "Ciw"):
            outside += abs(mean[name] - mean["tickless"]) > (half[name] ** 2 + half["tickless"] ** 2) ** 0.5
        print(f"| {figure} | " + " | ".join(f"{mean[name]:.5g} ± {half[name]:.2g}" for name in sides) + " |")
    rate = {name: statistics.median(speed for _, speed in runs) for name, runs in sides.items()}
    print("\n| | completions a CPU second | tickless to that |\n|---|---|---|")
    for name, speed in rate.items():
        print(f"| {name} | {speed:,.0f} | {rate['tickless'] / speed:.0f} |")
    if outside:
        sys.exit(f"{outside} figures are outside")


if __name__ == "__main__":
    main()
