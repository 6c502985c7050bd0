"""A network file from Python values."""

import json
import re
from collections.abc import Mapping
from keyword import iskeyword

from ._tickless import ModelError, Network


class Builder:
    """A network, built by the keys of its file.

    There is a method for each table that a file may have several times. Its arguments are the keys of that table, by their names in
    docs/reference/network-file.md; ``from`` and ``class``, which are words of Python, are ``from_`` and ``class_``. Tables within tables
    are dictionaries. Each method returns the builder.

    Parameters
    ----------
    **keys
        The keys at the top of a file, such as ``until`` and ``unit``, and whole tables, as ``generate={"kind": "torus", ...}``. So
        ``Builder(**tomllib.loads(text))`` goes on with a file.

    Notes
    -----
    Values are numbers, texts, ``True`` and ``False``, lists and dictionaries; what has ``tolist``, as arrays and numbers of NumPy, is taken
    as that list or number. Keys and values are checked by `network`, all at once.

    Examples
    --------
    >>> import tickless as tl
    >>> builder = tl.Builder(until=1000, unit="min")
    >>> builder = builder.source(name="street", interval="exponential:2", to="desk")
    >>> builder = builder.station(name="desk", service="exponential:1", cost={"server": 30})
    >>> builder = builder.sink(name="home").route(from_="desk", to="home")
    >>> builder.network().stations
    ['desk']
    """

    def __init__(self, **keys: object) -> None:
        self._keys = {_name(key): list(value) if isinstance(value, list) else value for key, value in keys.items()}

    def class_(self, **keys: object) -> "Builder":
        """A class of tokens."""
        return self._with("class", keys)

    def resource(self, **keys: object) -> "Builder":
        """A resource: rooms, beds, tools."""
        return self._with("resource", keys)

    def attribute(self, **keys: object) -> "Builder":
        """A number that tokens carry."""
        return self._with("attribute", keys)

    def station(self, **keys: object) -> "Builder":
        """A station."""
        return self._with("station", keys)

    def source(self, **keys: object) -> "Builder":
        """Where tokens come from."""
        return self._with("source", keys)

    def sink(self, **keys: object) -> "Builder":
        """Where tokens leave."""
        return self._with("sink", keys)

    def route(self, **keys: object) -> "Builder":
        """A way from a station."""
        return self._with("route", keys)

    @property
    def toml(self) -> str:
        """The text of the file.

        Raises
        ------
        TypeError
            A value that no file can have, with its key.
        """
        return "".join(f"{line}\n" for _, line in self._lines())

    def network(self) -> Network:
        """The network, checked.

        Raises
        ------
        ModelError
            What is wrong in which table, and what is allowed; an unknown key with the one that is probably meant.
        TypeError
            A value that no file can have, with its key.
        """
        lines = self._lines()
        try:
            return Network.from_toml("".join(f"{line}\n" for _, line in lines))
        except ModelError as error:
            found = re.match(r"line (\d+): ", str(error))
            if found is None:
                raise
            # Nobody has seen the text: its tables are known by their names.
            place, said = lines[int(found[1]) - 1][0], str(error)[found.end() :]
        raise ModelError(said if place in said else f"{place}: {said}")

    def _with(self, table: str, keys: dict[str, object]) -> "Builder":
        had = self._keys.setdefault(table, [])
        if not isinstance(had, list):
            raise TypeError(f"`{table}` is {had!r}; where tables are added, it must be a list of them")
        had.append({_name(key): value for key, value in keys.items()})
        return self

    def _lines(self) -> list[tuple[str, str]]:
        """The lines of the file, each with the table that it is of; of keys at the top it has no name."""
        top, below = [("", "# Built in Python.")], []
        for key, value in self._keys.items():
            entries = value if isinstance(value, list) else [value]
            tables = [entry for entry in entries if isinstance(entry, Mapping)]
            if not tables or len(tables) < len(entries):
                top.append(("", f"{_key(key)} = {_value(value, f'`{key}`')}"))
                continue
            heading = f"[{_key(key)}]" if isinstance(value, Mapping) else f"[[{_key(key)}]]"
            for table in tables:
                place = _place(key, table)
                below += [(place, ""), (place, heading)]
                below += [(place, f"{_key(name)} = {_value(of, f'{place}: `{name}`')}") for name, of in table.items()]
        return top + below


def _name(key: str) -> str:
    """The name in a file of an argument."""
    return key[:-1] if key.endswith("_") and iskeyword(key[:-1]) else key


def _place(kind: str, table: Mapping[str, object]) -> str:
    """A table, as messages name it."""
    if kind == "route":
        return f"route from {table.get('from')!r} to {table.get('to')!r}"
    return f"{kind} {table['name']!r}" if "name" in table else kind


def _key(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else _text(name)


def _text(text: str) -> str:
    # TOML reads the escapes of JSON, and wants one more.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _value(value: object, place: str) -> str:
    """A value as TOML; `place` is for messages."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if hasattr(value, "tolist"):
        return _value(value.tolist(), place)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_value(element, place) for element in value)}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(of, f'{place}, `{key}`')}" for key, of in value.items()) + " }"
    allowed = "a number, a text, True or False, a list or a dictionary"
    raise TypeError(f"{place} is {value!r}; it must be {allowed}; a key that is left out has its default")
