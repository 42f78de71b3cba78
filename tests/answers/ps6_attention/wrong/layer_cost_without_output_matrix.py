"""The last product is forgotten."""

# replaces: answer_layer_cost
# fails: layer_count
# message: W_o is missing


def layer_cost(N, M, d, d_z, H, d_k, d_v):
    projections = H * (N * d * d_k + M * d_z * (d_k + d_v))
    parameters = H * (d_k + d_v) * (d + d_z)
    return projections + H * N * M * (d_k + d_v), parameters, H * N * M
