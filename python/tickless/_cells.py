"""Cells of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _tickless, _wgsl
from ._layout import buffers as buffers_of
from ._layout import layout
from ._own import OwnRun, hold_to
from ._tickless import Acting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray

NEVER = 2**64 - 1


class Cell:
    """A cell at work, to a callable. Times are ticks.

    Attributes
    ----------
    id, replication : int
        The number of the cell, row after row, and that of its replication.
    now : int
        The time.
    imminent : bool
        Whether its own event is now.
    planned : int or None
        When its own event is, before the transition.
    elapsed : int
        Since its last transition, where the model asks for that.
    arrives, exists : numpy.ndarray
        Of each neighbour, whether its output arrives now, and whether there is one.
    heard : numpy.ndarray
        Of each neighbour its last output.
    """

    __slots__ = ("_acting", "arrives", "elapsed", "exists", "heard", "id", "imminent", "now", "planned", "replication")

    def __init__(self, acting: Acting, replication: int, about: tuple[bool, int, int], neighbours: tuple[Any, Any, Any]) -> None:
        self._acting = acting
        self.id, self.now, self.replication = acting.id, acting.now, replication
        self.imminent, planned, self.elapsed = about
        self.planned = None if planned == NEVER else planned
        self.arrives, self.exists, self.heard = neighbours

    def draw(self) -> int:
        """The next 32 random bits of the cell's stream, which the model keeps in a field of its state."""
        return self._acting.draw()

    def service(self, law: int) -> int:
        """The next time of the n-th law."""
        return self._acting.service(law)


@dataclass(frozen=True)
class CellRun(OwnRun):
    """A run of cells that has come to its end, with the fields of every run of an own model.

    Attributes
    ----------
    state, output : numpy.ndarray
        The state and the last output of each cell, in the shape of the space; of several replications these are the first axis.
    next : numpy.ndarray
        Time units: when the next own event of each cell would be, infinite where there is none.
    """

    state: NDArray[np.void] = field(repr=False)
    output: NDArray[np.void] = field(repr=False)
    next: NDArray[np.float64] = field(repr=False)


class Cells:
    """A space of cells, each a Parallel DEVS atomic model: for devices two functions in WGSL, for the heap two in Python.

    Parameters
    ----------
    initial
        The states at time 0: an array of the shape of the space, (rows, columns) or (planes, rows, columns), of a structured type with
        fields of u4, i4, f4 or u8, or lists of these.
    first
        Of each cell when its first own event is, in time units; infinite where there is none.
    until
        The horizon in time units, at most 2^31.
    lookahead
        Time units: the least time from an input to an output that it can cause; 0 if there is none.
    output
        The structured type of an output; outputs without words by default.
    neighbours
        ``moore`` (eight), ``von-neumann`` (four), or offsets (columns, rows) or (columns, rows, planes); the n-th neighbour is at the n-th.
    wrapped
        Whether opposite sides meet; else cells at the border have fewer neighbours.
    kernels
        WGSL with ``fn cell_output(cell: u32) -> bool``, for an imminent cell before its transition: whether it sends an output, and
        ``fn cell_transition(cell: u32, imminent: bool) -> Time``, which changes the state and returns when the next own event is, or
        ``never()``. Names of docs/wgsl.md need no import. ``get_NAME(cell)`` and ``set_NAME(cell, value)`` are for fields of the state,
        ``set_output_NAME(cell, value)`` and ``neighbour_NAME(n)`` for those of an output, of a list with the place behind.
    output_of, transition
        The same in Python, for small runs that hold the kernels: ``output_of(cell, state, output)`` returns whether the output is sent,
        ``transition(cell, state)`` returns a time in ticks (`ticks`), or None for never. States and outputs are records. A `cell` says what
        is around it.
    stream
        The field of the state, two of u4, that keeps the random stream of a cell: in WGSL between ``var stream = open_stream(cell);`` and
        ``close_stream(cell, stream);`` in a transition, in Python by ``cell.draw()`` and ``cell.service(n)``.
    elapsed
        Whether transitions are told the time since the last one.
    laws, buffers
        As of `Processes`.

    Raises
    ------
    ValueError
        Arrays of another shape, types that no state has, kernels without one of the functions.
    ModelError
        A space that cannot be, such as a neighbour that is there twice; a law that there is not.

    Examples
    --------
    A cell that has been told tells the others a time unit later.

    >>> import numpy as np
    >>> import tickless as tl
    >>> def output_of(cell, state, output):
    ...     return True
    >>> def transition(cell, state):
    ...     if cell.imminent or state["told"]:
    ...         return cell.planned if not cell.imminent else None
    ...     state["told"] = 1
    ...     return cell.now + tl.ticks(1)
    >>> initial = np.zeros((5, 5), dtype=[("told", "u4")])
    >>> initial[2, 2] = 1
    >>> first = np.where(initial["told"] == 1, 0, np.inf)
    >>> rumour = tl.Cells(initial, first, until=1, lookahead=1, neighbours="von-neumann", output_of=output_of, transition=transition)
    >>> rumour.run(backend="heap").state["told"].sum().item()
    5
    """

    def __init__(
        self,
        initial: NDArray[np.void],
        first: ArrayLike,
        *,
        until: float,
        lookahead: float = 0,
        output: DTypeLike | None = None,
        neighbours: str | Sequence[Sequence[int]] = "moore",
        wrapped: bool = False,
        kernels: str | None = None,
        output_of: Callable[[Cell, Any, Any], object] | None = None,
        transition: Callable[[Cell, Any], int | None] | None = None,
        stream: str | None = None,
        elapsed: bool = False,
        laws: Sequence[str] = (),
        buffers: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        import numpy as np

        initial = np.ascontiguousarray(initial)
        if initial.ndim not in (2, 3):
            raise ValueError(f"initial has {initial.ndim} dimensions; it must have two, rows and columns, or three, planes before")
        self._shape = initial.shape
        self._state = layout("initial", initial.dtype)
        self._output = layout("output", [] if output is None else output)
        if (output_of is None) != (transition is None):
            raise ValueError("output_of and transition belong together: give both, or neither")
        if kernels is not None:
            kernels = _wgsl.checked(kernels, ["cell_output", "cell_transition"])
        columns, rows = initial.shape[::-1][:2]
        place = self._place_of_stream(stream)
        self._cells = _tickless.Cells(
            [columns, rows, initial.shape[0] if initial.ndim == 3 else 1],
            _offsets(neighbours),
            wrapped=wrapped,
            lookahead=lookahead,
            until=until,
            initial=initial.reshape(-1).view(np.uint32).reshape(initial.size, self._state.words),
            first=_ticks_of(first, initial.shape),
            output_words=self._output.words,
            stream=place,
            elapsed=elapsed,
            kernels=kernels and _wgsl.linked(kernels, _wgsl.CELLS, _wgsl.of_cell(self._state, self._output, place)),
            laws=list(laws),
            buffers=buffers_of(dict(buffers or {}), kernels),
            callables=self._callables(output_of, transition),
        )

    def _place_of_stream(self, name: str | None) -> int | None:
        if name is None:
            return None
        found = [of for of in self._state.fields if of.name == name and (of.kind, of.length) == ("u4", 2)]
        if not found:
            raise ValueError(f"stream is '{name}'; it must be a field of the state that is a list of two u4, as ('{name}', 'u4', 2)")
        return found[0].first

    def _callables(self, output_of: Any, transition: Any) -> tuple[Any, Any] | None:
        if transition is None:
            return None
        state, output = self._state, self._output

        def outputs(acting: Acting, words: Any, out: Any, replication: int) -> bool:
            cell = Cell(acting, replication, (True, acting.now, 0), (None, None, None))
            return bool(output_of(cell, state.record(words), output.record(out) if output.words else None))

        def changes(acting: Acting, words: Any, about: tuple[int, bool, int, int], arrives: Any, exists: Any, heard: Any) -> int | None:
            replication, *others = about
            imminent, planned, elapsed = others
            cell = Cell(acting, replication, (bool(imminent), planned, elapsed), (arrives, exists, output.records(heard)))
            found: int | None = transition(cell, state.record(words))
            return found

        return outputs, changes

    def run(self, *, seed: int = 1, replications: int = 1, backend: str = "auto", progress: bool = False) -> CellRun:
        """Runs the model.

        Parameters
        ----------
        seed
            The streams of the cells.
        replications
            How many there are; they differ in their streams.
        backend
            ``auto``, ``heap``, ``wgpu`` or ``cuda``.
        progress
            Whether a bar of tqdm shows how far the run is.

        Returns
        -------
        CellRun
            The cells at the end.

        Raises
        ------
        ModelError
            No kernels for a device, no callables for the heap.
        DeviceError
            A device that does not open, or kernels that do not compile, with the line.
        RunError
            An output before the lookahead, an event in the past, time that stands still.
        """
        import numpy as np

        said, (words, outputs, next_of) = self._cells.run(seed, replications, backend, progress=progress)
        shape = self._shape if replications == 1 else (replications, *self._shape)
        state, output = self._state.records(words).reshape(shape), self._output.records(outputs).reshape(shape)
        return CellRun(*said, state, output, np.where(next_of == np.uint64(NEVER), np.inf, next_of / 2.0**32).reshape(shape))

    def hold(self, *, seed: int = 1, replications: int = 1, backend: str = "wgpu", progress: bool = False) -> None:
        """Runs the model in Python on the heap and its kernels on a device, and compares all arrays.

        Raises
        ------
        RunError
            The first difference, with the cell.
        ModelError, DeviceError, RunError
            As `run`.
        """
        hold_to(self._cells.first_difference(seed, replications, backend, progress=progress))


def _ticks_of(first: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.uint64]:
    """First events in ticks."""
    import numpy as np

    times = np.asarray(first, dtype=np.float64)
    if times.shape != shape:
        raise ValueError(f"first has the shape {times.shape}; it must have that of initial, {shape}")
    if (times < 0).any() or np.isnan(times).any() or (times[np.isfinite(times)] >= 2**31).any():
        raise ValueError("first has a time that is none; times must be from 0 to below 2^31 time units, or infinite")
    never = np.isinf(times)
    ticks = np.rint(np.where(never, 0, times) * 2.0**32).astype(np.uint64)
    return np.where(never, np.uint64(NEVER), ticks).reshape(-1)


def _offsets(neighbours: str | Sequence[Sequence[int]]) -> list[list[int]]:
    """Offsets of three numbers."""
    if isinstance(neighbours, str):
        around = [[x, y, 0] for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0)]
        known = {"moore": around, "von-neumann": [offset for offset in around if 0 in offset[:2]]}
        if neighbours not in known:
            raise ValueError(f"neighbours is '{neighbours}'; it must be 'moore', 'von-neumann', or offsets")
        return known[neighbours]
    offsets = [[int(number) for number in offset] for offset in neighbours]
    for offset in offsets:
        if len(offset) not in (2, 3):
            raise ValueError(f"a neighbour is at {tuple(offset)}; an offset must have two numbers, columns and rows, or three")
    return [[*offset, 0][:3] for offset in offsets]
