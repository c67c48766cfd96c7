"""``kingsbridge perft``: count what can be reached, to check the rules and measure the move generator."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from kingsbridge.pyengine import Dealer, GameRecord, OptionError, RecordError, State, action_text
from kingsbridge.server.cli.arguments import checked_game, checked_seed, game_options
from kingsbridge.server.cli.errors import CommandError, WrongUsageError


def perft(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME", help="Name of the game.")],
    depth: Annotated[int, typer.Option(min=0, help="Events to look ahead.")],
    players: Annotated[int, typer.Option(help="Number of seats.")] = 2,
    divide: Annotated[bool, typer.Option("--divide", help="Count each first event by itself.")] = False,
    expand_chance: Annotated[
        bool,
        typer.Option(
            "--expand-chance", help="Count every outcome of chance, instead of the lowest one at no cost."
        ),
    ] = False,
    seed: Annotated[int, typer.Option(help="Deal the start position by this seed.")] = 1,
    record: Annotated[
        Path | None, typer.Option(help="Start from the end of this game record instead.", metavar="FILE")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Option of the game; may be repeated.")
    ] = None,
) -> None:
    """Count the leaf nodes DEPTH events below a dealt position."""
    state = (
        _recorded(game, record)
        if record
        else _dealt(game, players, game_options(option or []), checked_seed(seed))
    )
    started = time.perf_counter()
    nodes = _divide(state, depth, expand_chance) if divide else state.perft(depth, expand_chance)
    seconds = time.perf_counter() - started
    typer.echo(nodes)
    typer.echo(f"{seconds:.3f} s, {nodes / max(seconds, 1e-9):,.0f} leaves/s", err=True)


def _dealt(game: str, players: int, options: dict[str, int], seed: int) -> State:
    try:
        state = State.initial(checked_game(game), players, options)
    except OptionError as error:
        raise WrongUsageError(str(error)) from error
    Dealer(seed).settle(state)
    return state


def _recorded(game: str, path: Path) -> State:
    try:
        record = GameRecord.load(path)
    except RecordError as error:
        raise CommandError(f"{path}: {error}") from error
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    if record.game != game:
        raise WrongUsageError(f"{path} is a record of {record.game}, not of {game}")
    return record.state()


def _divide(state: State, depth: int, expand_chance: bool) -> int:
    """Prints the count below each first event, and returns their sum."""
    while state.is_chance and not expand_chance:  # as perft settles it: see State.perft
        state = state.child(state.chance_outcomes()[0][0])
    events = [outcome for outcome, _ in state.chance_outcomes()] or state.legal_actions()
    if depth == 0 or not events:
        return state.perft(depth, expand_chance)
    total = 0
    for event in events:
        nodes = state.child(event).perft(depth - 1, expand_chance)
        typer.echo(f"{action_text(state.game, event)}: {nodes}")
        total += nodes
    return total
