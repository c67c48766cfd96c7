"""A Column of Fire for the oracle: questions with their answers in the order in which they are listed."""

from collections.abc import Generator, Iterable

from tests.oracle.column_cards import place_of
from tests.oracle.script import Answer, Node, Script, ask, say, throw

__all__ = ["Answer", "Node", "Script", "decide", "draw_lots", "say"]


def decide(phase: str, seat: int, actions: Iterable[str]) -> Generator[Node, Answer, Answer]:
    """A question to a seat."""
    answer = yield from ask(phase, seat, sorted(actions, key=place_of))
    return answer


def draw_lots(phase: str, outcomes: dict[str, int]) -> Generator[Node, Answer, Answer]:
    """A question to chance: what may come, with weights."""
    answer = yield from throw(phase, {event: outcomes[event] for event in sorted(outcomes, key=place_of)})
    return answer
