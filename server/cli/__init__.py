"""The command ``kingsbridge``: play, serve, measure and compare from a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from kingsbridge.pyengine import ENGINE_VERSION
from kingsbridge.server.cli import (
    bench,
    bot,
    bots,
    games,
    ladder,
    match,
    perft,
    play,
    profile,
    serve,
    tournament,
    verify,
)
from kingsbridge.server.cli.arguments import ManyBotsCommand, ManyGamesCommand

app = typer.Typer(
    name="kingsbridge",
    help="An AI opponent server with search for modern board games.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # which fills paragraphs to the width of the terminal
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("games")(games.games)
app.command("bots")(bots.bots)
app.add_typer(bot.app, name="bot")
app.command("play")(play.play)
app.command("serve")(serve.serve)
app.command("match", cls=ManyBotsCommand)(match.match)
app.command("tournament")(tournament.tournament)
app.add_typer(ladder.ladder, name="ladder")
app.command("perft")(perft.perft)
app.command("bench", cls=ManyGamesCommand)(bench.bench)
app.command("profile")(profile.profile)
app.command("verify")(verify.verify)


@app.command("version")
def version() -> None:
    """Print the version of the engine."""
    typer.echo(f"kingsbridge {ENGINE_VERSION}")


INTERRUPTED = 130
"""Exit code after Ctrl-C."""


def run(arguments: Sequence[str]) -> int:
    """Runs a command and returns its exit code: 0, 1 failure, 2 wrong usage, 130 interrupted.

    What goes wrong is said in one line on standard error.
    """
    try:
        code = app(args=list(arguments) or ["--help"], prog_name="kingsbridge", standalone_mode=False)
    except typer.TyperException as error:
        typer.echo(f"kingsbridge: {error.format_message()}", err=True)
        return error.exit_code
    except typer.Abort:
        return INTERRUPTED
    if code == INTERRUPTED and sys.stderr.isatty():
        typer.echo(err=True)  # after the terminal's ^C
    return code if isinstance(code, int) else 0


def main() -> None:
    """Entry point of the console script."""
    sys.exit(run(sys.argv[1:]))
