"""How a NumPy type lies in words of 32 bits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike, NDArray

#: Types of fields: that of WGSL, how it is made of a word and becomes one.
_KINDS = {
    "u4": ("u32", "{}", "{}"),
    "i4": ("i32", "bitcast<i32>({})", "bitcast<u32>({})"),
    "f4": ("f32", "bitcast<f32>({})", "bitcast<u32>({})"),
    "u8": ("Wide", "", ""),
}


class Field(NamedTuple):
    """A field: the type of its numbers, its first word, and how many numbers a list has; 0 where it is none."""

    name: str
    kind: str
    first: int
    length: int

    def _place(self, word: int) -> str:
        each = 2 if self.kind == "u8" else 1
        if self.length == 0:
            return f"{self.first + word}u"
        return f"{self.first + word}u + {each}u * place" if each > 1 else f"{self.first + word}u + place"

    def _arguments(self, first: str, *others: str) -> str:
        all_of_them = [f"{first}: u32"] if first else []
        all_of_them += ["place: u32"] if self.length else []
        return ", ".join([*all_of_them, *others])

    def getter(self, name: str, first: str, word: str) -> str:
        """A function that reads it; `word` reads a word by its number."""
        kind, made, _ = _KINDS[self.kind]
        low, high = (word.format(self._place(number)) for number in (0, 1))
        value = f"wide({low}, {high})" if kind == "Wide" else made.format(low)
        return f"fn {name}({self._arguments(first)}) -> {kind} {{ return {value}; }}"

    def setter(self, name: str, first: str, word: str) -> str:
        """A function that writes it; `word` writes a word by its number."""
        kind, _, made = _KINDS[self.kind]
        values = ["wide_low(value)", "wide_high(value)"] if kind == "Wide" else [made.format("value")]
        written = " ".join(word.format(self._place(number), value) for number, value in enumerate(values))
        return f"fn {name}({self._arguments(first, f'value: {kind}')}) {{ {written} }}"


class Layout(NamedTuple):
    """A structured type of NumPy whose fields lie one behind the other."""

    dtype: np.dtype[np.void]
    fields: tuple[Field, ...]

    @property
    def words(self) -> int:
        return int(self.dtype.itemsize) // 4

    def record(self, words: NDArray[np.uint32]) -> Any:
        """Words as a record that can be changed."""
        return words.view(self.dtype)[0]

    def records(self, words: NDArray[np.uint32]) -> NDArray[np.void]:
        """Lines of words as records."""
        if self.words == 0:
            import numpy as np

            return np.empty(len(words), dtype=self.dtype)
        return words.view(self.dtype)[:, 0]


def layout(what: str, given: DTypeLike) -> Layout:
    """The layout of a type.

    Raises
    ------
    ValueError
        A type without names, or with fields of other types or with gaps.
    """
    import numpy as np

    dtype = np.dtype(given)
    if dtype.names is None:
        raise ValueError(f"{what} is {given!r}; it must be a structured type with named fields, as [('count', 'u4')]")
    all_fields: Any = dtype.fields
    fields, end = [], 0
    for name in dtype.names:
        own, offset = all_fields[name][:2]
        base = own.base
        kind = f"{base.kind}{base.itemsize}"
        if kind not in _KINDS or not base.isnative or len(own.shape) > 1:
            raise ValueError(f"field '{name}' of {what} is {own}; it must be u4, i4, f4 or u8, or a list of these")
        if offset != end:
            raise ValueError(f"field '{name}' of {what} begins at byte {offset}; fields must lie one behind the other, this one at {end}")
        if not name.isidentifier() or not name.isascii():
            raise ValueError(f"field '{name}' of {what} has a name that WGSL has not: use letters, digits and _")
        fields.append(Field(name, kind, offset // 4, own.shape[0] if own.shape else 0))
        end = offset + own.itemsize
    if dtype.itemsize != end:
        raise ValueError(f"{what} has {dtype.itemsize} bytes; its fields have {end}")
    return Layout(dtype, tuple(fields))


def without_comments(text: str) -> str:
    """A text in WGSL without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)


def buffers(given: dict[str, Any], text: str | None) -> list[tuple[str, bool, bytes]]:
    """Buffers by their names in the text, each whether it is uniform and its bytes.

    Raises
    ------
    ValueError
        A buffer that the text does not declare, or of numbers that WGSL has not.
    """
    import numpy as np

    found = []
    for name, values in given.items():
        array = np.ascontiguousarray(values)
        if array.dtype.names is not None:
            layout(f"buffer '{name}'", array.dtype)
        elif f"{array.dtype.kind}{array.dtype.itemsize}" not in ("u4", "i4", "f4") or not array.dtype.isnative:
            raise ValueError(f"buffer '{name}' is of {array.dtype.str}; it must be of u4, i4 or f4, or a structured type of these")
        if array.nbytes == 0:
            raise ValueError(f"buffer '{name}' is empty; it must have a number or more")
        declared = re.search(rf"\bvar\s*<\s*(uniform|storage)\b[^>]*>\s*{re.escape(name)}\b", without_comments(text or ""))
        if declared is None:
            raise ValueError(f"buffer '{name}' is not in the kernels: declare `var<uniform> {name}: ...` or `var<storage, read> {name}: ...`")
        contents, is_uniform = array.tobytes(), declared[1] == "uniform"
        # WGSL counts uniform structs in sixteen bytes, all others in four.
        found.append((name, is_uniform, contents + bytes(-len(contents) % (16 if is_uniform else 4))))
    return found


def ticks(units: float) -> int:
    """A time in ticks, of which a time unit has 2^32: times are whole numbers of them.

    Parameters
    ----------
    units
        Time units, from 0 to below 2^32.

    Returns
    -------
    int
        The nearest tick.

    Examples
    --------
    >>> import tickless as tl
    >>> tl.ticks(0.5) == 2**31
    True
    """
    found = round(units * 2**32)
    if not 0 <= found < 2**64:
        raise ValueError(f"{units} time units are no time; it must be from 0 to below 2^32")
    return found
