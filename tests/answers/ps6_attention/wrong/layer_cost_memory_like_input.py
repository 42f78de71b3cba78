"""Keys and values are made from the input."""

# replaces: answer_layer_cost
# fails: layer_count
# message: are made for M places


def layer_cost(N, M, d, d_z, H, d_k, d_v):
    projections = 2 * N * d * H * (d_k + d_v)
    parameters = H * (d_k + d_v) * (d + d_z)
    return projections + H * N * M * (d_k + d_v), parameters, H * N * M
