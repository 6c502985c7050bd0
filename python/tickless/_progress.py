"""A bar that shows how far a run is."""


class Bar:
    """A bar of tqdm, told the share that is done."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError as error:
            raise ImportError("progress=True shows a bar of tqdm: pip install tqdm, or leave it out") from error
        self._bar = tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}<{remaining}")

    def __call__(self, share: float) -> None:
        self._bar.update(100 * share - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def bar() -> Bar:
    """A new bar."""
    return Bar()
