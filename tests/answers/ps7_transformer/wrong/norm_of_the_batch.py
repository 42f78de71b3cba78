"""Each feature is normed over the batch."""

# replaces: answer_norm
# fails: norm, encoder_pre, encoder_post, decoder_pre, decoder_post, cache, cache_many
# message: take them along the last axis


def layer_norm(x, gamma, beta, eps=1e-5):
    rows = x.reshape(-1, x.shape[-1])
    mean, variance = rows.mean(dim=0), rows.var(dim=0, correction=0)
    return gamma * (x - mean) / (variance + eps).sqrt() + beta
