"""gamma is a factor of the whole."""

# replaces: answer_norm_backward
# fails: norm_input
# message: it belongs inside, in g


def layer_norm_backward(dy, x, gamma, eps=1e-5):
    def mean(a):
        return a.mean(dim=-1, keepdim=True)

    def rows(a):
        return a.reshape(-1, a.shape[-1])

    root = (mean((x - mean(x)) ** 2) + eps).sqrt()
    x_hat, g = (x - mean(x)) / root, dy
    dx = gamma * (g - mean(g) - x_hat * mean(g * x_hat)) / root
    return dx, rows(dy * x_hat).sum(dim=0), rows(dy).sum(dim=0)
