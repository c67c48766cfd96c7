"""Why a call is refused. Its text goes to the caller: it is made of what he sent and of what is public."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class FieldError(ValueError):
    """A field of a request breaks a rule. ``field`` is its path in the request; ``reason`` is a name in
    capitals.
    """

    def __init__(self, field: str, rule: str, reason: str = "INVALID_FIELD") -> None:
        super().__init__(f"{field}: {rule}")
        self.field = field
        self.rule = rule
        self.reason = reason


@contextmanager
def within(path: str) -> Iterator[None]:
    """Names the fields of refusals as the request does, where they lie in one of its messages."""
    try:
        yield
    except FieldError as error:
        raise FieldError(f"{path}.{error.field}", error.rule, error.reason) from error


class RequestReusedError(FieldError):
    """A request id comes again with another request."""

    def __init__(self) -> None:
        super().__init__("request_id", "it was used before for another request", "REQUEST_ID_REUSED")


class RefusedError(Exception):
    """The position forbids what was asked. ``rule`` is a name in capitals, ``subject`` what it is about."""

    def __init__(self, rule: str, subject: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.subject = subject


class UnauthenticatedError(Exception):
    """The call shows no token, or none that is good; ``reason`` is a name in capitals."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class ForbiddenError(Exception):
    """The token is good, but not for this; ``reason`` is a name in capitals."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class RulesChangedError(Exception):
    """The game was begun by other rules or tables than this server's and cannot go on here."""


class ShuttingDownError(Exception):
    """The server stops: it ends streams and begins no calls. Go on with the next one."""


class GameNotFoundError(LookupError):
    """There is no game of that id, or no longer."""


class StaleRevisionError(Exception):
    """Somebody else has changed the game since; ``revision`` is what it is at now."""

    def __init__(self, revision: int) -> None:
        super().__init__(f"the game is at revision {revision}: look again and decide anew")
        self.revision = revision


class StaleSeatError(Exception):
    """Somebody else has changed the seat at the same time."""

    def __init__(self) -> None:
        super().__init__("somebody else has changed the seat at the same time: look again")


class StoreError(Exception):
    """What keeps the games fails; whether a change was kept may be unknown. The text says so."""


class TooManyGamesError(Exception):
    """The server holds as many games as it may."""


class TooManyWatchersError(Exception):
    """As many streams follow games as may."""


class QueueFullError(Exception):
    """A search cannot wait for a worker: too many do, or it would not be left the time it needs.

    ``queue`` is the class it is of, ``position`` the place among those that wait that it would have had (from
    1), and ``retry_seconds`` how long it would have waited there.
    """

    def __init__(self, message: str, queue: str, position: int, retry_seconds: float) -> None:
        super().__init__(message)
        self.queue = queue
        self.position = position
        self.retry_seconds = retry_seconds


class PoolClosedError(Exception):
    """No search is begun any more."""


class SearchLostError(Exception):
    """A search crashed its worker, and again when it was tried once more; or did so a short while ago."""
