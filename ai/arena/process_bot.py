"""A bot that is a program: it reads questions and writes answers, one JSON object a line (see BOTS.md)."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from kingsbridge.ai.arena.faults import FaultKind
from kingsbridge.ai.arena.line_process import LineProcess
from kingsbridge.ai.arena.outside_bot import Identity, OutsideBot
from kingsbridge.ai.arena.question import PROTOCOL, Answer, Question
from kingsbridge.pyengine import ENGINE_VERSION

START_SECONDS = 30.0
"""How long a program may take to start and greet; not counted in its first decision."""
END_SECONDS = 1.0
"""How long a program may take to end once its input is closed, before it is killed."""

_SHOWN = 200

Value = TypeVar("Value")


class ProcessBot(OutsideBot):
    """A bot that is a program, started by the first question and again after it ended or lost its way."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        timeout: float,
        *,
        start_seconds: float = START_SECONDS,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """``command`` is the program with its arguments, without a shell. ``extra`` members are added to all
        messages, to see whether the program minds what it does not know.
        """
        super().__init__(name, timeout)
        self._command = tuple(command)
        self._start_seconds = start_seconds
        self._extra = dict(extra or {})
        self._process: LineProcess | None = None
        self._identity = Identity("", "")

    def begin_game(self, game_id: str, timeout: float, decisions: int = 0) -> None:
        """As ``OutsideBot.begin_game``; a program that has ended since the last game is forgotten."""
        super().begin_game(game_id, timeout, decisions)
        if self._process is not None and not self._process.running:
            self._kill()

    def with_extra(self, extra: Mapping[str, Any]) -> ProcessBot:
        """Another bot of the same program, whose messages have ``extra`` members."""
        return ProcessBot(
            self.name, self._command, self.timeout, start_seconds=self._start_seconds, extra=extra
        )

    def identity(self) -> Identity:
        """What the program said when it greeted; it is started for that."""
        self._running()
        return self._identity

    def close(self) -> None:
        """Ends the program."""
        self.end()

    def end(self, seconds: float = END_SECONDS) -> bool:
        """Closes the program's input and kills it after so many seconds. Whether it ended by itself."""
        process, self._process = self._process, None
        return process is None or process.end(seconds)

    def _ask(self, question: Question) -> Answer:
        process = self._running()
        deadline = time.monotonic() + self.timeout
        try:
            process.send(self._line(question.to_json()), deadline)
            return _answer(process, question.number, deadline)
        except (
            BaseException
        ):  # whatever it says from now on would be taken for the answer of another question
            self._kill()
            raise

    def _running(self) -> LineProcess:
        if self._process is None:
            self._process = LineProcess(self._command, self.name)
            try:
                self._identity = self._greeted(self._process)
            except BaseException:
                self._kill()
                raise
        return self._process

    def _greeted(self, process: LineProcess) -> Identity:
        deadline = time.monotonic() + self._start_seconds
        hello = {"type": "hello", "protocol": PROTOCOL, "engine_version": ENGINE_VERSION}
        process.send(self._line(hello), deadline)
        message = _object(process, process.receive(deadline))
        if message.get("type") != "hello" or message.get("protocol") != PROTOCOL:
            raise process.fault(
                FaultKind.ILLEGAL,
                f"must greet with a hello of protocol {PROTOCOL}, not with {_shown(message)}",
            )
        games = message.get("games") or []
        return Identity(
            _member(process, message, "name", str),
            str(message.get("version", "")),
            tuple(map(str, games)) if isinstance(games, list) else (),
        )

    def _line(self, message: Mapping[str, Any]) -> bytes:
        return json.dumps({**message, **self._extra}, separators=(",", ":")).encode()

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()


def _answer(process: LineProcess, number: int, deadline: float) -> Answer:
    """The answer to a question; answers to earlier ones are let pass."""
    while True:
        message = _object(process, process.receive(deadline))
        answered = _member(process, message, "question", int)
        if answered == number:
            break
        if answered > number:
            raise process.fault(FaultKind.ILLEGAL, f"answered question {answered} instead of {number}")
    action = message.get("action")
    if not isinstance(action, (int, str)) or isinstance(action, bool) or message.get("type") != "action":
        raise process.fault(FaultKind.ILLEGAL, f"wrote what is no action: {_shown(message)}")
    iterations = message.get("iterations")
    return Answer(action, iterations if isinstance(iterations, int) and iterations > 0 else 0)


def _object(process: LineProcess, line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        shown = line[:_SHOWN].decode(errors="replace")
        raise process.fault(FaultKind.ILLEGAL, f"wrote a line that is no JSON object: {shown}")
    return message


def _member(process: LineProcess, message: Mapping[str, Any], name: str, kind: type[Value]) -> Value:
    value = message.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise process.fault(FaultKind.ILLEGAL, f'wrote a message without "{name}": {_shown(message)}')
    return value


def _shown(message: Mapping[str, Any]) -> str:
    return json.dumps(message)[:_SHOWN]
