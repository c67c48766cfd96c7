"""Why a call is refused. Its text goes to the caller: it is made of what he sent and of what is public."""

from __future__ import annotations


class FieldError(ValueError):
    """A field of a request breaks a rule."""

    def __init__(self, field: str, rule: str) -> None:
        super().__init__(f"{field}: {rule}")
        self.field = field
        self.rule = rule


class RequestReusedError(FieldError):
    """A request id comes again with another request."""

    def __init__(self) -> None:
        super().__init__("request_id", "it was used before for another request")


class RefusedError(Exception):
    """The position forbids what was asked. ``rule`` is a name in capitals, ``subject`` what it is about."""

    def __init__(self, rule: str, subject: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.subject = subject


class GameNotFoundError(LookupError):
    """There is no game of that id, or no longer."""


class StaleRevisionError(Exception):
    """Somebody else has changed the game since; ``revision`` is what it is at now."""

    def __init__(self, revision: int) -> None:
        super().__init__(f"the game is at revision {revision}: look again and decide anew")
        self.revision = revision


class TooManyGamesError(Exception):
    """The server holds as many games as it may."""


class QueueFullError(Exception):
    """As many searches wait as may."""


class PoolClosedError(Exception):
    """No search is begun any more."""


class SearchLostError(Exception):
    """A search crashed its worker, and again when it was tried once more."""
