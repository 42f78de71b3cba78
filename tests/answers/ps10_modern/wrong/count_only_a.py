"""Each matrix gets r rows."""

# replaces: answer_count
# fails: count
# message: count both


def lora_count(shapes, r):
    return sum(r * d_in for _, d_in in shapes), sum(a * b for a, b in shapes)
