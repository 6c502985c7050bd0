"""scipy.optimize: how fast shall two machines be? Each generation of differential evolution is one run.

pip install tickless scipy
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import differential_evolution

import tickless as tl

#: What a part in the network costs a minute, and what a machine costs a minute for each part that it could make in one.
PART, SPEED = 1.0, np.array([4.0, 1.0])


def main(generations: int = 40, replications: int = 50, until: float = 2000) -> NDArray[np.float64]:
    """The rates of both machines with the least cost."""
    network = (
        tl.Builder(until=until, warmup=until / 10, unit="min", token="part")
        .source(name="store", interval="exponential:1", to="saw")
        .station(name="saw", service="exponential:0.5")
        .station(name="mill", service="exponential:0.5")
        .sink(name="shipped")
        .route(from_="saw", to="mill")
        .route(from_="mill", to="shipped")
        .network()
    )
    simulate = tl.simulator(
        network,
        inputs=["station.saw.service = exponential:{}", "station.mill.service = exponential:{}"],
        outputs=["network.mean_present"],
        replications=replications,
    )

    def costs(rates: NDArray[np.float64]) -> NDArray[np.float64]:
        """By columns: one for each point. All have the same random numbers, so that the function has no noise."""
        present, _ = simulate(1 / rates.T)
        return PART * present[:, 0] + SPEED @ rates

    found = differential_evolution(
        costs,
        bounds=[(1.1, 5), (1.1, 5)],
        vectorized=True,
        updating="deferred",
        popsize=10,
        maxiter=generations,
        polish=False,
        rng=1,
    )
    print(f"{found.x[0]:.2f} and {found.x[1]:.2f} parts a minute: {found.fun:.2f} a minute")
    return np.asarray(found.x)


if __name__ == "__main__":
    main()
