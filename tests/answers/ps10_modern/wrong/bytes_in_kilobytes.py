"""Divide by 1024."""

# replaces: answer_bytes
# fails: bytes
# message: expected


def cache_bytes(T, layers, d_model, heads, groups, bytes_per_number):
    return 2 * T * layers * groups * (d_model // heads) * bytes_per_number / 1024
