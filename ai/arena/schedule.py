"""Who sits where in which deal, and which random stream belongs to whom.

A block is one deal played once in every cyclic rotation of the seats, so luck and seat order weigh alike on
every bot of the line-up. Every stream is a keyed hash of a seed and a name: no bot's use of its generator
shifts another's, or the deal.
"""

from __future__ import annotations

from hashlib import blake2b

SEED_BITS = 128
"""Width of a match's or a game's seed."""


def derive_seed(seed: int, name: str, bits: int = SEED_BITS) -> int:
    """The seed of a named stream: ``bits`` of BLAKE2b of the name, keyed by ``seed``.

    Raises:
        ValueError: the seed is negative or has more than ``SEED_BITS`` bits.
    """
    if not 0 <= seed < 1 << SEED_BITS:
        raise ValueError(f"a seed has {SEED_BITS} bits: {seed} is out of range")
    key = seed.to_bytes(SEED_BITS // 8, "big")
    return int.from_bytes(blake2b(name.encode(), digest_size=bits // 8, key=key).digest(), "big")


def block_seed(seed: int, block: int) -> int:
    """The seed of a block of a match, from the seed of the match."""
    return derive_seed(seed, f"block {block}")


def deal_seed(seed: int) -> int:
    """The dealer's seed, from the seed of the block: the same in all rotations."""
    return derive_seed(seed, "deal")


def bot_seed(seed: int, game: int, seat: int) -> int:
    """64 bits for the bot in one seat of one game of a block, from the seed of the block."""
    return derive_seed(seed, f"rotation {game} seat {seat}", 64)


def stand_in_seed(seed: int, game: int, seat: int) -> int:
    """64 bits for what is played in a seat whose bot failed: as ``bot_seed``, a stream of its own."""
    return derive_seed(seed, f"rotation {game} seat {seat} stand-in", 64)


def line_up(bots: int, seats: int, rotation: int) -> tuple[int, ...]:
    """Which bot sits in each seat: A B .. repeated over the seats, then moved on by ``rotation`` seats.

    Raises:
        ValueError: no bot, or more bots than seats.
    """
    if not 1 <= bots <= seats:
        raise ValueError(f"{bots} bots for {seats} seats: from 1 to {seats} bots can play")
    return tuple((seat + rotation) % seats % bots for seat in range(seats))
