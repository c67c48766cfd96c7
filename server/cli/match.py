"""``kingsbridge match``: bots against each other, with shared luck and seat rotations."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from kingsbridge.ai import BotFaultError, Budget, DealError, MatchResult, UnknownBotError, play_match
from kingsbridge.ai.arena import WorkerDiedError
from kingsbridge.pyengine import GameRecord
from kingsbridge.server.cli.arguments import checked_game, checked_seed, game_options
from kingsbridge.server.cli.errors import CommandError, WrongUsageError
from kingsbridge.server.cli.leaving import ending_on_signals


def match(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME", help="Name of the game.")],
    bots: Annotated[
        list[str],
        typer.Option(
            metavar="BOT ...", help="Two or more bots, such as: --bots ismcts:iterations=1000 greedy"
        ),
    ],
    players: Annotated[int, typer.Option(help="Number of seats; fewer bots take them in turn.")] = 2,
    blocks: Annotated[
        int, typer.Option(min=1, help="Deals; each is played in every rotation of the seats.")
    ] = 50,
    seed: Annotated[int, typer.Option(help="Seed of deals and bots: the same seed repeats the match.")] = 1,
    iterations: Annotated[
        int | None, typer.Option(min=0, help="Budget of a decision, for every bot.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Budget of a decision, for every bot.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that play.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a record of every game there.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Option of the game; may be repeated.")
    ] = None,
) -> None:
    """Play bots against each other and say how sure the result is.

    A block is one deal, played once in every rotation of the seats: luck and seats weigh alike on all. The 95
    % interval is over blocks.
    """
    options = game_options(option or [])
    folder = _folder(save) if save else None
    with ending_on_signals(), _refusals(), _progress(players) as report:
        result = play_match(
            checked_game(game),
            players,
            bots,
            blocks,
            checked_seed(seed),
            options=options,
            budget=Budget(iterations, seconds),
            workers=workers,
            on_progress=report,
        )
    if folder:
        _save(result, folder)
    if as_json:
        typer.echo(json.dumps(result.to_json()))
    else:
        _print(result)


@contextmanager
def _refusals() -> Iterator[None]:
    """Says in one line why a match cannot be played, or why it broke off."""
    try:
        yield
    except (BotFaultError, DealError, WorkerDiedError) as error:
        raise CommandError(str(error)) from error
    except (UnknownBotError, ValueError) as error:
        if getattr(error, "__notes__", None):  # not about the arguments: a bot failed while it was choosing
            raise
        raise WrongUsageError(str(error)) from error


@contextmanager
def _progress(players: int) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, which counts in games; nothing where nobody watches."""
    console = Console(stderr=True)
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, {task.fields[rate]} games/s, left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("match", total=None, rate="-")

        def report(done: int, total: int) -> None:
            elapsed = progress.tasks[task].elapsed or 0.0
            rate = f"{done * players / elapsed:.2f}" if done and elapsed else "-"
            progress.update(task, completed=done * players, total=total * players, rate=rate)

        yield report


def _print(result: MatchResult) -> None:

    table = Table(box=None, pad_edge=False)
    table.add_column("bot", style="bold", overflow="fold")
    for heading in ("games", "win share", "95 %", "mean score"):
        table.add_column(heading, justify="right")
    for bot in result.bots:
        low, high = bot.win_share_ci95
        margin = max(bot.win_share - low, high - bot.win_share)  # the interval is cut off at 0 and 1
        table.add_row(
            bot.bot,
            str(bot.games),
            f"{bot.win_share:.1%} ± {margin:.1%}",
            f"{low:.1%} .. {high:.1%}",
            f"{bot.mean_score:.2f}",
        )
    console = Console()
    console.print(f"{result.game}, {result.players} players: {result.games} games in {result.blocks} blocks")
    console.print(table)


def _folder(path: Path) -> Path:
    """The folder for records, made if needed, before anything is played."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"--save {path}: {error.strerror}") from error
    return path


def _save(result: MatchResult, folder: Path) -> None:

    for block, games in enumerate(result.played):
        for rotation, game in enumerate(games):
            record = GameRecord(game.game, game.players, game.options, game.actions, result=game.scores)
            try:
                record.save(folder / f"{game.game}-{block:05}-{rotation}.record")
            except OSError as error:
                raise CommandError(f"--save {folder}: {error.strerror}") from error
