"""Both are added."""

# replaces: answer_combine
# fails: joined
# message: goes through the later step


def combine(earlier, later):
    (A_1, b_1), (A_2, b_2) = earlier, later
    return A_2 @ A_1, b_1 + b_2
