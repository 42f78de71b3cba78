"""The state that shows the symbol most often."""

# replaces: answer_viterbi
# fails: viterbi
# message: it ignores A


def viterbi(pi, A, B, x):
    return [int(B[:, symbol].argmax()) for symbol in x]
