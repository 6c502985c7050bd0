"""The fields of a result, as attributes."""

import json
from types import SimpleNamespace
from typing import Any


def of_json(text: str) -> Any:
    """Objects of JSON with their fields as attributes."""
    return json.loads(text, object_hook=lambda fields: SimpleNamespace(**fields))
