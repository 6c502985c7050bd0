"""sbi: how long do services take, given how long people waited? The posterior from simulations alone.

pip install tickless sbi
"""

import torch
from sbi.inference import NPE
from sbi.utils import BoxUniform

import tickless as tl

#: The mean service time with which the observation is made, in minutes: what is to be found again.
TRUE = 1.5


def main(simulations: int = 1000, until: float = 1000) -> tuple[float, float]:
    """The interval that has 95 % of the posterior of the mean service time."""
    network = (
        tl.Builder(until=until, unit="min", token="patient", distributions=True)
        .source(name="street", interval="exponential:2", to="desk")
        .station(name="desk", service="exponential:1")
        .sink(name="home")
        .route(from_="desk", to="home")
        .network()
    )
    # What is observed: waits of one day. So each point has one replication, with random numbers of its own.
    simulate = tl.simulator(
        network,
        inputs=["station.desk.service = exponential:{}"],
        outputs=["station.desk.mean_waiting_time", "station.desk.waiting_quantile.0.5", "station.desk.waiting_quantile.0.9"],
        replications=1,
    )
    torch.manual_seed(1)
    prior = BoxUniform(torch.tensor([0.5]), torch.tensor([1.9]))
    theta = prior.sample((simulations,))
    waits, _ = simulate(theta.numpy(), seed=1, common=False)
    observed, _ = simulate([TRUE], seed=2)
    inference = NPE(prior, density_estimator="mdn").append_simulations(theta, torch.from_numpy(waits).float())
    inference.train()
    posterior = inference.build_posterior()
    samples = posterior.sample((2000,), x=torch.from_numpy(observed).float(), show_progress_bars=False)
    low, high = samples[:, 0].quantile(torch.tensor([0.025, 0.975])).tolist()
    print(f"mean wait {observed[0]:.2f} min: the mean service time is {low:.2f} to {high:.2f} min; it was {TRUE}")
    return low, high


if __name__ == "__main__":
    main()
