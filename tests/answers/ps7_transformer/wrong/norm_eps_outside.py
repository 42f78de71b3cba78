"""A little is added to sigma, so that nothing is divided by 0."""

# replaces: answer_norm
# fails: norm
# message: eps stands under the root


def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(dim=-1, keepdim=True)
    sigma = (centred**2).mean(dim=-1, keepdim=True).sqrt()
    return gamma * centred / (sigma + eps) + beta
