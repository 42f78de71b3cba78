"""gamma's gradient is summed over the batch."""

# replaces: answer_norm_backward
# fails: norm_weights
# message: not over the batch alone


def layer_norm_backward(dy, x, gamma, eps=1e-5):
    def mean(a):
        return a.mean(dim=-1, keepdim=True)

    root = (mean((x - mean(x)) ** 2) + eps).sqrt()
    x_hat, g = (x - mean(x)) / root, gamma * dy
    dx = (g - mean(g) - x_hat * mean(g * x_hat)) / root
    return dx, (dy * x_hat).sum(dim=0), dy.sum(dim=0)
