"""Messages made from their descriptors: sensible ones, and then one thing wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from tests.fuzz import extremes

Palette = Mapping[str, Sequence[Any]]
"""By the name of a field what it may sensibly hold; a field of another type of that name is left alone."""

Field = Any
"""The descriptor of a field: protobuf has two implementations of it, with no type in common."""

_BOUNDS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}
_RARE = 0.12
"""How often a sensible request has what it may leave out."""
_LENGTHS = (40, 300, 5_000)


def fill(message: Message, palette: Palette, rng: Random) -> None:
    """Gives a message sensible values, one of each oneof."""
    left_out: set[str] = set()
    for oneof in message.DESCRIPTOR.oneofs:
        names = [each.name for each in oneof.fields]
        left_out |= {*names} - {rng.choice(names)}
    for field in message.DESCRIPTOR.fields:
        free = field.is_repeated or (field.has_presence and not _is_one_of_many(field))
        if field.name not in left_out and rng.random() < (_RARE if free else 0.97):
            for _ in range(rng.choice((1, 1, 3)) if field.is_repeated and not _is_map(field) else 1):
                _put(message, field, palette, rng)


def disturb(message: Message, palette: Palette, rng: Random) -> None:
    """Changes one place of a message, however deep."""
    place = message
    while True:
        present: list[Field] = [each for each, _ in place.ListFields()]
        some: list[Field] = present if present and rng.random() < 0.8 else [*place.DESCRIPTOR.fields]
        if not some:
            return
        field = rng.choices(some, [_weight(place, each) for each in some])[0]
        inner = _below(place, field, rng)
        if inner is None or rng.random() < 0.1:
            break
        place = inner
    if field.is_repeated:
        _disturb_list(place, field, palette, rng)
    elif _is_message(field):
        place.ClearField(field.name)
        if rng.random() < 0.7:
            getattr(place, field.name).SetInParent()
            _put(place, field, palette, rng)
    elif rng.random() < 0.15:
        place.ClearField(field.name)
    else:
        setattr(place, field.name, _wrong(field, getattr(place, field.name), palette, rng))


def _weight(message: Message, field: Field) -> int:
    """How much there is to get wrong in a field."""
    value: Any = getattr(message, field.name)
    if _is_message(field) and not field.is_repeated:
        return 2 + min(18, int(value.ByteSize()) // 32)
    return 2 + min(18, len(value) // 32) if isinstance(value, str) or field.is_repeated else 1


def _is_message(field: Field) -> bool:
    return bool(field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE)


def _is_one_of_many(field: Field) -> bool:
    """Whether another field may stand in its place; an optional field is alone in its oneof."""
    return field.containing_oneof is not None and len(field.containing_oneof.fields) > 1


def _is_map(field: Field) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def _below(message: Message, field: Field, rng: Random) -> Message | None:
    """A message that the field holds, if it holds one."""
    if not _is_message(field) or _is_map(field):
        return None
    value: Any = getattr(message, field.name)
    if field.is_repeated:
        return rng.choice(value) if value else None
    return value if message.HasField(field.name) else None


def _put(message: Message, field: Field, palette: Palette, rng: Random) -> None:
    """Sets a field, or adds to it, something sensible."""
    held: Any = getattr(message, field.name)
    known = palette.get(field.name, ())
    value = rng.choice(known) if known else None
    with suppress(TypeError, ValueError, AttributeError):
        if _is_map(field):
            held.update(value or {})
        elif _is_message(field):
            inner = held.add() if field.is_repeated else held
            if isinstance(value, Message):
                inner.CopyFrom(value)
            else:
                fill(inner, palette, rng)
        elif field.is_repeated:
            held.append(_plain(field, rng) if value is None else value)
        else:
            setattr(message, field.name, _plain(field, rng) if value is None else value)


def _plain(field: Field, rng: Random) -> Any:
    """Something of a field's type, where nothing is known of its name."""
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            return b"x" if field.type == FieldDescriptor.TYPE_BYTES else "x"
        case FieldDescriptor.CPPTYPE_BOOL:
            return rng.random() < 0.5
        case FieldDescriptor.CPPTYPE_ENUM:
            return rng.choice(field.enum_type.values).number
        case _:
            return rng.randrange(4)


def _wrong(field: Field, value: Any, palette: Palette, rng: Random) -> Any:
    """Another value of a field's type, most likely one that makes no sense."""
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING if field.type == FieldDescriptor.TYPE_BYTES:
            return rng.choice((b"", b"\0", value[:-1], value + b"\xff", rng.randbytes(16), bytes(70_000)))
        case FieldDescriptor.CPPTYPE_STRING:
            return _wrong_text(value, palette, rng)
        case FieldDescriptor.CPPTYPE_BOOL:
            return not value
        case FieldDescriptor.CPPTYPE_DOUBLE | FieldDescriptor.CPPTYPE_FLOAT:
            return rng.choice(extremes.FLOATS)
        case _:
            low, high = _BOUNDS[field.cpp_type]
            if rng.random() < 0.4:
                return min(high, max(low, value + rng.choice((-2, -1, 1, 2, 5))))
            return extremes.integer(low, high, rng)


def _wrong_text(value: str, palette: Palette, rng: Random) -> str:
    lines = value.split("\n")
    if len(lines) > 5 and rng.random() < 0.95:
        for _ in range(rng.choice((1, 1, 1, 3))):
            lines = extremes.scrambled(lines or [""], palette["lines"], rng)
        return "\n".join(lines)
    if rng.random() < 0.3:
        return str(rng.choice(palette["symbols"]))
    return extremes.damaged(value, rng)


def _disturb_list(message: Message, field: Field, palette: Palette, rng: Random) -> None:
    values: Any = getattr(message, field.name)
    if _is_map(field):
        _disturb_map(values, rng)
        return
    held = list(values)
    match rng.randrange(8):
        case 0:
            held = []
        case 1 if held:
            held.append(rng.choice(held))
        case 2 if held:
            held.pop(rng.randrange(len(held)))
        case 3:
            rng.shuffle(held)
        case 4 if held:
            held *= 2
        case 5 if held:
            held *= 1 + rng.choice(_LENGTHS) // len(held)
        case _ if held and not _is_message(field):
            at = rng.randrange(len(held))
            held[at] = _wrong(field, held[at], palette, rng)
        case _:
            _put(message, field, palette, rng)
            return
    copies = [_copied(each) for each in held]
    message.ClearField(field.name)
    getattr(message, field.name).extend(copies)


def _disturb_map(values: Any, rng: Random) -> None:
    """Of whole numbers by name, the only ones there are."""
    names = [*values, *extremes.TEXTS]
    for _ in range(rng.choice((1, 1, 2, 300))):
        with suppress(TypeError, ValueError):
            name = rng.choice(names)
            values[name if rng.random() < 0.9 else extremes.damaged(name, rng)] = extremes.integer(
                -(2**31), 2**31 - 1, rng
            )


def _copied(value: Any) -> Any:
    if not isinstance(value, Message):
        return value
    copy = type(value)()
    copy.CopyFrom(value)
    return copy
