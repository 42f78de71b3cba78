"""Equal shapes are one matrix."""

# replaces: answer_count
# fails: count
# message: all A and B


def lora_count(shapes, r):
    sizes = {(o, i) for o, i in shapes}
    return sum(r * (o + i) for o, i in sizes), sum(o * i for o, i in sizes)
