"""What the model has now."""

# replaces: answer_count
# fails: count
# message: without A and B


def lora_count(shapes, r):
    thin = sum(r * (a + b) for a, b in shapes)
    return thin, thin + sum(a * b for a, b in shapes)
