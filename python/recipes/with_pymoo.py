"""pymoo: what do fewer servers cost in time? The front of two objectives; each generation is one run.

pip install tickless pymoo
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.problem import Problem
from pymoo.operators.crossover.sbx import SBX
from pymoo.operators.mutation.pm import PM
from pymoo.operators.repair.rounding import RoundingRepair
from pymoo.operators.sampling.rnd import IntegerRandomSampling
from pymoo.optimize import minimize

import tickless as tl

#: What a nurse and a doctor cost an hour.
WAGES = np.array([30.0, 90.0])


class Staff(Problem):  # type: ignore[misc]
    """Nurses and doctors of a practice: what they cost, and the patients' time."""

    def __init__(self, replications: int, until: float) -> None:
        super().__init__(n_var=2, n_obj=2, xl=[2, 3], xu=[7, 8], vtype=int)
        network = (
            tl.Builder(until=until, warmup=until / 10, unit="min", token="patient")
            .source(name="street", interval="exponential:5", to="nurse")
            .station(name="nurse", service="exponential:7")
            .station(name="doctor", service="exponential:12")
            .sink(name="home")
            .route(from_="nurse", to="doctor")
            .route(from_="doctor", to="home")
            .network()
        )
        inputs, outputs = ["station.nurse.servers", "station.doctor.servers"], ["sink.home.mean_time_in_network"]
        self.simulate = tl.simulator(network, inputs, outputs, replications=replications)

    def _evaluate(self, x: NDArray[np.int64], out: dict[str, Any], *_: object, **__: object) -> None:
        times = self.simulate(x)[0]
        out["F"] = np.column_stack([x @ WAGES, times])


def main(generations: int = 20, replications: int = 50, until: float = 5000) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Numbers of nurses and doctors that no others beat in both, with their costs and times."""
    operators = {
        "sampling": IntegerRandomSampling(),
        "crossover": SBX(prob=1.0, eta=3.0, vtype=float, repair=RoundingRepair()),
        "mutation": PM(prob=1.0, eta=3.0, vtype=float, repair=RoundingRepair()),
    }
    algorithm = NSGA2(pop_size=24, eliminate_duplicates=True, **operators)
    found = minimize(Staff(replications, until), algorithm, ("n_gen", generations), seed=1)
    order = np.argsort(found.F[:, 0])
    for (nurses, doctors), (cost, time) in zip(found.X[order].tolist(), found.F[order].tolist(), strict=True):
        print(f"{nurses} nurses, {doctors} doctors: {cost:.0f} an hour, {time:.1f} min")
    return found.X[order], found.F[order]


if __name__ == "__main__":
    main()
