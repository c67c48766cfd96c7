"""``kingsbridge profile``: where the time of a search goes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from kingsbridge.ai.bench import STAGES, position_at
from kingsbridge.ai.profiling import NOISE, Profile, run_profile
from kingsbridge.pyengine import OptionError
from kingsbridge.server.cli.arguments import checked_game
from kingsbridge.server.cli.errors import CommandError, WrongUsageError

FLAME_SECONDS = 3.0
"""How long a sampler watches the search."""

LEGEND = (
    "apply: to play such an action or event; choices: to list the legal actions there, or to draw the event; "
    "heuristic: to rate those actions, and to give the list to Python"
)


def profile(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME", help="Name of the game.")],
    players: Annotated[int, typer.Option(help="Number of seats.")] = 2,
    stage: Annotated[str, typer.Option(help="Position of the bench: start, middle or late.")] = "start",
    iterations: Annotated[int, typer.Option(min=1, help="Iterations of the search.")] = 2000,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
    flame: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Instead, sample the search by py-spy (a flame graph, SVG) or perf (stacks as text).",
        ),
    ] = None,
) -> None:
    """Show where the time of a search goes: by phase, and by kind of action.

    Counts are exact: those of the Python reference, which grows the same tree. Costs are measured from
    Python, step by step at the positions the search meets, less the cost of the call; what remains of the
    whole is the tree's own work.
    """
    checked_game(game)
    if stage not in STAGES:
        raise WrongUsageError(f"--stage takes one of {', '.join(STAGES)}, not '{stage}'")
    try:
        position_at(game, players, stage)
    except OptionError as error:
        raise WrongUsageError(str(error)) from error
    if flame:
        _flame(flame, f"position_at{(game, players, stage)}, {iterations}")
        return
    result = run_profile(game, players, stage, iterations)
    if as_json:
        typer.echo(json.dumps(result.to_json()))
    else:
        _print(result)


def _print(result: Profile) -> None:
    phases = _table("phase", "times an iteration", "ns each", "ns an iteration", "share")
    phases.add_column("how it is known", style="dim")
    for each in result.phases:
        times = each.count / result.iterations
        spent = times * each.nanoseconds
        row = (
            f"{times:.2f}",
            f"{each.nanoseconds:,.0f}",
            f"{spent:,.0f}",
            f"{spent / result.nanoseconds:.0%}",
        )
        phases.add_row(each.name, *row, each.how)
    phases.add_row("whole", "1.00", *2 * [f"{result.nanoseconds:,.0f}"], "100%", "measured: native search")
    kinds = _table("action", "count", "apply ns", "choices ns", "heuristic ns")
    for kind in result.kinds:
        costs = map(_cost, (kind.apply, kind.choices, kind.heuristic))
        kinds.add_row(kind.kind, f"{kind.count:,}", *costs)
    size = f"{result.iterations:,} iterations, {result.nodes:,} nodes"
    console = Console()
    console.print(f"{result.game}, {result.players} players, {result.stage}: {size}\n", phases, "", kinds)
    console.print(f"\n[dim]{LEGEND}[/]")


def _cost(nanoseconds: float) -> str:
    return f"{nanoseconds:,.0f}" if nanoseconds >= NOISE else f"< {NOISE}"


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(first, style="bold")
    for heading in others:
        table.add_column(heading, justify="right")
    return table


def _flame(path: Path, what: str) -> None:
    """Runs the search in a process of its own under a sampler, and writes what that saw."""
    code = f"from {run_profile.__module__} import *; search_for({what}, {FLAME_SECONDS})"
    search = [sys.executable, "-c", code]
    if spy := shutil.which("py-spy"):
        _run([spy, "record", "--native", "--output", str(path), "--", *search])
    elif perf := shutil.which("perf"):
        with tempfile.TemporaryDirectory() as folder:
            data = str(Path(folder) / "perf.data")
            _run([perf, "record", "-g", "-F", "999", "-o", data, "--", *search])
            _write(path, _run([perf, "script", "-i", data]))
    else:
        raise CommandError(
            "--flame needs py-spy (pip install py-spy) or perf (Debian: linux-perf); neither is here"
        )
    typer.echo(f"{path}: samples of {FLAME_SECONDS:g} seconds", err=True)


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own words
    if done.returncode:
        last = (done.stderr.strip() or "no reason given").splitlines()[-1]
        raise CommandError(f"{Path(command[0]).name} failed: {last}")
    return done.stdout


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"--flame {path}: {error.strerror}") from error
