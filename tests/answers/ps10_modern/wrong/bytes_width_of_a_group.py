"""The groups share d_model."""

# replaces: answer_bytes
# fails: bytes
# message: only the groups keep


def cache_bytes(T, layers, d_model, heads, groups, bytes_per_number):
    return 2 * T * layers * groups * (d_model // groups) * bytes_per_number
