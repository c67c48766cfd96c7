"""What a soak has counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rich.table import Table


@dataclass
class Tally:
    """Counts by name, and how long servers took to answer again (seconds)."""

    counts: Counter[str] = field(default_factory=Counter)
    starts: list[float] = field(default_factory=list)

    def add(self, name: str, count: int = 1) -> None:
        """Counts something."""
        self.counts[name] += count

    def table(self, title: str) -> Table:
        """All counts, for people."""
        table = Table("what", "count", title=title)
        for name, count in self.counts.items():
            table.add_row(name, str(count))
        for share in (0.5, 0.99):
            table.add_row(f"seconds until it serves again, p{share:.0%}".rstrip("%"), self._quantile(share))
        return table

    def _quantile(self, share: float) -> str:
        ordered = sorted(self.starts)
        return f"{ordered[int(share * (len(ordered) - 1) + 0.5)]:.2f}" if ordered else "-"
