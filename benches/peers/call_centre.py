"""examples/networks/call-centre.toml in SimPy, beside tickless: whether the figures agree.

    python call_centre.py TICKLESS [--rounds 20] [--until 50000] [--self-test]

Calls come by rates of the hour, agents by shifts; who hangs up waits a while and calls again, or does not. All numbers are read from the file.
"""

import argparse
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tomllib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Generator

import simpy
from scipy import stats

FILE = pathlib.Path(__file__).parents[2] / "examples/networks/call-centre.toml"


def draw(law: str) -> float:
    """A time of a law of the file."""
    kind, numbers = law.split(":")
    *stages, mean = (float(number) for number in numbers.split(","))
    return random.expovariate(1 / mean) if kind == "exponential" else random.gammavariate(stages[0], mean / stages[0])


def step(steps: list, time: float) -> float:
    """What holds at a time of the period."""
    return steps[bisect_right([begin for begin, _ in steps], time) - 1][1]


class Centre:
    """The centre in SimPy: a process a call."""

    def __init__(self, network: dict) -> None:
        self.env = simpy.Environment()
        stations = {station["name"]: station for station in network["station"]}
        self.agents, self.pause = stations["agents"], stations["pause"]
        self.own = {each["name"]: self.agents | each for each in self.agents["class"]}
        self.priority = {each["name"]: each["priority"] for each in network["class"]}
        self.back = sum(route["probability"] for route in network["route"] if (route["from"], route["to"]) == ("pause", "agents"))
        self.servers = simpy.PriorityResource(self.env, self.agents["shifts"][0][1])
        self.clear()
        self.env.process(self.shifts())
        for source in network["source"]:
            self.env.process(self.source(source))

    def clear(self) -> None:
        """Counts anew."""
        self.count, self.waited = defaultdict(int), defaultdict(float)

    def shifts(self) -> Generator[simpy.Event]:
        """Agents come and go: who is served at the end of a shift is served to the end. SimPy has no call for that."""
        times, period = self.agents["shifts"], self.agents["period"]
        while True:
            begin = self.env.now
            for time, servers in times:
                yield self.env.timeout(begin + time - self.env.now)
                self.servers._capacity = servers
                # One call a time.
                while self.servers.queue and self.servers.count < servers:
                    self.servers._trigger_put(None)
            yield self.env.timeout(begin + period - self.env.now)

    def source(self, source: dict) -> Generator[simpy.Event]:
        """Calls by rates: some of those at the highest rate (thinning)."""
        most = max(rate for _, rate in source["rates"])
        while True:
            yield self.env.timeout(random.expovariate(most))
            if random.random() * most < step(source["rates"], self.env.now % source["period"]):
                self.env.process(self.call(source["class"]))

    def call(self, who: str) -> Generator[simpy.Event]:
        """A call, until it is served or gives up."""
        env, own = self.env, self.own.get(who, self.agents)
        while True:
            arrived = env.now
            with self.servers.request(priority=self.priority[who]) as request:
                yield request | env.timeout(draw(own["patience"]))
                if request.triggered:
                    self.count["begun", who] += 1
                    self.waited[who] += env.now - arrived
                    yield env.timeout(draw(own["service"]))
                    self.count["served", who] += 1
                    return
            self.count["reneged", who] += 1
            yield env.timeout(draw(self.pause["service"]))
            if random.random() >= self.back:
                self.count["lost", who] += 1
                return


def in_simpy(network: dict, until: float, warmup: float, seed: int) -> dict[str, float]:
    """Figures of SimPy."""
    random.seed(seed)
    centre = Centre(network)
    centre.env.run(until=warmup)
    centre.clear()
    centre.env.run(until=until)
    found = {}
    for who in centre.priority:
        found[f"waiting, {who}"] = centre.waited[who] / centre.count["begun", who]
        for what in ("served", "reneged", "lost"):
            found[f"{what}, {who}"] = centre.count[what, who] / (until - warmup)
    return found


def in_tickless(command: str, until: float, warmup: float, seed: int) -> dict[str, float]:
    """The same of the command."""
    run = [command, "network", FILE, f"--until={until}", f"--warmup={warmup}", f"--seed={seed}", "--backend=heap", "--format=json"]
    result = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)
    lost = {each["class"]: each["tokens"] for each in result["class_sinks"] if each["sink"] == "lost"}
    found = {}
    for each in (each for each in result["classes"] if each["station"] == "agents"):
        who = each["class"]
        found[f"waiting, {who}"] = each["mean_waiting_time"]
        counts = {"served": each["completions"], "reneged": each["reneged"], "lost": lost[who]}
        found |= {f"{what}, {who}": count / (until - warmup) for what, count in counts.items()}
    return found


def main() -> None:
    """A table of figures with 99 % intervals; fails where two are further apart than these allow."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("tickless")
    arguments.add_argument("--rounds", type=int, default=20)
    arguments.add_argument("--until", type=float, default=50_000.0)
    arguments.add_argument("--self-test", action="store_true", help="figures of SimPy are 1.3 times as large, and all must be outside")
    given = arguments.parse_args()
    network, warmup, rounds = tomllib.loads(FILE.read_text()), 1440.0, range(1, given.rounds + 1)
    sides = {
        "tickless": [in_tickless(given.tickless, given.until, warmup, seed) for seed in rounds],
        "SimPy": [in_simpy(network, given.until, warmup, seed) for seed in rounds],
    }
    if given.self_test:
        sides["SimPy"] = [{figure: 1.3 * value for figure, value in found.items()} for found in sides["SimPy"]]
    quantile, outside = stats.t.ppf(0.995, given.rounds - 1), 0
    print("| figure | " + " | ".join(sides) + " |\n|---|---|---|")
    for figure in sides["tickless"][0]:
        values = [[found[figure] for found in runs] for runs in sides.values()]
        means = [statistics.mean(each) for each in values]
        halves = [quantile * statistics.stdev(each) / len(each) ** 0.5 for each in values]
        outside += abs(means[0] - means[1]) > (halves[0] ** 2 + halves[1] ** 2) ** 0.5
        print(f"| {figure} | " + " | ".join(f"{mean:.5g} ± {half:.2g}" for mean, half in zip(means, halves)) + " |")
    if outside != (len(sides["tickless"][0]) if given.self_test else 0):
        sys.exit(f"{outside} figures are outside")


if __name__ == "__main__":
    main()
