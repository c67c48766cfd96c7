"""The Pillars of the Earth: what an evaluation of a position must agree to, whatever its weights are."""

import pytest

from tests.rules.pillars.position import position, seat

POINT = 16
"""Of ``State.outlook()``."""


@pytest.mark.parametrize(("round_", "points"), [(1, 8), (2, 7), (4, 5), (5, 4), (6, 4)])
def test_the_same_lead_tells_the_more_the_nearer_the_end_is(round_: int, points: int) -> None:
    leads = position(seat(), seat(), phase="roll", round=round_).outlook_leads()
    assert leads == (6 * POINT, points * POINT)
