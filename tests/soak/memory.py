"""Memory of a server over time, and whether it grows."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import linear_regression, median

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Sample:
    """Bytes of the server and of its workers, so many seconds after the start."""

    seconds: float
    server: int
    workers: int


@dataclass(frozen=True, slots=True)
class Growth:
    """MiB: at the end of the warm-up, in the end, and how much more each minute (a straight line)."""

    first: float
    last: float
    per_minute: float

    @property
    def total(self) -> float:
        """From the end of the warm-up to the end (MiB)."""
        return self.last - self.first


def growth(sizes: list[tuple[float, int]]) -> Growth:
    """Of sizes in bytes at seconds; first and last are medians over a tenth."""
    if len(sizes) < 2:
        return Growth(0.0, 0.0, 0.0)
    tenth = max(1, len(sizes) // 10)
    slope = linear_regression(*zip(*sizes, strict=True)).slope
    return Growth(
        first=median(size for _, size in sizes[:tenth]) / MEBIBYTE,
        last=median(size for _, size in sizes[-tenth:]) / MEBIBYTE,
        per_minute=slope * 60 / MEBIBYTE,
    )
