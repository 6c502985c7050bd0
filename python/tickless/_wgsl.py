"""The WGSL of a model of one's own: what it imports, and how it reaches the fields of a state."""

import re
from collections.abc import Mapping, Sequence

from ._layout import Layout, without_comments

#: What both kinds of models may import, and each alone: docs/wgsl.md says what it means.
_LIBRARY = {
    "package::lib::pcg32": "Stream draw",
    "package::lib::laws": "law",
    "law_rows": "LAWS",
    "package::lib::law": "Law",
    "package::lib::service": "service_time exponential",
    "package::lib::stream": "entity_stream split_mix_64",
    "package::lib::time": "Time never",
    "word64": "Wide wide wide_low wide_high wide_add wide_sub wide_multiply wide_product wide_less",
    "package::lib::wide": "wide_differs wide_minimum wide_maximum wide_shift_right wide_xor wide_scale multiply_high",
    "package::lib::divide": "wide_divide",
    "package::lib::long": "Long wide_left wide_right wide_right_signed wide_negated wide_zeros long_product long_high long_shifted long_divide"
    " long_root",
    "package::lib::root": "root_of root_above",
}
PROCESSES = _LIBRARY | {
    "package::processes::send": "plan send",
    "package::processes::records": "process parameters",
    "package::processes::state": "state_word set_state_word",
    "events": "Event carried_by",
    "package::processes::message": "source_of sequence_of",
}
CELLS = _LIBRARY | {
    "package::cells::cell": "now planned elapsed state_word set_state_word output_word set_output neighbour_exists neighbour_arrives"
    " neighbour_word",
    "package::cells::space": "cell_id replication",
    "package::cells::stream": "stream_from keep_stream",
    "constants": "STATE_WORDS OUTPUT_WORDS NEIGHBOURS",
    "faults": "raise",
}


def checked(text: str, functions: Sequence[str]) -> str:
    """A text that has these functions."""
    if not isinstance(text, str):
        raise TypeError(f"kernels is {type(text).__name__}; it must be text in WGSL")
    for name in functions:
        if not re.search(rf"\bfn\s+{name}\b", without_comments(text)):
            raise ValueError(f"kernels has no `fn {name}`; it must have {' and '.join(functions)}")
    return text


def linked(text: str, modules: Mapping[str, str], accessors: Mapping[str, str]) -> str:
    """The text with the accessors that it calls behind it, and with what both import on its first line: no line of the text moves."""
    taken = {name for names in modules.values() for name in names.split()} & set(accessors)
    if taken:
        raise ValueError(f"a field makes `{min(taken)}` of WGSL, which there is already: give the field another name")
    used = _words(text)
    own = [accessor for name, accessor in accessors.items() if name in used]
    whole = "\n".join([text, *own])
    bare = without_comments(whole)
    known = set(re.findall(r"\b(?:fn|struct|const|alias|override|var(?:<[^>]*>)?)\s+(\w+)", bare))
    for imported in re.findall(r"\bimport\b([^;]*);", bare):
        known |= set(re.findall(r"\w+", imported))
    used = _words(whole) - known
    imports = []
    for module, names in modules.items():
        wanted = [name for name in names.split() if name in used]
        if wanted:
            imports.append(f"import {module}::{{{', '.join(wanted)}}};")
    return " ".join([*imports, whole])


def of_process(state: Layout) -> dict[str, str]:
    """`get_NAME()` and `set_NAME(value)` for each field of the state of a process; of a list with its place before."""
    # Others than the first word are in a buffer, which a state of one word has not.
    reads, writes = ("process.word", "process.word = {1};") if state.words == 1 else ("state_word({})", "set_state_word({}, {});")
    texts = {}
    for field in state.fields:
        texts[f"get_{field.name}"] = field.getter(f"get_{field.name}", "", reads)
        texts[f"set_{field.name}"] = field.setter(f"set_{field.name}", "", writes)
    return texts


def of_cell(state: Layout, output: Layout, stream: int | None) -> dict[str, str]:
    """The same of a cell, with the cell first; `output_NAME`, `set_output_NAME` and, of a neighbour, `neighbour_NAME`."""
    texts = {}
    for field in state.fields:
        texts[f"get_{field.name}"] = field.getter(f"get_{field.name}", "cell", "state_word(cell, {})")
        texts[f"set_{field.name}"] = field.setter(f"set_{field.name}", "cell", "set_state_word(cell, {}, {});")
    outputs = {}
    for field in output.fields:
        outputs[f"output_{field.name}"] = field.getter(f"output_{field.name}", "cell", "output_word(cell, {})")
        outputs[f"set_output_{field.name}"] = field.setter(f"set_output_{field.name}", "cell", "set_output(cell, {}, {});")
        outputs[f"neighbour_{field.name}"] = field.getter(f"neighbour_{field.name}", "n", "neighbour_word(n, {})")
    twice = set(texts) & set(outputs)
    if twice:
        raise ValueError(f"a field of the state and one of the output both make `{min(twice)}` of WGSL: give one another name")
    texts |= outputs
    if stream is not None:
        texts["open_stream"] = f"fn open_stream(cell: u32) -> Stream {{ return stream_from(cell, {stream}u); }}"
        texts["close_stream"] = f"fn close_stream(cell: u32, stream: Stream) {{ keep_stream(cell, {stream}u, stream); }}"
    return texts


def _words(text: str) -> set[str]:
    return set(re.findall(r"\b[A-Za-z_]\w*", without_comments(text)))
