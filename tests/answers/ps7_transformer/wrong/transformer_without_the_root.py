"""The embedding as it is, plus the code."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_transformer
# fails: transformer
# message: not stretched by the root of d

import torch
import torch.nn.functional as F


def transformer_scores(p, source, inputs, heads, parts):
    d, U = p["E_source"].shape[1], inputs.shape[1]
    words = (source != PAD)[:, None]
    before = torch.ones(U, U, dtype=torch.bool).tril()
    x = p["E_source"][source]
    x = x + parts.sinusoids(x.shape[1], d).to(x)
    for block in p["encoder"]:
        x = parts.encoder_block(x, block, heads, words)
    memory = parts.layer_norm(x, **p["norm_encoder"])
    y = p["E_target"][inputs]
    y = y + parts.sinusoids(U, d).to(y)
    for block in p["decoder"]:
        y = parts.decoder_block(y, memory, block, heads, before, words)
    y = parts.layer_norm(y, **p["norm_decoder"])
    return F.linear(y, p["W_y"], p["b_y"])
