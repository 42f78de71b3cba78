"""Exercises of lecture 14b: other right answers pass, mistakes are named."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from course_lib.exercises.exercise import examine
from course_lib.exercises.images_and_words import (
    EXERCISES,
    ReaderOfPatches,
    kinds_of_places,
    waves,
)


def cut_by_torch(image, p):
    pieces = F.unfold(torch.from_numpy(image.astype(float))[None, None], p, stride=p)
    return pieces[0].T.numpy()


def loss_by_torch(scores):
    table, right = torch.from_numpy(scores), torch.arange(len(scores))
    both = F.cross_entropy(table, right) + F.cross_entropy(table.T, right)
    return (both / 2).item()


def mean_before_log(scores):
    table = torch.from_numpy(scores)
    ways = (table.softmax(dim=dim).diagonal().mean().log() for dim in (0, 1))
    return -sum(way.item() for way in ways) / 2


RIGHT = {
    1: cut_by_torch,
    2: lambda s: np.mean([np.argmax(column) == c for c, column in enumerate(s.T)]),
    3: loss_by_torch,
}
WRONG = [
    (1, lambda i, p: i.reshape(-1, p * p), "plain reshape"),
    (1, lambda i, p: cut_by_torch(i, p).T, "a patch is a row"),
    (1, lambda i, p: cut_by_torch(i, p).reshape(-1, p, p), "still a square"),
    (2, lambda s: np.mean(s.argmax(axis=1) == range(5)), "share of pictures"),
    (2, lambda s: s.argmax(axis=0) == range(5), "take the mean"),
    (3, lambda s: F.cross_entropy(torch.tensor(s), torch.arange(3)).item(), "Only the"),
    (3, lambda s: 2 * loss_by_torch(s), "take their mean"),
    (3, lambda s: -np.diag(s).mean(), "wrong pairs"),
    (3, lambda s: loss_by_torch(s) * np.log2(np.e), "in bits"),
    (3, lambda s: mean_before_log(s), "not over the probabilities"),
]


@pytest.mark.parametrize(("number", "answer"), RIGHT.items())
def test_other_right_answers_pass(number, answer):
    assert examine(EXERCISES[number], answer) == "right"


@pytest.mark.parametrize(("number", "answer", "words"), WRONG)
def test_mistakes_as_students_write_them_are_named(number, answer, words):
    assert words in examine(EXERCISES[number], answer)


def test_waves_tell_all_places_apart():
    distances = torch.cdist(waves()[1:], waves()[1:])
    assert distances[~torch.eye(16, dtype=torch.bool)].min() > 0.5


def test_only_learned_places_are_parameters_that_learn():
    kinds = ("learned", "waves", "frozen", "none")
    learns = [ReaderOfPatches(kind).place.requires_grad for kind in kinds]
    assert learns == [True, False, False, False]


def test_the_experiment_runs():
    shares = kinds_of_places(seeds=1, steps=2)
    assert all(0 <= share <= 1 for values in shares.values() for share in values)
