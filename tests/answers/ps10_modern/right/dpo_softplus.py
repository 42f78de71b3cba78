"""Softplus from the maximum, in single precision."""

# replaces: answer_dpo

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    rewards = np.array([logp_w - ref_w, logp_l - ref_l], dtype=np.float32) * beta
    top = rewards.max(axis=0)
    both = top + np.log(np.exp(rewards - top).sum(axis=0))
    return np.mean(both - rewards[0])
