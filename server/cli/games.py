"""``kingsbridge games``: which games there are, and what is in their boxes."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from kingsbridge.pyengine import GameInfo, describe, game_names, text_in
from kingsbridge.server.cli.arguments import checked_game, checked_language
from kingsbridge.server.cli.cards import Cards


def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Show this game in full.")] = None,
    language: Annotated[
        str, typer.Option(help="Language of titles, cards and actions: en, fr, ja or de.")
    ] = "en",
) -> None:
    """List the games, or show one with its options, actions and components."""
    checked_language(language)
    console = Console()
    if game is None:
        _print_list(console, [describe(name) for name in game_names()], language)
    else:
        _print_game(console, describe(checked_game(game)), language)


def _print_list(console: Console, infos: list[GameInfo], language: str) -> None:
    table = Table("game", "title", "players", "rules", box=None, pad_edge=False)
    for info in infos:
        seats = f"{info.min_players} - {info.max_players}"
        table.add_row(f"[bold]{info.name}[/]", text_in(info.title, language), seats, info.rules_hash)
    console.print(table)


def _print_game(console: Console, info: GameInfo, language: str) -> None:
    title = text_in(info.title, language)
    seats = f"{info.min_players} - {info.max_players} players"
    console.print(f"[bold]{title}[/] ({info.name}), {seats}, rules {info.rules_hash}\n")
    options = Table("option", "default", "from", "to", "what it does", box=None, pad_edge=False)
    for option in info.options:
        options.add_row(option.name, str(option.default), str(option.min), str(option.max), option.text)
    kinds = Table("action", "in words", box=None, pad_edge=False)
    for kind in info.kinds:
        form = f"{kind.name}({', '.join(f'{each.name}=...' for each in kind.arguments)})"
        kinds.add_row(form, text_in(kind.phrase, language), style="dim" if kind.chance else "")
    console.print(options, "", kinds, "", "[dim]dim: events of chance[/]\n")
    cards = Cards(info, language)
    for name, components in groupby(info.components, key=lambda component: component.set):
        console.print(cards.table([component.id for component in components], name))
