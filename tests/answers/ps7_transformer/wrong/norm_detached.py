"""Mean and variance are only numbers."""

# replaces: answer_norm
# fails: norm, encoder_pre, encoder_post, decoder_pre, decoder_post
# message: is a part of it cut off


def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.detach().mean(dim=-1, keepdim=True)
    variance = x.detach().var(dim=-1, correction=0, keepdim=True)
    return gamma * (x - mean) / (variance + eps).sqrt() + beta
