"""torch knows what a standard deviation is."""

# replaces: answer_norm
# fails: norm, encoder_pre, encoder_post, decoder_pre, decoder_post, cache, cache_many
# message: divided by d - 1


def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(dim=-1, keepdim=True)
    return gamma * centred / (x.var(dim=-1, keepdim=True) + eps).sqrt() + beta
