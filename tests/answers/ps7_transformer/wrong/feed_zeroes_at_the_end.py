"""The non-linearity comes last."""

# replaces: answer_feed
# fails: feed, encoder_pre, encoder_post, decoder_pre, decoder_post, cache, cache_many
# message: not after the second

import torch.nn.functional as F


def feed_forward(x, w):
    return F.relu(F.linear(F.linear(x, w["W_1"], w["b_1"]), w["W_2"], w["b_2"]))
