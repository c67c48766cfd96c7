"""The golden text of a game: what every seat sees, may do and does, for people to read and tests to compare.

A change in it means that the engine's behaviour changed; whether for the better, its reader says. From the
command line::

    python -m kingsbridge.pyengine.playthrough GAME --players 2 --seed 1 --output FILE
    python -m kingsbridge.pyengine.playthrough --update FILE ...
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from kingsbridge.pyengine._core import SPECTATOR, UTILITY_ONE, Rng, State, action_text, game_names
from kingsbridge.pyengine.dealer import Dealer
from kingsbridge.pyengine.errors import UnknownGameError
from kingsbridge.pyengine.games import describe

WIDTH = 120
"""Characters a line."""
LONG_PILE = 8
"""From so many cards on, a pile is told by what left it and what came to it."""


def playthrough(
    game: str, players: int, seed: int, options: Mapping[str, int] | None = None, policy: str = "light"
) -> str:
    """A whole game as text: chance by a ``Dealer`` of that seed, decisions by a native ``policy``.

    Each node tells who is to move and the state's key; what each seat's view shows that it did not show
    before; the legal actions or the chances; and what happens. The same arguments give the same text on every
    machine.

    Raises:
        UnknownGameError: no such game.
        OptionError: an unknown option, or a value out of range.
        ValueError: unknown policy.
    """
    state = State.initial(game, players, dict(options or {}))
    return "\n".join(
        [*_head(state, seed, policy), *_nodes(state, Dealer(seed), Rng(seed), policy), *_tail(state), ""]
    )


def regenerated(text: str) -> str:
    """The playthrough that has the head of ``text``: the same game, players, options, seed and policy.

    Raises:
        ValueError: the text has no such head, or it names what does not exist.
    """
    head = _HEAD.match(text)
    if head is None:
        raise ValueError("this is no playthrough: its first two lines do not say of what")
    options = {name: int(value) for name, value in (pair.split("=") for pair in head["options"].split())}
    try:
        return playthrough(head["game"], int(head["players"]), int(head["seed"]), options, head["policy"])
    except UnknownGameError as error:
        raise ValueError(str(error)) from error


_HEAD = re.compile(
    r"playthrough of (?P<game>\w+) .*\n"
    r"players=(?P<players>[0-9]+)(?P<options>( \w+=[0-9]+)*) \| "
    r"seed=(?P<seed>[0-9]+) policy=(?P<policy>\w+)\n"
)


def _head(state: State, seed: int, policy: str) -> list[str]:
    info = describe(state.game)
    options = " ".join(f"{name}={value}" for name, value in state.options.items())
    return [
        f"playthrough of {info.name} ({info.title['en']}), rules {info.rules_hash}",
        f"players={state.players} {options} | seed={seed} policy={policy}",
    ]


def _nodes(state: State, dealer: Dealer, rng: Rng, policy: str) -> Iterator[str]:
    """The text of every node from here on; the state moves along and is a finished one at the end."""
    shown: dict[int, dict[str, str]] = {viewer: {} for viewer in (*range(state.players), SPECTATOR)}
    for number in range(describe(state.game).max_length):
        yield ""
        yield f"[{number}] {_mover(state)}, key {state.key:016x}"
        yield from _news(state, shown)
        if state.is_terminal:
            return
        yield from _chances(state) if state.is_chance else _choices(state)
        action = dealer.outcome(state) if state.is_chance else state.sample_action(rng, policy)
        yield f"-> {action_text(state.game, action)}"
        state.apply(action)
    raise AssertionError(f"the game is longer than its bound of {describe(state.game).max_length} events")


def _tail(state: State) -> list[str]:
    utilities = " ".join(f"{utility / UTILITY_ONE:.4f}" for utility in state.utilities())
    return [
        "",
        f"scores {_spaced(state.scores())} | ranks {_spaced(state.ranks())}",
        f"utilities {utilities} | win shares {_spaced(f'{share:.4f}' for share in state.win_shares())}",
    ]


def _mover(state: State) -> str:
    if state.is_terminal:
        return "the game is over"
    return "chance" if state.is_chance else f"seat {state.current_player}"


def _news(state: State, shown: dict[int, dict[str, str]]) -> Iterator[str]:
    """What the views show that they did not before; viewers who see the same news share its text."""
    by_news: dict[str, list[int]] = {}
    for viewer, before in shown.items():
        now = _fields(state.information_set(viewer).text())
        by_news.setdefault("; ".join(_changes(before, now)), []).append(viewer)
        shown[viewer] = now
    for news, viewers in by_news.items():
        if news:
            yield from _wrapped(f"{_who(viewers, len(shown))}: {news}")


def _changes(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    for name, value in now.items():
        if before.get(name) != value and name != "viewer":
            yield f"{name} {_difference(before.get(name, ''), value)}".rstrip()
    for name in before:
        if name not in now:
            yield f"{name} gone"


def _difference(before: str, now: str) -> str:
    """A value; of a long pile that lost or gained a few cards only those."""
    old, new = Counter(before.split()), Counter(now.split())
    gone, come = old - new, new - old
    if new.total() < LONG_PILE or gone.total() + come.total() > LONG_PILE // 2:
        return now
    return " ".join([f"-{card}" for card in gone.elements()] + [f"+{card}" for card in come.elements()])


def _fields(text: str) -> dict[str, str]:
    """A view's text with the groups spelt out: ``seats[0].coins`` instead of an indented ``coins``."""
    fields: dict[str, str] = {}
    path: list[str] = []
    for line in text.splitlines():
        name, _, value = line.strip().partition(":")
        depth = (len(line) - len(line.lstrip())) // 2
        path = [*path[:depth], name]
        if value or not name.endswith("]"):
            fields[".".join(path)] = value.strip()
    return fields


def _choices(state: State) -> Iterator[str]:
    """The legal actions by kind, the kind's name written once: ``open(site=B01) (site=B07)``."""
    texts: dict[str, list[str]] = {}
    for action in state.legal_actions():
        name, _, inside = action_text(state.game, action).partition("(")
        texts.setdefault(name, []).append(f"({inside}")
    for name, places in texts.items():
        yield from _wrapped(f"may {name}{' '.join(places)}")


def _chances(state: State) -> Iterator[str]:
    """The outcomes by weight, those of the most frequent weight as a number only."""
    outcomes = state.chance_outcomes()
    weights = Counter(weight for _, weight in outcomes)
    usual = weights.most_common(1)[0][0]
    others = [f"{action_text(state.game, each)} of {weight}" for each, weight in outcomes if weight != usual]
    summary = f"{len(outcomes)} outcomes, {weights[usual]} of weight {usual}"
    yield from _wrapped(", ".join([summary, *others]))


def _who(viewers: Sequence[int], of: int) -> str:
    if len(viewers) == of:
        return "all see"
    return ", ".join("spectators" if viewer == SPECTATOR else f"seat {viewer}" for viewer in viewers)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def _spaced(values: Iterator[str] | Sequence[int]) -> str:
    return " ".join(map(str, values))


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes playthroughs to files or to standard output; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m kingsbridge.pyengine.playthrough", description="Golden text of a game."
    )
    parser.add_argument("game", nargs="?", help="one of: " + ", ".join(game_names()))
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="of chance and decisions")
    parser.add_argument("--policy", default="light", help="light or uniform")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
    parser.add_argument("--output", type=Path, help="file to write; without it, standard output")
    parser.add_argument(
        "--update", type=Path, nargs="+", metavar="FILE", help="write these files anew instead"
    )
    given = parser.parse_args(arguments)
    try:
        if given.update:
            for path in given.update:
                _write(path, regenerated(path.read_text(encoding="utf-8")))
            return 0
        if given.game is None:
            parser.error("name a game, or files to --update")
        options = {name: int(value) for name, _, value in (option.partition("=") for option in given.option)}
        text = playthrough(given.game, given.players, given.seed, options, given.policy)
    except (OSError, UnknownGameError, ValueError) as error:
        parser.error(str(error))
    if given.output is None:
        sys.stdout.write(text)
    else:
        _write(given.output, text)
    return 0


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
