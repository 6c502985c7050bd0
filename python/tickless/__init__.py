"""tickless: discrete-event models on any GPU, with the same bits as a sequential event list.

>>> import tickless as tl
>>> network = tl.Network.from_toml('''
... until = 1000
... [[source]]
... name = "street"
... interval = "exponential:2"
... to = "desk"
... [[station]]
... name = "desk"
... service = "exponential:1"
... [[sink]]
... name = "home"
... [[route]]
... from = "desk"
... to = "home"
... ''')
>>> run = network.run(replications=20, seed=1)
>>> 0.4 < run["station.desk.utilization"].mean < 0.6
True
"""

from ._builder import Builder
from ._cells import CellRun, Cells
from ._families import fire, phold, rules, search, torus, watershed
from ._layout import ticks
from ._processes import Processes, ProcessRun
from ._simulator import simulator
from ._tickless import (
    DeviceError,
    Figure,
    Model,
    ModelError,
    Network,
    Result,
    Run,
    RunError,
    Simulator,
    Table,
    TicklessError,
    __version__,
)

__all__ = [
    "Builder",
    "CellRun",
    "Cells",
    "DeviceError",
    "Figure",
    "Model",
    "ModelError",
    "Network",
    "ProcessRun",
    "Processes",
    "Result",
    "Run",
    "RunError",
    "Simulator",
    "Table",
    "TicklessError",
    "__version__",
    "fire",
    "phold",
    "rules",
    "search",
    "simulator",
    "ticks",
    "torus",
    "watershed",
]
