"""Random states: fixed per question, and carried from the judge to the student.

A test that seeds and then calls expects the called code to draw from that seed. So
the judge sends its random states with a call when they changed since the last one.
Never the other way: student code must not choose what the judge draws next.
"""

import ctypes
import functools
import hashlib
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

NUMPY_STATE = 624 * 4 + 4  # bytes: the numbers of the Mersenne twister, the position


def seed_for(*texts: str) -> int:
    """Return a 32-bit seed that depends on all the texts and on nothing else."""
    digest = hashlib.sha256("\0".join(texts).encode()).digest()
    return int.from_bytes(digest[:4], "little")


def set_seeds(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - notebooks use the old interface
    torch.default_generator.manual_seed(seed)  # no time lost on graphics cards


def seed_locked(source: str) -> None:
    """Both sides run a locked cell; what it draws must be the same on both."""
    set_seeds(seed_for("locked", source))


_seeded = [0]  # how often a test has seeded: the same seed twice is news, too


def count_seeds() -> None:
    """From here on every seeding of this process shows in the fingerprint."""

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def seed(*args: Any, **kwargs: Any) -> Any:
            _seeded[0] += 1
            return function(*args, **kwargs)

        return seed

    random.seed, random.setstate = counted(random.seed), counted(random.setstate)
    np.random.seed = counted(np.random.seed)
    np.random.set_state = counted(np.random.set_state)
    torch.manual_seed = counted(torch.manual_seed)
    torch.random.manual_seed = torch.manual_seed


def fingerprint() -> tuple[Any, ...]:
    """Return what changes with every draw and every seed, at a tenth of the cost."""
    # numpy's own annotations do not list this function
    generator = np.random.get_bit_generator()  # pyright: ignore
    numbers = generator.ctypes.state_address
    return (
        _seeded[0],
        random.getstate(),
        ctypes.string_at(numbers, NUMPY_STATE),
        torch.get_rng_state().numpy().tobytes(),
    )


def get_states() -> list[Any]:
    """Return the states of `random`, `numpy.random` and `torch` as plain data."""
    numbers = np.random.get_state(legacy=False)  # noqa: NPY002
    return [
        random.getstate(),
        numbers["state"]["key"].tobytes(),
        [numbers["state"]["pos"], numbers["has_gauss"], numbers["gauss"]],
        torch.get_rng_state().numpy().tobytes(),
    ]


def set_states(states: list[Any]) -> None:
    """Continue drawing where `states` says."""
    python, key, (position, has_gauss, gauss), tensors = states
    random.setstate(python)
    np.random.set_state(  # noqa: NPY002
        {
            "bit_generator": "MT19937",
            "state": {"key": np.frombuffer(key, np.uint32), "pos": position},
            "has_gauss": has_gauss,
            "gauss": gauss,
        }
    )
    torch.set_rng_state(torch.frombuffer(bytearray(tensors), dtype=torch.uint8))
