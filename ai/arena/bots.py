"""Bots by spec, those outside this process included, and a pool that keeps these open between games.

Only for programs that a user runs for himself: a spec may start a program. The server takes ``make_bot``.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from types import TracebackType

from kingsbridge.ai.arena.faults import BotFaultError
from kingsbridge.ai.arena.outside_bot import Identity, OutsideBot
from kingsbridge.ai.arena.process_bot import ProcessBot
from kingsbridge.ai.bot import Bot
from kingsbridge.ai.params import BotOptionError, suggestion
from kingsbridge.ai.registry import UnknownBotError, bot_infos, make_bot
from kingsbridge.pyengine import ENGINE_VERSION, new_seed

ENTRY_POINTS = "kingsbridge.bots"
"""The group in which packages name factories ``(rest, timeout) -> Bot``: ``rest`` is what follows the colon,
``timeout`` as in ``open_bot``. A factory checks the spec (``BotOptionError``) and starts nothing yet."""
PROGRAM = "exec"
"""What begins the spec of a bot that is a program."""
TIMEOUT = 60.0
"""Wall seconds after which an answer counts as none, if nobody says another number."""
MOST_OPEN = 16
"""Bots outside that a pool keeps open, the latest used; as many as four seats need in all rotations."""


def open_bot(spec: str, timeout: float = TIMEOUT) -> Bot:
    """The bot of a spec: a built-in one as ``make_bot`` reads it, ``exec:PROGRAM ARGUMENT...``, or the name
    of an entry point and what it reads, such as ``grpc://HOST:PORT``. Built-in names come first.

    Nothing is started or connected before the first question. An ``OutsideBot`` is to be closed. ``timeout``:
    wall seconds that a decision of a bot outside may take.

    Raises:
        UnknownBotError: there is no bot of that name, or its package cannot be loaded.
        BotOptionError: what follows the name is wrong.
    """
    name, _, rest = spec.strip().partition(":")
    name = name.strip()
    if is_built_in(spec):
        return make_bot(spec)
    if name == PROGRAM:
        return ProcessBot(spec, _command(rest), timeout)
    point = _entry_points().get(name)
    if point is None:
        known = [*_built_in(), PROGRAM, *sorted(_entry_points())]
        raise UnknownBotError(f'no bot "{name}"{suggestion(name, known)}; bots: {", ".join(known)}')
    return _factory(point)(rest, timeout)


def is_built_in(spec: str) -> bool:
    """Whether a spec names one of the bots that ``make_bot`` makes."""
    return spec.partition(":")[0].strip() in _built_in()


def check_spec(spec: str, *, to_play: bool = True) -> None:
    """Finds a wrong spec before anything is played; starts nothing. Whose results are only read (not
    ``to_play``) may be a program that is not here.

    Raises:
        UnknownBotError, BotOptionError: as ``open_bot``.
    """
    if not to_play and spec.strip().partition(":")[0].strip() == PROGRAM:
        return
    bot = open_bot(spec)
    if isinstance(bot, OutsideBot):
        bot.close()


def identity_of(spec: str, timeout: float = TIMEOUT) -> Identity:
    """What to record of a bot: for a built-in one its name and the engine's version, for one of a package the
    package's version, and for one outside what it says itself, for which it is started or called.

    Raises:
        UnknownBotError, BotOptionError: as ``open_bot``.
        BotFaultError: a bot outside cannot be asked.
    """
    bot = open_bot(spec, timeout)
    if isinstance(bot, OutsideBot):
        try:
            return bot.identity()
        finally:
            bot.close()
    name = spec.partition(":")[0].strip()
    if is_built_in(spec):
        return Identity(name, ENGINE_VERSION)
    package = _entry_points()[name].dist
    return Identity(name, "" if package is None else package.version)


def new_game_id() -> str:
    """32 hex digits that no game had before, anywhere."""
    return f"{new_seed():032x}"


class Bots:
    """The bots of one worker process, game after game; a context that ends with those outside closed.

    A bot outside is kept open between games, one for each spec, seat and number of a game in its block: so no
    process sees two seats of a game, or one deal twice. All others are made anew for each game.
    """

    def __init__(self, new_id: Callable[[], str] = new_game_id) -> None:
        """``new_id`` gives a name that no game had before, anywhere."""
        self._new_id = new_id
        self._open: dict[tuple[str, int, int], OutsideBot] = {}

    def seated(self, spec: str, seat: int, timeout: float = TIMEOUT, *, number: int = 0) -> Bot:
        """The bot of a spec for a seat of the next game, which has this number in its block.

        Raises:
            UnknownBotError, BotOptionError: as ``open_bot``.
        """
        place = (spec, seat, number)
        bot = self._open.pop(place, None) or open_bot(spec, timeout)
        if isinstance(bot, OutsideBot):
            bot.begin_game(self._new_id(), timeout)
            self._open[place] = bot
            self._close_all_but(MOST_OPEN)
        return bot

    def close(self) -> None:
        """Closes the bots that are open."""
        self._close_all_but(0)

    def _close_all_but(self, count: int) -> None:
        while len(self._open) > count:
            oldest = next(iter(self._open))
            with suppress(BotFaultError):
                self._open.pop(oldest).close()

    def __enter__(self) -> Bots:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _built_in() -> list[str]:
    return [info.name for info in bot_infos()]


def _entry_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _factory(point: EntryPoint) -> Callable[[str, float], Bot]:
    try:
        factory: Callable[[str, float], Bot] = point.load()
    except (ImportError, AttributeError) as error:
        raise UnknownBotError(f'bot "{point.name}" cannot be loaded: {error}') from error
    return factory


def _command(text: str) -> list[str]:
    """The program and its arguments, quoted as in a shell, but no shell reads them."""
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise BotOptionError(f'bot "{PROGRAM}:{text}": {error}') from error
    if not command:
        raise BotOptionError(f'bot "{PROGRAM}" takes a program, such as {PROGRAM}:./bot')
    if shutil.which(command[0]) is None:
        raise BotOptionError(f'bot "{PROGRAM}:{text}": there is no program "{command[0]}"')
    return command
