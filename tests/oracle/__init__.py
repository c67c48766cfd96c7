"""Games in plain Python, and what holds the engine to them."""

import pytest

pytest.register_assert_rewrite("tests.oracle.lockstep")
