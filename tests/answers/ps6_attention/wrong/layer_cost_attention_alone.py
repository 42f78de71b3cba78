"""Only the two products with N M pairs."""

# replaces: answer_layer_cost
# fails: layer_count
# message: four projections are missing


def layer_cost(N, M, d, d_z, H, d_k, d_v):
    parameters = H * (d_k * d + d_k * d_z + d_v * d_z + d_v * d)
    return H * N * M * (d_k + d_v), parameters, H * N * M
