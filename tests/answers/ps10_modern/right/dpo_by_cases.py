"""A branch for each sign, in plain Python."""

# replaces: answer_dpo

import math


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    losses = []
    for w, lost, rw, rl in zip(logp_w, logp_l, ref_w, ref_l, strict=True):
        z = float(beta * (w - lost - rw + rl))
        losses.append(math.log1p(math.exp(-abs(z))) + max(-z, 0.0))
    return math.fsum(losses) / len(losses)
