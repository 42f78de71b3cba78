"""A @ b."""

# replaces: answer_combine
# fails: joined
# message: the shapes do not fit


def combine(earlier, later):
    (A_1, b_1), (A_2, b_2) = earlier, later
    return A_2 @ A_1, A_2 @ b_1 + b_2
