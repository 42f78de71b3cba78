"""sigma is the root of the sum of squares."""

# replaces: answer_norm
# fails: norm, encoder_pre, encoder_post, decoder_pre, decoder_post, cache, cache_many
# message: sigma lacks its 1/d


def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(dim=-1, keepdim=True)
    sigma = (centred**2).sum(dim=-1, keepdim=True) + eps
    return gamma * centred / sigma.sqrt() + beta
