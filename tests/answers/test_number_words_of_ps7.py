"""Problem set 7 names its numbers without num2words; the names are the thread's."""

import nbformat
import pytest

from course_lib.data.number_words import words

PS7 = "solutions/ps7_transformer/ps7_transformer.ipynb"
END = 10_000


@pytest.fixture(scope="module")
def ps7(project_root) -> dict:
    """The word lists and both functions, which stand at the top of their cell."""
    book = nbformat.read(project_root / PS7, as_version=4)
    (source,) = (cell.source for cell in book.cells if cell.id == "numbers_task")
    top, _, use = source.partition("def words_of(name):")
    assert f"range({END:_})" in use, "ps7 uses another range of numbers"
    found: dict = {}
    exec(top, found)
    return found


@pytest.mark.parametrize(("name", "language"), [("english", "en"), ("french", "fr")])
def test_all_numbers_of_the_set_have_the_names_of_the_course(ps7, name, language):
    in_ps7 = {n: tuple(ps7[name](n)) for n in range(END)}
    assert [n for n in range(END) if in_ps7[n] != words(n, language)] == []


def test_the_comparison_can_fail(ps7):
    """-vingts loses its s before mille, which no number of the set needs."""
    assert ps7["french"](80_000) == ["quatre", "-vingts", "mille"]
    assert words(80_000, "fr") == ("quatre", "-vingt", "mille")
