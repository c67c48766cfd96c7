"""``kingsbridge bot``: for those who write bots: check one, or serve one to tournaments elsewhere."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kingsbridge.ai import BotOptionError, UnknownBotError
from kingsbridge.ai.arena.bots import identity_of, open_bot
from kingsbridge.ai.arena.conformance import Examination, Finding, Outcome, examine
from kingsbridge.ai.arena.outside_bot import OutsideBot
from kingsbridge.pyengine import OptionError
from kingsbridge.server.bot_server import serving
from kingsbridge.server.cli.arguments import checked_game
from kingsbridge.server.cli.errors import CommandError, WrongUsageError

_STYLES = {Outcome.PASSED: "green", Outcome.FAILED: "bold red", Outcome.NOTED: "yellow"}

Spec = Annotated[
    str, typer.Argument(metavar="SPEC", help='A bot, such as "exec:./bot" or grpc://localhost:50052.')
]

app = typer.Typer(help="Check a bot, or serve one to tournaments elsewhere.")


@app.command("check")
def check(
    *,
    spec: Spec,
    game: Annotated[
        list[str] | None, typer.Option(metavar="GAME", help="Only this game; may be repeated.")
    ] = None,
    players: Annotated[int | None, typer.Option(help="Only with so many seats.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Whole games of each game and number of seats.")] = 1,
    timeout: Annotated[float, typer.Option(min=0.1, help="Wall seconds that a decision may take.")] = 10.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all luck.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print each finding as a JSON object.")] = False,
) -> int:
    """See whether a bot does what the guide (ai/arena/BOTS.md) asks of it: it plays whole games of each kind
    against random play, and is asked odd questions.

    Exit code 0 if all is well, 1 if a check failed; the question it failed at is printed as it was sent.
    """
    names = tuple(checked_game(each) for each in game or ())
    failed = False
    with _refusals():
        for finding in examine(Examination(spec, names, players, games, timeout, seed)):
            failed |= finding.outcome is Outcome.FAILED
            if as_json:
                typer.echo(json.dumps(finding.to_json()))
            else:
                _print(finding)
    return 1 if failed else 0


@app.command("serve")
def serve(
    *,
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A built-in bot, or one of a package.")],
    address: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Where to listen, in plain text; port 0: any.")
    ] = "127.0.0.1:50052",
) -> None:
    """Serve a bot over gRPC (BotService) to tournaments on other machines, until SIGTERM or Ctrl-C.

    Prints one line, "kingsbridge bot listening on HOST:PORT", once it is ready.
    """
    with _refusals():
        if isinstance(open_bot(spec), OutsideBot):
            raise WrongUsageError(f'bot "{spec}" is outside already: only bots in Python can be served')
        identity = identity_of(spec)
    try:
        with serving(lambda: open_bot(spec), identity._replace(name=spec), address) as port:
            typer.echo(f"kingsbridge bot listening on {address.rpartition(':')[0]}:{port}")
            _wait_for_the_end()
    except OSError as error:
        raise CommandError(str(error)) from error


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except (UnknownBotError, BotOptionError, OptionError) as error:
        raise WrongUsageError(str(error)) from error


def _print(finding: Finding) -> None:
    """A line of a table, as soon as it is known; below a failure the question, to be copied."""
    table = Table.grid(padding=(0, 2))
    for width in (26, 6):
        table.add_column(min_width=width, no_wrap=True)
    table.add_column(overflow="fold")
    outcome = Text(finding.outcome.value, _STYLES[finding.outcome])
    table.add_row(Text(finding.check), outcome, Text(finding.text))
    Console().print(table)
    if finding.question is not None:
        typer.echo(json.dumps(finding.question))


def _wait_for_the_end() -> None:
    """Waits for SIGTERM or Ctrl-C."""
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signal calls it
        ended.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    ended.wait()
