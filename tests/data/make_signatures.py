"""Keeps the signature of each game: ``make signatures``, after a change that is meant to change how games are
played.
"""

from __future__ import annotations

from pathlib import Path

from kingsbridge.ai.bench import run_bench

PATH = Path(__file__).parents[2] / "ai" / "signatures.toml"
HEADING = """\
# How each game is played: the signature of its standard bench, `kingsbridge bench --games GAME`. Whoever
# changes that, on purpose, keeps the new one by `make signatures`; results of tournaments that were played
# before are then of another definition.
"""


def main() -> None:
    """Writes the file."""
    lines = [f'{game} = "{signature}"\n' for game, signature in run_bench().by_game.items()]
    PATH.write_text(HEADING + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
