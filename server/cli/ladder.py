"""``kingsbridge ladder``: a tournament as files that others can check, and the check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kingsbridge.ai.arena import open_reader, read_manifest, resumed
from kingsbridge.ai.arena.ladder import publish, verify
from kingsbridge.ai.arena.ladder_table import ladder_table
from kingsbridge.server.cli.errors import CommandError
from kingsbridge.server.cli.tournament import refusals

ladder = typer.Typer(
    help="Publish the results of a tournament so that anyone can check them, and check them."
)

Manifest = Annotated[Path, typer.Argument(metavar="MANIFEST", help="The TOML file of its contests.")]


@ladder.command("publish")
def publish_ladder(
    manifest: Manifest,
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Results; else beside the manifest, with .results.sqlite."),
    ] = None,
    partly: Annotated[bool, typer.Option("--partly", help="Even if not all games are played.")] = False,
) -> None:
    """Write what was played beside the manifest: a lock with versions, seeds and bots, the results as lines
    of JSON, and the table in Markdown.
    """
    path = results or manifest.with_suffix(".results.sqlite")
    with refusals(manifest):
        if not path.exists():
            raise CommandError(f"{path}: no such file: play it by kingsbridge tournament {manifest} first")
        contests = read_manifest(manifest, to_play=False)
        with open_reader(path) as reader:
            files = publish(manifest, resumed(contests, reader), reader, ladder_table, partly=partly)
    for written in (files.lock, files.results, files.table):
        typer.echo(f"written: {written}")


@ladder.command("verify")
def verify_ladder(
    manifest: Manifest,
    sample: Annotated[int, typer.Option(min=0, help="Games that are played again.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the choice of games.")] = 1,
) -> None:
    """Check a published ladder: that rules and bots are those of its lock, that its table follows from its
    results, that these are whole blocks with the right seats and seeds, and that a sample of its games goes
    the same way again, move for move. Games with budgets in seconds, or of bots outside, cannot be played
    again.
    """
    with refusals(manifest):
        for line in verify(manifest, ladder_table, sample, seed):
            typer.echo(line)
