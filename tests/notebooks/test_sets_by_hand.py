"""The blocks of lecture 14 are those of the library; 14b's ViT that of its exercise."""

import math

import nbformat
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from lectures import NOTEBOOKS
from torch import nn

from course_lib.exercises.images_and_words import ReaderOfPatches
from course_lib.models import sets as library
from course_lib.models.attention import MultiHeadAttention, padding_mask
from course_lib.models.transformer import EncoderLayer
from course_lib.train import one_cycle, train

D, HEADS, N = 15, 3, 7


def sources(lecture: str) -> dict[str, str]:
    nb = nbformat.read(NOTEBOOKS / f"{lecture}.ipynb", as_version=4)
    return {cell.id: cell.source for cell in nb.cells}


@pytest.fixture(scope="module")
def page() -> dict:
    """The classes that lecture 14 writes, run without the rest of it."""
    cells, names = sources("14_sets"), {"torch": torch, "nn": nn, "F": F}
    names["MultiHeadAttention"] = MultiHeadAttention
    exec(cells["blocks-code"], names)
    exec(cells["induced-code"].split("\n\n\nbridge = ")[0], names)
    return names


def test_the_blocks_give_the_numbers_of_the_library(page):
    torch.manual_seed(0)
    x, mask = torch.randn(2, N, D).double(), padding_mask(torch.tensor([N, 4]), N)
    pairs = [
        (page["MAB"](D, HEADS), library.MAB(D, HEADS), (x, x)),
        (page["PMA"](D, HEADS, 2), library.PMA(D, HEADS, seeds=2), (x,)),
        (page["ISAB"](D, HEADS, 5), library.ISAB(D, HEADS, inducing=5), (x,)),
    ]
    for ours, theirs, inputs in pairs:
        theirs.load_state_dict(ours.state_dict())
        ours, theirs = ours.double(), theirs.double()
        for more in ((), (mask,)):
            out = ours(*inputs, *more)[0]
            assert torch.allclose(out, theirs(*inputs, *more).output, atol=1e-12)


def test_the_vision_transformer_is_that_of_the_exercise():
    cells = sources("14b_images_and_words")
    names = {"torch": torch, "nn": nn, "F": F, "EncoderLayer": EncoderLayer}
    exec(cells["cut-code"].split("\n\n\nprint(")[0], names)
    exec(cells["vit-code"].split("\n\n\ndef digit_loss")[0], names)
    torch.manual_seed(0)
    ours, theirs = names["ViT"](), ReaderOfPatches("learned")
    theirs.load_state_dict(ours.state_dict())
    images = torch.rand(3, 8, 8)
    assert torch.allclose(ours(images), theirs(images), atol=1e-5)
    theirs.place.requires_grad_(False)
    theirs.place.zero_()
    bag = names["ViT"](places=False)
    theirs.load_state_dict(bag.state_dict(), strict=False)
    assert torch.allclose(bag(images), theirs(images), atol=1e-5)


def test_other_settings_read_the_point_clouds_as_lecture_14_says(page):
    """More steps for the network on sorted points; a larger rate for attention."""
    cells, names = sources("14_sets"), dict(page)
    names |= {"math": math, "train": train, "one_cycle": one_cycle}
    exec(cells["setup"], names)
    exec(cells["clouds-data"].split("\n\n\nexamples")[0], names)
    exec(cells["clouds-nets"], names)
    exec(cells["clouds-result"].split("\n\n\nREADERS")[0], names)
    points, kind = names["clouds"](1000, 24, torch.Generator().manual_seed(99))

    def right(make, seed, steps, lr):
        model = names["fit"](names[make], seed, names["cloud_loss"], steps, lr)
        with torch.no_grad():
            return (model(points).argmax(dim=1) == kind).double().mean().item()

    assert 0.84 < right("CloudByAngle", 0, 180, 2e-3) < 0.96
    assert right("CloudAttention", 0, 150, 3e-3) < 0.8


def test_a_pool_with_one_head_finds_the_largest_less_well_than_with_four(page):
    """The contest of lecture 14 with one change: the heads of PMA."""
    cells, names = sources("14_sets"), dict(page)
    names |= {"train": train, "one_cycle": one_cycle, "np": np}
    for cell in ("setup", "contest-code"):
        exec(cells[cell], names)
    exec(
        "def questions" + cells["contest"].split("def questions")[1].split("seen,")[0],
        names,
    )

    def largest(heads):
        def make():
            model = names["Pooled"]("PMA", d=32)
            torch.manual_seed(0)
            model.ask = names["PMA"](32, heads=heads, k=1)
            return model

        model = names["fit"](make, 0, names["contest_loss"], 250, 6e-3)
        return names["mean_errors"](model, range(2, 11))[0]

    assert largest(1) > 2 * largest(4)


def test_the_largest_number_alone_says_little_about_how_many_there_are():
    """Lecture 14: 6 every time is wrong by 20/9, the best guess from it by 1.93."""
    sizes, largest = np.arange(2, 11), np.linspace(0, 1, 4001)[1:]
    density = sizes[:, None] * largest ** (sizes[:, None] - 1)  # (sizes, largest)
    likely = density.cumsum(axis=0) / density.sum(axis=0)
    median = sizes[(likely >= 0.5).argmax(axis=0)]
    off = (abs(median - sizes[:, None]) * density).sum(axis=1) / density.sum(axis=1)
    assert off.mean() == pytest.approx(1.93, abs=0.01)
    assert np.mean(abs(sizes - 6)) == pytest.approx(20 / 9)


def test_a_cnn_reads_digits_whose_pixels_are_scrambled():
    """Lecture 14b: patches scrambled or all 64 pixels, it costs about the same."""
    cells = sources("14b_images_and_words")
    names = {"torch": torch, "nn": nn, "F": F, "EncoderLayer": EncoderLayer}
    exec(cells["setup"], names)
    exec(cells["cut-code"].split("\n\n\nprint(")[0], names)
    exec(cells["vit-code"].split("\n\nvits =")[0], names)
    exec(cells["race"].split("\n\n\nbags =")[0], names)
    names["SEEDS"] = (0,)
    order = torch.randperm(64, generator=torch.Generator().manual_seed(0))

    def pixels(images, pick=None):
        return images.flatten(1)[:, order].view(-1, 8, 8)

    (proper,), (scrambled,) = (
        names["runs"](names["CNN"], change) for change in (None, pixels)
    )
    assert 0.0 < proper - scrambled < 0.05


def test_longer_training_brings_inducing_points_down_and_deep_sets_less(page):
    """The cluster task of lecture 14 with 2,000 steps instead of 400."""
    cells, names = sources("14_sets"), dict(page)
    names |= {"train": train, "one_cycle": one_cycle}
    exec(cells["setup"], names)
    exec(cells["clusters-code"], names)
    exec(cells["clusters"].split("\n\n\nWAYS")[0], names)
    new, right, which, _ = names["clusters"](500, 24, torch.Generator().manual_seed(99))

    def trained(way, seed):
        make, loss = lambda: names["FindMeans"](*way), names["means_loss"]
        return names["fit"](make, seed, loss, 2000, 5e-3)

    def share(model):
        with torch.no_grad():
            return (F.mse_loss(model(new), right) / F.mse_loss(new, right)).item()

    fourth = trained(("ISAB", 4), 3)
    assert share(fourth) < 0.3
    with torch.no_grad():
        gathered = fourth.parts[0](fourth.embed(new))[2][:, 0]
    reads = (gathered @ F.one_hot(which, 4).float()).mean(dim=0)
    assert sorted(reads.argmax(dim=1).tolist()) == [0, 1, 2, 3]
    assert 0.4 < share(trained(("Deep Sets",), 0)) < 0.55
