"""Handwritten digits: what was written, and a split that is one."""

import numpy as np
import pytest
import torch

from course_lib.data import digits


def test_they_are_scikit_learns_digits():
    from sklearn.datasets import load_digits

    learn, test = digits.load(seed=3)
    images = torch.cat([learn.images, test.images]).numpy() * 16
    labels = torch.cat([learn.labels, test.labels]).numpy()
    ours = np.column_stack([images.reshape(-1, 64), labels])
    theirs = load_digits()
    expected = np.column_stack([theirs.data, theirs.target])
    order = np.lexsort(ours.T), np.lexsort(expected.T)
    assert np.array_equal(ours[order[0]], expected[order[1]])


def test_shapes_types_and_range():
    learn, test = digits.load(seed=0)
    assert (len(learn), len(test)) == (1347, 450)
    assert learn.images.shape == (1347, 8, 8)
    assert learn.images.dtype == torch.float32
    assert learn.labels.dtype == torch.int64
    assert (learn.images.min(), learn.images.max()) == (0, 1)
    for part in (learn, test):
        assert sorted(set(part.labels.tolist())) == list(range(10))


def test_the_rows_are_upright():
    """A 1 is taller than wide, and ink stands in the middle columns."""
    learn, _ = digits.load()
    ones = learn.images[learn.labels == 1].mean(dim=0)
    assert ones[:, 3:5].sum() > 3 * ones[:, [0, 7]].sum()
    sevens = learn.images[learn.labels == 7].mean(dim=0)
    assert sevens[0].sum() > sevens[-1].sum()  # the bar is at the top


def test_a_seed_fixes_the_split_and_another_changes_it():
    first, again, other = (digits.load(seed)[1] for seed in (5, 5, 6))
    assert torch.equal(first.images, again.images)
    assert not torch.equal(first.images, other.images)


@pytest.mark.parametrize("test", [0, 1797, -3])
def test_a_part_without_digits_is_refused(test):
    with pytest.raises(ValueError, match=f"test = {test} of 1797"):
        digits.load(test=test)
