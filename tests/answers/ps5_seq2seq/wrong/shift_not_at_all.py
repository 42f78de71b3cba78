"""The decoder is told the words, so its inputs are the words."""

# replaces: answer_shift
# fails: shift
# message: before the first word comes <sos>


def teacher_inputs(target):
    return target.copy()
