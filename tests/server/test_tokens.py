"""Tokens of seats."""

from __future__ import annotations

import pytest

from kingsbridge.server.refusals import UnauthenticatedError
from kingsbridge.server.tokens import Grant, Tokens

KEY = bytes(range(32))


def reason(tokens: Tokens, token: str) -> str:
    with pytest.raises(UnauthenticatedError) as caught:
        tokens.read(token)
    return caught.value.reason


def test_a_token_says_what_it_was_made_for() -> None:
    tokens = Tokens(KEY, 50.0, clock=lambda: 1000.0)
    token, expires = tokens.issue("game", -1, 3)
    assert expires == 1050
    assert tokens.read(token) == Grant("game", -1, 3, 1050)


def test_a_token_is_good_until_the_second_it_names() -> None:
    now = 1000.0
    tokens = Tokens(KEY, 50.0, clock=lambda: now)
    token, _ = tokens.issue("game", 0, 0)
    now = 1049.9
    grant = tokens.read(token)
    now = 1050.0
    assert reason(tokens, token) == "TOKEN_EXPIRED"
    with pytest.raises(UnauthenticatedError):
        tokens.check(grant)


def test_no_change_of_a_token_is_accepted() -> None:
    tokens = Tokens(KEY, 50.0)
    token, _ = tokens.issue("game", 0, 0)
    for number in range(len(token)):
        for other in "Ab.":
            changed = token[:number] + other + token[number + 1 :]
            if changed != token and not _same_bits(token, changed):
                assert reason(tokens, changed) == "BAD_TOKEN", changed
    for other in ("", "kb1", "kb1.", "kb1..", "kb1.é.é", token + "x" * 600, token.partition(".")[2]):
        assert reason(tokens, other) == "BAD_TOKEN"


def _same_bits(token: str, changed: str) -> bool:
    """The last character of a part holds bits that no byte takes up."""
    return any(
        len(one) == len(other) and one[:-1] == other[:-1]
        for one, other in zip(token.split("."), changed.split("."), strict=False)
        if one != other
    )


def test_servers_with_another_key_do_not_take_it() -> None:
    token, _ = Tokens(KEY, 50.0).issue("game", 0, 0)
    assert reason(Tokens(bytes(32), 50.0), token) == "BAD_TOKEN"


def test_a_short_key_is_refused() -> None:
    with pytest.raises(ValueError, match="31 bytes"):
        Tokens(bytes(31), 50.0)
