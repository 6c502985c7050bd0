"""SALib: which input matters how much? Sobol indices from one run of all points.

pip install tickless SALib
"""

import numpy as np
from numpy.typing import NDArray
from SALib.analyze import sobol
from SALib.sample import sobol as sample

import tickless as tl

NAMES = ["mean interval", "mean service time", "way home"]
PROBLEM = {
    "num_vars": 3,
    "names": NAMES,
    "bounds": [[1.5, 2.5], [0.9, 1.1], [0, 1]],
}


def main(points: int = 256, replications: int = 50, until: float = 2000) -> NDArray[np.float64]:
    """The first-order indices of the time in the network."""
    network = (
        tl.Builder(until=until, warmup=until / 10, unit="min")
        .source(name="street", interval="exponential:2", to="desk")
        .station(name="desk", service="exponential:1")
        .sink(name="home")
        .route(from_="desk", to="home", delay=0)
        .network()
    )
    simulate = tl.simulator(
        network,
        inputs=["source.street.interval = exponential:{}", "station.desk.service = exponential:{}", "route.desk.home.delay"],
        outputs=["sink.home.mean_time_in_network"],
        replications=replications,
    )
    theta = sample.sample(PROBLEM, points, calc_second_order=False, seed=1)
    times, _ = simulate(theta)
    indices = sobol.analyze(PROBLEM, times[:, 0], calc_second_order=False, seed=1)
    for name, first, total in zip(NAMES, indices["S1"], indices["ST"], strict=True):
        print(f"{name}: {first:.2f} alone, {total:.2f} with all others")
    return np.asarray(indices["S1"])


if __name__ == "__main__":
    main()
