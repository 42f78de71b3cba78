"""The mixer equals that of transformers, in values and gradients."""

import pytest
import torch

from course_lib.check import max_difference
from course_lib.models.mamba import MambaMixer


@pytest.mark.slow
@pytest.mark.parametrize("training", [True, False])
def test_equals_the_mixer_of_transformers(training):
    transformers = pytest.importorskip("transformers")
    from transformers.models.mamba import modeling_mamba

    torch.manual_seed(0)
    shape = transformers.MambaConfig(
        hidden_size=13, state_size=5, num_hidden_layers=1, time_step_rank=3
    )
    theirs = modeling_mamba.MambaMixer(shape, 0).train(training)
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter += 0.3 * torch.randn_like(parameter)
    ours = MambaMixer(13, state=5, rank=3)
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(2, 23, 13, requires_grad=True)
    results = []
    for mixer in (ours, theirs):
        out = mixer(x)
        named = dict(mixer.named_parameters())
        grads = torch.autograd.grad(out.square().sum(), [x, *named.values()])
        results.append({"out": out} | dict(zip(["x", *named], grads, strict=True)))
    for name, got in results[0].items():
        expected = results[1][name]
        scale = expected.abs().max().item()
        assert max_difference(got, expected) < 1e-5 * max(1.0, scale), name


def test_it_looks_back_only():
    torch.manual_seed(0)
    mixer, x = MambaMixer(7), torch.randn(2, 11, 7)
    changed = x.clone()
    changed[:, 6] += 1.0
    with torch.no_grad():
        moved = (mixer(x) - mixer(changed)).abs().amax(dim=(0, 2))
    assert moved[:6].max() == 0
    assert moved[6:].min() > 0
