"""Recipes on small numbers, held against what theory says of their networks."""

import math
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

RECIPES = Path(__file__).parents[1] / "recipes"


def names_of(package: str) -> dict[str, Any]:
    """What a recipe has, where its package is there."""
    pytest.importorskip(package, reason=f"{package} is not installed; it is too large for CI where it needs torch")
    return runpy.run_path(str(RECIPES / f"with_{package.lower()}.py"))


def recipe(package: str) -> Any:
    """What it runs."""
    return names_of(package)["main"]


def of_queue(arrivals: float, service: float, servers: int, room: int = 400) -> tuple[float, float]:
    """The mean number that wait, and the probability that the room is full, of the queue M/M/c/K."""
    offered = arrivals * service
    weights = [1.0]
    for present in range(1, room + 1):
        weights.append(weights[-1] * offered / min(present, servers))
    waiting = sum((present - servers) * weights[present] for present in range(servers, room + 1))
    return waiting / sum(weights), weights[-1] / sum(weights)


def cost_of_machines(saw: float, mill: float) -> float:
    """Of the recipes with two machines, by their rates: two queues M/M/1."""
    return 1 / (saw - 1) + 1 / (mill - 1) + 4 * saw + mill


def test_optuna_finds_the_cheapest_desk() -> None:
    found = recipe("optuna")(trials=60, batch=15, replications=10)

    def cost(servers: int, places: int) -> float:
        waiting, full = of_queue(1, 4, servers, servers + places)
        return servers + 0.5 * waiting + 8 * full

    best = min(cost(servers, places) for servers in range(1, 13) for places in range(21))
    assert cost(**found) < 1.02 * best


def test_salib_finds_what_matters() -> None:
    first = recipe("SALib")(points=128, replications=4, until=300)
    # The time is 1 / (1 / service - 1 / interval) and the way home: its variance, and those of what is expected given an input.
    interval, service = np.meshgrid(np.linspace(1.5, 2.5, 201), np.linspace(0.9, 1.1, 201), indexing="ij")
    time = 1 / (1 / service - 1 / interval)
    shares = np.array([time.mean(axis=1).var(), time.mean(axis=0).var(), 1 / 12]) / (time.var() + 1 / 12)
    assert np.allclose(first, shares, atol=0.12), (first, shares)
    assert first.argmax() == 0 and 0.85 < first.sum() < 1.05


def test_scipy_finds_the_cheapest_machines() -> None:
    found = recipe("scipy")(generations=10, replications=5, until=600)
    assert cost_of_machines(*found) < 1.02 * cost_of_machines(1.5, 2)


def test_pymoo_finds_the_front() -> None:
    staff, objectives = recipe("pymoo")(generations=6, replications=5, until=1000)
    assert len(staff) > 5 and (np.diff(objectives[:, 0]) > 0).all() and (np.diff(objectives[:, 1]) < 0).all()

    def time(nurses: int, doctors: int) -> float:
        waiting = of_queue(1 / 5, 7, nurses)[0] + of_queue(1 / 5, 12, doctors)[0]
        return 7 + 12 + 5 * waiting

    numbers = [(nurses, doctors) for nurses in range(2, 8) for doctors in range(3, 9)]
    for (nurses, doctors), (cost, _) in zip(staff, objectives, strict=True):
        best = min(time(*other) for other in numbers if 30 * other[0] + 90 * other[1] <= cost)
        assert time(nurses, doctors) < 1.05 * best, (nurses, doctors)


def test_botorch_finds_the_cheapest_machines() -> None:
    found = recipe("botorch")(rounds=4, batch=6, replications=10)
    assert cost_of_machines(*found) < 1.05 * cost_of_machines(1.5, 2)


def test_sbi_finds_the_service_time() -> None:
    low, high = recipe("sbi")(simulations=400)
    assert low < 1.5 < high and high - low < 0.7


def test_gymnasium_costs_what_theory_says() -> None:
    recipe = names_of("gymnasium")
    # Who goes on to the second server is served first, like in a queue M/M/1; so is who goes there, and all at the first server together.
    mean, half = recipe["mean_cost"](recipe["criss_cross"](0.4), recipe["c_mu"], 400, 100, backend="heap")
    assert half < 0.05 and abs(mean - (0.4 / 0.6 + 0.4 / 0.6)) < 2 * half
    costs = recipe["main"](until=300, copies=60, backend="heap")
    mean, half = costs["re_entrant", "c_mu"]
    # At least those in service are there, by the law of Little.
    assert mean > 9 / 140 * (8 + 4 + 2 + 6 + 1 + 7)
    assert len(costs) == 4


def test_theory() -> None:
    # Erlang's C and B of two servers with one offered: a third waits in the mean, and one in five is lost.
    assert math.isclose(of_queue(1, 1, 2)[0], 1 / 3) and math.isclose(of_queue(1, 1, 2, 2)[1], 1 / 5)
