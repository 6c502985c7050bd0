"""gymnasium: problems of QGym, and what the c-mu rule and max-pressure cost in them.

A problem has the matrices of a QGym file: which server serves which queue, at which rate; rates of arrivals; what a token costs a time
unit; and what an arrival and a service of each queue do to the queues.

pip install "tickless[gym]"
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tickless as tl
from tickless.gym import NetworkEnv

#: Of each server and queue: who is served first, by what is present.
Policy = Callable[["Problem", NDArray[Any]], NDArray[Any]]


class Problem(NamedTuple):
    """Queues and servers; `network` and `mu` have a line a server, `changes` one an arrival and then one a service, for each queue."""

    network: NDArray[np.float64]
    mu: NDArray[np.float64]
    lam: NDArray[np.float64]
    h: NDArray[np.float64]
    changes: NDArray[np.float64]

    def env(self, until: float, num_envs: int, **others: Any) -> NetworkEnv:
        """Each queue is a station, on duty while a server works on it; a decision follows each arrival and service."""
        if (self.network.sum(axis=0) != 1).any():
            raise ValueError("a queue has several servers; it must have one: a station has one law of service")
        names = [f"queue {number}" for number in range(len(self.h))]
        arrivals, services = np.split(self.changes, 2)
        builder = tl.Builder(until=until).sink(name="out")
        for name, rate, arrival, service in zip(names, self.mu.max(axis=0), arrivals, services, strict=True):
            builder.station(name=name, service=f"exponential:{1 / rate}")
            builder.route(from_=name, to=names[service.argmax()] if service.max() > 0 else "out")
            # Sources of arrivals that change nothing fill a line of a QGym file.
            if arrival.any():
                place = int(arrival.argmax())
                builder.source(name=f"to {name}", interval=f"exponential:{1 / self.lam[place]}", to=names[place])
        return NetworkEnv(
            builder.network(),
            decisions=[f"station.{name}.servers" for name in names],
            observe=[f"station.{name}.present" for name in names],
            reward={f"station.{name}.present": -cost for name, cost in zip(names, self.h.tolist(), strict=True)},
            every="event",
            interrupt=True,
            num_envs=num_envs,
            **others,
        )

    def actions(self, policy: Policy, present: NDArray[Any]) -> NDArray[np.int64]:
        """Each server works on the queue of the highest index, if that is not below 0 and somebody is there."""
        allowed = (self.network > 0) & (present[:, None, :] > 0)
        index = np.where(allowed, policy(self, present), -1)
        best = index.argmax(axis=2)
        works = index.max(axis=2) >= 0
        actions = np.zeros(present.shape, dtype=np.int64)
        for server in range(len(self.network)):
            actions[np.arange(len(present)), best[:, server]] |= works[:, server]
        return actions


def c_mu(problem: Problem, present: NDArray[Any]) -> NDArray[Any]:
    """Who costs most and is served soonest."""
    return np.broadcast_to(problem.h * problem.mu, (len(present), *problem.mu.shape))


def max_pressure(problem: Problem, present: NDArray[Any]) -> NDArray[Any]:
    """Who costs more here than where the service leads, at the rate of the service."""
    services = np.split(problem.changes, 2)[1]
    return problem.mu * (-(present * problem.h) @ services.T)[:, None, :]


def criss_cross(arrivals: float = 0.9) -> Problem:
    """Two kinds arrive at one server; one of them goes on to another server."""
    changes = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 1], [-1, 1, 0], [0, -1, 0], [0, 0, -1]], dtype=float)
    mu = np.array([[2.0, 0, 2], [0, 1, 0]])
    return Problem((mu > 0).astype(float), mu, np.array([arrivals, 0, arrivals]), np.ones(3), changes)


def re_entrant() -> Problem:
    """Two kinds visit two servers in turn, one of them three times."""
    mu = np.array([[1 / 8, 1 / 2, 1 / 4, 0, 0, 0], [0, 0, 0, 1 / 6, 1 / 7, 1]])
    arrivals, services = np.zeros((6, 6)), -np.eye(6)
    for queue in (0, 2):
        arrivals[queue, queue] = 1
    for queue, after in ((0, 3), (1, 4), (2, 5), (3, 1)):
        services[queue, after] = 1
    lam = np.where(arrivals.any(axis=1), 9 / 140, 0)
    return Problem((mu > 0).astype(float), mu, lam, np.ones(6), np.concatenate([arrivals, services]))


def mean_cost(problem: Problem, policy: Policy, until: float, copies: int, **others: Any) -> tuple[float, float]:
    """The mean cost a time unit of copies that begin empty, and half of its 95 % interval."""
    env = problem.env(until, copies, **others)
    present, _ = env.reset()
    cost, running = np.zeros(copies), np.ones(copies, dtype=bool)
    while running.any():
        present, rewards, _, ended, _ = env.step(problem.actions(policy, present))
        cost -= rewards * running
        running &= ~ended
    return float(cost.mean() / until), float(1.96 * cost.std(ddof=1) / np.sqrt(copies) / until)


def main(until: float = 1000, copies: int = 200, backend: str = "auto") -> dict[tuple[str, str], tuple[float, float]]:
    """The costs of both rules in two problems."""
    costs = {}
    for problem in (criss_cross, re_entrant):
        for policy in (c_mu, max_pressure):
            mean, half = mean_cost(problem(), policy, until, copies, backend=backend)
            costs[problem.__name__, policy.__name__] = mean, half
            print(f"{problem.__name__}, {policy.__name__}: {mean:.2f} ± {half:.2f} a time unit")
    return costs


if __name__ == "__main__":
    main()
