r"""Losses of models that predict tokens: which token is asked for, and which count.

A model gives **logits**: one number for each token of the vocabulary, whose softmax is
$p$. The loss is the mean of $-\log p(y^*_t)$ over the targets $y^*_t$ that count;
padding never does.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

from course_lib.data.vocabulary import PAD, SOS


def shifted(targets: Int[Tensor, "B U"]) -> Int[Tensor, "B U"]:
    """What a decoder reads (teacher forcing): <sos>, then all targets but the last."""
    start = torch.full_like(targets[:, :1], SOS)
    return torch.cat([start, targets[:, :-1]], dim=1)


def masked_cross_entropy(
    logits: Float[Tensor, "B U V"], targets: Int[Tensor, "B U"]
) -> Float[Tensor, ""]:
    r"""Mean of $-\log p(y^*_t)$ over all targets that are not padding."""
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD)


def next_token_loss(
    logits: Float[Tensor, "B N V"],
    targets: Int[Tensor, "B N"],
    asked: Bool[Tensor, "B N"] | None = None,
) -> Float[Tensor, ""]:
    r"""Mean of $-\log p(y^*_n)$ over the targets `asked` for; all of them if None.

    For text, where number 0 is a token like any other and nothing is padding.
    """
    cost = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
    return cost.mean() if asked is None else cost[asked].mean()
