"""What is told to a person is English."""

import pytest

from course_tools.words import number_of


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages")]
)
def test_one_thing_is_no_plural(count, said):
    assert number_of(count, "page") == said
