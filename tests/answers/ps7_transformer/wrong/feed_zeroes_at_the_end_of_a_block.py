"""An earlier slip, met again in the blocks: the message says where to begin."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_feed
# fails: feed, encoder_pre, encoder_post, decoder_pre, decoder_post, cache, cache_many
# message: feed_forward (question 4) is wrong, too

import torch.nn.functional as F


def feed_forward(x, w):
    return F.linear(F.linear(x, w["W_1"], w["b_1"]), w["W_2"], w["b_2"])
