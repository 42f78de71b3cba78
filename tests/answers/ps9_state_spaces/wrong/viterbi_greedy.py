"""The best next state from the best state."""

# replaces: answer_viterbi
# fails: viterbi
# message: one by one


def viterbi(pi, A, B, x):
    path = [int((pi * B[:, x[0]]).argmax())]
    for symbol in x[1:]:
        path.append(int((A[path[-1]] * B[:, symbol]).argmax()))
    return path
