"""Logical processes of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _tickless, _wgsl
from ._layout import buffers as buffers_of
from ._layout import layout
from ._own import OwnRun, hold_to
from ._tickless import Acting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray


class Message(NamedTuple):
    """A message, to a callable that executes it: its words, who sent it, and how many messages the sender had sent before."""

    payload: tuple[int, ...]
    source: int
    sequence: int


@dataclass(frozen=True)
class ProcessRun(OwnRun):
    """A run of processes that has come to its end, with the fields of every run of an own model.

    Attributes
    ----------
    state : numpy.ndarray
        A record a process.
    executed, sent, pending : numpy.ndarray
        Of each process how many messages it executed and sent, those at the start among them, and how many it has not executed.
    """

    state: NDArray[np.void] = field(repr=False)
    executed: NDArray[np.uint64] = field(repr=False)
    sent: NDArray[np.uint32] = field(repr=False)
    pending: NDArray[np.uint32] = field(repr=False)


class Processes:
    """Logical processes that send each other messages: for devices two functions in WGSL, for the heap two in Python.

    Parameters
    ----------
    count
        How many there are.
    lookahead
        Time units, above 0: the least time from an event to the arrival of what it sends.
    until
        The horizon in time units.
    state
        The type of the state of a process: a structured type of NumPy with fields of u4, i4, f4 or u8, or lists of these. All are 0 before
        the start.
    payload
        How many words a message carries, 0 to 3.
    kernels
        WGSL with ``fn start(id: u32, stream: ptr<function, Stream>)``, which plans first events by ``plan(time, carried)``, and
        ``fn execute(event: Event, stream: ptr<function, Stream>)``, which sends messages by ``send(destination, delay, carried)``. Names of
        docs/wgsl.md need no import. ``get_NAME()`` and ``set_NAME(value)`` are for the fields of the state, those of a list with the place
        first.
    start, execute
        The same in Python, for small runs that hold the kernels: ``start(process, state)`` and ``execute(process, state, message)``.
        A process has ``id``, ``now`` (ticks), ``draw()``, ``service(n)`` (ticks), ``plan(time, *words)`` and
        ``send(destination, delay, *words)``, with times in ticks (`ticks`). The state is a record that can be changed. The same draws in
        the same order and times in whole ticks make the same bits.
    laws
        Service laws, of which ``law(0u)`` and ``service(0)`` are the first, as ``"gamma:3,4"``.
    buffers
        Arrays of u4, i4 or f4 by the names that they have in the kernels.
    starting, most_sent
        The most events of a process at the start, and messages of an event.

    Raises
    ------
    ValueError
        A number out of range, a type that no state has, kernels without one of the functions, a buffer that they do not declare.
    ModelError
        A law that there is not.

    Examples
    --------
    A token goes round five processes, which count it.

    >>> import tickless as tl
    >>> def start(process, state):
    ...     if process.id == 0:
    ...         process.plan(0)
    >>> def execute(process, state, message):
    ...     state["seen"] += 1
    ...     process.send((process.id + 1) % 5, tl.ticks(1))
    >>> ring = tl.Processes(5, lookahead=1, until=12, state=[("seen", "u4")], start=start, execute=execute)
    >>> ring.run(backend="heap").state["seen"].tolist()
    [3, 3, 2, 2, 2]
    """

    def __init__(
        self,
        count: int,
        *,
        lookahead: float,
        until: float,
        state: DTypeLike,
        payload: int = 0,
        kernels: str | None = None,
        start: Callable[[Acting, Any], object] | None = None,
        execute: Callable[[Acting, Any, Message], object] | None = None,
        laws: Sequence[str] = (),
        buffers: Mapping[str, ArrayLike] | None = None,
        starting: int = 1,
        most_sent: int = 1,
    ) -> None:
        self._state = layout("state", state)
        if self._state.words == 0:
            raise ValueError("state has no field; it must have one or more")
        if payload not in range(4):
            raise ValueError(f"payload is {payload}; it must be from 0 to 3 words")
        if (start is None) != (execute is None):
            raise ValueError("start and execute belong together: give both, or neither")
        if kernels is not None:
            kernels = _wgsl.checked(kernels, ["start", "execute"])
        self._processes = _tickless.Processes(
            count,
            lookahead,
            until,
            state_words=self._state.words,
            payload_words=payload,
            starting=starting,
            most_sent=most_sent,
            kernels=kernels and _wgsl.linked(kernels, _wgsl.PROCESSES, _wgsl.of_process(self._state)),
            laws=list(laws),
            buffers=buffers_of(dict(buffers or {}), kernels),
            callables=self._callables(start, execute),
        )

    def _callables(self, start: Any, execute: Any) -> tuple[Any, Any] | None:
        if start is None:
            return None
        state = self._state

        def begins(process: Acting, words: Any, _: None) -> None:
            start(process, state.record(words))

        def executes(process: Acting, words: Any, message: tuple[list[int], int, int]) -> None:
            payload, source, sequence = message
            execute(process, state.record(words), Message(tuple(payload), source, sequence))

        return begins, executes

    def run(self, *, seed: int = 1, backend: str = "auto", progress: bool = False) -> ProcessRun:
        """Runs the model.

        Parameters
        ----------
        seed
            One seed, one run.
        backend
            ``auto``, ``heap``, ``wgpu`` or ``cuda``.
        progress
            Whether a bar of tqdm shows how far the run is.

        Returns
        -------
        ProcessRun
            The state of each process, and what it did.

        Raises
        ------
        ModelError
            No kernels for a device, no callables for the heap; a lookahead of 0.
        DeviceError
            A device that does not open, or kernels that do not compile, with the line.
        RunError
            A message below the lookahead or to nobody; more messages than were said.
        """
        said, (words, executed, sent, pending) = self._processes.run(seed, backend, progress=progress)
        return ProcessRun(*said, self._state.records(words), executed, sent, pending)

    def hold(self, *, seed: int = 1, backend: str = "wgpu", progress: bool = False) -> None:
        """Runs the model in Python on the heap and its kernels on a device, and compares all records.

        Raises
        ------
        RunError
            The first difference, with the process.
        ModelError, DeviceError, RunError
            As `run`.
        """
        hold_to(self._processes.first_difference(seed, backend, progress=progress))
