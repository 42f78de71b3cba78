"""A word, and then the rest."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_greedy


def greedy(next_log_p, max_length, words=()):
    if len(words) == max_length or (words and words[-1] == EOS):
        return words, 0.0
    log_p = next_log_p(words)
    best = max(range(len(log_p)), key=lambda word: log_p[word])
    words, rest = greedy(next_log_p, max_length, (*words, best))
    return words, log_p[best] + rest
