"""torch builds it without memory, and every tensor is asked for its size."""

# replaces: answer_count

import torch
from torch import nn


def count_parameters(
    V_source, V_target, d, heads, d_ff, layers, norm_first=True, tied=False
):
    with torch.device("meta"):
        parts = [nn.TransformerEncoderLayer(d, heads, d_ff) for _ in range(layers)]
        parts += [nn.TransformerDecoderLayer(d, heads, d_ff) for _ in range(layers)]
        parts += [nn.LayerNorm(d) for _ in range(2 * norm_first)]
        parts += [nn.Linear(d, V_target)]
        if not tied:
            parts += [nn.Embedding(V_source, d), nn.Embedding(V_target, d)]
    return sum(w.numel() for part in parts for w in part.parameters())
