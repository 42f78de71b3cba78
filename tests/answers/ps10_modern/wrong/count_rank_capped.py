"""No rank is larger than the matrix."""

# replaces: answer_count
# fails: count
# message: all A and B


def lora_count(shapes, r):
    return sum(min(r, o, i) * (o + i) for o, i in shapes), sum(o * i for o, i in shapes)
