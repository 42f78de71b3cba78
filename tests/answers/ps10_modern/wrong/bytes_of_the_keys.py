"""What is kept for every token."""

# replaces: answer_bytes
# fails: bytes
# message: keys and values: twice as many


def cache_bytes(T, layers, d_model, heads, groups, bytes_per_number):
    return T * layers * groups * (d_model // heads) * bytes_per_number
