"""Names that plain data answers to, such as `shape`, `append` or `allclose`.

A test that uses one expects data. No object of a student's process may answer in its
place: what it says could depend on what it is compared with.
"""

import numpy as np
import torch

from course_tools.grading.bridge import pandas_values

_CLASSES = (np.ndarray, torch.Tensor, set, list, dict, str, tuple, bytes, int, float)
DATA_NAMES = frozenset(
    name for cls in _CLASSES for name in dir(cls) if not name.startswith("_")
) - frozenset(dir(torch.nn.Module))


def is_data_name(name: str) -> bool:
    """Is it a name of arrays, tensors, builtin types, or tables of pandas?"""
    return name in DATA_NAMES or name in pandas_values.names()
