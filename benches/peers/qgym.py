"""Problems of QGym in tickless.gym, beside QGym: whether their costs agree, and environment steps a second.

    python qgym.py QGYM [--until 1000] [--runs 160] [--copies 65536] [--backend cuda] [--device cuda] [--self-test]

QGYM is a checkout of github.com/namkoong-lab/QGym. Problems and rules are those of python/recipes/with_gymnasium.py; each rule decides at each
arrival and service in both. QGym's batch is a loop over environments of one copy each; its runs go to all processors for the costs, and the
rate is that of one process, and of all. `--self-test`: with another rate of one service the costs must not agree.
"""

import argparse
import multiprocessing
import os
import pathlib
import statistics
import sys
import time
import types

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python/recipes"))
import with_gymnasium as recipe  # noqa: E402

RULES = [recipe.c_mu, recipe.max_pressure]
PROBLEMS = [recipe.criss_cross, recipe.re_entrant]


#: What keeps QGym's environment on the host, and what lets it run on a GPU.
ON_A_GPU = {
    "a[0].detach().numpy()": "a[0].detach().cpu().numpy()",
    "torch.tensor([self.inv_eps])": "torch.tensor([self.inv_eps], device=self.device)",
}


def peer(folder: str) -> types.ModuleType:
    """QGym's environment. gym, which it names for a base class alone, need not be there."""
    gym = types.ModuleType("gym")
    gym.Env = object
    sys.modules.setdefault("gym", gym)
    for name in ["matplotlib", "matplotlib.pyplot"]:
        sys.modules.setdefault(name, types.ModuleType(name))
    module = types.ModuleType("qgym_env")
    source = (pathlib.Path(folder) / "main/env.py").read_text()
    for host, anywhere in ON_A_GPU.items():
        if host not in source:
            sys.exit(f"{folder} has no `{host}`: this program knows QGym as of 2025")
        source = source.replace(host, anywhere)
    exec(source, module.__dict__)
    return module


def peer_env(module, problem, seed: int, device: str):
    import torch

    tensor = lambda values: torch.tensor(np.asarray(values), dtype=torch.float32)
    with np.errstate(divide="ignore"):
        interval = np.where(problem.lam > 0, 1 / problem.lam, 1e6)
    count = len(problem.h)
    service = lambda env, now: torch.tensor(env.state.exponential(1, (1, count)), device=device)
    arrivals = lambda env, now: torch.tensor(env.state.exponential(1, (1, count)) * interval, device=device)
    return module.DiffDiscreteEventSystem(
        tensor(problem.network), tensor(problem.mu), problem.h.tolist(), service, arrivals,
        queue_event_options=tensor(problem.changes), seed=seed, device=device,
    )


def peer_action(problem, rule, queues, device: str):
    import torch

    actions = problem.actions(rule, queues.detach().cpu().numpy())
    return torch.tensor(problem.network * actions[:, None, :], dtype=torch.float32, device=device)


def peer_cost(arguments) -> float:
    """The mean cost of one run."""
    folder, problem, rule, until, seed = arguments
    import torch

    torch.set_num_threads(1)
    env = peer_env(peer(folder), PROBLEMS[problem](), seed, "cpu")
    problem, rule, cost, now = PROBLEMS[problem](), RULES[rule], 0.0, 0.0
    queues = env.obs.queues
    with torch.no_grad():
        while now < until:
            before = queues
            queues, reward, _, _, info = env.step(peer_action(problem, rule, queues, "cpu"))
            lasted = min(float(info["event_time"]), until - now)
            cost += float((before[0] * env.h).sum()) * lasted
            now = float(info["obs"].time)
    return cost / until


def peer_rate(arguments) -> float:
    """Steps a second of a loop over environments."""
    folder, device, seconds = arguments
    import torch

    torch.set_num_threads(1)
    module, problem = peer(folder), recipe.criss_cross()
    envs = [peer_env(module, problem, seed, device) for seed in range(64)]
    steps, begun = 0, time.perf_counter()
    with torch.no_grad():
        while time.perf_counter() - begun < seconds:
            for env in envs:
                env.step(peer_action(problem, recipe.c_mu, env.obs.queues, device))
            steps += len(envs)
    return steps / (time.perf_counter() - begun)


def rate(copies: int, backend: str, arrays: str, steps: int) -> float:
    """Environment steps a second under the c-mu rule, the median of five; the rule's own time is in it."""
    problem = recipe.criss_cross()
    env = problem.env(10_000, copies, backend=backend, arrays=arrays)
    present, _ = env.reset()
    if arrays == "torch":
        import torch

        def actions(present):
            there = present > 0
            return torch.stack([there[:, 0], there[:, 1], there[:, 2] & ~there[:, 0]], dim=1).int()
    else:
        def actions(present):
            there = present > 0
            return np.stack([there[:, 0], there[:, 1], there[:, 2] & ~there[:, 0]], axis=1).astype(np.uint32)
    rates = []
    for _ in range(6):
        begun = time.perf_counter()
        for _ in range(steps):
            present, rewards, _, _, _ = env.step(actions(present))
        float(rewards.sum())
        rates.append(copies * steps / (time.perf_counter() - begun))
    return statistics.median(rates[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("qgym")
    parser.add_argument("--until", type=float, default=1000)
    parser.add_argument("--runs", type=int, default=160)
    parser.add_argument("--copies", type=int, default=65536)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--arrays", nargs="*", default=["torch", "numpy"])
    parser.add_argument("--self-test", action="store_true")
    asked = parser.parse_args()
    processes = os.cpu_count() or 1
    apart = False
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for place, problem in enumerate(PROBLEMS):
            for number, rule in enumerate(RULES):
                runs = [(asked.qgym, place, number, asked.until, 1000 + run) for run in range(asked.runs)]
                theirs = np.array(pool.map(peer_cost, runs, chunksize=1))
                half = 1.96 * theirs.std(ddof=1) / np.sqrt(len(theirs))
                ours = problem()
                if asked.self_test:
                    ours = ours._replace(mu=ours.mu * np.where(np.arange(len(ours.h)) == 1, 0.8, 1))
                mean, own_half = recipe.mean_cost(ours, rule, asked.until, 4096, backend=asked.backend)
                agrees = abs(mean - theirs.mean()) <= half + own_half
                apart |= not agrees
                print(f"{problem.__name__:12} {rule.__name__:13} QGym {theirs.mean():8.3f} ± {half:.3f}"
                      f"   tickless {mean:8.3f} ± {own_half:.3f}   {'agree' if agrees else 'APART'}", flush=True)
        if asked.self_test:
            sys.exit(0 if apart else "the costs agree with another rate: this comparison finds nothing")
        together = sum(pool.map(peer_rate, [(asked.qgym, "cpu", 5)] * processes, chunksize=1))
    on = [(device, peer_rate((asked.qgym, device, 5))) for device in dict.fromkeys(["cpu", asked.device])]
    for device, steps in on:
        print(f"QGym, one process, {device}: {steps:.0f} steps/s")
    print(f"QGym, {processes} processes, cpu: {together:.0f} steps/s")
    for arrays in asked.arrays:
        steps = rate(asked.copies, asked.backend, arrays, asked.steps)
        ratios = ", ".join(f"{steps / slower:.0f} x {device}" for device, slower in on)
        print(f"tickless, {asked.copies} copies, {asked.backend}, {arrays}: {steps / 1e6:.1f} M steps/s; {ratios}; {steps / together:.0f} x all cores")
    sys.exit("costs are apart" if apart else 0)


if __name__ == "__main__":
    main()
