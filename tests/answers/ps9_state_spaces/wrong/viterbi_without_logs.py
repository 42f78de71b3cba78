"""Probabilities multiply."""

# replaces: answer_viterbi
# fails: viterbi
# message: its log probability is


def viterbi(pi, A, B, x):
    score, back = pi * B[:, x[0]], []
    for symbol in x[1:]:
        through = score[:, None] * A
        back.append(through.argmax(axis=0))
        score = through.max(axis=0) * B[:, symbol]
    path = [score.argmax()]
    for row in back[::-1]:
        path.insert(0, row[path[0]])
    return path
