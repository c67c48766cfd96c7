"""What a seat may spend on a whole turn, which is often a chain of small decisions."""

from __future__ import annotations

from kingsbridge.ai.bot import Budget, Decision, StopReason

PARTS = 3
"""How many parts what is left is split into; the next decision gets one. How many decisions a turn will have
is not known beforehand: thirds give 70 % of the bank to the first three decisions, where most is open, and
leave something however many follow."""


class Bank:
    """Iterations, seconds or both for all decisions of a turn; the caller owns it and charges it.

    ``iterations`` and ``seconds`` are what is left, never below 0; ``None``: not limited.

    Raises:
        ValueError: no limit at all, a bad one as in ``Budget``, or less than one part.
    """

    def __init__(
        self, *, iterations: int | None = None, seconds: float | None = None, parts: int = PARTS
    ) -> None:
        if Budget(iterations, seconds).is_empty:
            raise ValueError("a bank of nothing: iterations or seconds are needed")
        if parts < 1:
            raise ValueError(f"parts: {parts} is less than 1")
        self.iterations = iterations
        self.seconds = seconds
        self._parts = parts

    def budget(self) -> Budget:
        """For the next decision: one part of what is left, iterations rounded up. An empty bank gives zeros,
        with which every bot still makes a legal move.
        """
        return Budget(
            None if self.iterations is None else -(-self.iterations // self._parts),
            None if self.seconds is None else self.seconds / self._parts,
        )

    def charge(self, decision: Decision) -> None:
        """Takes off what a decision has cost. A forced one is free: it was not thought about."""
        if decision.stop_reason is not StopReason.FORCED:
            self.spend(decision.iterations, decision.elapsed)

    def spend(self, iterations: int, seconds: float) -> None:
        """Takes off so much, down to nothing."""
        if self.iterations is not None:
            self.iterations = max(0, self.iterations - iterations)
        if self.seconds is not None:
            self.seconds = max(0.0, self.seconds - seconds)
