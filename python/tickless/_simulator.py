"""A network as a function of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ._tickless import Network, Simulator

# NumPy takes ten times as long to import as tickless.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    _Array: TypeAlias = NDArray[np.float64]


def simulator(
    network: Network,
    inputs: Sequence[str],
    outputs: Sequence[str],
    *,
    replications: int = 20,
    backend: str = "auto",
    progress: bool = False,
) -> Callable[..., tuple[_Array, _Array]]:
    """A function from points to what is measured there, all points in one run.

    Parameters
    ----------
    network
        The network whose keys are varied.
    inputs
        The paths of the keys that take numbers, such as ``station.desk.servers``. Where the number stands in a text, as that of a
        law, the text is behind the path: ``station.desk.service = exponential:{}``.
    outputs
        The paths of figures, such as ``sink.home.mean_time_in_network``; docs/experiments.md lists them.
    replications
        Replications of each point, 1 or more.
    backend
        ``auto``, ``heap``, ``wgpu`` or ``cuda``.
    progress
        Whether a bar of tqdm shows how far a run is.

    Returns
    -------
    Callable
        ``simulate(theta, seed=None, common=True) -> (y, standard_error)``. ``theta`` has shape (points, inputs), or (inputs,) for one
        point; ``y`` and ``standard_error`` have shape (points, outputs), or (outputs,). A figure that no replication has is not a
        number, and so is the error of fewer than two replications. With ``common`` replication r has the same random streams at
        every point, so that differences between points are not those of luck. The same arguments give the same bits.

    Raises
    ------
    ModelError
        A path that leads nowhere, or a point whose network cannot run; with what there is in its place.

    Examples
    --------
    >>> import tickless as tl
    >>> network = tl.Network.from_toml('''
    ... until = 10
    ... [[station]]
    ... name = "desk"
    ... service = "constant:1"
    ... tokens = 2
    ... [[route]]
    ... from = "desk"
    ... to = "desk"
    ... ''')
    >>> simulate = tl.simulator(network, ["station.desk.servers"], ["network.throughput"], replications=2)
    >>> simulate([[1], [2]])[0].tolist()
    [[0.9], [1.8]]
    """
    import numpy as np

    for name, given in (("inputs", inputs), ("outputs", outputs)):
        if isinstance(given, str):
            raise TypeError(f"{name} is the text '{given}'; it must be a list of paths: ['{given}']")
    made = Simulator(network, list(inputs), list(outputs), replications=replications, backend=backend)

    def simulate(theta: ArrayLike, seed: int | None = None, common: bool = True) -> tuple[_Array, _Array]:
        points = np.asarray(theta, dtype=np.float64)
        if points.ndim not in (1, 2):
            raise ValueError(f"theta has {points.ndim} dimensions; it must have two, or one for a single point")
        found = made.run(np.atleast_2d(points), seed, common, progress=progress)
        return found if points.ndim == 2 else (found[0][0], found[1][0])

    return simulate
