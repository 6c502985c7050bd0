"""Networks that are built in Python."""

import tomllib
from collections.abc import Callable

import numpy as np
import pytest
from conftest import QUEUE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tickless as tl

DISCIPLINES = ["fcfs", "lcfs", "siro", "sjf", "lcfs-preemptive", "psjf", "srpt", "ps"]
# What no two stations share, whatever the name is.
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=6)

texts = st.text(st.characters(codec="utf-8"))
numbers = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False)
scalars = st.booleans() | numbers | texts
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=6)
laws = st.builds(
    lambda law, mean: law.format(mean, 2 * mean),
    st.sampled_from(["exponential:{}", "constant:{}", "uniform:{},{}", "erlang:2,{}", "lognormal:{},{}"]),
    st.integers(1, 40).map(lambda mean: mean / 8),
)


@st.composite
def builders(draw: st.DrawFn, disciplines: list[str] = DISCIPLINES) -> tl.Builder:
    """A network of a few stations in a row, with ways back, classes and disciplines; tokens come and go, or stay for ever."""
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    classes = draw(st.lists(NAMES, max_size=2, unique=True))
    is_open = draw(st.booleans())
    builder = tl.Builder(until=60, warmup=np.float64(5), seed=draw(st.integers(0, 2**63 - 1)))
    for name in classes:
        builder.class_(name=name, priority=draw(st.integers(0, 2)))
    for place, name in enumerate(names):
        keys: dict[str, object] = {"discipline": draw(st.sampled_from(disciplines)), "servers": draw(st.integers(1, 3))}
        if is_open and keys["discipline"] != "ps" and draw(st.booleans()):
            keys["patience"] = draw(laws)
        if draw(st.booleans()) and classes:
            keys["class_"] = [{"name": name, "service": draw(laws)} for name in classes]
        tokens = 0 if is_open else np.int32(draw(st.integers(0 if place else 1, 3)))
        builder.station(name=name, service=draw(laws), tokens=tokens, **keys)
    if is_open:
        builder.sink(name="home, at last")
        for number in range(1 + len(classes)):
            of_class = {"class_": classes[number - 1]} if number else {}
            builder.source(name=f"street {number}", interval=draw(laws), to=draw(st.sampled_from(names)) if number else names[0], **of_class)
    back = draw(st.integers(0, 3)) / 4
    for name, onward in zip(names, [*names[1:], "home, at last" if is_open else names[0]], strict=True):
        builder.route(from_=name, to=onward, probability=1 - back)
        if back:
            builder.route(from_=name, to=names[0], probability=back, delay=1)
    return builder


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(texts, values, max_size=4))
def test_tables_are_those_that_a_reader_of_toml_finds(keys: dict[str, object]) -> None:
    # An argument's name is a text that is no word of Python with a line below it; all other names stay.
    assert tomllib.loads(tl.Builder(top=keys).station(**keys).toml) == {"top": keys, "station": [keys]}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(builders())
def test_a_built_network_is_that_of_its_file(builder: tl.Builder) -> None:
    network = builder.network()
    run = network.run(replications=2, backend="heap")
    assert run.events > 0
    for same in [tl.Network.from_toml(network.toml), tl.Builder(**tomllib.loads(network.toml)).network()]:
        assert same.run(replications=2, backend="heap").digest == run.digest


@pytest.mark.usefixtures("adapter")
def test_a_device_has_the_same_bits() -> None:
    # The first four: a software adapter compiles kernels of the others, which interrupt services, for up to ten seconds.
    @settings(max_examples=12, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(builders(DISCIPLINES[:4]))
    def same(builder: tl.Builder) -> None:
        network = builder.network()
        heap, device = (network.run(replications=2, backend=backend).digest for backend in ["heap", "wgpu"])
        assert heap == device, network.toml

    same()


def test_keys_are_those_of_the_file() -> None:
    builder = tl.Builder(until=400, unit="min").class_(name="urgent", priority=1).class_(name="other", priority=2)
    builder.source(name="street", interval="exponential:4", class_="urgent", to="desk")
    builder.source(name="phone", interval="exponential:3", class_="other", to="desk")
    builder.station(name="desk", service="exponential:1.5", patience="exponential:9")
    builder.sink(name="home").route(from_="desk", to="home")
    assert tomllib.loads(builder.toml) == tomllib.loads(QUEUE)
    ring = tl.Builder(generate={"kind": "ring", "stations": np.int64(4), "service": "constant:1", "tokens": 1})
    assert len(ring.network().stations) == 4


def desk(**keys: object) -> Callable[[], object]:
    builder = tl.Builder().station(name="desk", service="constant:1", tokens=1, **keys).route(from_="desk", to="desk")
    return builder.network


@pytest.mark.parametrize(
    ("build", "kind", "said"),
    [
        (desk(servrs=2), tl.ModelError, r"^station 'desk': there is no key `servrs` here; .*; `servers` is probably meant$"),
        (desk(cost={"servr": 2}), tl.ModelError, r"^station 'desk': there is no key `servr`"),
        (desk(servers=0), tl.ModelError, r"^station 'desk': the number of servers is 0; it must be"),
        (desk(servers=None), TypeError, r"^station 'desk': `servers` is None; it must be a number"),
        (desk(balking=np.array([0, 1j])), TypeError, r"^station 'desk': `balking` is 0j"),
        (desk(cost={"server": print}), TypeError, r"^station 'desk': `cost`, `server` is <built-in function print>"),
        (tl.Builder().route(from_="a", to="b").network, tl.ModelError, r"^route from 'a' to 'b': "),
        (tl.Builder(untl=2).network, tl.ModelError, r"^there is no key `untl` here; .*; `until` is probably meant$"),
        (tl.Builder(until=1j).network, TypeError, r"^`until` is 1j"),
        (lambda: tl.Builder(station=2).station(name="desk"), TypeError, r"^`station` is 2; where tables are added"),
    ],
)
def test_what_is_wrong_is_named(build: Callable[[], object], kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        build()
