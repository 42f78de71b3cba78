"""Only mu depends on x."""

# replaces: answer_norm_backward
# fails: norm_input
# message: the path through sigma is missing


def layer_norm_backward(dy, x, gamma, eps=1e-5):
    def mean(a):
        return a.mean(dim=-1, keepdim=True)

    def rows(a):
        return a.reshape(-1, a.shape[-1])

    root = (mean((x - mean(x)) ** 2) + eps).sqrt()
    x_hat, g = (x - mean(x)) / root, gamma * dy
    dx = (g - mean(g)) / root
    return dx, rows(dy * x_hat).sum(dim=0), rows(dy).sum(dim=0)
