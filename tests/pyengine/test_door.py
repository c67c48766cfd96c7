"""The public door of the package."""

import doctest
import pickle

import kingsbridge.pyengine
from kingsbridge.pyengine import RecordError


def test_the_door_lists_exactly_what_it_gives() -> None:
    listed = kingsbridge.pyengine.__all__
    assert listed == sorted(set(listed), key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    assert all(hasattr(kingsbridge.pyengine, name) for name in listed)


def test_the_example_of_the_door_runs() -> None:
    result = doctest.testmod(kingsbridge.pyengine)
    assert result.attempted > 3
    assert result.failed == 0


def test_a_refusal_survives_the_way_from_another_process() -> None:
    error = pickle.loads(pickle.dumps(RecordError(3, "because")))
    assert (error.line, error.reason, str(error)) == (3, "because", "line 3: because")
    assert str(RecordError(None, "because")) == "because"
