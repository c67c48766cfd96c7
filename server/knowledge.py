"""Who knows what happened: derived from the views alone, so that nothing else can be told."""

from __future__ import annotations

from kingsbridge.pyengine import State

UNKNOWN = "# an event that this seat does not see"
"""What stands in a record for an event its reader may not know."""


def knows(state: State, action: int, viewer: int) -> bool:
    """Whether ``viewer`` can tell ``action``, played in ``state``, from all else that could have happened.

    It can if no other event leads to the same view. A decision is always known to the seat that took it.
    """
    if not state.is_chance and state.current_player == viewer:
        return True
    seen = state.child(action).information_set(viewer)
    others = [outcome for outcome, _ in state.chance_outcomes()] if state.is_chance else state.legal_actions()
    return all(state.child(other).information_set(viewer) != seen for other in others if other != action)


def censored(text: str, known: list[bool]) -> str:
    """A record's text without the events that are not ``known``, by number; each leaves a comment.

    The events are the lines after the first blank one: see ``pyengine.GameRecord``.
    """
    head, blank, body = text.partition("\n\n")
    lines = body.split("\n")
    told = [line if known[number] else UNKNOWN for number, line in enumerate(lines[: len(known)])]
    return head + blank + "\n".join(told + lines[len(known) :])
