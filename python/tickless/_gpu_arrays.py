"""Decisions and what is seen of copies, in the memory of a CUDA device."""

from typing import Any

from ._tickless import Copies

# Ticks in a time unit.
_TICKS = 2.0**32


class _Memory:
    """Memory of the device, for whatever takes the interface of CUDA arrays."""

    def __init__(self, owner: Copies, address: int, shape: tuple[int, ...], kind: str) -> None:
        self.owner = owner
        self.__cuda_array_interface__ = {"shape": shape, "typestr": kind, "data": (address, False), "version": 3}


class GpuArrays:
    """Tensors that share the memory of copies.

    Parameters
    ----------
    copies
        Copies on one CUDA device.
    sizes
        The number of copies, of the words of a decision, and of what is observed.
    """

    def __init__(self, copies: Copies, sizes: tuple[int, int, int]) -> None:
        if copies.places is None:
            raise ValueError(f"arrays is 'torch'; the backend must be 'cuda' then, with one GPU, and is '{copies.backend}'")
        import torch

        self._torch = torch
        self._copies = copies
        self._sizes = sizes
        self._places: tuple[int, ...] | None = None
        self._take_places()

    def _take_places(self) -> None:
        """The places change where room for tokens grows."""
        places = self._copies.places
        if places == self._places or places is None:
            return
        self._places = places
        count, words, numbers = self._sizes
        terms = len(self._copies.weights)

        def tensor(address: int, shape: tuple[int, ...], kind: str) -> Any:
            if 0 in shape:
                kinds = {"<i4": self._torch.int32, "<i8": self._torch.int64}
                return self._torch.zeros(shape, dtype=kinds[kind], device="cuda")
            shared = self._torch.as_tensor(_Memory(self._copies, address, shape, kind), device="cuda")
            if shared.data_ptr() != address:
                raise ValueError("PyTorch's current device is another GPU than that of the copies: torch.cuda.set_device chooses it")
            return shared

        self._decided = tensor(places[0], (count, words), "<i4")
        self._observed = tensor(places[1], (count, numbers), "<i4")
        self._earned = tensor(places[2], (count, terms), "<i8")
        self._clocks = tensor(places[3], (count,), "<i8")
        self._ended = tensor(places[4], (count,), "<i4")

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any]:
        """Carries out actions of shape (copies, words); what is seen then."""
        given = self._torch.as_tensor(actions, device="cuda")
        if given.is_floating_point() or given.is_complex():
            raise ValueError(f"actions are of the type {given.dtype}; they must be whole numbers")
        if given.shape != self._decided.shape:
            raise ValueError(f"actions have the shape {tuple(given.shape)}; it must be {tuple(self._decided.shape)}: a line a copy")
        self._decided.copy_(given)
        # The copies have a stream of their own.
        self._torch.cuda.current_stream().synchronize()
        self._copies.step_there()
        self._take_places()
        return self.looks()

    def reset(self, seed: int | None) -> tuple[Any, Any, Any, Any]:
        """All copies begin anew; what is seen then. With another seed they lie elsewhere."""
        self._torch.cuda.current_stream().synchronize()
        self._copies.reset(seed)
        self._take_places()
        return self.looks()

    def looks(self) -> tuple[Any, Any, Any, Any]:
        """What is observed, the rewards, the times, and which copies are at the horizon."""
        rewards = self._torch.zeros(self._sizes[0], dtype=self._torch.float64, device="cuda")
        # One term after the other, as on the host: a sum of floats depends on its order.
        for term, weight in enumerate(self._copies.weights):
            # PyTorch has no sums without a sign of 64 bits.
            earned = self._earned[:, term]
            earned = self._torch.where(earned < 0, earned.double() + 2.0**64, earned.double())
            rewards = rewards + earned * weight
        return self._observed.clone(), rewards, self._clocks.double() / _TICKS, self._ended != 0
