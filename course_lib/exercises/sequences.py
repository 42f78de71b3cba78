"""Exercises of lecture 01, sequences."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from course_lib.data.balls import fold
from course_lib.exercises.verdict import judge


def _on_each(answer: Callable, values: Sequence) -> Callable:
    """The answer on several values; not attempted if it is silent about one of them."""

    def on_all() -> list | None:
        got = [answer(*value) for value in values]
        return None if any(g is None or g is Ellipsis for g in got) else got

    return on_all


def check_next_place(answer: Callable) -> None:
    """fold(2 now - before)"""
    before = np.array([[0.30, 0.40], [0.80, 0.50], [0.25, 0.15]])
    now = np.array([[0.38, 0.37], [0.93, 0.45], [0.20, 0.05]])
    flight = 2 * now - before
    mistakes = {
        "The walls are missing: 1.06 lies outside; the ball is seen at 0.94.": flight,
        "Clipping lets the ball stick to the wall; a wall reflects it.": (
            np.clip(flight, 0, 1)
        ),
        "That is where it came from: the step is now - before.": before,
        "That is the step alone; add it to the place now.": now - before,
    }
    judge("Exercise 1", answer, (before, now), fold(flight), mistakes)


def check_best_memoryless(answer: Callable) -> None:
    """max(p, 1 - p)"""
    chances = [0.3, 0.8]
    mistakes = {
        "One half is right for fair bits only; lean towards the likelier bit.": (
            [0.5 for _ in chances]
        ),
        "You always answer 1; when p is below one half, answer 0.": chances,
        "You always answer 0; when p is above one half, answer 1.": (
            [1 - p for p in chances]
        ),
        "That is the accuracy of repeating x_t; a constant answer does better.": (
            [p * p + (1 - p) ** 2 for p in chances]
        ),
    }
    right = [max(p, 1 - p) for p in chances]
    values = [(p,) for p in chances]
    judge("Exercise 2", _on_each(answer, values), (), right, mistakes)


def check_same_bag(answer: Callable) -> None:
    """T! / (c_1! c_2! ...)"""
    sentences = ["good not bad not good", "not bad"]
    words = [sentence.split() for sentence in sentences]

    def orders(items: list[str]) -> int:
        repeats = math.prod(math.factorial(items.count(w)) for w in set(items))
        return math.factorial(len(items)) // repeats

    mistakes = {
        "Swapping two equal words gives the same sentence: divide by c! for a word "
        "that occurs c times.": [math.factorial(len(w)) for w in words],
        "You ordered the different words only; each copy takes a place too.": (
            [math.factorial(len(set(w))) for w in words]
        ),
        "The sentence itself has this bag as well: count it.": (
            [orders(w) - 1 for w in words]
        ),
    }
    right = [orders(w) for w in words]
    values = [(sentence,) for sentence in sentences]
    judge("Exercise 3", _on_each(answer, values), (), right, mistakes)


def check_persistence_error(answer: Callable) -> None:
    """2 sigma² + 2 sin²(omega k / 2)"""
    sigma, omega, k = 0.2, 0.3, 5
    noise, drift = 2 * sigma**2, 2 * math.sin(omega * k / 2) ** 2
    mistakes = {
        "That is one step ahead; k steps turn the wave by k omega.": (
            noise + 2 * math.sin(omega / 2) ** 2
        ),
        "Both values carry noise of their own, so sigma² counts twice.": (
            noise / 2 + drift
        ),
        "The mean of cos² over all phases is one half; it is missing.": (
            noise + 2 * drift
        ),
        "That is the root; the exercise asks for the mean square.": (
            math.sqrt(noise + drift)
        ),
        "One repeats the noise k times here; it enters only twice, whatever k.": (
            k * noise + drift
        ),
    }
    judge("Exercise 4", answer, (sigma, omega, k), noise + drift, mistakes)


def check_smallest_window(answer: Callable) -> None:
    """gap + 2"""
    gaps = [3, 11]
    mistakes = {
        "The window must also hold the letter and the question mark.": gaps,
        "One short: it must hold the letter, the gap and the question mark.": (
            [gap + 1 for gap in gaps]
        ),
        "One too many: letter, gap and question mark are gap + 2 symbols.": (
            [gap + 3 for gap in gaps]
        ),
    }
    right = [gap + 2 for gap in gaps]
    values = [(gap,) for gap in gaps]
    judge("Exercise 5", _on_each(answer, values), (), right, mistakes)
