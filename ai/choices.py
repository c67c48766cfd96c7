"""Which of the legal actions come into question at all, as a caller may wish."""

from __future__ import annotations

from collections.abc import Collection, Iterable


class ChoiceError(ValueError):
    """A wish cannot be met: ``field`` is where it stands and ``rule`` what it breaks."""

    def __init__(self, field: str, rule: str) -> None:
        super().__init__(f"{field}: {rule}")
        self.field = field
        self.rule = rule


def considered(legal: list[int], among: Collection[int] | None) -> list[int]:
    """The legal actions that are in ``among``, ascending; ``None``: all of them.

    Raises:
        ChoiceError: ``among`` is empty or holds an action that is not legal.
    """
    if among is None:
        return legal
    _check("among", among, legal)
    if not among:
        raise ChoiceError("among", "at least one action is needed")
    return sorted(set(among))


def among_of(legal: list[int], allow: Collection[int], avoid: Collection[int]) -> list[int] | None:
    """What ``Bot.choose`` takes as ``among``: the actions of ``allow``, or all if it is empty, but for those
    of ``avoid``; ``None`` if both are empty.

    Raises:
        ChoiceError: a list holds an action that is not legal, or ``avoid`` leaves none.
    """
    _check("allow", allow, legal)
    _check("avoid", avoid, legal)
    if not allow and not avoid:
        return None
    left = sorted(set(allow or legal) - set(avoid))
    if not left:
        raise ChoiceError("avoid", "it leaves no action")
    return left


def _check(field: str, actions: Iterable[int], legal: list[int]) -> None:
    known = set(legal)
    for action in actions:
        if action not in known:
            raise ChoiceError(field, f"{action} is not legal")
