"""Optuna: how many servers, and room for how many? Trials are asked for and told in batches, of which each is one run.

pip install tickless optuna
"""

import optuna

import tickless as tl


def main(trials: int = 200, batch: int = 20, replications: int = 50) -> dict[str, int]:
    """The numbers of servers and places with the least cost."""
    network = (
        tl.Builder(until=600, warmup=60, unit="min", currency="EUR")
        .source(name="street", interval="exponential:1", to="desk")
        .station(name="desk", service="exponential:4", cost={"server": 1, "waiting": 0.5, "lost": 8})
        .sink(name="home")
        .route(from_="desk", to="home")
        .network()
    )
    simulate = tl.simulator(
        network, ["station.desk.servers", "station.desk.capacity"], ["cost"], replications=replications
    )
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    # Trials of a batch know nothing of each other's costs; the liar keeps them apart.
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1, constant_liar=True))
    for _ in range(trials // batch):
        asked = [study.ask() for _ in range(batch)]
        points = []
        for trial in asked:
            servers = trial.suggest_int("servers", 1, 12)
            points.append([servers, servers + trial.suggest_int("places", 0, 20)])
        costs, _ = simulate(points)
        for trial, cost in zip(asked, costs[:, 0], strict=True):
            study.tell(trial, cost)
    print(f"{study.best_params}: {study.best_value:.2f} EUR a minute")
    return dict(study.best_params)


if __name__ == "__main__":
    main()
