"""Environments: their numbers on every backend, beside runs, and what is refused."""

from typing import Any

import numpy as np
import pytest

import tickless as tl
from tickless.gym import NetworkEnv

TWO_CLASSES = """
until = 40
[[class]]
name = "calm"
[[class]]
name = "urgent"
[[source]]
name = "street"
interval = "exponential:1.1"
to = "desk"
class = "calm"
[[source]]
name = "phone"
interval = "exponential:2"
to = "desk"
class = "urgent"
[[station]]
name = "desk"
service = "exponential:1.2"
servers = 2
[[sink]]
name = "home"
[[route]]
from = "desk"
to = "home"
"""


def env_of(backend: str, text: str = TWO_CLASSES, **given: Any) -> NetworkEnv:
    asked: dict[str, Any] = {
        "decisions": ["station.desk.servers", "station.desk.priorities"],
        "observe": ["station.desk.class.calm.present", "station.desk.class.urgent.present", "station.desk.servers"],
        "reward": {"station.desk.class.calm.present": -1, "station.desk.class.urgent.present": -3, "sink.home.tokens": 0.5},
        "every": "event",
        "num_envs": 5,
    }
    return NetworkEnv(tl.Network.from_toml(text), backend=backend, **{**asked, **given})


# What copies stop for and what decisions meet: services interrupted and patience lost, servers that fail, a station without time, blocking.
ALL_SORTS = (
    TWO_CLASSES.replace("servers = 2", 'servers = 2\npatience = "exponential:3"\nfailures = { up = "exponential:9", down = "exponential:2" }')
    .replace('to = "home"', 'to = "note"')
    .replace(
        "[[sink]]",
        """[[station]]
name = "note"
service = "zero"
[[station]]
name = "door"
service = "exponential:0.6"
capacity = 2
full = "blocks"
[[route]]
from = "note"
to = "door"
[[route]]
from = "door"
to = "home"
[[sink]]""",
    )
)


@pytest.mark.usefixtures("adapter")
def test_the_same_actions_give_the_same_numbers_on_every_backend() -> None:
    heap, device = (env_of(backend, text=ALL_SORTS, seed=3, until=20, interrupt=True) for backend in ("heap", "wgpu"))
    assert device.backend == "wgpu"
    for env in (heap, device):
        env.action_space.seed(7)
    for one, other in zip(heap.reset(), device.reset(), strict=True):
        np.testing.assert_equal(one, other)
    ends = 0
    for _ in range(150):
        ours, theirs = heap.step(heap.action_space.sample()), device.step(device.action_space.sample())
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_equal(one, other)
        ends += int(ours[3].sum())
    assert ends >= 5


def test_what_stays_as_it_is_is_a_run() -> None:
    network = tl.Network.from_toml(TWO_CLASSES)
    env = NetworkEnv(
        network,
        decisions=["station.desk.servers"],
        observe=["station.desk.present"],
        reward={"station.desk.present": 1},
        every=7,
        num_envs=3,
        seed=5,
        backend="heap",
    )
    env.reset()
    total = np.zeros(3)
    for step in range(6):
        observed, rewards, terminated, truncated, infos = env.step(np.full((3, 1), 2))
        total += rewards
        assert truncated.all() == (step == 5) and not terminated.any()
    assert infos["time"].tolist() == [40, 40, 40]
    present = network.run(replications=3, seed=5, backend="heap")["station.desk.mean_present"].values
    np.testing.assert_allclose(total / 40, present, rtol=1e-12)
    # At the horizon a copy begins anew, whatever is decided, with other streams.
    observed, rewards, _, truncated, infos = env.step(np.zeros((3, 1), dtype=int))
    assert infos["time"].tolist() == [0, 0, 0] and not rewards.any() and not truncated.any() and not observed.any()
    again = env.step(np.full((3, 1), 2))[0]
    first = env.reset(seed=5)[0], env.step(np.full((3, 1), 2))[0]
    assert not (again == first[1]).all()
    env.reset()
    assert (env.step(np.full((3, 1), 2))[0] == again).all()


def test_a_network_that_ends_by_itself_is_terminated() -> None:
    text = TWO_CLASSES.replace("until = 40", "until = 40\nterminating = true")
    env = NetworkEnv(
        tl.Network.from_toml(text), decisions=[], observe=["station.desk.present"], reward={}, every=50, num_envs=2, backend="heap"
    )
    env.reset()
    _, rewards, terminated, truncated, _ = env.step(np.zeros((2, 0), dtype=int))
    assert terminated.all() and not truncated.any() and rewards.tolist() == [0, 0]


def test_who_is_not_served_waits() -> None:
    env = env_of("heap", num_envs=2, decisions=["station.desk.priorities"])
    env.reset(seed=1)
    for _ in range(60):
        observed, *_ = env.step(np.array([[0, 2], [1, 2]]))
    assert observed[0, 0] > 15 > observed[1, 0]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"decisions": ["station.desk.server"]}, "'servers' is probably meant"),
        ({"decisions": ["station.dsk.servers"]}, "'desk' is probably meant"),
        ({"decisions": ["station.desk.servers"] * 2}, "twice"),
        ({"decisions": ["station.desk.route"]}, "has classes with 1, 1 of its routes to choose from"),
        ({"decisions": ["source.street.route"]}, "one station"),
        ({"observe": ["station.desk.completed"]}, "there is no number 'completed'"),
        ({"observe": ["station.desk.class.calm.waiting"]}, "leave the class out"),
        ({"reward": {"sink.home.token": 1}}, "'tokens' is probably meant"),
        ({"every": 0}, "is 0 time units; it must be from 2^-32"),
        ({"text": TWO_CLASSES.replace("servers = 2", 'servers = "infinite"'), "decisions": []}, "servers for everyone: look at 'serving'"),
    ],
)
def test_what_cannot_be_decided_or_seen_is_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(tl.ModelError) as error:
        env_of("heap", **changed)
    assert said in str(error.value)


def test_actions_out_of_range_are_refused() -> None:
    env = env_of("heap")
    env.reset()
    actions = np.zeros((5, 3), dtype=np.int64)
    actions[3] = [2, 0, 7]
    with pytest.raises(ValueError, match="'station.desk.priorities' is 7 in copy 3; it must be from 0 to 2"):
        env.step(actions)
    with pytest.raises(ValueError, match="below 0"):
        env.step(actions - 1)
    with pytest.raises(ValueError, match="whole numbers"):
        env.step(np.full((5, 3), 0.5))
    with pytest.raises(ValueError, match=r"the shape \(4, 3\); it must be \(5, 3\)"):
        env.step(np.zeros((4, 3), dtype=int))
    with pytest.raises(ValueError, match=r"the shape \(3, 5\)"):
        env.step(np.zeros((3, 5), dtype=int))
    with pytest.raises(ValueError, match="every is 'often'"):
        env_of("heap", every="often")
    with pytest.raises(ValueError, match="num_envs is 0"):
        env_of("heap", num_envs=0)
    with pytest.raises(ValueError, match="arrays is 'torch'"):
        env_of("heap", arrays="torch")
    with pytest.raises(ValueError, match="one seed"):
        env.reset(seed=[1, 2])


# Two stations block each other soon.
DEADLOCK = """
until = 100
[[source]]
name = "in"
interval = "exponential:1"
to = "a"
[[station]]
name = "a"
service = "exponential:1"
capacity = 2
full = "blocks"
[[station]]
name = "b"
service = "exponential:1"
capacity = 2
full = "blocks"
[[sink]]
name = "out"
[[route]]
from = "a"
to = "b"
[[route]]
from = "b"
to = "a"
probability = 0.7
[[route]]
from = "b"
to = "out"
probability = 0.3
"""


@pytest.mark.usefixtures("adapter")
def test_a_reset_leaves_an_error_behind() -> None:
    said = []
    for backend in ("heap", "wgpu"):
        env = NetworkEnv(
            tl.Network.from_toml(DEADLOCK), decisions=[], observe=["station.a.present"], reward={}, every=10, num_envs=3, seed=4, backend=backend
        )
        env.reset()
        actions = np.zeros((3, 0), dtype=int)
        with pytest.raises(tl.RunError, match="in copy [0-2], at time") as error:
            for _ in range(9):
                env.step(actions)
        with pytest.raises(tl.RunError, match="before: reset them"):
            env.step(actions)
        assert not env.reset()[0].any()
        with pytest.raises(tl.RunError, match="in copy [0-2], at time"):
            for _ in range(9):
                env.step(actions)
        assert not env.reset(seed=4)[0].any()
        said.append(str(error.value))
    assert said[0] == said[1]


def test_the_horizon_is_a_decision_where_it_is_a_multiple() -> None:
    env = env_of("heap", every=0.7, until=7, decisions=[], num_envs=1)
    env.reset()
    ends = [env.step(np.zeros((1, 0), dtype=int))[3].item() for _ in range(10)]
    assert ends == [False] * 9 + [True]


def test_texts_and_weights_that_are_none_are_refused() -> None:
    with pytest.raises(TypeError, match="decisions is the text 'station.desk.servers'"):
        env_of("heap", decisions="station.desk.servers")
    with pytest.raises(TypeError, match="it must be a dictionary"):
        env_of("heap", reward=["station.desk.present"])
    with pytest.raises(ValueError, match="is nan; it must be finite"):
        env_of("heap", reward={"station.desk.present": float("nan")})
    with pytest.raises(tl.RunError, match="what is seen of the copies need"):
        env_of("heap", num_envs=2**32 - 1)
