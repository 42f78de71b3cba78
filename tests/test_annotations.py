"""Array annotations of course_lib are checked at every call under pytest."""

import importlib

import numpy as np
import pytest
import torch
from annotated import annotated_modules
from jaxtyping import TypeCheckError

from course_lib.data import balls, sources
from course_lib.models.gpt import GPT
from course_lib.search import adjusted


@pytest.mark.parametrize("name", annotated_modules())
def test_every_module_with_annotated_arrays_was_loaded_by_the_hook(name: str) -> None:
    loader = importlib.import_module(name).__spec__.loader
    assert type(loader).__module__.startswith("jaxtyping")


def test_modules_are_found_by_their_imports(tmp_path) -> None:
    package = tmp_path / "lib"
    (package / "inner").mkdir(parents=True)
    (package / "plain.py").write_text("import numpy\n")
    (package / "inner" / "__init__.py").write_text("from jaxtyping import Float\n")
    (package / "inner" / "axes.py").write_text("x = 1\nfrom jaxtyping import Int\n")
    assert annotated_modules(package) == ["lib.inner", "lib.inner.axes"]


@pytest.mark.parametrize(
    "call",
    [
        lambda: adjusted(torch.zeros(3)),
        lambda: balls.fly(np.zeros((3, 2)), np.zeros((5, 2)), 7),
        lambda: sources.stationary(np.zeros((2, 3))),
        lambda: GPT(5)(torch.zeros(2, 3)),
    ],
    ids=["an axis short", "two sizes of one axis", "not square", "floats for tokens"],
)
def test_a_wrong_axis_is_refused(call) -> None:
    with pytest.raises(TypeCheckError):
        call()
