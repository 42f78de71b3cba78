"""<sos> takes the place of the first word, the rest stays."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_shift
# fails: shift
# message: the answer is given away


def teacher_inputs(target):
    inputs = target.copy()
    inputs[:, 0] = SOS
    return inputs
