"""What tests share: example networks, and the command whose digests those of Python are held against."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import tickless as tl

#: A queue of two classes, of which one has a higher priority.
QUEUE = """
until = 400
unit = "min"
[[class]]
name = "urgent"
priority = 1
[[class]]
name = "other"
priority = 2
[[source]]
name = "street"
interval = "exponential:4"
class = "urgent"
to = "desk"
[[source]]
name = "phone"
interval = "exponential:3"
class = "other"
to = "desk"
[[station]]
name = "desk"
service = "exponential:1.5"
patience = "exponential:9"
[[sink]]
name = "home"
[[route]]
from = "desk"
to = "home"
"""

Digest = Callable[..., str]


@pytest.fixture
def networks() -> Path:
    """The folder of the example networks."""
    return Path(os.environ["TICKLESS_NETWORKS"])


@pytest.fixture
def queue() -> tl.Network:
    return tl.Network.from_toml(QUEUE)


@pytest.fixture
def adapter(queue: tl.Network) -> None:
    """Skips a test where there is no adapter, but not in CI."""
    try:
        queue.run(until=1, backend="wgpu")
    except tl.DeviceError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(f"no adapter: {error}")


@pytest.fixture
def digest_of_command() -> Digest:
    """The digest that the command finds for a model with options, on the heap."""

    def digest(*words: str | Path) -> str:
        command = [os.environ["TICKLESS_COMMAND"], *map(str, words), "--format", "json", "--backend", "heap"]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return str(json.loads(said)["digest"])

    return digest
