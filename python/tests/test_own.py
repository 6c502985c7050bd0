"""Processes and cells of one's own: kernels against callables, and what is refused."""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tickless as tl
from tickless import _wgsl

# People who meet those that they know and may infect them.
EPIDEMIC = """
struct Counts { people: u32, known: u32, }
var<uniform> counts: Counts;

const RECOVERY: u32 = 1u;

fn after(number: u32, stream: ptr<function, Stream>) -> Wide {
    return wide_add(parameters.lookahead, service_time(law(number), stream));
}

fn start(id: u32, stream: ptr<function, Stream>) {
    set_luck(bitcast<i32>(draw(stream)));
    if (id % 100u == 0u) { plan(wide(0u, 0u), vec4<u32>()); }
}

fn execute(event: Event, stream: ptr<function, Stream>) {
    set_met(get_stage() % 2u, get_met(get_stage() % 2u) + 1u);
    if (carried_by(event).x == RECOVERY) { // nothing else comes from oneself
        set_stage(2u);
        return;
    }
    if (get_stage() != 0u) { return; }
    set_stage(1u);
    set_since(process.now);
    set_from_(source_of(event));
    let recovery = after(0u, stream);
    send(process.id, recovery, vec4<u32>(RECOVERY, 0u, 0u, 0u));
    for (var number = 0u; number < counts.known; number += 1u) {
        let meeting = after(1u, stream);
        let other = multiply_high(draw(stream), counts.people);
        if (wide_less(meeting, recovery)) { send(other, meeting, vec4<u32>()); }
    }
}
"""
PERSON = [("stage", "u4"), ("met", "u4", 2), ("since", "u8"), ("luck", "i4"), ("from_", "u4")]
PEOPLE, KNOWN = 300, 5


def epidemic(**changed: Any) -> tl.Processes:
    latent = tl.ticks(2)

    def start(process: Any, state: Any) -> None:
        state["luck"] = np.uint32(process.draw()).astype(np.int32)
        if process.id % 100 == 0:
            process.plan(0, 0)

    def execute(process: Any, state: Any, message: Any) -> None:
        state["met"][state["stage"] % 2] += 1
        if message.payload == (1,):
            state["stage"] = 2
        elif state["stage"] == 0:
            state["stage"], state["since"], state["from_"] = 1, process.now, message.source
            recovery = latent + process.service(0)
            process.send(process.id, recovery, 1)
            for _ in range(KNOWN):
                meeting = latent + process.service(1)
                other = process.draw() * PEOPLE >> 32
                if meeting < recovery:
                    process.send(other, meeting, 0)

    given: dict[str, Any] = {
        "lookahead": 2,
        "until": 60,
        "state": PERSON,
        "payload": 1,
        "kernels": EPIDEMIC,
        "start": start,
        "execute": execute,
        "laws": ["gamma:3,4", "exponential:2"],
        "buffers": {"counts": np.array([PEOPLE, KNOWN], "u4")},
        "most_sent": KNOWN + 1,
    }
    return tl.Processes(PEOPLE, **{**given, **changed})


# A forest: trees catch fire from neighbours, burn, and grow again.
FOREST = """
fn cell_output(cell: u32) -> bool {
    set_output_heat(cell, f32(get_fires(cell)));
    return get_stage(cell) == 1u;
}
fn cell_transition(cell: u32, imminent: bool) -> Time {
    var stream = open_stream(cell);
    if (imminent) {
        let burns = get_stage(cell) == 1u;
        set_stage(cell, select(0u, 2u, burns));
        let rest = service_time(law(0u), &stream);
        close_stream(cell, stream);
        if (burns) { return wide_add(now, rest); }
        return never();
    }
    var caught = false;
    for (var n = 0u; n < NEIGHBOURS; n += 1u) {
        if (neighbour_arrives(n) && draw(&stream) % 4u > 0u && neighbour_heat(n) >= 1.0) { caught = true; }
    }
    close_stream(cell, stream);
    if (get_stage(cell) != 0u || !caught) { return planned; }
    set_stage(cell, 1u);
    set_fires(cell, get_fires(cell) + 1u);
    return wide_add(now, wide(0u, 1u));
}
"""
TREE = [("stage", "u4"), ("stream", "u4", 2), ("fires", "u4")]


def forest(**changed: Any) -> tl.Cells:
    def output_of(cell: Any, state: Any, output: Any) -> bool:
        output["heat"] = state["fires"]
        return bool(state["stage"] == 1)

    def transition(cell: Any, state: Any) -> int | None:
        if cell.imminent:
            burns = state["stage"] == 1
            state["stage"] = 2 if burns else 0
            rest: int = cell.service(0)
            return cell.now + rest if burns else None
        caught = False
        for n in range(4):
            if cell.arrives[n] and cell.draw() % 4 > 0 and cell.heard["heat"][n] >= 1:
                caught = True
        if state["stage"] != 0 or not caught:
            planned: int | None = cell.planned
            return planned
        state["stage"] = 1
        state["fires"] += 1
        return int(cell.now) + tl.ticks(1)

    initial = np.zeros((7, 9), dtype=TREE)
    initial["stage"][3, 4] = initial["fires"][3, 4] = 1
    given: dict[str, Any] = {
        "until": 40,
        "lookahead": 1,
        "output": [("heat", "f4")],
        "neighbours": "von-neumann",
        "wrapped": True,
        "kernels": FOREST,
        "output_of": output_of,
        "transition": transition,
        "stream": "stream",
        "laws": ["gamma:2,3"],
    }
    return tl.Cells(initial, np.where(initial["stage"] == 1, 0, np.inf), **{**given, **changed})


@pytest.mark.usefixtures("adapter")
def test_processes_are_held() -> None:
    model = epidemic()
    heap, device = model.run(backend="heap", seed=3), model.run(backend="wgpu", seed=3)
    assert heap.digest == device.digest and heap.events == device.events > 300
    for name in ("state", "executed", "sent", "pending"):
        assert (getattr(heap, name) == getattr(device, name)).all(), name
    assert heap.state.dtype == np.dtype(PERSON) and heap.executed.sum() == heap.events
    ill = heap.state["stage"] > 0
    assert ill.sum() > 50 and (heap.state["since"][ill] >> 32).max() > 10 and len(set(heap.state["luck"])) > 290
    assert (device.backend, heap.adapter) == ("wgpu", None) and device.adapter is not None
    assert model.run(backend="heap", seed=4).digest != heap.digest

    def other(process: Any, state: Any, message: Any) -> None:
        state["met"][0] += 1

    with pytest.raises(tl.RunError, match=r"differ from the model in Python: process 0"):
        epidemic(execute=other).hold(seed=3)


@pytest.mark.usefixtures("adapter")
def test_cells_are_held() -> None:
    model = forest()
    heap, device = (model.run(backend=backend, seed=2, replications=2) for backend in ("heap", "wgpu"))
    assert heap.digest == device.digest and heap.state.shape == (2, 7, 9)
    for name in ("state", "output", "next"):
        assert (getattr(heap, name) == getattr(device, name)).all(), name
    assert heap.state["fires"].sum() > 20 and heap.output["heat"].max() >= 1
    assert (heap.state[0] != heap.state[1]).any()
    model.hold(seed=5)

    def other(cell: Any, state: Any) -> int | None:
        state["stage"] = 2
        return None

    with pytest.raises(tl.RunError, match=r"differ from the model in Python: "):
        forest(transition=other).hold(seed=2)


def test_what_a_callable_raises_comes_out() -> None:
    def broken(process: Any, state: Any, message: Any) -> None:
        raise KeyError("oh")

    with pytest.raises(KeyError, match="oh"):
        epidemic(execute=broken).run(backend="heap")

    def broken_cell(cell: Any, state: Any) -> int:
        return 1 // 0

    with pytest.raises(ZeroDivisionError):
        forest(transition=broken_cell).run(backend="heap")

    def soon(process: Any, state: Any, message: Any) -> None:
        process.send(process.id, 1, 0)

    with pytest.raises(tl.RunError, match="lookahead"):
        epidemic(execute=soon).run(backend="heap")

    def wrong(process: Any, state: Any) -> None:
        process.send(0, tl.ticks(3), 0)

    with pytest.raises(RuntimeError, match="sends messages in `execute`"):
        epidemic(start=wrong).run(backend="heap")

    def more(process: Any, state: Any) -> None:
        process.plan(0, 1, 2)

    with pytest.raises(ValueError, match="number of words carried is 2; it must be 1"):
        epidemic(start=more).run(backend="heap")


@pytest.mark.usefixtures("adapter")
def test_mistakes_in_kernels_are_told_with_their_line() -> None:
    with pytest.raises((tl.DeviceError, tl.ModelError), match="kernels, line 19: "):
        epidemic(kernels=EPIDEMIC.replace("set_stage(2u);", "set_stage(2.5);")).run(backend="wgpu")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"state": "u4"}, "structured type"),
        ({"state": [("a", "f8")]}, "field 'a' of state is float64; it must be u4"),
        ({"state": np.dtype({"names": ["a", "b"], "formats": ["u4", "u4"], "offsets": [0, 8]})}, "begins at byte 8"),
        ({"state": []}, "has no field"),
        ({"payload": 4}, "payload is 4"),
        ({"lookahead": 0}, "lookahead is 0"),
        ({"until": -1}, "until is -1"),
        ({"kernels": "fn start() {}"}, "no `fn execute`"),
        ({"execute": None}, "belong together"),
        ({"buffers": {"count": np.zeros(4, "u4")}}, "buffer 'count' is not in the kernels"),
        ({"buffers": {"counts": np.zeros(4)}}, "buffer 'counts' is of <f8"),
        ({"buffers": {"counts": np.zeros(4, ">u4")}}, "buffer 'counts' is of >u4"),
        ({"buffers": {"counts": np.zeros(4, [("a", "f8")])}}, "field 'a' of buffer 'counts'"),
        ({"laws": ["gama:3,4"]}, "the law 'gama:3,4'"),
    ],
)
def test_processes_that_cannot_be_are_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, tl.ModelError)) as error:
        epidemic(**changed)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"stream": "fires"}, "stream is 'fires'"),
        ({"neighbours": "hexagons"}, "neighbours is 'hexagons'"),
        ({"neighbours": [(1, 0), (1, 0)]}, "twice"),
        ({"neighbours": [(1,)]}, "an offset must have two numbers"),
        ({"output": [("heat", "u2")]}, "field 'heat' of output"),
        ({"kernels": FOREST.replace("cell_output", "output")}, "no `fn cell_output`"),
        ({"lookahead": -1}, "lookahead is -1"),
        ({"output": [("word", "u4")]}, "`neighbour_word` of WGSL, which there is already"),
    ],
)
def test_cells_that_cannot_be_are_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, tl.ModelError)) as error:
        forest(**changed)
    assert said in str(error.value)


@pytest.mark.usefixtures("adapter")
def test_what_a_backend_needs_is_said() -> None:
    with pytest.raises(tl.ModelError, match="no `kernels`"):
        epidemic(kernels=None, buffers={}).run(backend="wgpu")
    with pytest.raises(tl.ModelError, match="no `start` and `execute`"):
        epidemic(start=None, execute=None).run(backend="heap")
    with pytest.raises(tl.ModelError, match="no `output_of` and `transition`"):
        forest(output_of=None, transition=None).run(backend="heap")
    with pytest.raises(ValueError, match="first has the shape"):
        tl.Cells(np.zeros((2, 2), dtype=TREE), np.zeros(4), until=1)


def test_names_are_those_of_the_page() -> None:
    page = Path(os.environ["TICKLESS_NETWORKS"]).parents[1] / "docs/wgsl.md"
    shared: dict[str, list[str]] = {}
    processes: dict[str, list[str]] = {}
    cells: dict[str, list[str]] = {}
    kind, module = shared, ""
    for line in page.read_text().split("## Buffers")[0].splitlines():
        if line.startswith("## "):
            kind = {"Processes": processes, "Cells": cells}.get(line[3:], shared)
        elif line.startswith("### "):
            module = line[4:].strip("`")
        elif declared := re.match(r"\| `(?:fn|struct|alias|const|var<\w+>) (\w+)", line):
            kind.setdefault(module, []).append(declared[1])
    ours = [{module: names.split() for module, names in of.items()} for of in (_wgsl.PROCESSES, _wgsl.CELLS)]
    assert [shared | processes, shared | cells] == [dict(sorted(of.items(), key=lambda item: [*shared, *processes, *cells].index(item[0]))) for of in ours]
