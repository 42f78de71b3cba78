"""A call of the student's that is made again, to see what its seed decides.

With the same arguments and the same answers of the test's functions, the same seed
must give the same result, and another seed another one.
"""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

Call = Callable[[Sequence[Any]], Any]


class Keeping:
    """A function of the test whose answers are kept, to be given once more."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.answers: list[Any] = []

    def ask(self, *args: Any, **kwargs: Any) -> Any:
        answer = self.function(*args, **kwargs)
        self.answers.append(copy.deepcopy(answer))
        return answer

    def again(self) -> Callable[..., Any]:
        """A function that gives the same answers in the same order."""
        answers = iter(self.answers)

        def give(*_: Any, **__: Any) -> Any:
            try:
                return next(answers)
            except StopIteration:
                raise RuntimeError("called more often than before") from None

        return give


class Recorded:
    """A call with positional arguments, the seed last, and what came of it."""

    def __init__(self, name: str, call: Call, args: Sequence[Any]) -> None:
        self.name = name
        self.call = call
        self.kept: list[Any] = [
            Keeping(value) if callable(value) else copy.deepcopy(value)
            for value in args
        ]
        own = zip(self.kept, args, strict=True)
        self.result = call([k.ask if isinstance(k, Keeping) else a for k, a in own])

    def fault(self) -> tuple[str, str]:
        """Make the call twice more; what is wrong with its seed, or nothing.

        The second sentence leaves out the seed, which may be one of a hidden check.
        """
        seed, what, seeds = self.kept[-1], "", ""
        if not self._gives_the_same(seed):
            what, seeds = "two results for one seed", f" ({seed})"
        elif self._gives_the_same(seed + 1):
            what, seeds = "the same result for two seeds", f" ({seed} and {seed + 1})"
        if not what:
            return "", ""
        advice = "draw every random number from the argument seed"
        said = f"{self.name} gave {what}"
        return f"{said}{seeds}: {advice}", f"{said}: {advice}"

    def _gives_the_same(self, seed: int) -> bool:
        args = [k.again() if isinstance(k, Keeping) else k for k in self.kept[:-1]]
        try:
            return same(self.call([*args, seed]), self.result)
        except Exception:  # of the student's: it did not come that far the first time
            return False


def same(one: Any, other: Any) -> bool:
    """Are two results equal to the last bit?"""
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, np.ndarray | np.generic | float):
        return np.array_equal(one, other, equal_nan=True)
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(same(a, b) for a, b in pairs)
    return bool(one == other)
