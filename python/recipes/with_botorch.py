"""BoTorch: how fast shall two machines be, with few runs? Each has its own standard error, which the model is told.

pip install tickless botorch
"""

import numpy as np
import torch
from botorch.acquisition.logei import qLogNoisyExpectedImprovement
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from botorch.models.transforms import Normalize, Standardize
from botorch.optim import optimize_acqf
from botorch.utils.sampling import draw_sobol_samples
from gpytorch.mlls import ExactMarginalLogLikelihood
from numpy.typing import NDArray

import tickless as tl

#: What a part in the network costs a minute, and what a machine costs a minute for each part that it could make in one.
PART, SPEED = 1.0, np.array([4.0, 1.0])
BOUNDS = torch.tensor([[1.1, 1.1], [5.0, 5.0]], dtype=torch.float64)


def main(rounds: int = 6, batch: int = 8, replications: int = 20, until: float = 2000) -> NDArray[np.float64]:
    """The rates of both machines with the least cost, as far as the model knows."""
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

    def measured(rates: torch.Tensor, seed: int) -> list[torch.Tensor]:
        """What is to be large, and its variance: of logarithms, as lines grow steeply. Errors are independent, as the model takes them."""
        present, error = simulate(1 / rates.numpy(), seed=seed, common=False)
        costs = PART * present + rates.numpy() @ SPEED[:, None]
        return [torch.from_numpy(-np.log(costs)), torch.from_numpy((PART * error / costs) ** 2)]

    def model() -> SingleTaskGP:
        made = SingleTaskGP(X, Y, train_Yvar=variance, input_transform=Normalize(2), outcome_transform=Standardize(1))
        fit_gpytorch_mll(ExactMarginalLogLikelihood(made.likelihood, made))
        return made

    torch.manual_seed(1)
    X = draw_sobol_samples(BOUNDS, n=batch, q=1, seed=1).squeeze(1)
    Y, variance = measured(X, seed=1)
    for number in range(1, rounds):
        improvement = qLogNoisyExpectedImprovement(model(), X_baseline=X)
        asked, _ = optimize_acqf(improvement, BOUNDS, q=batch, num_restarts=4, raw_samples=64, sequential=True)
        more, of_more = measured(asked, seed=1 + number)
        X, Y, variance = torch.cat([X, asked]), torch.cat([Y, more]), torch.cat([variance, of_more])
    best = X[model().posterior(X).mean.argmax()].numpy()
    print(f"{best[0]:.2f} and {best[1]:.2f} parts a minute, from {len(X)} points")
    return np.asarray(best)


if __name__ == "__main__":
    main()
