"""The parts of tickless that are written in Rust."""

from collections.abc import Iterable
from os import PathLike
from typing import Any, final

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray
from typing_extensions import Self, disjoint_base

from ._families import Option

__version__: str

__all__ = [
    "Acting",
    "Cells",
    "Copies",
    "DeviceError",
    "Figure",
    "Model",
    "ModelError",
    "Network",
    "Processes",
    "Result",
    "Run",
    "RunError",
    "Simulator",
    "Table",
    "TicklessError",
    "__version__",
]

class TicklessError(Exception):
    """What ends tickless without a result."""

class ModelError(TicklessError):
    """A model that cannot run, or has no such part."""

class DeviceError(TicklessError):
    """A device that does not open, or cannot run a model."""

class RunError(TicklessError):
    """A run that ended without a result."""

@final
class Network:
    """A queueing network."""

    @staticmethod
    def from_toml(source: str | PathLike[str]) -> Network: ...
    @staticmethod
    def from_jsimg(path: str | PathLike[str]) -> Network: ...
    @property
    def toml(self) -> str: ...
    @property
    def stations(self) -> list[str]: ...
    def run(
        self,
        *,
        until: float | None = None,
        warmup: float | str | None = None,
        replications: int = 1,
        seed: int | None = None,
        precision: float | None = None,
        backend: str = "auto",
        progress: bool = False,
        **options: Option,
    ) -> Run: ...

@final
class Model:
    """A model of a family, checked, with its options."""

    def __new__(cls, family: str, /, **options: Option) -> Model: ...
    @property
    def family(self) -> str: ...
    def run(self, *, backend: str = "auto", progress: bool = False, **options: Option) -> Result: ...

@disjoint_base
class Result:
    """A run of any model that has come to its end."""

    @property
    def digest(self) -> str: ...
    @property
    def backend(self) -> str: ...
    @property
    def adapter(self) -> str | None: ...
    @property
    def events(self) -> int: ...
    @property
    def wall_seconds(self) -> float: ...
    @property
    def setup_seconds(self) -> float: ...
    @property
    def fields(self) -> Any: ...
    def to_dict(self) -> dict[str, Any]: ...
    def table(self, name: str, /, **options: Option) -> Table: ...
    def write(self, name: str, path: str | PathLike[str], /, **options: Option) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def rerun(self, *, backend: str | None = None, progress: bool = False) -> Self: ...
    def _repr_html_(self) -> str: ...

@final
class Run(Result):
    """A run of a network that has come to its end."""

    @property
    def replications(self) -> int: ...
    @property
    def until(self) -> float: ...
    @property
    def warmup(self) -> float: ...
    def __getitem__(self, key: str, /) -> Figure: ...
    def keys(self) -> list[str]: ...
    def figures(self) -> Table: ...
    def to_pandas(self, figures: str | Iterable[str] | None = None) -> pd.DataFrame: ...
    def to_xarray(self, figures: str | Iterable[str] | None = None) -> xr.Dataset: ...
    def plot(self, figures: str | Iterable[str], *, ax: Axes | None = None) -> Axes: ...

@final
class Figure:
    """A figure over the replications of a run."""

    @property
    def name(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def mean(self) -> float: ...
    @property
    def standard_deviation(self) -> float | None: ...
    @property
    def half_width(self) -> float | None: ...
    @property
    def count(self) -> int: ...
    @property
    def values(self) -> NDArray[np.float64]: ...
    def plot(self, *, ax: Axes | None = None) -> Axes: ...
    def __float__(self) -> float: ...

@final
class Table:
    """Lines of columns, for any dataframe: the interface of Arrow's PyCapsules."""

    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def to_pandas(self) -> pd.DataFrame: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Simulator:
    """A network whose keys take numbers; `tickless.simulator` makes a function of it."""

    def __new__(
        cls,
        network: Network,
        inputs: list[str],
        outputs: list[str],
        *,
        replications: int = 20,
        backend: str = "auto",
    ) -> Simulator: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def outputs(self) -> list[str]: ...
    def run(
        self,
        theta: NDArray[np.float64],
        seed: int | None = None,
        common: bool = True,
        *,
        progress: bool = False,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

_Looks = tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]

@final
class Copies:
    """Copies of a network that stop for decisions; `tickless.gym.NetworkEnv` makes an environment of them."""

    def __new__(
        cls,
        network: Network,
        decisions: list[str],
        observed: list[str],
        earned: list[tuple[str, float]],
        *,
        every: float | None,
        interrupts: bool,
        until: float | None,
        copies: int,
        seed: int,
        backend: str,
    ) -> Copies: ...
    @property
    def decisions(self) -> list[tuple[str, int, int]]: ...
    @property
    def is_terminating(self) -> bool: ...
    @property
    def backend(self) -> str: ...
    @property
    def adapter(self) -> str | None: ...
    @property
    def places(self) -> tuple[int, int, int, int, int] | None: ...
    @property
    def weights(self) -> list[float]: ...
    def reset(self, seed: int | None) -> _Looks: ...
    def step(self, decided: NDArray[np.uint32]) -> _Looks: ...
    def step_there(self) -> None: ...

_Said = tuple[str, int, str, str | None, float, float]
_Buffers = list[tuple[str, bool, bytes]]

@final
class Acting:
    """A process or a cell at work. Times are ticks, of which a time unit has 2^32."""

    @property
    def id(self) -> int: ...
    @property
    def now(self) -> int: ...
    def draw(self) -> int: ...
    def service(self, law: int) -> int: ...
    def send(self, destination: int, delay: int, *carried: int) -> None: ...
    def plan(self, time: int, *carried: int) -> None: ...

@final
class Processes:
    """Logical processes of a user's own."""

    def __new__(
        cls,
        count: int,
        lookahead: float,
        until: float,
        *,
        state_words: int,
        payload_words: int,
        starting: int,
        most_sent: int,
        kernels: str | None,
        laws: list[str],
        buffers: _Buffers,
        callables: tuple[Any, Any] | None,
    ) -> Processes: ...
    def run(
        self, seed: int, backend: str, *, progress: bool
    ) -> tuple[_Said, tuple[NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint32]]]: ...
    def first_difference(self, seed: int, backend: str, *, progress: bool) -> str | None: ...

@final
class Cells:
    """Cells of a user's own."""

    def __new__(
        cls,
        size: list[int],
        offsets: list[list[int]],
        *,
        wrapped: bool,
        lookahead: float,
        until: float,
        initial: NDArray[np.uint32],
        first: NDArray[np.uint64],
        output_words: int,
        stream: int | None,
        elapsed: bool,
        kernels: str | None,
        laws: list[str],
        buffers: _Buffers,
        callables: tuple[Any, Any] | None,
    ) -> Cells: ...
    def run(
        self, seed: int, replications: int, backend: str, *, progress: bool
    ) -> tuple[_Said, tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint64]]]: ...
    def first_difference(self, seed: int, replications: int, backend: str, *, progress: bool) -> str | None: ...
