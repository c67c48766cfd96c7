"""``kingsbridge bench``: one signature of how everything behaves, and how fast it is."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from kingsbridge.ai.bench import ITERATIONS, BenchResult, run_bench
from kingsbridge.ai.signatures import signatures
from kingsbridge.server.cli.arguments import checked_game


def bench(
    *,
    games: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME ...", help="These games only, such as: --games A B; else all."),
    ] = None,
    iterations: Annotated[
        int, typer.Option(min=1, help="Iterations of each of the two searches of a position.")
    ] = ITERATIONS,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
) -> None:
    """Play and search fixed positions with fixed seeds, and print a signature and the speed.

    The signature changes when rules, heuristics, rollouts, bots or search behave otherwise, and for nothing
    else. Commits carry that of the standard bench, without options. Speeds are by CPU time.
    """
    result = run_bench([checked_game(game) for game in games] if games else None, iterations)
    if as_json:
        typer.echo(json.dumps(result.to_json()))
        return
    _print(result)
    if iterations == ITERATIONS:
        for game, signature in result.by_game.items():
            if signature != signatures()[game]:
                typer.echo(f"{game} is played otherwise than this version says ({signatures()[game]})")


def _print(result: BenchResult) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("game", style="bold")
    for heading in ("players", "stage", "decision", "signature", "iterations/s", "rollouts/s"):
        table.add_column(heading, justify="left" if heading in {"stage", "signature"} else "right")
    for each in result.positions:
        table.add_row(
            each.game,
            str(each.players),
            each.stage,
            str(each.decision),
            each.signature,
            f"{each.iterations_per_second:,.0f}",
            f"{each.rollouts_per_second:,.0f}",
        )
    Console().print(table)
    typer.echo(f"Bench: {result.signature}")
    typer.echo(
        f"{result.iterations_per_second:,.0f} iterations/s, {result.rollouts_per_second:,.0f} rollouts/s"
    )
