"""The command's families of models, as functions."""

from collections.abc import Sequence
from os import PathLike
from typing import TypeAlias

from ._tickless import Model

#: A value of an option; a list where the command takes several.
Option: TypeAlias = str | int | float | bool | PathLike[str] | Sequence[str | int | float] | None


def torus(**options: Option) -> Model:
    """A closed torus queueing network.

    Parameters
    ----------
    **options
        The options of ``tickless torus`` with ``_`` for ``-``, such as ``side=64``, ``tokens=2``, ``service="exponential:10"``,
        ``window=1.0``, ``until=500``, ``replications=20`` and ``seed=1``; docs/reference/torus.md lists all. ``True`` is a flag.

    Returns
    -------
    Model
        The model, checked. Its runs are of the class `Run`, with figures by their paths.

    Raises
    ------
    ValueError, ModelError
        As `Model`.

    Examples
    --------
    >>> import tickless as tl
    >>> run = tl.torus(side=16, tokens=2, service="exponential:10", until=100).run(backend="heap")
    >>> run.fields.statistics.mean_present
    512.0
    """
    return Model("torus", **options)


def phold(**options: Option) -> Model:
    """PHOLD, the benchmark of logical processes that send each other messages.

    Parameters
    ----------
    **options
        The options of ``tickless phold``, such as ``processes=1024``, ``population=4``, ``lookahead=0.5``, ``remote=0.9`` and
        ``until=100``; docs/reference/phold.md lists all.

    Returns
    -------
    Model
        The model, checked.

    Raises
    ------
    ValueError, ModelError
        As `Model`.

    Examples
    --------
    >>> import tickless as tl
    >>> result = tl.phold(processes=64, until=10).run(backend="heap")
    >>> result.fields.statistics.executed == result.events
    True
    """
    return Model("phold", **options)


def search(**options: Option) -> Model:
    """Searches for cheapest paths on a grid.

    Parameters
    ----------
    **options
        The options of ``tickless search``, such as ``side=128``, ``density=0.3``, ``searches=500``, ``map="arena.map"``,
        ``scenarios="arena.map.scen"`` and ``keep_paths=True``; docs/reference/search.md lists all.

    Returns
    -------
    Model
        The model, checked. It has read its files.

    Raises
    ------
    ValueError, ModelError, OSError
        As `Model`.

    Examples
    --------
    >>> import tickless as tl
    >>> result = tl.search(side=32, searches=10).run(backend="heap")
    >>> len(result.table("results"))
    10
    """
    return Model("search", **options)


def fire(**options: Option) -> Model:
    """A wildfire on a landscape, one of files or one that is made up.

    Parameters
    ----------
    **options
        The options of ``tickless cells fire``, such as ``side=256``, ``landscape="park.tif"``, ``fuel="fuel.asc"``,
        ``weather="august.csv"``, ``ignite=["10,20", "40,5@30"]``, ``until=240`` (minutes), ``replications=100`` and ``seed=1``;
        docs/reference/fire.md lists all.

    Returns
    -------
    Model
        The model, checked. It has read its files.

    Raises
    ------
    ValueError, ModelError, OSError
        As `Model`.

    Examples
    --------
    >>> import tickless as tl
    >>> result = tl.fire(side=32, ignite="16,16", until=60).run(backend="heap")
    >>> result.table("growth").column_names[:2]
    ['minutes', 'cells']
    """
    return Model("fire", **options)


def watershed(**options: Option) -> Model:
    """Rain that runs off a terrain, one of a file or one that is made up.

    Parameters
    ----------
    **options
        The options of ``tickless cells watershed``, such as ``side=64``, ``terrain="valley.asc"``, ``rain=20`` (mm an hour),
        ``hours=2`` and ``until=3600`` (seconds); docs/reference/watershed.md lists all.

    Returns
    -------
    Model
        The model, checked. It has read its files.

    Raises
    ------
    ValueError, ModelError, OSError
        As `Model`.

    Examples
    --------
    >>> import tickless as tl
    >>> result = tl.watershed(side=16, until=600).run(backend="heap")
    >>> result.fields.parameters.width
    16
    """
    return Model("watershed", **options)


def rules(file: str | PathLike[str], **options: Option) -> Model:
    """Cells by a file of rules of CD++.

    Parameters
    ----------
    file
        The path of the model, an ``.ma`` file. What it includes is beside it.
    **options
        The options of ``tickless cells rules``, such as ``until=1000`` (milliseconds), ``events="inputs.ev"`` and ``seed=1``;
        docs/reference/rules.md lists all.

    Returns
    -------
    Model
        The model, checked. It has read its files.

    Raises
    ------
    ValueError, ModelError, OSError
        As `Model`.
    """
    return Model("rules", file=file, **options)
