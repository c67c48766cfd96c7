"""Messages as bytes, and what a broken or hostile sender makes of them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Damage = Callable[[bytes, Random], bytes]
"""Makes other bytes of the bytes of a message."""


def varint(value: int) -> bytes:
    """A number as the wire has it."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def field(number: int, kind: int, content: bytes) -> bytes:
    """A field with its tag; ``kind`` is its wire type."""
    return varint(number << 3 | kind) + content


def _noise(_: bytes, rng: Random) -> bytes:
    return rng.randbytes(rng.choice((0, 1, 2, 3, 8, 30, 200)))


def _cut(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _flip(data: bytes, rng: Random) -> bytes:
    flipped = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8)) if data else 0):
        flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(flipped)


def _overwrite(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    piece = rng.choice(
        (b"\0", b"\xff", b"\x80" * 3, b"\xff" * 9 + b"\x01", b"\xff" * 12, b"\xc3", b"\xed\xa0\x80")
    )
    return data[:at] + piece + data[at + rng.choice((0, len(piece))) :]


def _lose(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice((1, 2, 7, 40)) :]


def _repeat(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data + data[at:] * rng.choice((1, 2, 5))


def _unknown(data: bytes, rng: Random) -> bytes:
    number = rng.choice((15, 16, 100, 19_000, 2**29 - 1))
    kind, content = rng.choice(
        ((0, varint(rng.getrandbits(64))), (1, bytes(8)), (2, varint(3) + b"\xff\xfe\xfd"), (5, bytes(4)))
    )
    return data + field(number, kind, content)


def _wrong_type(data: bytes, rng: Random) -> bytes:
    """A known field number with any wire type, those that do not exist included."""
    number, kind = rng.randrange(0, 21), rng.randrange(8)
    contents = (
        varint(rng.getrandbits(70)),
        rng.randbytes(8),
        varint(rng.randrange(50)) + rng.randbytes(40),
        b"",
    )
    added = field(number, kind, rng.choice(contents))
    return added + data if rng.random() < 0.5 else data + added


def _nested(data: bytes, rng: Random) -> bytes:
    """Groups, or messages within messages, deeper than anybody needs."""
    depth = rng.choice((10, 99, 101, 5_000))
    if rng.random() < 0.5:
        return data + field(rng.randrange(1, 20), 3, b"") * depth
    content = b""
    for _ in range(min(depth, 200)):
        content = field(rng.randrange(1, 5), 2, varint(len(content)) + content)
    return data + content


def _longer_than_said(data: bytes, rng: Random) -> bytes:
    length = rng.choice((1, 127, 2**31 - 1, 2**32 - 1, 2**63))
    return data + field(rng.randrange(1, 12), 2, varint(length) + rng.randbytes(3))


DAMAGES: tuple[Damage, ...] = (
    _noise, _cut, _flip, _flip, _flip, _overwrite, _lose, _repeat, _unknown, _wrong_type, _wrong_type,
    _nested, _longer_than_said,
)  # fmt: skip


def damaged(data: bytes, rng: Random) -> bytes:
    """The bytes with something wrong; they may still be a message."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice(DAMAGES)(data, rng)
    return data
