"""Tokens of seats: who holds one may look at and play that seat. They are checked without a store.

A token is a capability: game, seat, epoch and end, signed with HMAC-SHA256 (RFC 2104). The epoch is the
seat's at the time; once the seat has another one, the token is void.
"""

from __future__ import annotations

import binascii
import hmac
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass

from kingsbridge.server.refusals import UnauthenticatedError

KEY_BYTES = 32
"""Length of a key that signs."""

_PREFIX = "kb1."
_MAX_CHARACTERS = 512


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token says: ``seat`` of ``game_id``, -1 for spectators; ``expires`` in Unix seconds."""

    game_id: str
    seat: int
    epoch: int
    expires: int


class Tokens:
    """Makes tokens and reads them."""

    def __init__(self, key: bytes, seconds: float, *, clock: Callable[[], float] = time.time) -> None:
        """``key`` signs; a token is good for so many ``seconds`` of ``clock``, which gives Unix time."""
        if len(key) < KEY_BYTES:
            raise ValueError(f"a key of {len(key)} bytes: at least {KEY_BYTES} are needed")
        self._mac = hmac.new(key, digestmod="sha256")
        self._seconds = seconds
        self._clock = clock

    def issue(self, game_id: str, seat: int, epoch: int) -> tuple[str, int]:
        """A token, and when it runs out (Unix seconds)."""
        expires = int(self._clock() + self._seconds)
        payload = f"{game_id} {seat} {epoch} {expires}".encode()
        return f"{_PREFIX}{_text(payload)}.{_text(self._signature(payload))}", expires

    def read(self, token: str) -> Grant:
        """What a token says.

        Raises:
            UnauthenticatedError: it is none of ours, or it has run out.
        """
        payload, _, signature = token.removeprefix(_PREFIX).partition(".")
        if not token.startswith(_PREFIX) or len(token) > _MAX_CHARACTERS:
            raise UnauthenticatedError("BAD_TOKEN", "the token is none of this server's")
        said, signed = _bytes(payload), _bytes(signature)
        if not hmac.compare_digest(self._signature(said), signed):
            raise UnauthenticatedError("BAD_TOKEN", "the token is none of this server's")
        game_id, seat, epoch, expires = said.decode().split(" ")
        grant = Grant(game_id, int(seat), int(epoch), int(expires))
        self.check(grant)
        return grant

    def check(self, grant: Grant) -> None:
        """Sees whether a grant is still good, for calls that last.

        Raises:
            UnauthenticatedError: it has run out.
        """
        if self._clock() >= grant.expires:
            raise UnauthenticatedError("TOKEN_EXPIRED", "the token has run out: RenewToken makes a new one")

    def _signature(self, payload: bytes) -> bytes:
        mac = self._mac.copy()  # hmac.digest lets go of the GIL, and under load waits long to have it again
        mac.update(payload)
        return mac.digest()


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    """The bytes of a text, or none if it is no such text."""
    try:
        return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return b""
