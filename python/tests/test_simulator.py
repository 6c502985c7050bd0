"""A network as a function of arrays."""

import numpy as np
import pytest
from conftest import QUEUE

import tickless as tl

INPUTS = ["station.desk.service = exponential:{}", "station.desk.servers"]
OUTPUTS = ["station.desk.utilization", "sink.home.throughput"]


def test_points_are_runs_of_changed_files(queue: tl.Network) -> None:
    simulate = tl.simulator(queue, INPUTS, OUTPUTS, replications=6, backend="heap")
    theta = [[1.5, 1], [3.25, 2]]
    y, error = simulate(theta, seed=3)
    assert y.shape == error.shape == (2, 2)
    for place, (mean, servers) in enumerate(theta):
        text = QUEUE.replace('"exponential:1.5"', f'"exponential:{mean}"\nservers = {servers}')
        run = tl.Network.from_toml(text).run(replications=6, seed=3, backend="heap")
        for output, path in enumerate(OUTPUTS):
            figure = run[path]
            assert y[place, output] == figure.mean
            assert figure.standard_deviation is not None
            assert error[place, output] == pytest.approx(figure.standard_deviation / 6**0.5)


def test_the_same_arguments_give_the_same_bits(queue: tl.Network) -> None:
    simulate = tl.simulator(queue, INPUTS, OUTPUTS, backend="heap")
    theta = np.array([[1.0, 1.0], [1.0, 1.0]])
    y, error = simulate(theta)
    again, _ = simulate(theta)
    assert np.array_equal(y, again)
    # With common streams equal points have equal figures.
    assert np.array_equal(y[0], y[1])
    own, _ = simulate(theta, common=False)
    assert np.array_equal(own[0], y[0]) and not np.array_equal(own[1], y[1])
    other, _ = simulate(theta, seed=99)
    assert not np.array_equal(other, y)
    assert (error > 0).all()


def test_shapes(queue: tl.Network) -> None:
    simulate = tl.simulator(queue, INPUTS, OUTPUTS, replications=1)
    y, error = simulate([1.0, 2])
    assert y.shape == error.shape == (2,)
    assert np.isnan(error).all()
    y, error = simulate(np.zeros((0, 2)))
    assert y.shape == error.shape == (0, 2)
    with pytest.raises(ValueError, match="theta has 3 dimensions"):
        simulate(np.zeros((1, 1, 2)))


@pytest.mark.usefixtures("adapter")
def test_a_device_has_the_same_bits(queue: tl.Network) -> None:
    theta = [[1.0, 1], [2.0, 3], [0.5, 1]]
    heap, device = (
        tl.simulator(queue, INPUTS, OUTPUTS, replications=3, backend=backend)(theta) for backend in ["heap", "wgpu"]
    )
    assert np.array_equal(heap[0], device[0]) and np.array_equal(heap[1], device[1])


def test_what_is_wrong_is_named(queue: tl.Network) -> None:
    with pytest.raises(tl.ModelError, match="station.desc.servers: the file has no station 'desc'; 'desk' is"):
        tl.simulator(queue, ["station.desc.servers"], OUTPUTS)
    with pytest.raises(tl.ModelError, match="'utilization' is probably meant"):
        tl.simulator(queue, INPUTS, ["station.desk.utilisation"])
    with pytest.raises(ValueError, match="replications is 0"):
        tl.simulator(queue, INPUTS, OUTPUTS, replications=0)
    simulate = tl.simulator(queue, INPUTS, OUTPUTS)
    with pytest.raises(tl.ModelError, match="point 1: it has 3 numbers, for 2 inputs"):
        simulate([[1, 2, 3]])
    with pytest.raises(tl.ModelError, match=r"at point 2 \(.*station.desk.servers = 0\)"):
        simulate([[1, 1], [1, 0]])
