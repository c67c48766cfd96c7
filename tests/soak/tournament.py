"""A tournament killed at random moments and gone on with must end as one that was left alone.

The runner is killed (SIGKILL, at moments a seed draws) until so many kills are done, then left to finish.
What it leaves is compared with an undisturbed run of another number of workers: every line of the export,
every record, and the tables, byte for byte but for times.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from kingsbridge.pyengine import Rng, game_names

COMMAND = (sys.executable, "-m", "kingsbridge.server", "tournament")
LONGEST = 4.0
"""Seconds after which a run is killed at the latest."""


def manifest(blocks: int) -> str:
    """Contests of formats that depend on results and of those that do not, in all games."""
    first, second, third = game_names()
    return f"""
[defaults]
blocks = {blocks}
players = 2

[[contest]]
id = "league"
format = "round_robin"
game = "{first}"
players = 3
bots = ["ismcts:iterations=40", "greedy", "random"]

[[contest]]
id = "swiss"
format = "swiss"
game = "{second}"
rounds = 4
bots = ["ismcts:iterations=10", "greedy", "random", "flat_mc:iterations=10"]

[[contest]]
id = "test"
format = "sprt"
game = "{third}"
bots = {{ new = "ismcts:iterations=12", old = "ismcts:iterations=10" }}
low = 0.5
high = 0.52
"""


def run(path: Path, results: Path, *more: str) -> subprocess.Popen[bytes]:
    """The runner as a process."""
    command = [*COMMAND, str(path), "--results", str(results), *more]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_often(path: Path, results: Path, kills: int, rng: Rng) -> tuple[int, int]:
    """Kills run after run; returns how many were killed, and how many runs it took to the end."""
    killed = runs = 0
    while True:
        runs += 1
        with run(path, results, "--workers", "2") as process:
            try:
                process.wait(LONGEST * (rng.below(1000) + 1) / 1000 if killed < kills else None)
            except subprocess.TimeoutExpired:
                process.kill()
                killed += process.wait() == -signal.SIGKILL
                continue
            if process.returncode:
                raise SystemExit(f"run {runs} ended with {process.returncode}")
            return killed, runs


def left(path: Path, results: Path, folder: Path) -> dict[str, Any]:
    """What a tournament leaves, times aside."""
    folder.mkdir()
    exports = ("--jsonl", str(folder / "games"), "--records", str(folder / "records"), "--json", "--report")
    told = subprocess.run(
        [*COMMAND, str(path), "--results", str(results), *exports], capture_output=True, check=True
    )
    games = [json.loads(line) for line in (folder / "games").read_text().splitlines()]
    results_of = [json.loads(line) for line in told.stdout.splitlines()]
    records = {each.name: each.read_bytes() for each in sorted((folder / "records").iterdir())}
    return {
        "games": list(map(timeless, games)),
        "tables": list(map(timeless, results_of)),
        "records": records,
    }


def timeless(value: Any) -> Any:
    """The same without members that tell times."""
    if isinstance(value, dict):
        return {name: timeless(each) for name, each in value.items() if "seconds" not in name}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--blocks", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "soak.toml"
        path.write_text(manifest(options.blocks))
        started = time.monotonic()
        if run(path, folder / "whole", "--workers", "1").wait():
            raise SystemExit("the undisturbed run failed")
        killed, runs = kill_often(path, folder / "torn", options.kills, Rng(options.seed))
        whole, torn = (left(path, folder / each, folder / f"{each}-left") for each in ("whole", "torn"))
        same = whole == torn
        games = len(whole["games"])
        spent, verdict = time.monotonic() - started, "the same" if same else "NOT THE SAME"
        print(f"{killed} kills in {runs} runs, {games} games with records, {spent:.0f} s: {verdict}")
        if not same or killed < options.kills:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
