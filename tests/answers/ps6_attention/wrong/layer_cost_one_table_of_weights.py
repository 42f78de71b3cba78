"""One table of weights for all heads."""

# replaces: answer_layer_cost
# fails: layer_count
# message: each head has its own


def layer_cost(N, M, d, d_z, H, d_k, d_v):
    projections = H * (N * d * d_k + M * d_z * (d_k + d_v))
    pairs = H * N * M * (d_k + d_v)
    last = N * H * d_v * d
    parameters = H * (d_k + d_v) * (d + d_z)
    return projections + pairs + last, parameters, N * M
