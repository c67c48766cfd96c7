"""What one server lets its callers use up."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The knobs, one a line: effect and unit. Every refusal names the limit it met."""

    games: int = 10_000
    """Games kept at a time. When all places are taken, a finished or an idle one gives way to a new one."""
    live_games: int = 2_000
    """Games held in memory at a time, and those that somebody watches or a bot plays; the others are read
    from the store when they are asked for.
    """
    idle_seconds: float = 30 * 24 * 3600.0
    """A running game that nobody has asked for or played for so long is deleted."""
    finished_seconds: float = 7 * 24 * 3600.0
    """So is a finished one."""
    sweep_seconds: float = 60.0
    """How often such games are looked for."""
    token_seconds: float = 90 * 24 * 3600.0
    """How long a token is good."""
    watchers: int = 5_000
    """Streams of WatchGame at a time."""
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
    """Searches of one class that wait for a worker at a time."""
    caller_queue: int | None = None
    """Searches of one caller that wait at a time; ``None`` is a quarter of ``queue``, at least 1."""
    worker_jobs: int = 10_000
    """Searches after which a worker is replaced."""
    worker_mebibytes: int = 1024
    """A worker that holds more memory than this after a search is replaced (MiB)."""
    threads: int = 16
    """Most threads of one search."""
    tree_mebibytes: int = 4096
    """Most memory of one search (MiB): what a bot asks for a tree, times its threads. Beyond this and
    ``worker_mebibytes`` together the system refuses a worker memory, which ends its search.
    """
    iterations: int = 500_000
    """Iterations a caller may ask for: the tree of such a search takes up to 1 GB."""
    search_seconds: float = 30.0
    """Thinking time of a search, whatever its budget says."""
    margin_seconds: float = 0.1
    """How long before a call's deadline its search ends; at most a quarter of the time left."""
    grace_seconds: float = 5.0
    """How long a stopping server waits for the calls in flight."""

    @property
    def caller_places(self) -> int:
        """``caller_queue``, or what it is if it is not given."""
        return max(1, self.queue // 4) if self.caller_queue is None else self.caller_queue

    @property
    def most_mebibytes(self) -> int:
        """What a worker may take in all (MiB): what it may keep, and the trees of a search."""
        return self.worker_mebibytes + self.tree_mebibytes
