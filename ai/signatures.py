"""How each game is played by this version: the signature of its standard bench.

``signatures.toml`` holds them, so that they are known without a bench; a test compares. Results of a
tournament belong to the signature they were played with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def signatures() -> Mapping[str, str]:
    """By game 16 hex digits: what ``run_bench([game]).signature`` gives."""
    text = files(__package__).joinpath("signatures.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text))
