"""A stack of one block does not need one more norm."""

# replaces: answer_count
# fails: count
# message: the norms at the end of pre-norm stacks are missing


def count_parameters(
    V_source, V_target, d, heads, d_ff, layers, norm_first=True, tied=False
):
    attention, feed, norm = 4 * d * (d + 1), 2 * d * d_ff + d_ff + d, 2 * d
    count = layers * (3 * attention + 2 * feed + 5 * norm) + V_target
    count += V_target * d if tied else (V_source + 2 * V_target) * d
    return count + (2 * norm if norm_first and layers > 1 else 0)
