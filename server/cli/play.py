"""``kingsbridge play``: a terminal frontend. It knows no rules: all it shows and does goes over gRPC."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from kingsbridge.pyengine import GameInfo
from kingsbridge.server.cli.arguments import checked_game, checked_language, checked_seed, game_options
from kingsbridge.server.cli.cards import Cards
from kingsbridge.server.cli.errors import CommandError, WrongUsageError
from kingsbridge.server.cli.leaving import ending_on_signals
from kingsbridge.server.cli.own_server import own_server
from kingsbridge.server.cli.screen import Screen
from kingsbridge.server.cli.table import Table
from kingsbridge.server.cli.words import Words
from kingsbridge.server.client import Client, Game, InvalidError, ServerError, Thinking, Tls, UnknownError

Server = Annotated[
    str | None, typer.Option(metavar="HOST:PORT", help="Play on this server, not on one of its own.")
]
Record = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the game's record there.")]
Json = Annotated[
    bool, typer.Option("--json", help="With --auto: print the result as one JSON object, and nothing else.")
]
Secure = Annotated[
    bool | None,
    typer.Option(
        "--tls/--no-tls", help="With --server: TLS or plain text. [default: TLS but to this machine]"
    ),
]
Roots = Annotated[Path | None, typer.Option(metavar="FILE", help="TLS: roots to trust (PEM).")]
Certificate = Annotated[Path | None, typer.Option(metavar="FILE", help="TLS: your certificate (PEM).")]
Key = Annotated[Path | None, typer.Option(metavar="FILE", help="TLS: the key of it (PEM).")]

DEMO_ITERATIONS = 2000
"""Budget of a move if none is given, and neither bot nor human: a whole game takes well under a minute."""


def play(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME", help="Name of the game.")],
    players: Annotated[int, typer.Option(min=1, help="Number of seats.")] = 2,
    seat: Annotated[int, typer.Option(min=0, help="Your seat, from 0.")] = 0,
    auto: Annotated[bool, typer.Option("--auto", help="Let bots play all seats.")] = False,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT", help="Who plays the other seats; several take them in turn. [default: ismcts]"
        ),
    ] = None,
    iterations: Annotated[int | None, typer.Option(min=0, help="Budget of a bot's move.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Budget of a bot's move.")] = None,
    seed: Annotated[int | None, typer.Option(help="Repeat a game: seed of chance and bots.")] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Option of the game; may be repeated.")
    ] = None,
    language: Annotated[str, typer.Option(help="Language of cards and actions: en, fr, ja or de.")] = "en",
    server: Server = None,
    tls: Secure = None,
    tls_roots: Roots = None,
    tls_certificate: Certificate = None,
    tls_key: Key = None,
    record: Record = None,
    as_json: Json = False,
) -> None:
    """Play against bots, or watch them with --auto.

    At your turn choose an action by its number or its notation; ? helps, h asks a bot for a hint, q quits.
    """
    checked_language(language)
    human = None if auto else _checked_seat(seat, players)
    if as_json and human is not None:
        raise WrongUsageError("--json goes with --auto")
    if server is None:
        checked_game(game)
    if record is not None:
        _check_folder(record)
    if human is None and not bot and iterations is None and seconds is None:
        iterations = DEMO_ITERATIONS
    luck = None if seed is None else checked_seed(seed)
    thinking = [Thinking(each, iterations, seconds, luck) for each in bot or ["ismcts"]]
    seats = _seated(players, human, thinking)
    console = Console(quiet=as_json, highlight=False)
    secured = _tls(tls, tls_roots, tls_certificate, tls_key)
    with (
        ending_on_signals(),
        _failures(),
        _address(server, console) as address,
        Client(address, tls=secured) as client,
    ):
        held = client.create(game, players, game_options(option or []), luck)
        table = Table(held, _screen(console, client.describe(game), language, seats), seats)
        if not table.play_out():
            console.print("You left the game.")
        _save(held, record)
    if as_json:
        typer.echo(json.dumps(table.summary(game)))


def _tls(
    asked: bool | None, roots: Path | None, certificate: Path | None, key: Path | None
) -> Tls | bool | None:
    """How to speak to the server; ``None`` leaves it to the address."""
    if (certificate is None) != (key is None):
        raise WrongUsageError("--tls-certificate and --tls-key go together")
    if roots is None and certificate is None:
        return asked
    if asked is False:
        raise WrongUsageError("--no-tls has no certificates")
    try:
        return Tls.of_files(roots, certificate, key)
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from error


@contextmanager
def _failures() -> Iterator[None]:
    """Says in one line why a call failed; a call that asked for something wrong is wrong usage."""
    try:
        yield
    except (InvalidError, UnknownError) as error:
        raise WrongUsageError(str(error)) from error
    except ServerError as error:
        answer = f"the server answers {error.code}: {error}" if error.reason else str(error)
        raise CommandError(answer) from error


def _screen(console: Console, info: GameInfo, language: str, seats: list[Thinking | None]) -> Screen:
    cards = Cards(info, language)
    names = ["you" if each is None else each.bot for each in seats]
    return Screen(console, cards, Words(cards, language), names)


def _checked_seat(seat: int, players: int) -> int:
    if seat >= players:
        raise WrongUsageError(f"--seat {seat} is none of the {players} seats, 0 .. {players - 1}")
    return seat


def _check_folder(path: Path) -> None:
    """Finds out before the game, not after it, that its record cannot be written."""
    if not path.absolute().parent.is_dir():
        raise CommandError(f"--record {path}: there is no such folder")


def _seated(players: int, human: int | None, thinking: list[Thinking]) -> list[Thinking | None]:
    """Who sits where: ``None`` is the human, bots take the other seats in turn."""
    seats: list[Thinking | None] = []
    bots = 0
    for seat in range(players):
        if seat == human:
            seats.append(None)
        else:
            seats.append(thinking[bots % len(thinking)])
            bots += 1
    return seats


@contextmanager
def _address(server: str | None, console: Console) -> Iterator[str]:
    """The server asked for, or one of our own for as long as we play."""
    if server is not None:
        if not server.rpartition(":")[2].isdigit():
            raise WrongUsageError(f"--server takes HOST:PORT, not '{server}'")
        yield server
        return
    try:
        with own_server() as address:
            console.print(f"server started at {address}", style="dim")
            yield address
    finally:
        console.print("server stopped", style="dim")


def _save(game: Game, path: Path | None) -> None:
    if path is None:
        return
    try:
        path.write_text(game.record().text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"--record {path}: {error.strerror}") from error
