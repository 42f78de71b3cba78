"""torch has the whole layer."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder_pre, encoder_post
# message: write it out: TransformerEncoderLayer does what this question asks you for

import torch
from torch import nn


def encoder_block(x, p, heads, mask=None, norm_first=True):
    d_ff, d = p["feed"]["W_1"].shape
    layer = nn.TransformerEncoderLayer(
        d, heads, d_ff, dropout=0.0, batch_first=True, norm_first=norm_first
    )
    if mask is not None:
        shape = len(x), x.shape[1], x.shape[1]
        mask = (~mask).expand(shape).repeat_interleave(heads, dim=0)
    names = torch_names(p)
    return torch.func.functional_call(layer.to(x), names, (x,), {"src_mask": mask})
