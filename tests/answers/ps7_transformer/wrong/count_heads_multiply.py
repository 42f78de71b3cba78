"""Every head has its own d x d matrices."""

# replaces: answer_count
# fails: count, count_tied
# message: their number does not matter


def count_parameters(
    V_source, V_target, d, heads, d_ff, layers, norm_first=True, tied=False
):
    attention, norm = 4 * d * (d + 1) * heads, 2 * d
    feed = 2 * d * d_ff + d_ff + d
    blocks = layers * (3 * attention + 2 * feed + 5 * norm)
    last = 2 * norm if norm_first else 0
    tables = V_target * d if tied else (V_source + 2 * V_target) * d
    return blocks + last + tables + V_target
