"""``kingsbridge bots``: who can play."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from kingsbridge.ai import bot_infos


def bots() -> None:
    """List the bots and their options.

    A bot is named with its options as in "ismcts:iterations=2000,c=0.7".
    """
    table = Table("bot", "option", "default", "what it does", title_justify="left", box=None, pad_edge=False)
    for bot in bot_infos():
        table.add_row(f"[bold]{bot.name}[/]", "", "", bot.summary)
        for name, option in bot.options.items():
            default = "" if option.default is None else str(option.default)
            table.add_row("", name, default, option.text, style="dim")
    Console().print(table)
