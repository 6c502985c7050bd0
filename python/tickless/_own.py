"""What runs of models of one's own have in common."""

from dataclasses import dataclass

from ._tickless import RunError


@dataclass(frozen=True)
class OwnRun:
    """A run that has come to its end.

    Attributes
    ----------
    digest : str
        The same on every backend.
    events : int
        Messages executed by processes, or transitions of cells.
    backend, adapter : str
        Where it ran; the heap has no adapter.
    wall_seconds, setup_seconds : float
        The run, and what was before it.
    """

    digest: str
    events: int
    backend: str
    adapter: str | None
    wall_seconds: float
    setup_seconds: float


def hold_to(difference: str | None) -> None:
    """Refuses kernels that differ from the model in Python."""
    if difference is not None:
        raise RunError(f"the kernels differ from the model in Python: {difference}")
