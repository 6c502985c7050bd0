"""Networks as environments in which something learns: a vector of copies for gymnasium."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._gpu_arrays import GpuArrays
from ._tickless import Copies, Network

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:  # pragma: no cover
    raise ImportError("tickless.gym needs gymnasium: pip install 'tickless[gym]'") from None

__all__ = ["NetworkEnv"]

Observed = NDArray[np.int32]
Decided = NDArray[np.integer[Any]]


class NetworkEnv(VectorEnv[Observed, Decided, NDArray[Any]]):
    """Copies of a network that run to their next decisions, all at once.

    The same network, seed and actions give the same observations and rewards on every backend. Copies at the horizon begin anew with the
    next step, whatever is decided (``AutoresetMode.NEXT_STEP``).

    Parameters
    ----------
    network
        The network. What its file records is left out, and its warm-up.
    decisions
        What an action sets, one path after the other:

        - ``station.NAME.servers``: how many servers are on duty, from 0 to those of the file;
        - ``station.NAME.priorities``: a rank of each class, from 0 to the number of classes; a free server takes a token of the highest
          rank, and none of rank 0;
        - ``station.NAME.route`` and ``source.NAME.route``: the number of the route that tokens take, in the order of the file.
    observe
        Numbers of tokens or servers: ``station.NAME.present``, ``waiting`` (all that are not served), ``serving``, ``servers``;
        ``station.NAME.class.NAME.present``.
    reward
        Weights by path: of the numbers above for each time unit, of the counts ``station.NAME.completed``, ``lost``, ``reneged`` (also
        ``station.NAME.class.NAME.completed``) and ``sink.NAME.tokens`` for each token. Holding costs are negative weights of ``present``.
        A number times the time of a step must stay below 2^32: it is counted modulo 2^32 time units.
    every
        Time units from a decision to the next one, or ``"event"``: then there is a decision behind every instant at which something
        happens, and servers of a station whose priorities are decided take nobody before it.
    num_envs
        Copies, 1 or more; 65,536 by default, of which a software adapter has no room for.
    until
        The horizon in time units; that of the file by default. There a copy is truncated, or terminated where the network is terminating.
    interrupt
        Whether services are interrupted for which an action leaves no server, to go on later. By default they end.
    seed
        The streams of the copies.
    backend
        ``auto``, ``heap``, ``wgpu`` or ``cuda``.
    arrays
        ``numpy``, or ``torch``: then actions, observations and rewards are tensors in the memory of the GPU, and nothing is copied to the
        host. That needs the backend ``cuda`` and PyTorch. Tensors share the memory of any framework by DLPack.

    Notes
    -----
    Ctrl-C waits for the end of a step. Behind an error of a copy, such as a deadlock, all copies wait for a reset.

    Raises
    ------
    ModelError
        A path that leads nowhere, or something that cannot be decided; with what there is in its place.

    Examples
    --------
    >>> import tickless as tl
    >>> from tickless.gym import NetworkEnv
    >>> network = tl.Network.from_toml('''
    ... until = 100
    ... [[source]]
    ... name = "street"
    ... interval = "exponential:2"
    ... to = "desk"
    ... [[station]]
    ... name = "desk"
    ... service = "exponential:3"
    ... servers = 3
    ... [[sink]]
    ... name = "home"
    ... [[route]]
    ... from = "desk"
    ... to = "home"
    ... ''')
    >>> env = NetworkEnv(
    ...     network,
    ...     decisions=["station.desk.servers"],
    ...     observe=["station.desk.present"],
    ...     reward={"station.desk.present": -1, "station.desk.servers": -0.5},
    ...     every=10,
    ...     num_envs=4,
    ...     backend="heap",
    ... )
    >>> observations, infos = env.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = env.step(env.action_space.sample())
    >>> observations.shape, rewards.shape, infos["time"].tolist()
    ((4, 1), (4,), [10.0, 10.0, 10.0, 10.0])
    """

    def __init__(
        self,
        network: Network,
        *,
        decisions: Sequence[str],
        observe: Sequence[str],
        reward: Mapping[str, float],
        every: float | str,
        num_envs: int = 65536,
        until: float | None = None,
        interrupt: bool = False,
        seed: int = 1,
        backend: str = "auto",
        arrays: str = "numpy",
    ) -> None:
        for name, given in (("decisions", decisions), ("observe", observe)):
            if isinstance(given, str):
                raise TypeError(f"{name} is the text '{given}'; it must be a list of paths: ['{given}']")
        if not isinstance(reward, Mapping):
            raise TypeError(f"reward is {reward!r}; it must be a dictionary of weights by paths")
        bad = [path for path, weight in reward.items() if not math.isfinite(weight)]
        if bad:
            raise ValueError(f"the weight of {bad[0]} is {reward[bad[0]]}; it must be finite")
        if isinstance(every, str) and every != "event":
            raise ValueError(f"every is '{every}'; it must be a number of time units, or 'event'")
        if arrays not in ("numpy", "torch"):
            raise ValueError(f"arrays is '{arrays}'; it must be 'numpy' or 'torch'")
        self._copies = Copies(
            network,
            list(decisions),
            list(observe),
            [(path, float(weight)) for path, weight in reward.items()],
            every=None if isinstance(every, str) else every,
            interrupts=interrupt,
            until=until,
            copies=num_envs,
            seed=seed,
            backend=backend,
        )
        # Until the first reset the copies are where it would bring them.
        self._seed: int | None = seed
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.num_envs = num_envs
        most = np.array([most for _, words, most in self._copies.decisions for _ in range(words)], dtype=np.int64)
        self.single_action_space = gymnasium.spaces.MultiDiscrete(most + 1)
        self.single_observation_space = gymnasium.spaces.Box(0, np.iinfo(np.int32).max, (len(observe),), np.int32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        sizes = (num_envs, len(most), len(observe))
        self._there = GpuArrays(self._copies, sizes) if arrays == "torch" else None

    @property
    def backend(self) -> str:
        """Where the copies are: ``heap``, ``wgpu`` or ``cuda``."""
        return self._copies.backend

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observed, dict[str, Any]]:
        """All copies begin anew: with the first streams of a seed, or with the next ones of the seed so far. The first reset is of the seed that
        was given for the environment.

        Parameters
        ----------
        seed
            One seed for all copies, whose streams differ.
        options
            There are none.

        Returns
        -------
        tuple
            The observations, of shape (copies, numbers), and the times.
        """
        if isinstance(seed, list):
            raise ValueError("seed is a list; copies of one network have one seed, and streams of their own")
        if options:
            raise ValueError(f"options has {', '.join(map(repr, options))}; there are none")
        given = self._seed if seed is None else seed
        if self._there is not None:
            there, _, when, _ = self._there.reset(given)
            self._seed = None
            return there, {"time": when}
        observed, _, times, _ = self._copies.reset(given)
        self._seed = None
        return observed, {"time": times}

    def step(
        self, actions: Decided
    ) -> tuple[Observed, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Carries out the actions, and runs all copies to their next decisions.

        Parameters
        ----------
        actions
            Of shape (copies, words): the words of all decisions of a copy in a line.

        Returns
        -------
        tuple
            Observations of shape (copies, numbers), rewards, terminations and truncations of shape (copies,), and the times of the
            decisions in ``infos["time"]``.

        Raises
        ------
        ValueError
            An action out of range, with its copy.
        """
        if self._there is not None:
            return self._ends(*self._there.step(actions))
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise ValueError(f"actions are of the type {given.dtype}; they must be whole numbers")
        if given.shape != self.action_space.shape:
            raise ValueError(f"actions have the shape {given.shape}; it must be {self.action_space.shape}: a line a copy")
        if given.size and (given.min() < 0 or given.max() > np.iinfo(np.uint32).max):
            raise ValueError("an action is below 0, or has more than 32 bits")
        decided = np.ascontiguousarray(given, dtype=np.uint32)
        return self._ends(*self._copies.step(decided))

    def _ends(self, observed: Any, rewards: Any, times: Any, ended: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        never = ended & False
        terminated, truncated = (ended, never) if self._copies.is_terminating else (never, ended)
        return observed, rewards, terminated, truncated, {"time": times}
