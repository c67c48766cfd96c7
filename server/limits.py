"""What one server lets its callers use up."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The knobs, one a line: effect and unit. Every refusal names the limit it met."""

    games: int = 10_000
    """Games held at a time."""
    idle_seconds: float = 24 * 3600.0
    """A running game untouched for so long gives way to a new one when all places are taken."""
    message_bytes: int = 1 << 20
    """Size of a request."""
    record_characters: int = 1 << 19
    """Length of a record sent by a caller."""
    view_bytes: int = 1 << 15
    """Size of a view sent by a caller."""
    bot_characters: int = 200
    """Length of a bot's spec."""
    id_characters: int = 64
    """Length of names and ids."""
    queue: int = 64
    """Searches that wait for a worker at a time."""
    tree_mebibytes: int = 4096
    """Most memory of one search (MiB): what a bot asks for a tree, times its threads."""
    iterations: int = 500_000
    """Iterations a caller may ask for: the tree of such a search takes up to 1 GB."""
    search_seconds: float = 30.0
    """Thinking time of a search, whatever its budget says."""
    margin_seconds: float = 0.1
    """How long before a call's deadline its search ends; at most a quarter of the time left."""
    grace_seconds: float = 5.0
    """How long a stopping server waits for the calls in flight."""
