"""The first shape starts the sum."""

# replaces: answer_count
# fails: count
# message: IndexError


def lora_count(shapes, r):
    thin, large = r * sum(shapes[0]), shapes[0][0] * shapes[0][1]
    for a, b in shapes[1:]:
        thin, large = thin + r * (a + b), large + a * b
    return thin, large
