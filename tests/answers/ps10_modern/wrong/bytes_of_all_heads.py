"""Keys and values are d_model wide."""

# replaces: answer_bytes
# fails: bytes
# message: only the groups keep


def cache_bytes(T, layers, d_model, heads, groups, bytes_per_number):
    return 2 * T * layers * d_model * bytes_per_number
