"""y depends on x through x."""

# replaces: answer_norm_backward
# fails: norm_input
# message: both mu and sigma are taken for constants


def layer_norm_backward(dy, x, gamma, eps=1e-5):
    def mean(a):
        return a.mean(dim=-1, keepdim=True)

    def rows(a):
        return a.reshape(-1, a.shape[-1])

    root = (mean((x - mean(x)) ** 2) + eps).sqrt()
    x_hat, g = (x - mean(x)) / root, gamma * dy
    dx = g / root
    return dx, rows(dy * x_hat).sum(dim=0), rows(dy).sum(dim=0)
